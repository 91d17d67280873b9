import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { defaultParams, namedArrays } from '../../core/format.ts';
import { toCsr } from '../../core/matrix/index.ts';
import { formats } from '../../formats/registry.ts';
import { generate } from '../../generate/generate.ts';
import { readMatrix } from '../../io/read.ts';
import { readSafetensorsHeader } from '../../io/tensors/safetensors-header.ts';
import { fileSource, readBytes, readHead } from '../../io/source.ts';
import { safetensorsFile } from '../../../test/io/safetensors.ts';
import { readNpyHeader } from '../../io/numpy/npy.ts';
import { readZipDirectory, zipMember } from '../../io/archives/zip.ts';
import { NO_JOB, type Progress } from '../../core/job.ts';
import type { BaseRequest, Pruning } from './source-types.ts';
import type { Watch } from '../bridge/service.ts';
import { testEngine } from '../../../test/engine.ts';

const spec = { pattern: 'uniform', rows: 24, cols: 64, density: 0.5, seed: 4 } as const;
const generated = { kind: 'generated', spec } as const;
const twoTensors = safetensorsFile({
  a: { dtype: 'F32', shape: [2, 4], bytes: new Uint8Array(32) },
  b: { dtype: 'U8', shape: [2, 4], bytes: Uint8Array.of(1, 0, 2, 0, 3, 4, 5, 0) },
});
const file = { kind: 'file', name: 'w.safetensors', file: new Blob([twoTensors]) } as const;

describe('files that contain several matrices', () => {
  it('are listed, previewed, and opened by the name of a tensor', async () => {
    const engine = testEngine();
    await expect(engine.matrix.open({}, file)).rejects.toMatchObject({ name: 'TensorChoiceError' });
    const { tensors } = await engine.matrix.tensors({}, file);
    expect(tensors?.map((t) => t.name)).toEqual(['a', 'b']);
    expect(await engine.matrix.preview({}, { ...file, tensor: 'b' })).toEqual({
      rows: 2,
      cols: 4,
      zeroShare: 3 / 8,
      histogram: { firstExponent: 0, counts: [1, 2, 2] },
      patterns: [
        { kept: 1, group: 4, share: 0 },
        { kept: 2, group: 4, share: 0.5 },
        { kept: 4, group: 8, share: 1 },
        { kept: 6, group: 8, share: 1 },
      ],
    });
    const summary = await engine.matrix.open({}, { ...file, tensor: 'b' });
    expect(summary).toMatchObject({
      name: 'w.safetensors, b',
      source: { kind: 'cells', name: 'w.safetensors, b' },
      read: { from: { kind: 'file', name: 'w.safetensors', tensor: 'b' } },
      nnz: 5,
    });
  });

  it('are read from a server, and the link names the commit', async () => {
    const sha = 'a'.repeat(40);
    const engine = testEngine({
      fetch: (url) =>
        Promise.resolve(url.includes('/api/') ? Response.json({ sha }) : new Response(twoTensors.slice())),
    });
    const request = { kind: 'remote', reference: 'org/name/w.safetensors', token: null, tensor: 'b' } as const;
    const summary = await engine.matrix.open({}, request);
    expect(summary.source).toEqual({ kind: 'remote', link: `hf://org/name@${sha}/w.safetensors`, tensor: 'b' });
  });
});

it('a file that unpacks to more than is allowed is rejected by a separate error name, and opens when it is allowed', async () => {
  const engine = testEngine();
  const text = `%%MatrixMarket matrix coordinate real general\n%${' '.repeat(5000)}\n1 1 1\n1 1 2\n`;
  const bomb = { kind: 'file', name: 'bomb.mtx.gz', file: new Blob([gzipSync(text)]) } as const;
  const { open, preview, tensors } = engine.matrix;
  for (const method of [open, preview, tensors]) {
    const rejected = method({}, { ...bomb, maxDecompressedBytes: 100 });
    await expect(rejected).rejects.toMatchObject({ name: 'DecompressionLimitError' });
  }
  const summary = await engine.matrix.open({}, { ...bomb, maxDecompressedBytes: 10_000 });
  expect(summary.nnz).toBe(1);
});

