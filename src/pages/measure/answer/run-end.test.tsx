// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BENCH_REQUEST } from '../../../../test/fake-engine.ts';
import { cleanup, fakeApp, renderInApp } from '../../../../test/page.ts';
import { REPORT } from '../../../../test/reports.ts';
import type { BenchReport, BenchRow, Rejection } from '../../../core/report.ts';
import { GpuSilence } from '../../../kit/controls/GpuSilence.tsx';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { isAnsweredBy, runEndText } from '../../../kit/report/run-verdict.ts';
import type { VisibleDevice } from '../../../kit/devices/use-device.ts';
import { rejectionOf } from '../../../kit/report/matrix-times.ts';
import { newJob, type RunEnd } from '../../../state/session/session-state.ts';
import { pageState } from '../../../state/index.ts';
import { MEASURE_FIELDS } from '../address.ts';
import { AnswerHead } from './AnswerHead.tsx';
import type { MeasuredPair, MeasuredSide } from './use-measured.ts';

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ schema: 1, recordings: [] })));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const row = (format: string, n: number, isRight: boolean): BenchRow => {
  const [first] = REPORT.rows;
  return {
    ...first,
    kernel: `${format}/spmv_${n}`,
    format,
    params: {},
    verified: { ...first.verified, ok: isRight },
    samplesNs: isRight ? [1000, 1000] : [],
    medianNs: isRight ? 1000 : null,
  };
};
const rows = (format: string, count: number, isRight = false): BenchRow[] =>
  Array.from({ length: count }, (_, n) => row(format, n, isRight));
const kernelRejections = (format: string, count: number, reason: string): Rejection[] =>
  Array.from({ length: count }, (_, n) => ({ kernel: `${format}/spmv_${n}`, format, reason }));
const formatRejection = (format: string, reason: string): Rejection => ({ kernel: '', format, reason });

/** What a run reported and how it ended, and the text that the page then shows as its answer. */
interface Ending {
  readonly rows?: readonly BenchRow[];
  readonly refused?: readonly Rejection[];
  readonly ended?: Pick<RunEnd, 'how' | 'message'>;
  /** the text of the answer */
  readonly answer: RegExp;
  /** whether the answer links to the table of kernels */
  readonly hasTable: boolean;
}

const LIMIT = 'needs a buffer of 900 bytes, the limit of this GPU is 256';
const MEMORY = 'values, 900 bytes: the GPU is out of memory';

