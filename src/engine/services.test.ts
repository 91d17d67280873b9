import { describe, expect, it } from 'vitest';
import { CancelledError, ReadError } from '../core/errors.ts';
import type { Progress } from '../core/job.ts';
import { formats } from '../formats/registry.ts';
import type { GenerateSpec } from '../generate/generate.ts';
import type { BenchReport } from '../core/report.ts';
import { parseReports } from '../core/reports/report-check.ts';
import type { BenchRequest } from './bench/bench-types.ts';
import type { OpenRequest, Pruning } from './matrix/source-types.ts';
import { ignore, testEngine } from '../../test/engine.ts';

/** Tests of the services of the engine (matrix, device, bench) together, in one thread and without a GPU. */

/** A specification of a uniform random matrix. */
const spec = (rows: number, cols: number, density = 0.5): GenerateSpec => ({
  pattern: 'uniform',
  rows,
  cols,
  density,
  seed: 1,
});
const file = (text: string): Blob => new Blob([text]);
/** A file of a 2 × 3 matrix with four entries, two of which are the same cell and are added. */
const TWO_BY_THREE = `%%MatrixMarket matrix coordinate real general
2 3 4
1 2 -2.5
1 3 1
2 1 3
2 1 4
`;

describe('open of the matrix service', () => {
  it('returns a summary of the matrix in a file, with notes about reading it', async () => {
    const engine = testEngine();
    const summary = await engine.matrix.open({}, { kind: 'file', name: 'a.mtx', file: file(TWO_BY_THREE) });
    expect(summary).toMatchObject({
      generation: 1,
      name: 'a.mtx',
      source: { kind: 'cells', rows: 2, name: 'a.mtx' },
      rows: 2,
      cols: 3,
      nnz: 3,
      density: 0.5,
      longestRow: 2,
      emptyRows: 0,
      absMax: 7,
      nanCount: 0,
      infCount: 0,
      firstEntry: { row: 0, col: 1 },
    });
    expect(summary.notes).toHaveLength(1);
  });

  describe('a text file that may be a table or a list of entries', () => {
    /** An edge list: it may be read as entries (3 × 3) or as a table of two columns. */
    const EDGE_LIST = '# FromNodeId\tToNodeId\n0\t2\n1\t0\n2\t1\n';
    const open = (as?: 'auto' | 'entries' | 'table', text = EDGE_LIST) =>
      testEngine().matrix.open({}, { kind: 'file', name: 'a.txt', file: file(text), ...(as && { as }) });

    it('is read as its comments specify when the user opens it, and the summary records how', async () => {
      const summary = await open('auto');
      expect(summary).toMatchObject({ rows: 3, cols: 3, nnz: 3 });
      expect(summary.source).toEqual({ kind: 'cells', rows: 3, cols: 3, cells: '2:1,0:1,1:1', name: 'a.txt' });
      const from = { kind: 'file', name: 'a.txt', as: 'entries' };
      expect(summary.read).toEqual({ from, notes: summary.notes, otherReading: 'table' });
    });

    it('is read as version 0.2 did if a link of that version opens it, and may be read as entries', async () => {
      const summary = await open();
      expect(summary).toMatchObject({ rows: 3, cols: 2, nnz: 4, source: { kind: 'cells', name: 'a.txt' } });
      expect(summary.read?.from).toEqual({ kind: 'file', name: 'a.txt' });
      expect(summary.read?.otherReading).toBe('entries');
      expect(summary.read?.notes.at(-1)).toBe(
        'A line is an entry according to the lines above it, and is read as a row of 2 cells.',
      );
      expect((await open('table')).source).toEqual(summary.source);
    });

    it('has a source without `as` if both versions read it alike', async () => {
      const cells = await open('auto', '0.5,1.5\n2.5,3.5\n');
      expect(cells.source).toMatchObject({ kind: 'cells', cells: '0:0.5;1:1.5,0:2.5;1:3.5' });
      expect(cells.read).toEqual({ from: { kind: 'file', name: 'a.txt' }, notes: [], otherReading: null });
      const entries = await open('auto', 'row,col,value\n0,1,2\n');
      expect([entries.read?.from, entries.read?.otherReading]).toEqual([{ kind: 'file', name: 'a.txt' }, 'table']);
      expect((await open('table', 'row,col,value\n0,1,2\n')).read?.from).toMatchObject({ as: 'table' });
    });

    it('is not read again to be pruned', async () => {
      const engine = testEngine();
      const base = { kind: 'file', name: 'a.txt', file: file(EDGE_LIST) } as const;
      const openSummary = await engine.matrix.open({}, { ...base, as: 'auto' });
      const pruned = await engine.matrix.open(
        {},
        { kind: 'pruned', base: { ...base, as: 'entries' }, pruning: { way: 'magnitude', density: 1 / 9 } },
      );
      expect(pruned).toMatchObject({ baseNumber: openSummary.baseNumber, rows: 3, cols: 3, nnz: 1 });
      expect(pruned.read).toEqual(openSummary.read);
      const { source: cells } = openSummary;
      if (cells.kind !== 'cells') throw new Error(`found ${cells.kind}, expected the cells`);
      const repeatedRequest = { kind: 'pruned', base: cells, pruning: { way: 'magnitude', density: 2 / 9 } } as const;
      expect(await engine.matrix.open({}, repeatedRequest)).toMatchObject({
        baseNumber: openSummary.baseNumber,
        read: openSummary.read,
      });
      expect(pruned.notes.length).toBe(openSummary.notes.length + 1);
    });
  });

  it('generates a matrix from a specification', async () => {
    const engine = testEngine();
    const request = { kind: 'generated', spec: spec(96, 7) } as const;
    expect(await engine.matrix.open({}, request)).toMatchObject({ rows: 96, cols: 7, source: request });
  });

  it('fetches an example', async () => {
    const requested: string[] = [];
    const engine = testEngine({
      fetch: async (url) => {
        requested.push(url);
        return new Response(TWO_BY_THREE);
      },
    });
    const url = 'https://example.org/examples/tiny.mtx?v=1';
    const summary = await engine.matrix.open({}, { kind: 'example', id: 'tiny', name: 'Tiny', url });
    expect(summary).toMatchObject({ name: 'Tiny', source: { kind: 'example', id: 'tiny' }, nnz: 3 });
    expect(requested).toEqual([url]);
  });

  it.each<[string, () => Promise<Response>]>([
    ['tiny.mtx: found HTTP status 404 at https://example.org/tiny.mtx', async () => new Response('', { status: 404 })],
    ['tiny.mtx: the network did not answer', () => Promise.reject(new TypeError('offline'))],
  ])('rejects an example that cannot be fetched: %s', async (message, fetch) => {
    const request = { kind: 'example', id: 'tiny', name: 'Tiny', url: 'https://example.org/tiny.mtx' } as const;
    const failing = testEngine({ fetch }).matrix.open({}, request);
    await expect(failing).rejects.toThrow(ReadError);
    await expect(failing).rejects.toThrow(message);
  });

  it('keeps the open matrix if the next file is broken', async () => {
    const engine = testEngine();
    await engine.matrix.open({}, { kind: 'generated', spec: spec(4, 4, 1) });
    await expect(engine.matrix.open({}, { kind: 'file', name: 'b.mtx', file: file('hello') })).rejects.toThrow(
      ReadError,
    );
    const { generation, data } = await engine.matrix.window({}, { row: 0, col: 0, rows: 4, cols: 4 });
    expect([generation, data.length]).toEqual([1, 16]);
  });

  it('keeps the open matrix if opening another is cancelled at any report of progress', async () => {
    const request = { kind: 'generated', spec: spec(700, 4000) } as const;
    let reportCount = 0;
    await testEngine({ now: ticking() }).matrix.open({ onProgress: () => void reportCount++ }, request);
    expect(reportCount).toBeGreaterThan(2);
    for (let cancelAt = 1; cancelAt <= reportCount; cancelAt++) {
      const engine = testEngine({ now: ticking() });
      await engine.matrix.open({}, { kind: 'generated', spec: spec(4, 4) });
      let reportIndex = 0;
      const abort = new AbortController();
      const onProgress = (): void => {
        if (++reportIndex === cancelAt) abort.abort();
      };
      const opening = engine.matrix.open({ signal: abort.signal, onProgress }, request);
      await expect(opening).rejects.toThrow(CancelledError);
      expect((await engine.matrix.window({}, { row: 0, col: 0, rows: 4, cols: 4 })).generation).toBe(1);
    }
  });

  it('aborts the download of an example when it is cancelled', async () => {
    const engine = testEngine({
      fetch: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
        }),
    });
    const request = { kind: 'example', id: 'tiny', name: 'Tiny', url: 'https://example.org/tiny.mtx' } as const;
    const abort = new AbortController();
    const opening = engine.matrix.open({ signal: abort.signal }, request);
    abort.abort();
    await expect(opening).rejects.toThrow(CancelledError);
  });

  it('is cancelled when a newer call begins', async () => {
    const engine = testEngine();
    const older = engine.matrix.open({}, { kind: 'generated', spec: spec(3000, 3000) });
    const newer = engine.matrix.open({}, { kind: 'generated', spec: spec(8, 8) });
    await expect(older).rejects.toThrow(CancelledError);
    expect(await newer).toMatchObject({ generation: 1, rows: 8 });
  });

  it.each([
    [0, 0],
    [0, 5],
    [5, 0],
    [1, 1],
    [1, 70_000],
  ])('opens a matrix of %d x %d, and the service returns every view and encoding of it', async (rows, cols) => {
    const engine = testEngine();
    await engine.matrix.open({}, { kind: 'generated', spec: spec(rows, cols) });
    const region = { row: 0, col: 0, rows, cols: Math.min(cols, 64) };
    expect((await engine.matrix.window({}, region)).indptr).toHaveLength(rows + 1);
    expect((await engine.matrix.spy({}, { region, width: 64, height: 64 })).buckets).toHaveLength(
      rows * Math.min(cols, 64),
    );
    expect((await engine.matrix.marginals({}, 10, 10)).colDensity).toHaveLength(Math.min(10, cols));
    const counted = await engine.matrix.tileCounts({}, 16);
    expect(counted.fullest.reduce((a, b) => a + b, 0)).toBe(rows);
    for (const { id } of formats) expect(await engine.matrix.encode({}, id, {})).toMatchObject({ format: id });
  });
});

