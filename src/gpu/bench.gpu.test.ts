import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BenchCase } from '../core/bench/cases.ts';
import { CancelledError, FormatError, OverflowError } from '../core/errors.ts';
import type { Job, Progress } from '../core/job.ts';
import { denseMatrix } from '../core/matrix/index.ts';
import type { BenchReport, Workload } from '../core/report.ts';
import { type GpuBenchOptions, runBench } from './bench.ts';
import { DeviceLostError, GpuContext } from './device.ts';
import type { TuningMemory, TuningResult } from './tuning.ts';
import { openTestDevice, randomMatrix, TOY_WGSL, toyCase, toyFormat, toyKernel } from '../../test/gpu.ts';
import { scheduled } from '../../test/scheduled.ts';

const matrix = randomMatrix(130, 37, 0.4, 1);

const workload: Workload = {
  operation: 'spmv',
  rows: matrix.rows,
  cols: matrix.cols,
  nnz: matrix.nnz,
  density: 0.4,
  source: 'test',
  seed: 7,
  memory: 'cold',
  rounds: 4,
};

const options: GpuBenchOptions = { app: 'test', reference: 'dense', workload, coldBytes: 2 ** 20, readBytes: 2 ** 24 };

/** The note of every timed run here, because `readBytes` is small. */
const SMALL_READ = 'bandwidth was measured over 16 MiB only: a cache may have helped';

/** A job that records its reports, and is cancelled as soon as `until` returns true. */
function testJob(until: (progress: Progress) => boolean = () => false): Job & { readonly reports: Progress[] } {
  const reports: Progress[] = [];
  let cancelled = false;
  return {
    reports,
    report(progress) {
      reports.push(progress);
      cancelled ||= until(progress);
    },
    get cancelled() {
      return cancelled;
    },
  };
}

/** The context of the software adapter, as if it were hardware, so that kernels are timed. No test checks the times. */
function asHardware(context: GpuContext): GpuContext {
  return new GpuContext(context.device, { ...context.facts, isFallback: false }, context.environment);
}

/** A correct kernel with another text. */
const otherText = TOY_WGSL.replace('sum += a * x[c];', 'sum = sum + a * x[c];');
/** A kernel whose output of row 99 is wrong. */
const wrongText = TOY_WGSL.replace('y[row] = sum;', 'y[row] = select(sum, sum + 1.0, row == 99u);');
/** The reference of all runs. */
const dense = toyCase(toyFormat('dense', [toyKernel(TOY_WGSL, 'dense/spmv_toy')]), matrix);

/** A clock that advances faster than real time: the benchmark waits a second for GPU clocks to rise, which a software GPU does not need. */
const FASTER = 8;

let context: GpuContext;
beforeEach(async () => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => FASTER * now());
  context = await openTestDevice();
});
afterEach(() => {
  vi.restoreAllMocks();
  context.destroy();
});

