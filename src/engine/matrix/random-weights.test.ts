import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { CsrMatrix, rowBuffer, subMatrix } from '../../core/matrix/index.ts';
import { formatById } from '../../formats/registry.ts';
import { seedOf, RandomWeights } from '../../generate/random-weights.ts';
import { prunedWindow, rankingOf } from '../../state/session/live-pruning.ts';
import { ignore, testEngine } from '../../../test/engine.ts';
import type { ModelSource, OpenRequest, Pruning } from './source-types.ts';

// The matrix service with weights of listed models: random weights, of which only visited rows are generated until a
// format needs the whole matrix.

/** 4096 × 14336: too large to generate whole in a test. */
const DOWN: ModelSource = { kind: 'model', model: 'llama-3.1-8b', layer: 12, matrix: 'down' };
/** 4864 × 896: small enough to generate whole in a test, too large for `open` to visit every row. */
const GATE: ModelSource = { kind: 'model', model: 'qwen2.5-0.5b', layer: 3, matrix: 'gate' };
/** 128 × 896: small enough for `open` to visit every row. */
const KEYS: ModelSource = { kind: 'model', model: 'qwen2.5-0.5b', layer: 0, matrix: 'k' };

const pruned = (base: ModelSource, pruning: Pruning): OpenRequest => ({ kind: 'pruned', base, pruning });
const halfByMagnitude = { way: 'magnitude', density: 0.5 } as const;
const csrParams = defaultParams<Record<string, unknown>>(formatById('csr').params);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Counts how often a whole matrix of random weights is generated. */
const spyOnWholeMatrix = () => vi.spyOn(RandomWeights.prototype, 'wholeSteps');