/** A clock that advances 25 ms at every reading, so that reports come often. */
function ticking(): () => number {
  let ms = 0;
  return () => (ms += 25);
}

it('without a matrix, all methods that need one reject with one message', async () => {
  const engine = testEngine();
  const region = { row: 0, col: 0, rows: 1, cols: 1 };
  for (const call of [
    () => engine.matrix.spy({}, { region, width: 1, height: 1 }),
    () => engine.matrix.marginals({}, 1, 1),
    () => engine.matrix.window({}, region),
    () => engine.matrix.tileCounts({}, 16),
    () => engine.matrix.encode({}, 'csr', {}),
  ]) {
    await expect(call()).rejects.toThrow('found no matrix');
  }
});

it('a window rejects a region outside the matrix or too large to be copied', async () => {
  const engine = testEngine();
  await engine.matrix.open({}, { kind: 'generated', spec: spec(2000, 2000, 0.001) });
  await expect(engine.matrix.window({}, { row: 1999, col: 0, rows: 2, cols: 1 })).rejects.toThrow(
    'window: found 2 × 1 cells at row 1999, column 0, expected a position within the matrix of 2000 × 2000',
  );
  await expect(engine.matrix.window({}, { row: 0, col: 0, rows: 2000, cols: 2000 })).rejects.toThrow(
    'expected at most 1048576 cells',
  );
});

