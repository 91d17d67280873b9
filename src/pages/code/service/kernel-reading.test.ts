import { describe, expect, it } from 'vitest';
import { SparseScopeError } from '../../../core/errors.ts';
import { defaultParams, storyParams, type AnyFormat, type AnyListedFormat } from '../../../core/format.ts';
import { fileOf } from '../../../core/kernel/shader.ts';
import { formats } from '../../../formats/registry.ts';
import { testEngine } from '../../../../test/engine.ts';
import type { BenchMatrix } from '../../../engine/bench/bench-host.ts';
import { exampleDevice, exampleMatrix } from '../../../gpu/index.ts';
import { loadStory } from '../../../story/format-story.ts';
import { kernelWords } from '../KernelCode.tsx';
import type { ListedKernel } from '../kernel-list.ts';
import type { KernelReading } from '../../../engine/kernel-reading/kernel-reading-types.ts';
import { readKernel } from '../../../engine/kernel-reading/kernel-reading.ts';
import { cases } from '../../../../test/scheduled.ts';
import { everyKernelFile } from '../../../../test/kernel-files.ts';

const SPEC = { pattern: 'uniform', rows: 96, cols: 64, density: 0.5, seed: 1 } as const;

async function opened(): Promise<ReturnType<typeof testEngine>> {
  const engine = testEngine();
  await engine.matrix.open({}, { kind: 'generated', spec: SPEC });
  return engine;
}