const ENDINGS: Readonly<Record<string, Ending>> = {
  'every kernel was wrong': {
    rows: [...rows('macko', 10), ...rows('dense', 7)],
    answer:
      /^MACKO: 10 of 10 kernels computed wrong results on this GPU; none is timed\. dense: 7 of 7 kernels computed wrong/,
    hasTable: true,
  },
  'the only kernel was wrong': {
    rows: rows('macko', 1),
    answer: /^MACKO: macko\/spmv_0 computed wrong results on this GPU; it is not timed\.$/,
    hasTable: true,
  },
  'A was wrong, B was timed': {
    rows: [...rows('macko', 10), ...rows('dense', 1, true)],
    answer:
      /^On this GPU, dense multiplies .+; MACKO was not timed: 10 of 10 kernels computed wrong results on this GPU; none/,
    hasTable: true,
  },
  'A was timed, B was wrong': {
    rows: [...rows('macko', 1, true), ...rows('dense', 3)],
    answer: /^On this GPU, MACKO multiplies .+; dense was not timed: 3 of 3 kernels computed wrong results/,
    hasTable: true,
  },
  'some were wrong, the others rejected': {
    rows: rows('macko', 2),
    refused: kernelRejections('macko', 3, LIMIT),
    answer: /^MACKO: 2 of 5 kernels computed wrong results on this GPU, and 3 others cannot run: needs a buffer/,
    hasTable: true,
  },
  'all were beyond the limits of the device': {
    refused: kernelRejections('macko', 3, LIMIT),
    answer:
      /^MACKO: none of 3 kernels can run on this GPU: needs a buffer of 900 bytes, the limit of this GPU is 256\.$/,
    hasTable: true,
  },
  'all were rejected, for several reasons': {
    refused: [...kernelRejections('macko', 2, LIMIT), ...kernelRejections('macko', 1, 'needs shader-f16')],
    answer: /none of 3 kernels can run on this GPU: needs a buffer .+, and 1 other reason\.$/,
    hasTable: true,
  },
  'memory ran out on the GPU': {
    refused: kernelRejections('macko', 2, MEMORY),
    answer: /^MACKO: none of 2 kernels can run on this GPU: .+ the GPU is out of memory\.$/,
    hasTable: true,
  },
  'the format cannot store the matrix': {
    refused: [formatRejection('macko', 'row 3 has 40 non-zeros, expected at most 31.')],
    rows: rows('dense', 2, true),
    answer: /; MACKO was not timed: row 3 has 40 non-zeros, expected at most 31\.$/,
    hasTable: true,
  },
  'dense failed, the format is right': {
    rows: rows('macko', 1, true),
    refused: kernelRejections('dense', 2, 'dense/spmv: WebGPU rejected it (too large)'),
    answer:
      /^On this GPU, MACKO multiplies .+; dense was not timed: none of 2 kernels can run on this GPU: dense\/spmv/,
    hasTable: true,
  },
  'it was cancelled before the first time': {
    ended: { how: 'cancelled', message: 'The run of MACKO on fc2-70 was cancelled.' },
    answer: /^The run of MACKO on fc2-70 was cancelled\.$/,
    hasTable: false,
  },
  'it was cancelled after A was wrong': {
    rows: rows('macko', 10),
    ended: { how: 'cancelled', message: 'The run of MACKO on fc2-70 was cancelled.' },
    answer: /^MACKO: 10 of 10 .+ none is timed\. The run of MACKO on fc2-70 was cancelled\.$/,
    hasTable: true,
  },
  'it was cancelled after A was timed': {
    rows: rows('macko', 1, true),
    ended: { how: 'cancelled', message: 'The run of MACKO on fc2-70 was cancelled.' },
    answer: /^On this GPU, MACKO multiplies .+; dense was not timed\. The run of MACKO on fc2-70 was cancelled\.$/,
    hasTable: false,
  },
  'the GPU was lost': {
    ended: { how: 'failed', message: 'The run of MACKO failed: the GPU device was lost (reset); run again.' },
    answer: /^The run of MACKO failed: the GPU device was lost \(reset\); run again\.$/,
    hasTable: false,
  },
  'the clock stood still': {
    ended: {
      how: 'failed',
      message: 'The run of MACKO failed: macko/spmv: this GPU’s clock stood still, 20 times in a row.',
    },
    answer: /clock stood still/,
    hasTable: false,
  },
  'there is no GPU': {
    ended: {
      how: 'failed',
      message: 'The run of MACKO failed: WebGPU found no adapter: GPU or driver is unsupported.',
    },
    answer: /WebGPU found no adapter/,
    hasTable: false,
  },
  'the engine ended': {
    ended: { how: 'failed', message: 'The run of MACKO failed: the engine stopped by itself; start it again.' },
    answer: /the engine stopped by itself; start it again\.$/,
    hasTable: false,
  },
  'the matrix was not opened': {
    ended: { how: 'failed', message: 'The run of MACKO did not start: the matrix was not opened.' },
    answer: /did not start: the matrix was not opened\.$/,
    hasTable: false,
  },
};