describe('encode of the matrix service', () => {
  it('completes missing parameters with their defaults', async () => {
    const engine = testEngine();
    await engine.matrix.open({}, { kind: 'generated', spec: spec(64, 64) });
    const summary = await engine.matrix.encode({}, 'macko', {});
    expect(summary).toEqual(await engine.matrix.encode({}, 'macko', { deltaBits: 4, valueType: 'f16' }));
    expect(summary).toMatchObject({
      generation: 1,
      params: { deltaBits: 4, valueType: 'f16' },
      support: { ok: true },
      violations: [],
      validated: 'full',
    });
    expect(summary.ledger?.totalBytes).toBeGreaterThan(0);
    expect(summary.bounds?.expected).toBeGreaterThan(0);
  });

  it('can be cancelled, and called again', async () => {
    const engine = testEngine({ now: ticking() });
    await engine.matrix.open({}, { kind: 'generated', spec: spec(2000, 2000) });
    const abort = new AbortController();
    const watch = { signal: abort.signal, onProgress: () => abort.abort() };
    const encoding = engine.matrix.encode(watch, 'macko', {});
    await expect(encoding).rejects.toThrow(CancelledError);
    expect(await engine.matrix.encode({}, 'macko', {})).toMatchObject({ support: { ok: true } });
  });

  it('returns in `support` the reason why a format cannot represent the matrix', async () => {
    const engine = testEngine();
    const nan = '%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 nan\n';
    await engine.matrix.open({}, { kind: 'file', name: 'nan.mtx', file: file(nan) });
    expect(await engine.matrix.encode({}, 'macko', { valueType: 'i8' })).toMatchObject({
      support: { ok: false, reason: expect.stringContaining('found NaN at row 0, column 0') },
      ledger: null,
    });
  });

  it('rejects a format that does not exist', async () => {
    const engine = testEngine();
    await engine.matrix.open({}, { kind: 'generated', spec: spec(4, 4) });
    await expect(engine.matrix.encode({}, 'none', {})).rejects.toThrow("format: found 'none', expected one of");
  });
});