describe('on a software adapter', () => {
  test('a run verifies kernels and reports no times', async () => {
    const report = await runBench(context, [dense], options, testJob());
    expect(report.rows).toHaveLength(1);
    expect(report.rows[0]).toMatchObject({
      kernel: 'dense/spmv_toy',
      where: 'gpu',
      samplesNs: [],
      medianNs: null,
      vsDense: null,
      verified: { ok: true, checkedAfterTiming: false },
    });
    expect(report.readBandwidthGBps).toBeNull();
    expect(report.notes).toEqual(['software adapter: timed only when asked for']);
    expect(report.environment.isFallback).toBe(true);
  });

  scheduled(
    'a run that is timed warms up and measures for seconds',
    'the timed run by timestamps here',
    'a run with timeSoftware times kernels in rounds with dense, and searches no numbers',
    async () => {
      const toy = toyFormat('toy', [toyKernel(TOY_WGSL, 'toy/spmv_toy')]);
      const badFormat = toyFormat('bad', [toyKernel(wrongText, 'bad/spmv_wrong')]);
      const job = testJob();
      const report = await runBench(
        context,
        [dense, toyCase(toy, matrix), toyCase(badFormat, matrix)],
        { ...options, timeSoftware: true },
        job,
      );
      expect(report.environment.isFallback).toBe(true);
      expect(report.rows.map(({ format, verified }) => [format, verified.ok, verified.checkedAfterTiming])).toEqual([
        ['dense', true, true],
        ['toy', true, true],
        ['bad', false, false],
      ]);
      expect(report.rows.map(({ medianNs }) => medianNs !== null)).toEqual([true, true, false]);
      expect(report.rows[1].samplesNs).toHaveLength(4);
      expect(report.rows[1].vsDense?.reference).toBe('dense/spmv_toy');
      expect(report.rows.map(({ tuned }) => tuned)).toEqual([undefined, undefined, undefined]);
      expect(report.readBandwidthGBps).not.toBeNull();
      expect(report.notes).toEqual([SMALL_READ]);
    },
  );

  test('a run reports the row at which a kernel is wrong', async () => {
    const wrongCase = toyCase(toyFormat('toy', [toyKernel(wrongText, 'toy/spmv_wrong')]), matrix);
    const report = await runBench(context, [wrongCase], options, testJob());
    expect(report.rows[0].verified).toMatchObject({ ok: false, failureCount: 1 });
    expect(report.rows[0].verified.failures[0].row).toBe(99);
  });

  test('a format that rejects the matrix is reported, without an unhandled rejection', async () => {
    const reason = 'found 5 in row 1, expected 4';
    const full: BenchCase = {
      ...toyCase(toyFormat('full', []), matrix),
      encode: () => Promise.reject(new FormatError(reason)),
    };
    const unhandled: unknown[] = [];
    const onUnhandled = (event: PromiseRejectionEvent): void => {
      event.preventDefault();
      unhandled.push(event.reason);
    };
    addEventListener('unhandledrejection', onUnhandled);
    const report = await runBench(context, [dense, full], options, testJob());
    removeEventListener('unhandledrejection', onUnhandled);
    expect(report.rows.map(({ format }) => format)).toEqual(['dense']);
    expect(report.refused.map((item) => item.reason)).toEqual([reason]);
    expect(unhandled).toEqual([]);
  });

  test('a run lists kernels that cannot run with the reason, and runs the others', async () => {
    const kernels = [
      toyKernel(TOY_WGSL.replace('sum;', 'summ;'), 'toy/spmv_broken'),
      { ...toyKernel(TOY_WGSL, 'toy/spmv_exotic'), features: ['no-such-feature'] },
      toyKernel(TOY_WGSL, 'toy/spmv_right'),
      {
        ...toyKernel(TOY_WGSL, 'toy/spmv_short'),
        read(): Float32Array {
          throw new OverflowError('2 of 4 rows overflow');
        },
      },
    ];
    const toy = toyFormat('toy', kernels);
    const full: BenchCase = {
      ...toyCase(toyFormat('full', kernels), matrix),
      encode: () => Promise.reject(new FormatError('found 5 in row 1, expected 4')),
    };
    const cases = [full, { ...toyCase(toy, matrix), kernels: [...kernels.map((k) => k.id), 'toy/spmv_unknown'] }];
    const report = await runBench(context, cases, options, testJob());
    expect(report.rows.map((r) => r.kernel)).toEqual(['toy/spmv_right']);
    const params = { valueType: 'f32' };
    expect(report.refused).toEqual([
      { kernel: '', format: 'full', params, reason: 'found 5 in row 1, expected 4' },
      {
        kernel: 'toy/spmv_unknown',
        format: 'toy',
        params,
        reason: `found no kernel of this name for 'spmv', expected one of ${kernels.map((k) => k.id).join(', ')}`,
      },
      {
        kernel: 'toy/spmv_exotic',
        format: 'toy',
        params,
        reason: "needs 'no-such-feature', which this device does not have",
      },
      {
        kernel: 'toy/spmv_broken',
        format: 'toy',
        params,
        failed: true,
        reason: expect.stringMatching(/^toy\/spmv\.wgsl:\d+: /),
      },
      { kernel: 'toy/spmv_short', format: 'toy', params, reason: '2 of 4 rows overflow' },
    ]);
  });

  test('a run accepts a matrix without rows, and one without non-zeros', async () => {
    for (const m of [denseMatrix(0, 5, new Float32Array(0)), denseMatrix(5, 3, new Float32Array(15))]) {
      const toy = toyCase(toyFormat('toy', [toyKernel()]), m);
      const report = await runBench(
        context,
        [toy],
        { ...options, workload: { ...workload, rows: m.rows, cols: m.cols } },
        testJob(),
      );
      expect(report.rows[0].verified).toMatchObject({ ok: true, outputs: m.rows, worstShare: 0 });
    }
  });
});