describe('pruning', () => {
  const PRUNINGS: readonly (readonly [Pruning, number])[] = [
    [{ way: 'magnitude', density: 0.25 }, 384],
    [{ way: 'rows', density: 0.25 }, 384],
    [{ way: 'random', density: 0.25, seed: 1 }, 384],
    [{ way: 'n-of-m', kept: 6, group: 8 }, 0],
  ];

  it.each(PRUNINGS)('%o keeps the matrix that it describes, and also the whole matrix', async (pruning, nnz) => {
    const engine = testEngine();
    const unpruned = await engine.matrix.open({}, generated);
    const pruned = await engine.matrix.open({}, { kind: 'pruned', base: generated, pruning });
    expect(pruned.source).toEqual({ kind: 'pruned', base: generated, pruning });
    if (nnz > 0) expect(pruned.nnz).toBe(nnz);
    expect(pruned.nnz).toBeLessThan(unpruned.nnz);
    expect(pruned.notes.at(-1)).toMatch(/^Pruned .*: \d+ of \d+ non-zeros remain, [\d.]+\s% of all weights\.$/);
    const reopened = await engine.matrix.open({}, generated);
    expect(reopened).toMatchObject({ nnz: unpruned.nnz, generation: 3, source: generated });
  });

  it('reads nothing again if only the pruning changes, but opens another tensor', async () => {
    let reads = 0;
    const countedFile = Object.assign(new Blob([twoTensors]), {
      slice(from: number, to: number) {
        reads++;
        return Blob.prototype.slice.call(this, from, to);
      },
    });
    const engine = testEngine();
    const request: BaseRequest = { ...file, tensor: 'b', file: countedFile };
    await engine.matrix.open({}, request);
    const before = reads;
    await engine.matrix.open({}, { kind: 'pruned', base: request, pruning: { way: 'rows', density: 0.5 } });
    await engine.matrix.open({}, { kind: 'pruned', base: request, pruning: { way: 'rows', density: 0.25 } });
    expect((await engine.matrix.open({}, request)).nnz).toBe(5);
    expect(reads).toBe(before);
    const otherTensor: BaseRequest = { ...request, tensor: 'a' };
    await engine.matrix.open({}, otherTensor);
    expect(
      (await engine.matrix.open({}, { kind: 'pruned', base: otherTensor, pruning: { way: 'rows', density: 1 } })).nnz,
    ).toBe(0);
  });

  it('keeps the open matrix when the pattern is impossible', async () => {
    const engine = testEngine();
    await engine.matrix.open({}, generated);
    const impossiblePruning = {
      kind: 'pruned',
      base: generated,
      pruning: { way: 'n-of-m', kept: 5, group: 4 },
    } as const;
    await expect(engine.matrix.open({}, impossiblePruning)).rejects.toThrow('pattern: found 5:4');
    expect(
      (await engine.matrix.spy({}, { region: { row: 0, col: 0, rows: 8, cols: 8 }, width: 8, height: 8 })).generation,
    ).toBe(1);
  });
});

const engineWithMatrix = async (): Promise<ReturnType<typeof testEngine>> => {
  const engine = testEngine();
  await engine.matrix.open({}, generated);
  return engine;
};