/** Draws the answer after a run with this report and end. Returns the page's stores. */
function renderAnswer({ rows: reportRows = [], refused: rejections = [], ended }: Ending) {
  const app = fakeApp();
  const { source: _, ...workload } = REPORT.workload;
  const report: BenchReport = { ...REPORT, rows: reportRows, refused: rejections };
  const generation = 4;
  const sideOf = (side: 'a' | 'b', id: string, name: string): MeasuredSide => {
    const format = app.formats.find((format) => format.id === id) ?? app.formats[0];
    const correctRow = reportRows.find((row) => row.format === id && row.verified.ok);
    const query = { format: id, params: {}, spec: {} };
    return {
      side,
      format,
      stored: query,
      name,
      matrixBytes: 1,
      isCounted: true,
      rejection: null,
      notes: [],
      bytes: 1,
      bound: null,
      timedRow: correctRow ? { row: correctRow, report } : null,
      runRejection: correctRow ? null : rejectionOf(report, query),
    };
  };
  const run: RunEnd = {
    how: ended?.how ?? 'finished',
    message: ended?.message ?? null,
    request: BENCH_REQUEST,
    generation,
    run: 1,
  };
  app.session.store.setState(({ bench }) => ({ bench: { ...bench, ended: run } }));
  const measuredPair = {
    matrix: { ...workload, tokens: 1, names: [REPORT.workload.source], isEstimated: false, isEven: false },
    sides: [sideOf('a', 'macko', 'MACKO'), sideOf('b', 'dense', 'dense')],
    speed: null,
    byBytes: null,
    points: [],
    summary: { ...workload, generation, name: 'fc2-70', source: { kind: 'example', id: 'fc2-70' } },
  } as unknown as MeasuredPair;
  const device = {
    id: 'this',
    kind: 'this',
    name: 'GPU',
    label: '',
    reports: [report],
    roofs: null,
    isSoftware: false,
  };
  const visibleDevice = { device, loading: null } as unknown as VisibleDevice;
  renderInApp(<AnswerHead measuredPair={measuredPair} visibleDevice={visibleDevice} all={null} />, app);
  return app;
}

describe('a run that ends without a time shows the reason instead of the answer', () => {
  it.each(Object.entries(ENDINGS))('%s', (_, ending) => {
    const app = renderAnswer(ending);
    expect(screen.getByRole('heading').textContent.replaceAll('\u202f', ' ')).toMatch(ending.answer);
    const button = screen.queryByRole('button', { name: 'See all kernels tried' });
    expect(button !== null).toBe(ending.hasTable);
    if (!button) return;
    fireEvent.click(button);
    expect(pageState(app.document.getState(), MEASURE_FIELDS).fold).toContain('kernels');
  });

  it('the end of a run is an answer only if the run was of this matrix, and of A or B', () => {
    const ended: RunEnd = { how: 'cancelled', message: 'x', request: BENCH_REQUEST, generation: 4, run: null };
    expect(isAnsweredBy(ended, 4, ['csr', 'macko'])).toBe(true);
    expect([
      isAnsweredBy(ended, 5, ['macko']),
      isAnsweredBy(ended, 4, ['csr']),
      isAnsweredBy(null, 4, ['macko']),
    ]).toEqual([false, false, false]);
  });

  it('runEndText is the reason why a run has no times, and null if it has times', () => {
    const runs = (...all: readonly BenchRow[]) => [
      { id: 1, origin: 'measured' as const, name: '', reports: [{ ...REPORT, rows: all, refused: [] }] },
    ];
    const ended: RunEnd = { how: 'finished', message: null, request: BENCH_REQUEST, generation: 4, run: 1 };
    const cancelled: RunEnd = { ...ended, how: 'cancelled', message: 'The run was cancelled.' };
    expect([null, ended].map((end) => runEndText(end, runs(...rows('macko', 2, true))))).toEqual([null, null]);
    expect(runEndText(ended, runs(...rows('macko', 3), ...rows('dense', 2)))).toBe(
      '5 of 5 kernels computed wrong results on this GPU; none is timed.',
    );
    expect(runEndText(cancelled, [])).toBe('The run was cancelled.');
    expect(runEndText(cancelled, runs(...rows('macko', 3)))).toMatch(/none is timed\. The run was cancelled\.$/);
  });
});

describe('a GPU that does not answer', () => {
  it('a GPU that does not answer is mentioned next to the work that waits for it, with a remedy', () => {
    const app = fakeApp();
    const view = renderInApp(<JobProgress job={newJob('Running')} onCancel={() => {}} />, app);
    expect(view.container.textContent).not.toContain('answered');
    app.engine.silence(9999);
    cleanup();
    const silent = (ms: number, canCancel = true): string | null => {
      app.engine.silence(ms);
      const { container } = renderInApp(<GpuSilence canCancel={canCancel} />, app);
      const text = container.textContent;
      cleanup();
      return text;
    };
    expect([silent(9999), silent(0)]).toEqual(['', '']);
    expect(silent(12_400)).toBe(
      'The GPU has not answered for 12 s. Cancel, or reload the page; closing other tabs and programs that use the GPU may help.',
    );
    expect(silent(62_000, false)).toMatch(/for 62 s\. Reload the page;/);
    expect(silent(0)).toBe('');
  });
});