describe('status of the device service without a device', () => {
  /** The engine of a browser whose WebGPU answers requests for an adapter like this. */
  const engineWith = (requestAdapter: () => Promise<null>) => testEngine({ gpu: { requestAdapter } as unknown as GPU });

  it.each([
    {
      why: 'the browser has no WebGPU',
      engine: () => testEngine(),
      reason: 'this browser has no WebGPU, or it is disabled: expected a recent Chrome, Edge, Safari or Firefox',
    },
    {
      why: 'the page was loaded over http',
      engine: () => testEngine({ isSecure: false }),
      reason: 'browsers allow WebGPU only on https and localhost',
    },
    {
      why: 'there is no adapter',
      engine: () => engineWith(async () => null),
      reason: expect.stringContaining('no adapter'),
    },
    {
      why: 'the request for an adapter fails',
      engine: () => engineWith(() => Promise.reject(new Error('blocked by policy'))),
      reason: 'WebGPU failed to start (blocked by policy); try again, and restart the browser if that fails too',
    },
  ])('returns the reason when $why', async ({ engine, reason }) => {
    expect(await engine().device.status({})).toEqual({ kind: 'unavailable', reason });
  });
});

describe('the bench service', () => {
  const request: BenchRequest = {
    operation: 'spmv',
    sizes: {},
    workload: { kind: 'stage' },
    entries: [{ format: 'macko', params: { valueType: 'f32' }, kernels: 'auto' }],
    memory: 'warm',
    rounds: 2,
    seed: 7,
    where: 'cpu',
  };

  it('times the open matrix on the CPU, and dense with the same value type', async () => {
    const engine = testEngine();
    await engine.matrix.open({}, { kind: 'generated', spec: spec(96, 64) });
    const reportedWork = new Set<string>();
    const report = await engine.bench.run(
      { onProgress: (progress) => void reportedWork.add(progress.what) },
      request,
      ignore,
    );
    expect(report).toMatchObject({
      schema: 1,
      app: 'test 0',
      environment: { runtime: 'Node' },
      workload: { rows: 96, cols: 64, source: 'uniform 96 × 64', seed: 7, rounds: 2 },
    });
    expect(report.rows.map((row) => [row.format, row.params.valueType, row.verified.ok, row.samplesNs.length])).toEqual(
      [
        ['dense', 'f32', true, 2],
        ['macko', 'f32', true, 2],
      ],
    );
    expect(report.rows[1].vsDense?.reference).toBe(report.rows[0].kernel);
    expect(reportedWork).toContain('first rounds of MACKO');
    expect(report.timeline?.map((span) => span.what)).toContain('first rounds of MACKO');
  });

  it('times a larger matrix that repeats the open one, and names it in the report', async () => {
    const engine = testEngine();
    const { nnz } = await engine.matrix.open({}, { kind: 'generated', spec: spec(4, 4) });
    const workload = { kind: 'stage', repeatedTo: { rows: 64, cols: 32 } } as const;
    const report = await engine.bench.run({}, { ...request, workload }, ignore);
    expect(report.workload).toMatchObject({ rows: 64, cols: 32, source: 'uniform 4 × 4, repeated to 64 × 32' });
    expect(report.workload.nnz).toBe(16 * 8 * nnz);
    expect(report.rows.map(({ verified }) => verified.ok)).toEqual([true, true]);
    const large = { ...request, workload: { kind: 'stage', repeatedTo: { rows: 2 ** 20, cols: 4096 } } } as const;
    await expect(engine.bench.run({}, large, ignore)).rejects.toThrow('repeatedTo: found 1048576 × 4096');
  });

  it('rejects a second run, opening a matrix and encoding while a run is in progress', async () => {
    const engine = testEngine();
    await engine.matrix.open({}, { kind: 'generated', spec: spec(32, 32) });
    const abort = new AbortController();
    const firstRun = engine.bench.run({ signal: abort.signal }, request, ignore);
    await expect(engine.bench.run({}, request, ignore)).rejects.toThrow('A run is in progress');
    await expect(engine.matrix.open({}, { kind: 'generated', spec: spec(4, 4) })).rejects.toThrow(
      'A run is in progress',
    );
    await expect(engine.matrix.encode({}, 'macko', {})).rejects.toThrow('A run is in progress');
    abort.abort();
    await expect(firstRun).rejects.toThrow(CancelledError);
    await expect(engine.bench.run({}, request, ignore)).resolves.toMatchObject({ schema: 1 });
  });

  it('waits for a matrix that is being opened, and times it', async () => {
    const engine = testEngine();
    const opening = engine.matrix.open({}, { kind: 'generated', spec: spec(96, 64) });
    const [report] = await Promise.all([engine.bench.run({}, request, ignore), opening]);
    expect(report).toMatchObject({ workload: { rows: 96, cols: 64 } });
  });

  it('times the open matrix after another failed to open', async () => {
    const engine = testEngine();
    await engine.matrix.open({}, { kind: 'generated', spec: spec(96, 64) });
    await expect(engine.matrix.open({}, { kind: 'file', name: 'a.mtx', file: file('nothing') })).rejects.toThrow(
      ReadError,
    );
    await expect(engine.bench.run({}, request, ignore)).resolves.toMatchObject({ workload: { rows: 96 } });
  });

  it('delivers the times of the finished rounds before a cancelled run rejects', async () => {
    const engine = testEngine();
    await engine.matrix.open({}, { kind: 'generated', spec: spec(32, 32) });
    let roundsByRow: readonly number[] = [];
    const abort = new AbortController();
    const onProgress = ({ what, done }: Progress): void => {
      if (what === 'rounds' && done >= 3) abort.abort();
    };
    const run = engine.bench.run({ signal: abort.signal, onProgress }, { ...request, rounds: 10_000 }, async (part) => {
      await new Promise((resolve) => setTimeout(resolve));
      roundsByRow = part.rows.map((row) => row.samplesNs.length);
    });
    await expect(run).rejects.toThrow(CancelledError);
    expect(roundsByRow).toHaveLength(2);
    // Progress is not reported for every round, so that the run may have been cancelled after a later one.
    expect(roundsByRow[1]).toBeGreaterThanOrEqual(3);
    expect(roundsByRow[0]).toBe(roundsByRow[1]);
  });

  it('continues a run only on the same contents, even if another matrix has the same name and non-zeros', async () => {
    const engine = testEngine();
    const base = { kind: 'generated', spec: spec(64, 64, 1) } as const;
    const pruned = (pruning: Pruning): OpenRequest => ({ kind: 'pruned', base, pruning });
    const nOfM = (seed: number): OpenRequest => ({
      kind: 'generated',
      spec: { ...spec(64, 64), pattern: 'n-of-m', seed },
    });
    for (const [measuredRequest, otherRequest] of [
      [pruned({ way: 'magnitude', density: 0.5 }), pruned({ way: 'n-of-m', kept: 2, group: 4 })],
      [nOfM(1), nOfM(2)],
    ]) {
      const first = await engine.matrix.open({}, measuredRequest);
      const earlierReport = await engine.bench.run({}, request, ignore);
      const second = await engine.matrix.open({}, otherRequest);
      expect([second.name, second.nnz]).toEqual([first.name, first.nnz]);
      await expect(engine.bench.run({}, request, ignore, earlierReport)).rejects.toThrow(
        /^continuing a run: found spmv, .* non-zeros, hash \d+, .* expected spmv, /,
      );
      // A report that was stored before reports contained a hash of the contents.
      const { contents: _, ...workload } = earlierReport.workload;
      await expect(engine.bench.run({}, request, ignore, { ...earlierReport, workload })).resolves.toBeDefined();
      await engine.matrix.open({}, measuredRequest);
      const laterReport = await engine.bench.run(
        {},
        request,
        ignore,
        parseReports('a', JSON.stringify(earlierReport))[0],
      );
      expect(laterReport.rows.map(({ samplesNs }) => samplesNs)).toEqual(
        earlierReport.rows.map(({ samplesNs }) => samplesNs),
      );
    }
  });

  it('sweeps the densities of a generated matrix as one run', async () => {
    const engine = testEngine();
    const reportedWork = new Set<string>();
    const generated = { ...request, workload: { kind: 'generated', spec: spec(64, 64) } } as const;
    const reports: BenchReport[] = [];
    await engine.bench.sweep(
      { onProgress: (progress) => void reportedWork.add(progress.what) },
      generated,
      { of: 'density', values: [0.1, 0.5] },
      (report, run) => void (reports[run] = report),
    );
    expect(reports.map((r) => r.unfinished)).toEqual([undefined, undefined]);
    expect(reports.map((r) => r.workload.source)).toEqual([
      'uniform, density 0.1, seed 1',
      'uniform, density 0.5, seed 1',
    ]);
    expect(reportedWork).toContain('50\u202f% left (2 of 2): first rounds of MACKO');
  });

  it('measures only the missing densities when it continues an interrupted sweep', async () => {
    const engine = testEngine();
    const generated = { ...request, workload: { kind: 'generated', spec: spec(64, 64) } } as const;
    const finished: BenchReport[] = [];
    const firstAxis = { of: 'density', values: [0.1, 0.5] } as const;
    await engine.bench.sweep({}, generated, firstAxis, (report, run) => void (finished[run] = report));
    const measuredRuns = new Set<number>();
    await engine.bench.sweep(
      {},
      generated,
      { of: 'density', values: [0.1, 0.5, 0.7] },
      (_, run) => void measuredRuns.add(run),
      finished,
    );
    expect(measuredRuns).toEqual(new Set([2]));
  });

  it('rejects a sweep of densities of the open matrix', async () => {
    await expect(testEngine().bench.sweep({}, request, { of: 'density', values: [0.1] }, () => {})).rejects.toThrow(
      'sweep: found the matrix on the stage',
    );
  });

  it('rejects a run without an open matrix', async () => {
    await expect(testEngine().bench.run({}, request, ignore)).rejects.toThrow('found no matrix');
  });

  it.each<{ readonly changed: Partial<BenchRequest>; readonly message: string }>([
    { changed: { entries: [] }, message: 'run: found no format' },
    {
      changed: { entries: [{ format: 'none', params: {}, kernels: 'auto' }] },
      message: "run: found 'none', expected one of",
    },
    { changed: { rounds: 0 }, message: 'rounds: found 0, expected a whole number from 1 to 10000' },
    { changed: { operation: 'fly' }, message: "operation: found 'fly', expected one of spmv, " },
    { changed: { operation: 'gemm' }, message: "operation: found 'gemm' on the CPU, expected 'spmv'" },
    {
      changed: { where: 'gpu', operation: 'gemm', sizes: { tokens: 0 } },
      message: 'tokens: found 0, expected a whole number from 1 to 65536',
    },
    { changed: { where: 'gpu' }, message: 'no WebGPU' },
  ])('rejects an invalid request with one message: $message', async ({ changed, message }) => {
    const engine = testEngine();
    await engine.matrix.open({}, { kind: 'generated', spec: spec(4, 4) });
    await expect(engine.bench.run({}, { ...request, ...changed }, ignore)).rejects.toThrow(message);
  });
});
