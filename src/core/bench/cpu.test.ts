import { describe, expect, test } from 'vitest';
import { WORKLOAD as workload } from '../../../test/workload.ts';
import { csrOf } from '../../../test/matrices.ts';
import type { BenchCase, BenchFormat } from './cases.ts';
import { type CpuHost, runCpuBench } from './cpu.ts';
import { CancelledError, FormatError } from '../errors.ts';
import type { Job } from '../job.ts';
import { type CsrMatrix, type Matrix } from '../matrix/index.ts';
import type { BenchReport } from '../report.ts';

const matrix = csrOf([3, 4], [0, 2, 2, 3], [0, 2, 3], [1, 2, 3]);

/** A host whose clock advances with every multiplication, so that times are predictable. */
class FakeHost implements CpuHost {
  readonly runtime = 'test';
  ms = 0;
  pauses = 0;

  now(): number {
    this.ms += 0.001;
    return this.ms;
  }

  pause(ms = 0): Promise<void> {
    this.pauses++;
    this.ms += ms;
    return Promise.resolve();
  }
}

function format(
  id: string,
  host: FakeHost,
  runMs: number,
  corrupt: (y: Float32Array, run: number) => void,
): BenchFormat {
  let runs = 0;
  return {
    id,
    title: id,
    effort: 1,
    kernels: [],
    encodeSteps: () => expect.unreachable('the CPU has the same x in every run'),
    decode: (m: Matrix) => m,
    multiply: (m: CsrMatrix, x: Float32Array, y: Float32Array) => {
      host.ms += runMs;
      for (let r = 0; r < m.rows; r++) {
        let sum = 0;
        for (let i = m.indptr[r]; i < m.indptr[r + 1]; i++) sum += m.data[i] * x[m.indices[i]];
        y[r] = sum;
      }
      corrupt(y, runs++);
    },
  };
}

function benchCase(f: BenchFormat): BenchCase {
  return {
    format: f,
    params: { valueType: 'f32' },
    kernels: 'all',
    encode: async () => ({ encoded: Object.assign(matrix, { checksums: {} }), encodeMs: 3 }),
  };
}

const idle: Job = { report: () => {}, cancelled: false };
const unchanged = (): void => {};