describe('a timed run', () => {
  test('fills its report with times by timestamp-query', () => checkReport('timestamp-query'));

  scheduled(
    'a run that is timed warms up and measures for seconds',
    'the same run by timestamp-query here, and src/gpu/clock.test.ts for the clock',
    'fills its report with times by wall-clock',
    () => checkReport('wall-clock'),
  );

  async function checkReport(source: 'timestamp-query' | 'wall-clock'): Promise<void> {
    const testContext = source === 'wall-clock' ? await openTestDevice({ without: ['timestamp-query'] }) : context;
    const hardware = asHardware(testContext);
    const toy = toyFormat('toy', [toyKernel(TOY_WGSL, 'toy/spmv_a'), toyKernel(otherText, 'toy/spmv_b')]);
    const badFormat = toyFormat('bad', [toyKernel(wrongText, 'bad/spmv_wrong')]);
    const job = testJob();
    const report = await runBench(
      hardware,
      [dense, { ...toyCase(toy, matrix), kernels: 'auto' }, toyCase(badFormat, matrix)],
      options,
      job,
    );
    expect(report.clock.source).toBe(source);
    expect(report.clock.quantumNs).toBeGreaterThan(0);
    expect(report.readBandwidthGBps).toBeGreaterThan(0);
    expect(report.nullDispatchNs).toBeGreaterThan(0);
    expect(report.rows.map((r) => [r.format, r.verified.ok, r.verified.checkedAfterTiming])).toEqual([
      ['dense', true, true],
      ['toy', true, true],
      ['bad', false, false],
    ]);
    // There are three first rounds of toy, three more if a trial found other kernels of it, and the rest of four rounds.
    const counts = report.rows.map((r) => r.samplesNs.length);
    expect([4, 7]).toContain(counts[0]);
    expect([4, 6, 7]).toContain(counts[1]);
    expect(counts[2]).toBe(0);
    const [first, second] = report.rows;
    expect(second.first).toMatchObject({ rounds: 3, medianNs: expect.any(Number), ratio: expect.any(Number) });
    expect(first.vsDense).toEqual({ reference: 'dense/spmv_toy', ratio: 1, p10: 1, p90: 1 });
    expect(second.vsDense?.reference).toBe('dense/spmv_toy');
    // Consecutive runs use other copies of 130 × 37 values of 4 bytes, of which 55 fill the mebibyte of `coldBytes`.
    expect(first.copies).toBe(Math.ceil(2 ** 20 / (130 * 37 * 4)));
    expect(first.runsPerSample).toBeGreaterThan(0);
    expect(report.notes).toEqual([
      SMALL_READ,
      expect.stringMatching(/^toy\/spmv_[ab] was chosen by a trial; .* toy\/spmv_[ab] \d/),
    ]);
    const phases = new Set(job.reports.map((p) => p.what));
    for (const phase of ['warm up, ms', 'trying 2 kernels of toy', 'first rounds of toy', 'rounds', 'verify again'])
      expect(phases).toContain(phase);
    testContext.destroy();
  }

  test('can be cancelled at: first rounds of dense', () => checkCancel('first rounds of dense'));

  for (const phase of [
    'verify dense/spmv_toy',
    'warming up dense: counting how many runs fit into a pass',
    'warm up, ms',
    'rounds',
    'verify again',
  ]) {
    scheduled(
      'a run that is timed warms up and measures for seconds',
      'the run here that is cancelled in its first rounds',
      `can be cancelled at: ${phase}`,
      () => checkCancel(phase),
    );
  }

  async function checkCancel(phase: string): Promise<void> {
    const hardware = asHardware(context);
    const job = testJob((progress) => progress.what === phase);
    await expect(runBench(hardware, [dense], options, job)).rejects.toThrow(CancelledError);
    // The cancelled run leaves nothing that rejects or breaks the next one.
    const report = await runBench(hardware, [dense], { ...options, verifyOnly: true }, testJob());
    expect(report.rows[0].verified.ok).toBe(true);
  }

  scheduled(
    'a run that is timed warms up and measures for seconds',
    'src/core/bench/cpu.test.ts, where rounds that were hidden are repeated as well',
    'drops and repeats rounds in which the page was hidden',
    async () => {
      let checks = 0;
      let inRounds = false;
      const report = await runBench(
        asHardware(context),
        [dense],
        // Hidden at the third check of the rounds: visible before the round and its first sample, hidden after that.
        // With this secret the first sample is timed.
        { ...options, secret: 1, isHidden: () => inRounds && ++checks === 3 },
        testJob(({ what }) => {
          inRounds ||= what === 'rounds';
          return false;
        }),
      );
      expect(report.rows[0].samplesNs).toHaveLength(4);
      expect(report.notes).toEqual([SMALL_READ, '1 round was dropped and repeated: the page was hidden']);
    },
  );
});

