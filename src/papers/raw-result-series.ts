import type { BenchReport } from '../core/report.ts';
import { speedOf } from '../kit/words/speed-of.ts';
import type { Series } from '../kit/charts/series.ts';
import { MACKO_SHAPES, RAW_RESULTS } from './raw-results.ts';

const { macko, slideSparse } = RAW_RESULTS;

/** CSS colors of GPUs, in the order of the published results. */
const COLORS = ['var(--values)', 'var(--accent)', 'var(--danger)', 'var(--text)', 'var(--indices)', 'var(--metadata)'];

/** MACKO's speeds by number of weights: published, measured by this project (`macko.own`), and timed on a device. */
export function mackoSeries(density: number, reports: readonly BenchReport[], device: string): readonly Series[] {
  const at = macko.densities.indexOf(density);
  const published = macko.cards.map((card, i): Series => ({
    id: card,
    kind: 'published',
    title: null,
    color: COLORS[i],
    points: MACKO_SHAPES.flatMap(({ rows, cols, speeds }) => {
      const y = speeds[i][at] ?? null;
      return y === null ? [] : [{ x: rows * cols, y }];
    }).toSorted((a, b) => a.x - b.x),
  }));
  const onDevice = MACKO_SHAPES.flatMap(({ rows, cols }) => {
    const y = bestSpeed(reports, macko.format, ({ workload }) => {
      const isComparable = Math.abs(workload.density - density) < 0.01 && workload.operation === 'spmv';
      return isComparable && workload.rows === rows && workload.cols === cols;
    });
    return y === null ? [] : [{ x: rows * cols, y }];
  }).toSorted((a, b) => a.x - b.x);
  const { card, date, speeds } = macko.own;
  const timedOnDevice = new Set(onDevice.map(({ x }) => x));
  const recorded = MACKO_SHAPES.flatMap(({ rows, cols }, i) => {
    const y = speeds[i][at];
    return y === null || (device === card && timedOnDevice.has(rows * cols)) ? [] : [{ x: rows * cols, y }];
  }).toSorted((a, b) => a.x - b.x);
  const seriesOf = (id: string, title: string | null, color: string, points: Series['points']): readonly Series[] =>
    points.length === 0 ? [] : [{ id, kind: 'measured', title, color, join: 'none', points }];
  return [
    ...published,
    ...seriesOf(`${card}, ${date}`, null, COLORS[4], recorded),
    ...seriesOf('here', device, 'var(--text)', onDevice),
  ];
}

/** The best verified speed of a format against dense f16, in the reports that match; null if there is none. */
function bestSpeed(
  reports: readonly BenchReport[],
  format: string,
  matches: (report: BenchReport) => boolean,
): number | null {
  let best: number | null = null;
  for (const report of reports) {
    if (!matches(report)) continue;
    for (const row of report.rows) {
      const { ratio = null } = (row.format === format && row.verified.ok && !row.draft && speedOf(row)) || {};
      if (ratio !== null && ratio > (best ?? 0)) best = ratio;
    }
  }
  return best;
}

/** SlideSparse's speeds by tokens: a line for each GPU of the paper, and one for a device, without its tensor cores. */
export function slideSparseSeries(
  pattern: '6:8' | '2:4',
  reports: readonly BenchReport[],
  device: string,
): readonly Series[] {
  const published = Object.entries(slideSparse.gpus).map(([gpu, { tokens, ...speeds }], i): Series => ({
    id: gpu,
    kind: 'published',
    title: gpu,
    color: COLORS[i],
    join: 'straight',
    points: tokens.flatMap((x, j) => {
      const y = speeds[pattern][j];
      return y === null ? [] : [{ x, y }];
    }),
  }));
  const [kept, group] = pattern.split(':').map(Number);
  const all = reports.flatMap(({ workload }) => (workload.operation === 'gemm' ? [workload.sizes?.tokens ?? 0] : []));
  const onDevice = [...new Set(all)]
    .toSorted((a, b) => a - b)
    .flatMap((tokens) => {
      const y = bestSpeed(reports, slideSparse.format, ({ workload: { operation, sizes, density, rows } }) => {
        const isPattern = Math.abs(density - kept / group) < 0.01;
        return operation === 'gemm' && sizes?.tokens === tokens && isPattern && rows >= 2048;
      });
      return y === null ? [] : [{ x: tokens, y }];
    });
  return onDevice.length === 0
    ? published
    : [...published, { id: 'here', kind: 'measured', title: device, color: 'var(--text)', points: onDevice }];
}