describe('runCpuBench', () => {
  test('verifies, times every case in every round and compares with dense', async () => {
    const host = new FakeHost();
    const cases = [benchCase(format('dense', host, 4, unchanged)), benchCase(format('toy', host, 1, unchanged))];
    const report = await runCpuBench(cases, { app: 'test', reference: 'dense', workload }, idle, host);
    expect(report.rows.map((r) => r.samplesNs.length)).toEqual([6, 6]);
    expect(report.rows.map((r) => r.rounds)).toEqual([undefined, undefined]);
    expect(report.unfinished).toBeUndefined();
    expect(report.rows.map((r) => r.runsPerSample)).toEqual([5, 20]);
    expect(report.rows[1].medianNs).toBeCloseTo(1e6, -3);
    expect(report.rows[1].vsDense?.ratio).toBeCloseTo(4, 2);
    expect(report.rows[1]).toMatchObject({
      kernel: 'toy/spmv_cpu',
      where: 'cpu',
      // the CSR arrays, x and y
      bytes: 16 + 12 + 12 + 16 + 12,
      encodeMs: 3,
      verified: { ok: true, outputs: 3, checkedAfterTiming: true },
    });
    expect(report.clock).toEqual({ source: 'wall-clock', quantumNs: 1000 });
    expect(report.workload.memory).toBe('warm');
    expect(host.pauses).toBeGreaterThan(12);
  });

  test('does not change the number of runs when another process had the core during the warm-up', async () => {
    const host = new FakeHost();
    const disturbed = format('toy', host, 1, (_, run) => {
      if (run === 10) host.ms += 300;
    });
    const report = await runCpuBench([benchCase(disturbed)], { app: 'test', reference: 'dense', workload }, idle, host);
    expect(report.rows[0].runsPerSample).toBe(20);
  });

  test('does not time a wrong format', async () => {
    const host = new FakeHost();
    const wrong = format('toy', host, 1, (y) => (y[2] += 1));
    const report = await runCpuBench([benchCase(wrong)], { app: 'test', reference: 'dense', workload }, idle, host);
    expect(report.rows[0]).toMatchObject({ samplesNs: [], medianNs: null, verified: { ok: false, failureCount: 1 } });
    expect(report.rows[0].verified.failures[0].row).toBe(2);
  });

  test('drops the time of a format that turns out wrong later', async () => {
    const host = new FakeHost();
    const laterWrong = format('toy', host, 1, (y, run) => {
      if (run > 3) y[0] = 99;
    });
    const report = await runCpuBench(
      [benchCase(laterWrong)],
      { app: 'test', reference: 'dense', workload },
      idle,
      host,
    );
    expect(report.rows[0]).toMatchObject({ samplesNs: [], verified: { ok: false, checkedAfterTiming: true } });
  });

  test('lists a format that cannot store the matrix', async () => {
    const host = new FakeHost();
    const full = {
      ...benchCase(format('toy', host, 1, unchanged)),
      encode: () => Promise.reject(new FormatError('found 5, expected 4')),
    };
    const report = await runCpuBench([full], { app: 'test', reference: 'dense', workload }, idle, host);
    expect(report.refused).toEqual([
      { kernel: '', format: 'toy', params: expect.any(Object), reason: 'found 5, expected 4' },
    ]);
    expect(report.rows).toEqual([]);
  });

  test('reports the complete rounds when it is cancelled, and measures only the missing rounds when it is resumed', async () => {
    const host = new FakeHost();
    let pausesInRound = 0;
    let done = 0;
    const job: Job = {
      report(progress) {
        if (progress.what !== 'rounds') return;
        pausesInRound = host.pauses;
        done = progress.done;
      },
      // in the middle of the fifth round
      get cancelled() {
        return done === 4 && host.pauses > pausesInRound + 1;
      },
    };
    const cases = [
      benchCase(format('dense', host, 4, unchanged)),
      benchCase(format('toy', host, 1, unchanged)),
      benchCase(format('third', host, 1, unchanged)),
      {
        ...benchCase(format('slow', host, 1, unchanged)),
        format: { ...format('slow', host, 1, unchanged), effort: 100 },
      },
    ] satisfies BenchCase[];
    const reports: BenchReport[] = [];
    const options = {
      app: 'test',
      reference: 'dense',
      workload,
      onReport: (interrupted: BenchReport) => void reports.push(interrupted),
    };
    await expect(runCpuBench(cases, options, job, host)).rejects.toThrow(CancelledError);
    expect(reports.map(({ unfinished }) => unfinished?.waiting.map((item) => item.format))).toEqual([
      ['third', 'slow'],
      ['slow'],
      ['slow'],
    ]);
    const [first, , interrupted] = reports;
    expect(first.rows.map((row) => [row.format, row.samplesNs.length])).toEqual([
      ['dense', 3],
      ['toy', 3],
    ]);
    expect(interrupted).toMatchObject({ workload: { rounds: 6, memory: 'warm' }, notes: [] });
    expect(
      interrupted.rows.map((row) => [row.format, row.samplesNs.length, row.rounds, row.verified.checkedAfterTiming]),
    ).toEqual([
      ['dense', 7, undefined, false],
      ['toy', 4, [0, 1, 2, 6], false],
      ['third', 4, [3, 4, 5, 6], false],
    ]);
    expect(interrupted.rows[1].vsDense?.ratio).toBeCloseTo(4, 2);

    // Resuming measures the missing rounds: two rounds of toy and the third, and all of slow, with dense again in each.
    const resumedHost = new FakeHost();
    const resumedCases = cases.map((item) => ({
      ...item,
      format: format(item.format.id, resumedHost, item.format.id === 'dense' ? 4 : 1, unchanged),
    }));
    const complete = await runCpuBench(resumedCases, { ...options, before: interrupted }, idle, resumedHost);
    expect(complete.unfinished).toBeUndefined();
    expect(complete.rows.map((row) => [row.format, row.samplesNs.length, row.verified.checkedAfterTiming])).toEqual([
      // Slow does not search here: it shares the two rounds that toy lacks.
      ['dense', 7 + 6, true],
      ['toy', 6, true],
      ['third', 6, true],
      ['slow', 6, true],
    ]);
    expect(complete.rows[1].rounds?.slice(0, 4)).toEqual([0, 1, 2, 6]);
    expect(complete.rows[3].rounds?.every((round) => round > 6)).toBe(true);
    expect(complete.rows[1].samplesNs.slice(0, 4)).toEqual(interrupted.rows[1].samplesNs);
    expect(complete.rows[3].vsDense?.ratio).toBeCloseTo(4, 2);
    expect(complete.notes).toEqual([`the first 7 rounds were measured before ${interrupted.createdAt}`]);

    // Nothing of a complete run is measured again, and another run cannot be resumed.
    const measured = resumedHost.ms;
    const unchangedReport = await runCpuBench(resumedCases, { ...options, before: complete }, idle, resumedHost);
    expect(unchangedReport.rows).toEqual(complete.rows);
    expect(resumedHost.ms - measured).toBeLessThan(1);
    await expect(
      runCpuBench(
        resumedCases,
        { ...options, before: { ...interrupted, workload: { ...interrupted.workload, nnz: 4 } } },
        idle,
        resumedHost,
      ),
    ).rejects.toThrow(
      'continuing a run: found spmv, test, 3 × 4 with 3 non-zeros, seed 5, warm, expected spmv, test, 3 × 4 with 4 non-zeros, seed 5, warm',
    );
  });

  test('waits while the page is hidden, and repeats rounds that were hidden before their end', async () => {
    const host = new FakeHost();
    const reported: string[] = [];
    const job: Job = { report: ({ what }) => void reported.push(what), cancelled: false };
    let checks = 0;
    const options = { app: 'test', reference: 'dense', workload, isHidden: () => ++checks === 3 };
    const start = host.ms;
    const report = await runCpuBench([benchCase(format('toy', host, 1, unchanged))], options, job, host);
    expect(checks).toBeGreaterThan(3);
    expect(reported).toContain('waiting because the page is hidden');
    expect(host.ms - start).toBeGreaterThan(250);
    expect(report.rows[0].samplesNs).toHaveLength(workload.rounds);
    expect(report.notes).toEqual([]);
    let hides = 0;
    let hidden = false;
    const hiding = format('toy', host, 1, () => {
      if (reported.at(-1) === 'rounds' && hides++ === 0) hidden = true;
    });
    host.pause = async (ms) => {
      if (ms !== undefined) hidden = false;
    };
    const again = await runCpuBench([benchCase(hiding)], { ...options, isHidden: () => hidden }, job, host);
    expect(again.rows[0].samplesNs).toHaveLength(workload.rounds);
    expect(again.notes).toEqual(['1 round was dropped and repeated: the page was hidden']);
  });

  test.for(['verify toy', 'warm up toy', 'rounds'])('can be cancelled at: %s', async (phase) => {
    const host = new FakeHost();
    let cancelled = false;
    const job: Job = {
      report: (progress) => {
        cancelled ||= progress.what === phase;
      },
      get cancelled() {
        return cancelled;
      },
    };
    const run = runCpuBench(
      [benchCase(format('toy', host, 1, unchanged))],
      { app: 'test', reference: 'dense', workload },
      job,
      host,
    );
    await expect(run).rejects.toThrow(CancelledError);
  });
});