describe('the search for the numbers of a kernel', () => {
  /** A kernel with a choice of 16 to 128 lanes, which records the lanes that it was planned with. */
  function withLanes(planned: number[]): ReturnType<typeof toyKernel> {
    const spec = toyKernel(TOY_WGSL, 'toy/spmv_lanes');
    return {
      ...spec,
      choices: () => [{ kind: 'one-of', name: 'lanes', start: 64, values: [16, 64, 128] }],
      plan(e, device, sizes, { lanes = 64 } = {}) {
        planned.push(lanes);
        return spec.plan(e, device, sizes);
      },
    };
  }

  /** A memory of results, which contains what it saved in `saved`. */
  function memory(): { -readonly [K in keyof TuningMemory]: TuningMemory[K] } & {
    readonly saved: Map<string, TuningResult>;
  } {
    const saved = new Map<string, TuningResult>();
    return {
      saved,
      recall: async (key) => saved.get(key) ?? null,
      keep: async (key, result) => void saved.set(key, result),
    };
  }

  scheduled(
    'two runs that are timed warm up and measure for seconds',
    'the run by timestamp-query here, where a trial chooses a kernel, and the test below that remembers the best values',
    'remembers which kernel a trial chose, and tries no other in the next run',
    async () => {
      const tuning = memory();
      const toy = toyFormat('toy', [toyKernel(TOY_WGSL, 'toy/spmv_a'), toyKernel(otherText, 'toy/spmv_b')]);
      const cases: BenchCase[] = [dense, { ...toyCase(toy, matrix), kernels: 'auto' }];
      const first = await runBench(asHardware(context), cases, { ...options, tuning }, testJob());
      const [[key]] = tuning.saved;
      expect(tuning.saved.get(key)).toEqual({ chosen: {}, gain: 1, tried: 2, kernel: first.rows[1].kernel });
      tuning.saved.set(key, { chosen: {}, gain: 1, tried: 2, kernel: 'toy/spmv_b' });
      const job = testJob();
      const second = await runBench(asHardware(context), cases, { ...options, tuning }, job);
      expect(second.rows[1]).toMatchObject({ kernel: 'toy/spmv_b', verified: { ok: true, checkedAfterTiming: true } });
      expect(job.reports.some(({ what }) => /^trying|^checking|spmv_a/.test(what))).toBe(false);
      // If the text of one of the kernels changes, they are tried again.
      const changed = toyFormat('toy', [toyKernel(`${TOY_WGSL}\n`, 'toy/spmv_a'), toyKernel(otherText, 'toy/spmv_b')]);
      const third = testJob();
      await runBench(
        asHardware(context),
        [dense, { ...toyCase(changed, matrix), kernels: 'auto' }],
        { ...options, tuning },
        third,
      );
      expect(third.reports.some(({ what }) => what === 'trying 2 kernels of toy')).toBe(true);
    },
  );

  scheduled(
    'a run that is timed warms up and measures for seconds',
    'the test here that remembers which kernel a trial chose, and the one that remembers the best values',
    'remembers the numbers with which a trial chose a kernel that there was no time to search',
    async () => {
      const tuning = memory();
      // A much slower kernel with the same product.
      const slow = TOY_WGSL.replace(
        'sum += a * x[c];',
        'for (var k = 0u; k < 200u; k++) { sum += select(0.0, a * x[c], k == 7u); }',
      );
      const toy = toyFormat('toy', [withLanes([]), toyKernel(slow, 'toy/spmv_b')]);
      const recordedKernel = { kernel: 'toy/spmv_lanes', chosen: { lanes: 16 } };
      const toBeTried: BenchCase = { ...toyCase(toy, matrix), kernels: 'auto', recordedKernel };
      // The clock advances so fast that no time is left for a search.
      let now = 0;
      const hurried = { ...options, tuning, now: () => (now += 1e6) };
      const first = await runBench(asHardware(context), [dense, toBeTried], hurried, testJob());
      expect(first.rows[1]).toMatchObject({ kernel: 'toy/spmv_lanes', tuned: { chosen: { lanes: 16 } } });
      expect([...tuning.saved.values()]).toEqual([
        { chosen: {}, gain: 1, tried: 2, kernel: 'toy/spmv_lanes' },
        { chosen: { lanes: 16 }, gain: 1, tried: 1 },
      ]);
      const job = testJob();
      const second = await runBench(asHardware(context), [dense, toBeTried], { ...options, tuning }, job);
      expect(second.rows[1]).toMatchObject({
        kernel: 'toy/spmv_lanes',
        tuned: { chosen: { lanes: 16 }, start: { lanes: 64 }, remembered: true },
        verified: { ok: true, checkedAfterTiming: true },
      });
      expect(job.reports.some(({ what }) => /^trying|^checking|^searching|spmv_b|how fast/.test(what))).toBe(false);
    },
  );

  test('tries every value, and remembers the best for the next run', async () => {
    const planned: number[] = [];
    const tuning = memory();
    const toy = toyCase(toyFormat('toy', [withLanes(planned)]), matrix);
    const parts: BenchReport[] = [];
    const onReport = (part: BenchReport): void => void parts.push(part);
    // The clock stands still, so that the search has no time limit: a busy machine may need long.
    const searching = { ...options, tuning, onReport, now: () => 0 };
    const first = await runBench(asHardware(context), [dense, toy], searching, testJob());
    const tuned = first.rows[1].tuned;
    // The first times, with the starting values, are replaced unless these are the best.
    const early = parts.find((part) => part.rows[1]?.searching);
    expect(early?.rows[1].samplesNs.length).toBeGreaterThan(0);
    expect(first.rows[1].searching).toBeUndefined();
    const hasFirstTimes = first.rows[1].samplesNs[0] === early?.rows[1].samplesNs[0];
    expect(hasFirstTimes).toBe(tuned?.chosen.lanes === 64);
    expect(planned.slice(0, 3)).toEqual([64, 16, 128]);
    expect(tuned).toMatchObject({ start: { lanes: 64 }, tried: 3, remembered: false });
    expect([16, 64, 128]).toContain(tuned?.chosen.lanes);
    expect([...tuning.saved.values()]).toEqual([{ chosen: tuned?.chosen, gain: tuned?.gain, tried: 3 }]);
    expect(first.rows[0].tuned).toBeUndefined();

    planned.length = 0;
    tuning.saved.set([...tuning.saved.keys()][0], { chosen: { lanes: 16 }, gain: 2, tried: 3 });
    const second = await runBench(asHardware(context), [dense, toy], { ...options, tuning }, testJob());
    expect(planned).toEqual([64, 16]);
    expect(second.rows[1]).toMatchObject({
      tuned: { chosen: { lanes: 16 }, start: { lanes: 64 }, gain: 2, remembered: true },
      verified: { ok: true, checkedAfterTiming: true },
    });
  });

  test('ends with the best values so far when its time is over', async () => {
    let now = 0;
    const spec = withLanes([]);
    const patient: typeof spec = {
      ...spec,
      choices: (...facts) => [
        ...(spec.choices?.(...facts) ?? []),
        { kind: 'one-of', name: 'segments', start: 1, values: [1, 2] },
      ],
      plan(e, device, sizes, chosen) {
        if (chosen?.lanes === 16) now += 2100;
        return spec.plan(e, device, sizes, chosen);
      },
    };
    const toy = toyCase(toyFormat('toy', [patient]), matrix);
    const searching = { ...options, tuning: memory(), now: () => now };
    const report = await runBench(asHardware(context), [dense, toy], searching, testJob());
    expect(report.rows[1]).toMatchObject({
      tuned: { chosen: { lanes: 64, segments: 1 }, gain: 1, tried: 1 },
      verified: { ok: true, checkedAfterTiming: true },
    });
  });

  scheduled(
    'a run that is timed warms up and measures for seconds',
    'the test here that remembers the best values',
    'searches again if the stored result is for other choices',
    async () => {
      const planned: number[] = [];
      const tuning = memory();
      const toy = toyCase(toyFormat('toy', [withLanes(planned)]), matrix);
      tuning.recall = async () => ({ chosen: { lanes: 17 }, gain: 2, tried: 3 });
      const report = await runBench(asHardware(context), [dense, toy], { ...options, tuning }, testJob());
      expect(report.rows[1].tuned?.remembered).toBe(false);
      expect(planned).not.toContain(17);
    },
  );

  test('does not happen on a software adapter, or if it is off', async () => {
    const planned: number[] = [];
    const tuning = memory();
    const toy = toyCase(toyFormat('toy', [withLanes(planned)]), matrix);
    const software = await runBench(context, [dense, toy], { ...options, tuning }, testJob());
    const untuned = await runBench(asHardware(context), [dense, toy], { ...options, tuning: 'off' }, testJob());
    expect([software.rows[1].tuned, untuned.rows[1].tuned]).toEqual([undefined, undefined]);
    expect(new Set(planned)).toEqual(new Set([64]));
    expect(tuning.saved.size).toBe(0);
  });
});