describe('random weights', () => {
  it('are summarised from a sample of their rows, with expected values for the non-zeros', async () => {
    const wholeMatrix = spyOnWholeMatrix();
    const { matrix } = testEngine();
    const summary = await matrix.open({}, pruned(DOWN, halfByMagnitude));
    expect(summary).toMatchObject({
      name: 'Llama-3.1-8B › layer 12 › down_proj, stand-in weights',
      source: { kind: 'pruned', base: DOWN, pruning: halfByMagnitude },
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
    expect(wholeMatrix).not.toHaveBeenCalled();
  });

  it('are shown in windows, pictures and counts without generating the whole matrix', async () => {
    const wholeMatrix = spyOnWholeMatrix();
    const read = vi.spyOn(RandomWeights.prototype, 'readRowPart');
    const { matrix } = testEngine();
    const summary = await matrix.open({}, pruned(DOWN, halfByMagnitude));

    const weights = new RandomWeights(
      { rows: 4096, cols: 14336, seed: seedOf('llama-3.1-8b 12 down') },
      halfByMagnitude,
    );
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

    expect(wholeMatrix).not.toHaveBeenCalled();
    // Far fewer than the 4096 rows.
    expect(read.mock.calls.length).toBeLessThan(1000);
  });

  it('have the same cells in the picture of a small region as in its window', async () => {
    const { matrix } = testEngine();
    await matrix.open({}, pruned(DOWN, halfByMagnitude));
    const region = { row: 100, col: 200, rows: 20, cols: 30 };
    const picture = await matrix.spy({}, { region, width: 100, height: 100 });
    expect(picture).toMatchObject({ kind: 'cells', region, width: 30, height: 20 });
    const { generation: _, ...cells } = await matrix.window({}, region);
    const buffer = rowBuffer(30);
    const windowMatrix = new CsrMatrix(cells);
    for (let r = 0; r < 20; r++) {
      const n = windowMatrix.readRow(r, buffer);
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
  ])('have ranks in a window that give the same cells as pruning by $way', async (pruning) => {
    const wholeMatrix = spyOnWholeMatrix();
    const { matrix } = testEngine();
    const region = { row: 30, col: 64, rows: 6, cols: 40 };
    await matrix.open({}, DOWN);
    const ranked = await matrix.pruningRanks({}, region, rankingOf(pruning));
    await matrix.open({}, pruned(DOWN, pruning));
    const { generation: _, ...cells } = await matrix.window({}, region);
    expect(prunedWindow(ranked, pruning, { rows: 4096, cols: 14336 })).toEqual(new CsrMatrix(cells));
    expect(wholeMatrix).not.toHaveBeenCalled();
  });

  it('are generated whole once, when a format is to encode them', async () => {
    const wholeMatrix = spyOnWholeMatrix();
    const { matrix } = testEngine();
    const summary = await matrix.open({}, pruned(GATE, halfByMagnitude));
    expect(summary).toMatchObject({ rows: 4864, cols: 896, sampledRows: 1170 });
    const messages: string[] = [];
    const [encoded, bitmask] = await Promise.all([
      matrix.encode({ onProgress: ({ what }) => void messages.push(what) }, 'csr', csrParams),
      matrix.encode({}, 'bitmask', {}),
      matrix.compare({}, {}),
    ]);
    expect(wholeMatrix).toHaveBeenCalledTimes(1);
    expect(messages).toContain('Making random weights, 8.72\u202fMB');
    expect([encoded.support.ok, bitmask.support.ok]).toEqual([true, true]);
    const { statistics, matrixBytes } = await matrix.compare({}, {});
    expect(matrixBytes).toBe(2 * 4864 * 896);
    // The number of non-zeros is expected, not counted: at most 4 standard deviations of a binomial apart.
    expect(Math.abs(statistics.nnz - summary.nnz)).toBeLessThan(4 * Math.sqrt(4864 * 896 * 0.25));
    await matrix.matrixFile({}, 'npz');
    expect(wholeMatrix).toHaveBeenCalledTimes(1);
  });

  it('are not generated to read a kernel if they are too large to encode for it', async () => {
    const wholeMatrix = spyOnWholeMatrix();
    const { matrix, kernels } = testEngine();
    await matrix.open({}, pruned(DOWN, halfByMagnitude));
    const { rows, cols, whySubstitute } = await kernels.read({}, { kernel: 'csr/spmv_scalar', params: csrParams });
    expect(whySubstitute).toBe('the matrix is too large to encode for this');
    expect([rows < 4096, cols]).toEqual([true, 14336]);
    expect(wholeMatrix).not.toHaveBeenCalled();
  });

  it('are generated again for the second request if the first is cancelled', async () => {
    const wholeMatrix = spyOnWholeMatrix();
    const { matrix } = testEngine();
    await matrix.open({}, pruned(GATE, halfByMagnitude));
    const abort = new AbortController();
    const first = matrix.encode({ signal: abort.signal, onProgress: () => abort.abort() }, 'csr', csrParams);
    const second = matrix.encode({}, 'csr', csrParams);
    await expect(first).rejects.toThrow('cancelled');
    expect((await second).support.ok).toBe(true);
    expect(wholeMatrix).toHaveBeenCalledTimes(2);
  });

  it('are rejected with one message if the device has too little memory for them', async () => {
    const { matrix } = testEngine({ deviceBytes: 2 ** 20 });
    await matrix.open({}, GATE);
    await expect(matrix.encode({}, 'csr', csrParams)).rejects.toThrow(
      /^stand-in weights of 4864 × 896: found 8.72\u202fMB to make, expected at most 1.05\u202fMB$/,
    );
  });

  it('of a small matrix are counted in all rows, and benchmarked', async () => {
    const { matrix, bench } = testEngine();
    const summary = await matrix.open({}, pruned(KEYS, halfByMagnitude));
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

  it('have the same base number when they are pruned, and when the pruning is undone', async () => {
    const { matrix } = testEngine();
    const unpruned = await matrix.open({}, KEYS);
    expect(unpruned.nnz).toBe(128 * 896);
    const quarter = await matrix.open({}, pruned(KEYS, { way: 'n-of-m', kept: 1, group: 4 }));
    expect(quarter.nnz).toBe(32 * 896);
    expect(quarter.baseNumber).toBe(unpruned.baseNumber);
    expect((await matrix.open({}, KEYS)).baseNumber).toBe(unpruned.baseNumber);
  });

  it('of a whole model or layer are those of its matrix with the most bytes, which a note names', async () => {
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

  it('record the model, layer and matrix that they replace', async () => {
    const { matrix } = testEngine();
    const names = { model: 'Llama-3.1-8B', matrices: 225, inLayer: 7 };
    expect((await matrix.open({}, pruned(DOWN, halfByMagnitude))).location).toEqual({
      ...names,
      layer: 12,
      matrix: 'down_proj',
    });
    const head = await matrix.open({}, { kind: 'model', model: 'llama-3.1-8b', matrix: 'lm_head' });
    expect(head.location).toEqual({ ...names, layer: null, matrix: 'lm_head' });
  });

  it('have the same base number when they are pruned if a whole model was requested', async () => {
    const { matrix } = testEngine();
    const model: ModelSource = { kind: 'model', model: 'qwen2.5-0.5b' };
    const unpruned = await matrix.open({}, model);
    expect((await matrix.open({}, pruned(model, halfByMagnitude))).baseNumber).toBe(unpruned.baseNumber);
  });

  it('of a model that is not listed have the shape that its sizes specify', async () => {
    const { matrix } = testEngine();
    const model = '64-160-3-4-2-16-300-tied:tiny';
    const summary = await matrix.open({}, { kind: 'model', model, layer: 2, matrix: 'up' });
    expect(summary).toMatchObject({ name: 'tiny › layer 2 › up_proj, stand-in weights', rows: 160, cols: 64 });
    expect(summary.source).toEqual({ kind: 'model', model, layer: 2, matrix: 'up' });
  });

  it('are drawn by `spyOn` without being opened or generated whole', async () => {
    const wholeMatrix = spyOnWholeMatrix();
    const read = vi.spyOn(RandomWeights.prototype, 'readRowPart');
    const { matrix } = testEngine();
    const { generation } = await matrix.open({}, KEYS);
    read.mockClear();
    const head: ModelSource = { kind: 'model', model: 'llama-3.1-8b', matrix: 'lm_head' };
    const region = { row: 0, col: 0, rows: 128_256, cols: 4096 };
    const picture = await matrix.spyOn({}, head, halfByMagnitude, { region, width: 64, height: 128 });
    expect(picture).toMatchObject({ kind: 'density', colsPerBucket: 64 });
    expect(picture.buckets.reduce((sum, share) => sum + share, 0) / picture.buckets.length).toBeCloseTo(0.5, 1);
    expect(wholeMatrix).not.toHaveBeenCalled();
    // Some of the 128 256 rows.
    expect(read.mock.calls.length).toBeLessThan(1000);
    expect((await matrix.window({}, { row: 0, col: 0, rows: 1, cols: 1 })).generation).toBe(generation);
  });

  it('with 525 million cells are shown without being generated whole', async () => {
    const wholeMatrix = spyOnWholeMatrix();
    const { matrix } = testEngine();
    const head: ModelSource = { kind: 'model', model: 'llama-3.1-8b', matrix: 'lm_head' };
    const { rows, cols, nnz } = await matrix.open({}, pruned(head, halfByMagnitude));
    expect([rows, cols, nnz]).toEqual([128_256, 4096, 262_668_288]);
    await matrix.spy({}, { region: { row: 0, col: 0, rows, cols }, width: 64, height: 64 });
    await matrix.window({}, { row: 128_251, col: 4064, rows: 5, cols: 32 });
    await matrix.marginals({}, 64, 64);
    await matrix.tileCounts({}, 32);
    await matrix.pruningRanks({}, { row: 0, col: 0, rows: 5, cols: 32 }, { way: 'magnitude' });
    expect(wholeMatrix).not.toHaveBeenCalled();
  });

  it.each<{ readonly request: OpenRequest; readonly message: RegExp }>([
    { request: { ...DOWN, model: 'llama-9' }, message: /^model: found 'llama-9', expected one of llama-2-7b, / },
    {
      request: { ...DOWN, layer: 99 },
      message: /^layer of Llama-3.1-8B: found 99, expected a whole number from 0 to 31$/,
    },
    {
      request: { ...DOWN, matrix: 'side' },
      message: /^matrix of Llama-3.1-8B: found 'side', expected one of q, k, v, o, gate, up, down, /,
    },
    { request: pruned(KEYS, { way: 'wanda', density: 0.5 }), message: /^pruning by Wanda: / },
    { request: pruned(KEYS, { way: 'rows', density: 2 }), message: /^density: found 2, expected / },
  ])('are rejected with one message, and the open matrix stays open: $message', async ({ request, message }) => {
    const { matrix } = testEngine();
    const { generation } = await matrix.open({}, KEYS);
    await expect(matrix.open({}, request)).rejects.toThrow(message);
    expect((await matrix.window({}, { row: 0, col: 0, rows: 1, cols: 1 })).generation).toBe(generation);
  });
});
