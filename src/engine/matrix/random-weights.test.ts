import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { CsrMatrix, rowBuffer, subMatrix } from '../../core/matrix/index.ts';
import { formatById } from '../../formats/registry.ts';
import { seedOf, RandomWeights } from '../../generate/random-weights.ts';
import { prunedWindow, rankingOf } from '../../state/session/live-pruning.ts';
import { ignore, testEngine } from '../../../test/engine.ts';
import type { ModelSource, OpenRequest, Pruning } from './source-types.ts';

const DOWN: ModelSource = { kind: 'model', model: 'llama-3.1-8b', layer: 12, matrix: 'down' };
/** small enough to be made in a test, too large to be looked at whole */
const GATE: ModelSource = { kind: 'model', model: 'qwen2.5-0.5b', layer: 3, matrix: 'gate' };
/** small enough to be looked at whole */
const KEYS: ModelSource = { kind: 'model', model: 'qwen2.5-0.5b', layer: 0, matrix: 'k' };

const pruned = (base: ModelSource, pruning: Pruning): OpenRequest => ({ kind: 'pruned', base, pruning });
const half = { way: 'magnitude', density: 0.5 } as const;
const csr = defaultParams<Record<string, unknown>>(formatById('csr').params);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Counts how often all random weights are computed. */
const wholes = () => vi.spyOn(RandomWeights.prototype, 'wholeSteps');