describe('one run at a time', () => {
  test('a second run is rejected, and the first continues', async () => {
    const first = runBench(context, [dense], options, testJob());
    await expect(runBench(context, [dense], options, testJob())).rejects.toThrow(
      'a benchmark already runs on this GPU: wait, or cancel it',
    );
    expect((await first).rows).toHaveLength(1);
  });
});

describe('a device that is lost in the middle', () => {
  const dying = (device: GPUDevice) =>
    testJob((progress) => {
      if (progress.what === 'rounds' && progress.done === 3) device.destroy();
      return false;
    });

  scheduled(
    'a run that is timed warms up and measures for seconds',
    'the run here whose device is lost, opened again and lost again',
    'is reported if there is no way to open it again',
    async () => {
      const run = runBench(asHardware(context), [dense], options, dying(context.device));
      await expect(run).rejects.toThrow(DeviceLostError);
    },
  );

  scheduled(
    'a run that is timed warms up and measures for seconds',
    'the run here whose device is lost, opened again and lost again',
    'is opened again, and everything is measured again',
    async () => {
      const reasons: string[] = [];
      const rebuild = async (reason: string): Promise<GpuContext> => {
        reasons.push(reason);
        return asHardware(await openTestDevice());
      };
      const report = await runBench(asHardware(context), [dense], { ...options, rebuild }, dying(context.device));
      expect(reasons).toEqual(['the GPU device was closed']);
      expect(report.rows[0].samplesNs).toHaveLength(4);
      expect(report.notes).toEqual(['the GPU device was closed; measured again in batches half the size', SMALL_READ]);
    },
  );

  test('is opened again once; when it is lost again the run rejects, after it delivered the complete rounds', async () => {
    const devices = [context.device];
    const rebuild = async (): Promise<GpuContext> => {
      const again = await openTestDevice();
      devices.push(again.device);
      return asHardware(again);
    };
    const job = testJob((progress) => {
      if (progress.what === 'rounds' && progress.done === devices.length + 3) devices.at(-1)?.destroy();
      return false;
    });
    const parts: BenchReport[] = [];
    const cases = [dense, toyCase(toyFormat('bad', [toyKernel(wrongText, 'bad/spmv_wrong')]), matrix)];
    const run = runBench(
      asHardware(context),
      cases,
      { ...options, workload: { ...workload, rounds: 8 }, rebuild, onReport: (part) => void parts.push(part) },
      job,
    );
    await expect(run).rejects.toThrow(DeviceLostError);
    expect(devices).toHaveLength(2);
    expect(parts.at(-1)).toMatchObject({ unfinished: { waiting: [] }, readBandwidthGBps: expect.any(Number) });
    expect(parts.at(-1)?.rows.map((row) => [row.format, row.samplesNs.length, row.verified.ok])).toEqual([
      ['dense', 5, true],
      ['bad', 0, false],
    ]);
    expect(parts.at(-1)?.notes).toEqual([
      'the GPU device was closed; measured again in batches half the size',
      SMALL_READ,
    ]);
  });
});