describe('a kernel to be read', () => {
  it('a kernel to be read is the compiled text, with its bindings and its constants for the open matrix', async () => {
    const engine = await opened();
    const { passes, whySubstitute, rows, cols } = await engine.kernels.read(
      {},
      { kernel: 'csr/spmv_scalar', params: {} },
    );
    expect({ rows, cols, whySubstitute }).toEqual({ rows: 96, cols: 64, whySubstitute: null });
    expect(passes).toHaveLength(1);
    const [{ path, files, bindings, workgroups }] = passes;
    expect(path).toBe('csr/spmv_scalar.wgsl');
    expect(files.at(-1)?.path).toBe(path);
    expect(files.at(-1)?.code).toContain('@compute');
    expect(workgroups.every((n) => n >= 1)).toBe(true);
    const classes = Object.fromEntries(bindings.map(({ buffer, byteClass }) => [buffer, byteClass]));
    expect(classes).toMatchObject({ data: 'values', indices: 'indices', indptr: 'metadata', x: null });
  });

  it('works for kernels of every format, on any matrix and without a GPU', async () => {
    const engine = await opened();
    for (const { kernels } of formats) {
      // test/plans.test.ts checks that every kernel has a correct plan.
      for (const { id } of kernels.filter((_, i) => i % cases(4, 1) === 0)) {
        const { passes, rejection: rejectionReason } = await engine.kernels.read({}, { kernel: id, params: {} });
        expect(rejectionReason, id).toBeNull();
        expect(passes.at(-1)?.bindings.length, id).toBeGreaterThan(1);
      }
    }
  });

  it('a kernel to be read is planned for a substitute if its format rejects the matrix, with the reason', async () => {
    const engine = await opened();
    const { whySubstitute } = await engine.kernels.read({}, { kernel: 'slidesparse/spmv_subgroup', params: {} });
    expect(whySubstitute).toMatch(/more than the 6 that 6:8 allows/);
  });

  it('a kernel to be read is another one if the device cannot run it, and both texts are whole sentences', async () => {
    const matrix = exampleMatrix(16, 14_336);
    const stage = {
      matrix,
      encode: async (format: AnyFormat, params: object) => ({ encoded: format.encode(matrix, params) }),
    } as unknown as BenchMatrix;
    const small = exampleDevice();
    const limits = { ...small.limits, maxComputeWorkgroupStorageSize: 32_768 };
    const read = (otherwise: readonly string[], features = small.features, isNamed = false) =>
      readKernel(
        { formats },
        { kernel: 'macko/spmv_staged', params: {}, otherwise, isNamed },
        stage,
        { ...small, limits, features },
        { report: () => {}, cancelled: false },
      );
    const short = 'a workgroup needs 57344 bytes of memory for 14336 columns, but this device has 32768';
    const inWords = 'a workgroup needs 57.3\u202fkB, it has 32.8\u202fkB';
    const rejection = `${short} (maxComputeWorkgroupStorageSize)`;
    const other = await read(['macko/spmv_staged_x16', 'macko/spmv_subgroup', 'macko/spmv_workgroup']);
    expect(other).toMatchObject({ kernel: 'macko/spmv_staged_x16', rejection: null });
    expect(other.passedOver[0]).toEqual({ kernel: 'macko/spmv_staged', rejection: rejection });
    const alone = await read([]);
    expect(alone).toMatchObject({ kernel: 'macko/spmv_staged', rejection: rejection, passedOver: [] });
    const bare = await read([], new Set());
    expect(bare.rejection).toBe('it needs subgroups, which this device does not have');
    const macko = formats.find(({ id }) => id === 'macko') as unknown as AnyListedFormat;
    const output = (reading: Omit<KernelReading, 'generation'>): string =>
      kernelWords({ format: macko, kernel: { operation: 'spmv' } as ListedKernel['kernel'] }, reading)
        .map(({ text }) => text)
        .join('');
    // The page does not mention the kernel that cannot run, and shows one that can.
    expect(output(other)).toBe('MACKO’s kernel for y = A x needs ‘subgroups’.');
    expect(output(alone).endsWith(` cannot run on this device: ${inWords}.`)).toBe(true);
    // If the user requests that kernel by name, the page shows it, with the name of a kernel that can run.
    const named = await read(['macko/spmv_panels', 'macko/spmv_subgroup', 'macko/spmv_workgroup'], undefined, true);
    expect(named).toMatchObject({ kernel: 'macko/spmv_staged', rejection: rejection, passedOver: [] });
    expect(output(named)).toContain(` cannot run on this device: ${inWords}.`);
    expect((await read([named.instead ?? ''], undefined)).kernel).toBe(named.instead);
    expect(output(bare)).toContain(' cannot run on this device: it needs subgroups, which this device does not have.');
  });

  it('a kernel to be read can be read before the matrix is open, with the same text', async () => {
    const engine = await opened();
    const early = await engine.kernels.source({}, { kernel: 'csr/spmv_scalar', params: {} });
    const read = await engine.kernels.read({}, { kernel: 'csr/spmv_scalar', params: {} });
    expect(early.passes.map(({ code }) => code)).toEqual(read.passes.map(({ code }) => code));
    expect(early).toMatchObject({ rejection: null, instead: null, whySubstitute: 'the matrix is not open yet' });
  });

  it('a kernel to be read has to exist', async () => {
    const engine = await opened();
    const requested = engine.kernels.read({}, { kernel: 'csr/nothing', params: {} });
    await expect(requested).rejects.toThrow(/^kernel: found 'csr\/nothing', expected one of dense\//);
    await expect(requested).rejects.toBeInstanceOf(SparseScopeError);
  });
});

describe('the files of all kernels', () => {
  it('the files of all kernels are listed once each, with every kernel that contains them', async () => {
    const files = await testEngine().kernels.files({});
    const paths = files.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    const kernels = formats.flatMap((format) => format.kernels.map(({ id }) => id));
    expect(new Set(files.flatMap((file) => file.kernels))).toEqual(new Set(kernels));
    const values = files.find(({ path }) => path === 'macko/deltas.wgsl#2');
    expect(values?.kernels).toContain('macko/spmv_subgroup');
    expect(values?.code).toContain('fn ');
  });
});

describe('stories', () => {
  const files = everyKernelFile();

  it.each(formats.map((format) => [format.title, format] as const))(
    'stories of %s quote the kernel where it multiplies, and name only files that its kernels have',
    async (_, format) => {
      const story = await loadStory(format);
      const trace = story.trace(exampleMatrix(8, 16), storyParams<object>(format.params, defaultParams(format.params)));
      const quoted = new Set<string>();
      for (let step = 1; step <= trace.steps.length; step++) {
        const file = story.scene(trace, step).code?.file ?? '';
        if (file.endsWith('.wgsl')) quoted.add(file);
      }
      // The story of a declaration alone quotes nothing.
      if (!story.quotes) return expect([...quoted]).toEqual([]);
      const holdersOf = (file: string): readonly string[] =>
        files.filter(({ path }) => fileOf(path) === file).flatMap(({ kernels }) => kernels);
      const isOwn = (file: string): boolean =>
        holdersOf(file).some((id) => format.kernels.some((kernel) => kernel.id === id));
      // A story may also quote kernels of other formats; they do not link back to it.
      expect([...quoted].filter((file) => holdersOf(file).length === 0)).toEqual([]);
      const ownFiles = [...quoted].filter(isOwn);
      expect(ownFiles.length).toBeGreaterThan(0);
      expect([story.quotes, story.quotes.filter((file) => !isOwn(file))]).toEqual([
        expect.arrayContaining(ownFiles),
        [],
      ]);
    },
  );

  it('stories of the ten quote theirs', async () => {
    const stories = await Promise.all(formats.map((format) => loadStory(format)));
    expect(stories.filter(({ quotes }) => quotes !== undefined).length).toBeGreaterThanOrEqual(10);
  });
});
