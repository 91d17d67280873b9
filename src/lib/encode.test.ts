import { describe, expect, it } from 'vitest';
import { everyCombination } from '../../test/arbitraries.ts';
import { defaultParams, resolvedParams } from '../core/format.ts';
import { lossesOf } from '../core/encoded/losses.ts';
import { CancelledError, MatrixError } from '../core/errors.ts';
import { denseMatrix, type Matrix, toCsr } from '../core/matrix/index.ts';
import { formats } from '../formats/registry.ts';
import { generate } from '../generate/generate.ts';
import { GpuContext } from '../gpu/index.ts';
import { bench, encode, kernelOf, run } from './on-demand.ts';
import type { Codec } from './codec.ts';
import { macko } from './codecs/macko.ts';
import { declare } from './declare.ts';
import type { Stored } from './encode.ts';
import { readStored, writeStored } from './files.ts';
import { fromCsr, fromDense } from './matrices.ts';

// Each eight columns of a row have two non-zeros, which every format can store.
const a = generate({ pattern: 'n-of-m', rows: 24, cols: 64, density: 0.25, seed: 1 });

async function bytesOf(storedMatrix: Stored, kind: 'npz' | 'safetensors'): Promise<Uint8Array> {
  return new Uint8Array(await new Blob([...(await writeStored(storedMatrix, kind))]).arrayBuffer());
}

// oxlint-disable-next-line typescript/no-explicit-any -- codecs of different formats meet here
const codecs = import.meta.glob<Readonly<Record<string, Codec<any, any>>>>('./codecs/*.ts', { eager: true });

describe('encode', () => {
  const inPackage = formats.filter(({ id }) => `./codecs/${id}.ts` in codecs);

  it('has a subpath for each of at least ten formats', () => {
    expect(Object.keys(codecs)).toHaveLength(inPackage.length);
    expect(inPackage.length).toBeGreaterThanOrEqual(10);
  });

  it.each(inPackage)('with the codec of the subpath of $id returns the same as the format', async (format) => {
    const [codec] = Object.values(codecs[`./codecs/${format.id}.ts`]);
    const params = resolvedParams(format.params, defaultParams<Record<string, unknown>>(format.params), a);
    const storedMatrix = encode(a, codec);
    expect(storedMatrix.params).toEqual(params);
    expect(storedMatrix.encoded).toEqual(format.encode(a, params));
    expect(toCsr(storedMatrix.decode())).toEqual(toCsr(format.decode(storedMatrix.encoded)));
    expect((await storedMatrix.ledger()).totalBytes).toBe(storedMatrix.bytes);
    const safetensorsFile = { name: 'a.safetensors', bytes: await bytesOf(storedMatrix, 'safetensors') };
    expect(toCsr((await readStored(safetensorsFile)).decode())).toEqual(toCsr(storedMatrix.decode()));
    const fileMatrix = await readStored({ name: 'a.npz', bytes: await bytesOf(storedMatrix, 'npz') });
    expect(fileMatrix.params).toEqual(params);
    expect([storedMatrix.losses, fileMatrix.losses]).toEqual([lossesOf(a, storedMatrix.decode()), null]);
    expect(fileMatrix.arrays).toEqual(storedMatrix.arrays);
    expect(toCsr(fileMatrix.decode())).toEqual(toCsr(storedMatrix.decode()));
    const total = fileMatrix.ledger().then(({ totalBytes }) => totalBytes);
    if (format.id === 'ec-csr') await expect(total).rejects.toThrow('a.npz: found no counts of padding, expected them');
    else expect(await total).toBe(storedMatrix.bytes);
  });

  it.each([
    [{ bits: 4 }, "parameters of macko: found 'bits', expected deltaBits, valueType"],
    [{ deltaBits: 3 }, 'macko.deltaBits: found 3, expected one of 1, 2, 4, 8'],
  ])('rejects parameters %o', (params, text) => {
    expect(() => encode(a, macko as Codec<never, object>, params)).toThrow(text);
  });
});

describe('losses', () => {
  const cells = Float32Array.of(1, 70_000, 0, -1e-9, 0, 0.1, 65_504, 0);
  const m = denseMatrix(2, 4, cells);

  it('are counted in every format and value type that supports the values', () => {
    for (const format of formats) {
      const triedTypes = new Set<unknown>();
      for (const params of everyCombination(format)) {
        // Of the parameters, the value type alone decides.
        if (triedTypes.has(params.valueType) || !format.admits(m, params).ok) continue;
        triedTypes.add(params.valueType);
        const { losses } = encode(m, format, params as object);
        const where = `${format.id} ${JSON.stringify(params)}`;
        const type = String(params.valueType);
        expect(losses?.overflow, where).toBe(type === 'f16' ? 1 : 0);
        // In i8 and i4, 1 and 0.1 are less than half a step next to the largest of their row.
        expect(losses?.underflow, where).toBe({ f16: 1, i8: 3, i4: 3 }[type] ?? 0);
        const error = { f32: 0, f16: 0.00025, bf16: 0.004, i8: 0.001, i4: 0.07 }[type] ?? 0;
        expect(losses?.largestRelativeError, where).toBeLessThanOrEqual(error);
        if (type === 'f16' || type === 'bf16') expect(losses?.largestRelativeError, where).toBeGreaterThan(error / 16);
      }
    }
  });

  it('are computed when first read, once, and not by `encode`', () => {
    let reads = 0;
    const { rows, cols, nnz } = m;
    const counting: Matrix = { rows, cols, nnz, readRow: (row, into) => (reads++, m.readRow(row, into)) };
    const storedMatrix = encode(counting, macko);
    const readsOfEncode = reads;
    const { losses } = storedMatrix;
    expect([losses?.overflow, reads - readsOfEncode]).toEqual([1, m.rows]);
    expect([storedMatrix.losses, reads - readsOfEncode]).toEqual([losses, m.rows]);
  });
});