describe('a run that is continued', () => {
  scheduled(
    'two benchmarks',
    'src/core/bench/rounds.test.ts, and what is timed in src/gpu/bench.gpu.test.ts',
    'measures what the earlier session lacks, with the chosen variant, and dense again',
    async () => {
      const hardware = asHardware(context);
      const toy = toyFormat('toy', [toyKernel(TOY_WGSL, 'toy/spmv_a'), toyKernel(otherText, 'toy/spmv_b')]);
      const late = toyFormat('late', [toyKernel(TOY_WGSL, 'late/spmv')]);
      const cases: BenchCase[] = [dense, { ...toyCase(toy, matrix), kernels: 'auto' }, toyCase(late, matrix)];
      const parts: BenchReport[] = [];
      const stopped = testJob(({ what }) => what === 'rounds');
      const onReport = (part: BenchReport): void => void parts.push(part);
      await expect(runBench(hardware, cases, { ...options, onReport }, stopped)).rejects.toThrow(CancelledError);
      const waitingFormats = parts.map(({ unfinished }) => unfinished?.waiting.map(({ format }) => format));
      expect([waitingFormats[0], waitingFormats.at(-1)]).toEqual([['late'], []]);
      const [earlierReport] = parts.slice(-1);
      const [{ samplesNs: denseSamples }] = earlierReport.rows;
      // Of toy one kernel, or both if a trial found them about as fast.
      const [earlierToy] = earlierReport.rows
        .filter(({ format }) => format === 'toy')
        .toSorted((a, b) => (a.medianNs ?? 0) - (b.medianNs ?? 0));
      const earlierLate = earlierReport.rows.at(-1);
      expect(earlierLate).toMatchObject({ format: 'late', samplesNs: [1, 2, 3].map(() => expect.any(Number)) });
      const report = await runBench(hardware, cases, { ...options, before: earlierReport }, testJob());
      expect(report.unfinished).toBeUndefined();
      expect(report.rows.map((row) => [row.kernel, row.verified.checkedAfterTiming])).toEqual([
        ['dense/spmv_toy', true],
        [earlierToy.kernel, true],
        ['late/spmv', true],
      ]);
      for (const [i, { samplesNs }] of [earlierReport.rows[0], earlierToy, earlierLate]
        .flatMap((row) => row ?? [])
        .entries()) {
        expect(report.rows[i].samplesNs.slice(0, samplesNs.length)).toEqual(samplesNs);
      }
      expect(report.rows[2].rounds).toEqual([...(earlierLate?.rounds ?? []), denseSamples.length]);
    },
  );
});