describe('files of encodings', () => {
  const variants = formats.flatMap((format) => {
    const field = format.params['valueType'] as { options?: readonly { value: string }[] } | undefined;
    const types = field?.options?.map((o) => o.value) ?? [undefined];
    return types.map((valueType) => [format.id, valueType, format] as const);
  });

  it.each(variants)('contain every array of %s %s, bit for bit', async (id, valueType, format) => {
    const engine = await engineWithMatrix();
    if (id === 'slidesparse')
      await engine.matrix.open({}, { kind: 'pruned', base: generated, pruning: { way: 'n-of-m', kept: 6, group: 8 } });
    const m = (await readMatrix(await engine.matrix.matrixFile({}, 'npz'))).matrix;
    const params = {
      ...defaultParams<object>(format.params),
      ...(valueType === undefined ? {} : { valueType }),
      // Half of the cells are non-zeros: too many for the slots of a higher compression.
      ...(id === 'twell' ? { compression: 2 } : {}),
    };
    const arrays = namedArrays(format.encode(m, params));

    const tensorsFile = fileSource(await engine.matrix.encodingFile({}, id, params, 'safetensors'));
    const storedTensors = await readSafetensorsHeader(tensorsFile, NO_JOB);
    expect(new Set(storedTensors.map((t) => t.name))).toEqual(new Set(arrays.keys()));
    for (const { name, from, to } of storedTensors)
      expect(await readBytes(tensorsFile, from, to)).toEqual(bytes(arrays.get(name)));

    const archive = fileSource(await engine.matrix.encodingFile({}, id, params, 'npz'));
    const members = await readZipDirectory(archive, 2 ** 30);
    for (const member of members.filter((entry) => entry.name !== 'meta.json')) {
      const array = arrays.get(member.name.replace('.npy', ''));
      const source = zipMember(archive, member);
      const { dataOffset, shape } = await readNpyHeader(source);
      expect(shape).toEqual([array?.length]);
      expect((await readHead(source, 2 ** 20)).subarray(dataOffset)).toEqual(bytes(array));
    }
    expect(members).toHaveLength(arrays.size + 1);
  });

  const bytes = (array: ArrayBufferView | undefined): Uint8Array =>
    array ? new Uint8Array(array.buffer, array.byteOffset, array.byteLength) : new Uint8Array(0);
});

it('writes the matrix as .mtx, as .npz of scipy, as .npy and as a table, and opens each again', async () => {
  const engine = await engineWithMatrix();
  for (const kind of ['mtx', 'npz', 'npy', 'csv'] as const) {
    const { matrix } = await readMatrix(await engine.matrix.matrixFile({}, kind));
    const [readCsr, generatedCsr] = [toCsr(matrix), toCsr(generate(spec))];
    expect([readCsr.rows, readCsr.cols, readCsr.indptr, readCsr.indices, readCsr.data]).toEqual([
      generatedCsr.rows,
      generatedCsr.cols,
      generatedCsr.indptr,
      generatedCsr.indices,
      generatedCsr.data,
    ]);
  }
});

it('reports how far a file is written, and can be cancelled meanwhile', async () => {
  // Every step is long by this clock.
  let clock = 0;
  const engine = testEngine({ now: () => (clock += 20) });
  const dense = { pattern: 'uniform', rows: 2000, cols: 2000, density: 0.9, seed: 4 } as const;
  await engine.matrix.open({}, { kind: 'generated', spec: dense });
  const progress: Progress[] = [];
  const write = {
    mtx: (watch: Watch) => engine.matrix.matrixFile(watch, 'mtx'),
    scipy: (watch: Watch) => engine.matrix.matrixFile(watch, 'npz'),
    arrays: (watch: Watch) => engine.matrix.encodingFile(watch, 'csr', {}, 'npz'),
    safetensors: (watch: Watch) => engine.matrix.encodingFile(watch, 'csr', {}, 'safetensors'),
  };
  for (const file of Object.values(write)) {
    progress.length = 0;
    const abort = new AbortController();
    const onProgress = (step: Progress): void => {
      progress.push(step);
      if (step.what === 'Writing') abort.abort();
    };
    await expect(file({ signal: abort.signal, onProgress })).rejects.toMatchObject({ name: 'CancelledError' });
    const { done, total } = progress.at(-1) ?? { done: 0, total: 0 };
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(total);
  }
});