describe('losses of a matrix that was changed', () => {
  const sentence = 'losses: found a matrix that was changed since encode, expected the encoded one';
  const [big, changes] = [70_000, [1, 69_999, 1e-9, Number.NaN, 0]];

  it('throw after any change, and are computed once the change is undone', () => {
    const cells = Float32Array.of(1, big, 0, 2);
    const csr = { rows: 2, cols: 2, indptr: Uint32Array.of(0, 2, 3), data: Float32Array.of(1, big, 2) };
    const sparse = { ...csr, indices: Uint32Array.of(0, 1, 1) };
    const storedWithValues = () => [
      [encode(fromDense(2, 2, cells), macko), cells] as const,
      [encode(fromCsr(sparse), macko), sparse.data] as const,
    ];
    for (const change of changes) {
      for (const [storedMatrix, values] of storedWithValues()) {
        values[1] = change;
        expect(() => storedMatrix.losses).toThrow(new MatrixError(sentence));
        values[1] = big;
        expect(storedMatrix.losses).toMatchObject({ overflow: 1, underflow: 0 });
        // Once the losses are known, the matrix may change.
        values[1] = change;
        expect(storedMatrix.losses).toMatchObject({ overflow: 1, underflow: 0 });
        values[1] = big;
      }
    }
    const moved = encode(fromCsr(sparse), macko);
    sparse.indices[2] = 0;
    expect(() => moved.losses).toThrow(sentence);
  });
});

it('a file that is not of a format is rejected with a message', async () => {
  const bytes = new TextEncoder().encode('Dear reader, this is a letter.');
  await expect(readStored({ name: 'letter.npz', bytes })).rejects.toThrow(/found .*expected /);
});

describe('a format from a declaration', () => {
  const rows = declare({
    id: 'rows',
    params: {},
    arrays: () => ({
      cells: {
        type: 'f32',
        role: 'values',
        length: ({ rows: m, cols }) => m * cols,
        padding: { says: () => ['empty cells'], count: (e) => e.rows * e.cols - e.nnz },
        meaning: 'all cells, row by row',
      },
    }),
    *encode(A, { cells }) {
      for (const row of A) {
        const all = new Float32Array(A.cols);
        for (let i = 0; i < row.length; i++) all[row.columns[i]] = row.values[i];
        for (const cell of all) {
          if (cell === 0) cells.pad();
          else cells.push(cell);
        }
        yield;
      }
    },
    decode({ cells }, { cols }, put) {
      for (let i = 0; i < cells.length; i++) if (cells[i] !== 0) put(Math.floor(i / cols), i % cols, cells[i]);
    },
  });
  // Both fail before they use the device.
  const device = Object.create(GpuContext.prototype) as GpuContext;
  const sentence = "rows: found no kernel for 'spmv', expected a format that has one";

  it('is stored and read back, and rejected by `run`, `bench` and `kernelOf` with a message', async () => {
    const storedMatrix = encode(a, rows);
    expect(storedMatrix.bytes).toBe(24 * 64 * 4);
    expect(toCsr(storedMatrix.decode())).toEqual(toCsr(a));
    await expect(run(device, storedMatrix, new Float32Array(64))).rejects.toThrow(sentence);
    await expect(bench(device, a, ['dense', rows])).rejects.toThrow(sentence);
    await expect(kernelOf(device, storedMatrix)).rejects.toThrow(sentence);
  });

  it('is multiplied transposed, on the CPU', async () => {
    const storedMatrix = encode(fromDense(2, 3, [0, 1, 0, 2, 0, -3]), rows);
    expect([...(await run(device, storedMatrix, [1, 10], { transposed: true }))]).toEqual([20, 1, -30]);
    const products = await run(device, storedMatrix, [1, 10, 0, 2], { transposed: true, tokens: 2 });
    expect([...products]).toEqual([20, 1, -30, 4, 0, -6]);
    await expect(run(device, storedMatrix, [1, 10, 0], { transposed: true, tokens: 2 })).rejects.toThrow(
      'x: found 3 values, expected one per row for each of 2 tokens, 2 × 2 = 4',
    );
    const job = { report: () => {}, cancelled: true };
    await expect(run(device, storedMatrix, [1, 10], { transposed: true, job })).rejects.toThrow(CancelledError);
  });
});

describe('a known format', () => {
  it('is rejected for an operation that none of its kernels computes', async () => {
    const device = Object.create(GpuContext.prototype) as GpuContext;
    await expect(bench(device, a, ['csr'], { operation: 'gemm-i8' })).rejects.toThrow(
      "csr: found no kernel for 'gemm-i8', expected a format that has one",
    );
  });
});