describe('stand-in weights', () => {
  it('stand-in weights are opened, and looked at, without the whole matrix', async () => {
    const result = wholes();
    const read = vi.spyOn(RandomWeights.prototype, 'readRowPart');
    const { matrix } = testEngine();
    const summary = await matrix.open({}, pruned(DOWN, half));
    expect(summary).toMatchObject({
      name: 'Llama-3.1-8B › layer 12 › down_proj, stand-in weights',
      source: { kind: 'pruned', base: DOWN, pruning: half },
      rows: 4096,
      cols: 14336,
      nnz: 29_360_128,
      density: 0.5,
      sampledRows: 73,
      isExpected: true,
      emptyRows: 0,
      nanCount: 0,
      infCount: 0,
    });
    expect(summary.notes).toEqual([
      'Random weights replace Llama-3.1-8B until its file is opened: normal, with a standard deviation of 0.0084.',
      'Pruned by magnitude over the whole matrix: about 29\u202f360\u202f128 of 58\u202f720\u202f256 weights remain.',
      'Non-zeros and their share are expected values, other figures are of 73 rows. The whole matrix, 117\u202fMB, is made when needed.',
    ]);
    expect(Math.abs(summary.longestRow / 14336 - 0.5)).toBeLessThan(0.02);
    expect(summary.firstEntry?.row).toBe(0);

    const weights = new RandomWeights({ rows: 4096, cols: 14336, seed: seedOf('llama-3.1-8b 12 down') }, half);
    const region = { row: 4091, col: 14_300, rows: 5, cols: 32 };
    const { generation, ...cells } = await matrix.window({}, region);
    expect(generation).toBe(summary.generation);
    expect(new CsrMatrix(cells)).toEqual(subMatrix(weights, region));

    const picture = await matrix.spy(
      {},
      { region: { row: 0, col: 0, rows: 4096, cols: 14336 }, width: 300, height: 200 },
    );
    expect(picture).toMatchObject({ kind: 'density', rowsPerBucket: 32, colsPerBucket: 64, width: 224, height: 128 });
    const mean = picture.buckets.reduce((sum, share) => sum + share, 0) / picture.buckets.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.01);
    expect(picture.buckets.every((share) => share > 0.2 && share < 0.8)).toBe(true);

    const { rowDensity, colDensity } = await matrix.marginals({}, 1024, 1024);
    expect([rowDensity.length, colDensity.length]).toEqual([73, 1024]);
    expect(rowDensity.every((share) => Math.abs(share - 0.5) < 0.03)).toBe(true);
    const { rows } = await matrix.tileCounts({}, 256);
    expect(rows.reduce((sum, count) => sum + count, 0)).toBe(73);

    expect(result).not.toHaveBeenCalled();
    expect(read.mock.calls.length).toBeLessThan(1000);
  });

  it('show cells in pictures near by as the window has them', async () => {
    const { matrix } = testEngine();
    await matrix.open({}, pruned(DOWN, half));
    const region = { row: 100, col: 200, rows: 20, cols: 30 };
    const picture = await matrix.spy({}, { region, width: 100, height: 100 });
    expect(picture).toMatchObject({ kind: 'cells', region, width: 30, height: 20 });
    const { generation: _, ...cells } = await matrix.window({}, region);
    const buffer = rowBuffer(30);
    const fileMatrix = new CsrMatrix(cells);
    for (let r = 0; r < 20; r++) {
      const n = fileMatrix.readRow(r, buffer);
      const line = new Float32Array(30);
      for (let i = 0; i < n; i++) line[buffer.columns[i]] = buffer.values[i];
      expect(picture.buckets.subarray(30 * r, 30 * r + 30)).toEqual(line);
    }
  });

  it.each<Pruning>([
    { way: 'magnitude', density: 0.3 },
    { way: 'rows', density: 0.3 },
    { way: 'random', density: 0.3, seed: 4 },
    { way: 'n-of-m', kept: 2, group: 4 },
  ])('stand-in weights are ranked in a window as $way keeps them', async (pruning) => {
    const result = wholes();
    const { matrix } = testEngine();
    const region = { row: 30, col: 64, rows: 6, cols: 40 };
    await matrix.open({}, DOWN);
    const ranked = await matrix.pruningRanks({}, region, rankingOf(pruning));
    await matrix.open({}, pruned(DOWN, pruning));
    const { generation: _, ...cells } = await matrix.window({}, region);
    expect(prunedWindow(ranked, pruning, { rows: 4096, cols: 14336 })).toEqual(new CsrMatrix(cells));
    expect(result).not.toHaveBeenCalled();
  });

  it('stand-in weights are made whole once, when a format is to encode them', async () => {
    const result = wholes();
    const { matrix } = testEngine();
    const summary = await matrix.open({}, pruned(GATE, half));
    expect(summary).toMatchObject({ rows: 4864, cols: 896, sampledRows: 1170 });
    const messages: string[] = [];
    const [encoded, bitmask] = await Promise.all([
      matrix.encode({ onProgress: ({ what }) => void messages.push(what) }, 'csr', csr),
      matrix.encode({}, 'bitmask', {}),
      matrix.compare({}, {}),
    ]);
    expect(result).toHaveBeenCalledTimes(1);
    expect(messages).toContain('Making random weights, 8.72\u202fMB');
    expect([encoded.support.ok, bitmask.support.ok]).toEqual([true, true]);
    const { statistics, matrixBytes } = await matrix.compare({}, {});
    expect(matrixBytes).toBe(2 * 4864 * 896);
    // 4 standard deviations
    expect(Math.abs(statistics.nnz - summary.nnz)).toBeLessThan(4 * Math.sqrt(4864 * 896 * 0.25));
    await matrix.matrixFile({}, 'npz');
    expect(result).toHaveBeenCalledTimes(1);
  });

  it('stand-in weights are not made to read a kernel that they are too large for', async () => {
    const result = wholes();
    const { matrix, kernels } = testEngine();
    await matrix.open({}, pruned(DOWN, half));
    const { rows, cols, whySubstitute } = await kernels.read({}, { kernel: 'csr/spmv_scalar', params: csr });
    expect(whySubstitute).toBe('the matrix is too large to encode for this');
    expect([rows < 4096, cols]).toEqual([true, 14336]);
    expect(result).not.toHaveBeenCalled();
  });

  it('stand-in weights are made for the second request where the first is cancelled', async () => {
    const result = wholes();
    const { matrix } = testEngine();
    await matrix.open({}, pruned(GATE, half));
    const abort = new AbortController();
    const first = matrix.encode({ signal: abort.signal, onProgress: () => abort.abort() }, 'csr', csr);
    const second = matrix.encode({}, 'csr', csr);
    await expect(first).rejects.toThrow('cancelled');
    expect((await second).support.ok).toBe(true);
    expect(result).toHaveBeenCalledTimes(2);
  });

  it('stand-in weights are rejected in one message where the machine has no memory for them', async () => {
    const { matrix } = testEngine({ deviceBytes: 2 ** 20 });
    await matrix.open({}, GATE);
    await expect(matrix.encode({}, 'csr', csr)).rejects.toThrow(
      /^stand-in weights of 4864 × 896: found 8.72\u202fMB to make, expected at most 1.05\u202fMB$/,
    );
  });

  it('stand-in weights of a small matrix are counted whole, and measured', async () => {
    const { matrix, bench } = testEngine();
    const summary = await matrix.open({}, pruned(KEYS, half));
    expect(summary).toMatchObject({ name: 'Qwen2.5-0.5B › layer 0 › k_proj, stand-in weights', rows: 128, cols: 896 });
    expect(summary.sampledRows).toBeUndefined();
    const run = await bench.run(
      {},
      {
        operation: 'spmv',
        sizes: {},
        workload: { kind: 'stage' },
        entries: ['dense', 'csr', 'macko'].map((format) => ({
          format,
          params: defaultParams<Record<string, unknown>>(formatById(format).params),
          kernels: 'auto' as const,
        })),
        memory: 'warm',
        rounds: 1,
        seed: 1,
        where: 'cpu',
      },
      ignore,
    );
    expect(run.workload).toMatchObject({ source: summary.name, rows: 128, cols: 896, nnz: summary.nnz });
    expect(run.rows.map(({ format }) => format)).toEqual(['dense', 'csr', 'macko']);
  });

  it('stand-in weights are pruned again from the same weights, and come back whole', async () => {
    const { matrix } = testEngine();
    const whole = await matrix.open({}, KEYS);
    expect(whole.nnz).toBe(128 * 896);
    const tenth = await matrix.open({}, pruned(KEYS, { way: 'n-of-m', kept: 1, group: 4 }));
    expect([tenth.baseNumber, tenth.nnz]).toEqual([whole.baseNumber, 32 * 896]);
    expect((await matrix.open({}, KEYS)).baseNumber).toBe(whole.baseNumber);
  });

  it('show the matrix with the most bytes of a model or a layer, and name it', async () => {
    const { matrix } = testEngine();
    const model = await matrix.open({}, { kind: 'model', model: 'llama-3.1-8b' });
    expect(model).toMatchObject({ nnz: 4096 * 14336, sampledRows: 73 });
    expect(model.isExpected).toBeUndefined();
    expect(model.source).toEqual({ kind: 'model', model: 'llama-3.1-8b', layer: 0, matrix: 'down' });
    expect(model.notes[0]).toBe('Of the whole model, down_proj is shown: it has the most bytes.');
    const layer = await matrix.open({}, { kind: 'model', model: 'llama-3.1-8b', layer: 31 });
    expect(layer.name).toBe('Llama-3.1-8B › layer 31 › down_proj, stand-in weights');
    expect(layer.notes[0]).toMatch(/^Of the whole layer, down_proj/);
  });

  it('record where in which model they are', async () => {
    const { matrix } = testEngine();
    const names = { model: 'Llama-3.1-8B', matrices: 225, inLayer: 7 };
    expect((await matrix.open({}, pruned(DOWN, half))).location).toEqual({ ...names, layer: 12, matrix: 'down_proj' });
    const head = await matrix.open({}, { kind: 'model', model: 'llama-3.1-8b', matrix: 'lm_head' });
    expect(head.location).toEqual({ ...names, layer: null, matrix: 'lm_head' });
  });

  it('stand-in weights are pruned again from the same weights where a whole model was requested', async () => {
    const { matrix } = testEngine();
    const model: ModelSource = { kind: 'model', model: 'qwen2.5-0.5b' };
    const whole = await matrix.open({}, model);
    expect((await matrix.open({}, pruned(model, half))).baseNumber).toBe(whole.baseNumber);
  });

  it('stand-in weights of a model that is not listed are opened by its sizes', async () => {
    const { matrix } = testEngine();
    const model = '64-160-3-4-2-16-300-tied:tiny';
    const summary = await matrix.open({}, { kind: 'model', model, layer: 2, matrix: 'up' });
    expect(summary).toMatchObject({ name: 'tiny › layer 2 › up_proj, stand-in weights', rows: 160, cols: 64 });
    expect(summary.source).toEqual({ kind: 'model', model, layer: 2, matrix: 'up' });
  });

  it('stand-in weights are drawn without being opened', async () => {
    const result = wholes();
    const read = vi.spyOn(RandomWeights.prototype, 'readRowPart');
    const { matrix } = testEngine();
    const { generation } = await matrix.open({}, KEYS);
    read.mockClear();
    const head: ModelSource = { kind: 'model', model: 'llama-3.1-8b', matrix: 'lm_head' };
    const region = { row: 0, col: 0, rows: 128_256, cols: 4096 };
    const picture = await matrix.spyOn({}, head, half, { region, width: 64, height: 128 });
    expect(picture).toMatchObject({ kind: 'density', colsPerBucket: 64 });
    expect(picture.buckets.reduce((sum, share) => sum + share, 0) / picture.buckets.length).toBeCloseTo(0.5, 1);
    expect(result).not.toHaveBeenCalled();
    // Some of the 128 256 rows.
    expect(read.mock.calls.length).toBeLessThan(1000);
    expect((await matrix.window({}, { row: 0, col: 0, rows: 1, cols: 1 })).generation).toBe(generation);
  });

  it('stand-in weights of a shape with 525 million cells are looked at without being made', async () => {
    const result = wholes();
    const { matrix } = testEngine();
    const head: ModelSource = { kind: 'model', model: 'llama-3.1-8b', matrix: 'lm_head' };
    const { rows, cols, nnz } = await matrix.open({}, pruned(head, half));
    expect([rows, cols, nnz]).toEqual([128_256, 4096, 262_668_288]);
    await matrix.spy({}, { region: { row: 0, col: 0, rows, cols }, width: 64, height: 64 });
    await matrix.window({}, { row: 128_251, col: 4064, rows: 5, cols: 32 });
    await matrix.marginals({}, 64, 64);
    await matrix.tileCounts({}, 32);
    await matrix.pruningRanks({}, { row: 0, col: 0, rows: 5, cols: 32 }, { way: 'magnitude' });
    expect(result).not.toHaveBeenCalled();
  });

  it('stand-in weights are rejected with one message for what no model has, and keep the open matrix', async () => {
    const { matrix } = testEngine();
    const { generation } = await matrix.open({}, KEYS);
    const refused: readonly (readonly [ModelSource, RegExp])[] = [
      [{ ...DOWN, model: 'llama-9' }, /^model: found 'llama-9', expected one of llama-2-7b, /],
      [{ ...DOWN, layer: 99 }, /^layer of Llama-3.1-8B: found 99, expected a whole number from 0 to 31$/],
      [
        { ...DOWN, matrix: 'side' },
        /^matrix of Llama-3.1-8B: found 'side', expected one of q, k, v, o, gate, up, down, /,
      ],
    ];
    for (const [source, text] of refused) await expect(matrix.open({}, source)).rejects.toThrow(text);
    await expect(matrix.open({}, pruned(KEYS, { way: 'wanda', density: 0.5 }))).rejects.toThrow(/^pruning by Wanda: /);
    await expect(matrix.open({}, pruned(KEYS, { way: 'rows', density: 2 }))).rejects.toThrow(
      /^density: found 2, expected /,
    );
    expect((await matrix.window({}, { row: 0, col: 0, rows: 1, cols: 1 })).generation).toBe(generation);
  });
});
