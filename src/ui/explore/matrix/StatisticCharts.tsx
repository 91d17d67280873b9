import { useMemo } from 'react';
import type { StatisticChart } from '../../../core/comparison/comparison.ts';
import { countText } from '../../../core/story/words.ts';
import type { MatrixStatistics } from '../../../core/statistics/matrix-statistics.ts';
import type { FormatParams } from '../../../state/index.ts';
import type { Comparison } from '../../../worker/protocol.ts';
import { useApp, useDocument } from '../../app-context.ts';
import { powersBetween } from '../../charts/axis.ts';
import { Chart, type Plot } from '../../charts/Chart.tsx';
import { percent } from '../../parts/quantity.ts';
import { countTicks, headsOf, marksOf, type PlacedMark } from './chart-parts.ts';
import { binned, cumulated, firstUsed, type HistogramBin } from './histogram.ts';

export interface StatisticChartsProps {
  readonly comparison: Comparison;
  /** of the matrix, for saved charts */
  readonly caption: string;
  readonly onParams: (format: string, params: FormatParams) => void;
}

const HEIGHT = 236;
/** Bars of a histogram at most. */
const MOST_BARS = 64;

interface ChartParts extends StatisticChartsProps {
  readonly marks: readonly PlacedMark[];
}

/** How the non-zeros lie: gaps, rows, groups and pairs of rows, each with what formats make of it. */
export function StatisticCharts(props: StatisticChartsProps) {
  const { formats } = useApp();
  const params = useDocument((doc) => doc.params);
  const { verdicts, statistics } = props.comparison;
  const marks = (isIn: (chart: StatisticChart) => boolean): readonly PlacedMark[] =>
    marksOf(formats, verdicts, params, isIn);
  const widths = [
    ...new Set(
      marks(({ of }) => of === 'groups').map(({ mark }) => (mark.chart.of === 'groups' ? mark.chart.width : 0)),
    ),
  ];
  return (
    <div className="compare-charts">
      <GapChart {...props} marks={marks(({ of }) => of === 'gaps')} />
      <RowChart {...props} marks={marks(({ of }) => of === 'rows')} />
      {widths
        .toSorted((a, b) => a - b)
        .map((width) => (
          <GroupChart
            key={width}
            {...props}
            width={width}
            marks={marks((chart) => chart.of === 'groups' && chart.width === width)}
          />
        ))}
      {statistics.shared.counts.length > 0 && <SharedChart {...props} marks={marks(({ of }) => of === 'shared')} />}
    </div>
  );
}

function GapChart({ comparison, caption, onParams, marks }: ChartParts) {
  const { gaps, nnz, longestRun } = comparison.statistics;
  const sums = useMemo(() => cumulated(gaps), [gaps]);
  const end = Math.max(gaps.length - 1, ...marks.map(({ mark }) => mark.at), 2); // bounded: a few marks
  const ticks = powersBetween(1, end * 1.25, 2);
  const x = {
    scale: 'log' as const,
    domain: [0.75, end * 1.25] as const,
    ticks,
    text: countText,
    title: 'columns to the non-zero before it in the row',
  };
  const y = { ...SHARES, title: '' };
  const notes = Object.values(comparison.verdicts).flatMap((verdict) =>
    verdict.notes.filter(({ chart }) => chart.of === 'gaps'),
  );
  const shown = ticks.filter((tick) => tick <= end);
  const choices = marks.filter(({ mark }) => mark.params !== undefined);
  return (
    <section className="compare-chart" aria-label="Gaps">
      <h3>
        Gaps between neighbours in a row <small>bar: gaps of this width, line: up to it</small>
      </h3>
      <Chart
        id="gaps"
        heading={{ title: 'Gaps between neighbours in a row', caption }}
        spoken={`Of ${countText(nnz)} gaps, ${shown.map((gap) => `${shareUpTo(sums, gap, nnz)} are up to ${gap}`).join(', ')} columns wide. The longest run has ${countText(longestRun)} non-zeros.`}
        x={x}
        y={y}
        height={HEIGHT}
        series={[
          {
            id: 'cumulated',
            kind: 'expected',
            join: 'steps',
            title: null,
            color: 'var(--text)',
            points: stepPoints(sums, nnz),
          },
        ]}
        heads={headsOf(marks)}
        figures={() => ({
          head: ['columns', 'gaps of this width', 'share', 'up to it'],
          rows: gapRows(gaps, sums, nnz),
        })}
      >
        {(plot) => (
          <>
            <GapBars plot={plot} gaps={gaps} nnz={nnz} />
            <MarkLines plot={plot} marks={marks} ring={(at) => plot.y(shareAt(sums, at, nnz))} onParams={onParams} />
          </>
        )}
      </Chart>
      {choices.length > 0 && (
        <p className="compare-choices">
          {choices[0].format.title} with{' '}
          {choices.map(({ id, format, mark, isSet }) => (
            <button
              key={id}
              type="button"
              className="text-button"
              aria-pressed={isSet}
              onClick={() => onParams(format.id, mark.params as FormatParams)}
            >
              {mark.title}
            </button>
          ))}
        </p>
      )}
      <p className="compare-note">
        The longest run has {countText(longestRun)} non-zeros in neighbouring columns.
        {notes.map(({ text, source }) => (
          <span key={source}>
            {' '}
            {text} <cite>{source}</cite>
          </span>
        ))}
      </p>
    </section>
  );
}

const SHARES = {
  scale: 'linear' as const,
  domain: [0, 1] as const,
  ticks: [0, 0.5, 1],
  text: (share: number): string => percent(share, 0),
};

function shareAt(sums: Float64Array, gap: number, nnz: number): number {
  return nnz === 0 ? 0 : sums[Math.min(gap, sums.length - 1)] / nnz;
}

function shareUpTo(sums: Float64Array, gap: number, nnz: number): string {
  return percent(shareAt(sums, gap, nnz));
}

/** The cumulated line, without the points that no eye tells apart. */
function stepPoints(sums: Float64Array, nnz: number): readonly { readonly x: number; readonly y: number }[] {
  const points = [{ x: 0.75, y: 0 }];
  let last = 0;
  for (let gap = 1; gap < sums.length; gap++) {
    const share = shareAt(sums, gap, nnz);
    if (gap > 16 && share - last < 0.002 && gap < sums.length - 1) continue;
    points.push({ x: gap, y: share });
    last = share;
  }
  return [...points, { x: (sums.length - 1) * 1.25 + 1, y: 1 }];
}

function gapRows(gaps: Uint32Array, sums: Float64Array, nnz: number) {
  const rows = [];
  for (let gap = 1; gap < gaps.length; gap++) {
    // Every gap up to 16, then powers of two: nobody reads more, and a wide matrix has thousands.
    if (gap > 16 && Math.log2(gap) % 1 !== 0 && gap < gaps.length - 1) continue;
    const [share, upTo] = [nnz === 0 ? 0 : gaps[gap] / nnz, shareAt(sums, gap, nnz)];
    rows.push({
      name: countText(gap),
      cells: [countText(gaps[gap]), percent(share), percent(upTo)],
      values: [gap, gaps[gap], share, upTo],
    });
  }
  return rows;
}

function GapBars({ plot, gaps, nnz }: { readonly plot: Plot; readonly gaps: Uint32Array; readonly nnz: number }) {
  const { x, y, bottom } = plot;
  const bars = [];
  for (let gap = 1; gap < gaps.length && gap <= 256; gap++) {
    const top = y(nnz === 0 ? 0 : gaps[gap] / nnz);
    if (bottom - top < 0.5) continue;
    const left = x(Math.max(0.76, gap - 0.5));
    bars.push(
      <rect
        key={gap}
        className="compare-column"
        x={left}
        y={top}
        width={Math.max(1, x(gap + 0.5) - left - 1)}
        height={bottom - top}
      />,
    );
  }
  return <g className="compare-columns">{bars}</g>;
}

interface MarkLinesProps {
  readonly plot: Plot;
  readonly marks: readonly PlacedMark[];
  readonly ring?: (at: number) => number;
  /** how far to the right of its count a limit stands: at the edge of the bar that still fits */
  readonly shift?: number;
  readonly onParams: StatisticChartsProps['onParams'];
}

/** Where formats stand. A mark with parameters can be clicked; the same is a button below the chart. */
function MarkLines({ plot: { x, top, bottom }, marks, ring, shift = 0, onParams }: MarkLinesProps) {
  return marks.map(({ id, format, mark, isSet }) => {
    const at = x(mark.at + (mark.isLimit ? shift : 0));
    return (
      <g
        key={id}
        className="compare-mark"
        data-set={isSet ? '' : undefined}
        style={{ color: `var(--format-${format.id})`, cursor: mark.params ? 'pointer' : undefined }}
        onClick={mark.params ? () => onParams(format.id, mark.params as FormatParams) : undefined}
        aria-hidden="true"
      >
        <line x1={at} x2={at} y1={top - 4} y2={bottom} />
        {ring && <circle cx={at} cy={ring(mark.at)} r={4} />}
      </g>
    );
  });
}

/** A histogram of counts with the marks of formats. */
interface CountChartProps extends ChartParts {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  readonly along: string;
  readonly bins: readonly HistogramBin[];
  /** more names above it than the marks of formats */
  readonly means: readonly { readonly id: string; readonly at: number; readonly title: string }[];
  /** counts from here on do not fit; null where all do */
  readonly limit: number | null;
  readonly note: string;
}

function CountChart(props: CountChartProps) {
  const { id, title, what, along, bins, means, limit, note, marks, caption, onParams } = props;
  const most = bins.reduce((largest, bin) => Math.max(largest, bin.count), 1);
  const [first, last] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1];
  const places = [first - 0.5, last + 0.5, ...marks.map(({ mark }) => mark.at + 0.5), ...means.map(({ at }) => at)];
  const low = Math.max(
    -0.5,
    places.reduce((a, b) => Math.min(a, b)),
  );
  const high = places.reduce((a, b) => Math.max(a, b));
  const ticks = countTicks(high, Math.max(0, low));
  const heads = [
    ...headsOf(marks),
    ...means.map((mean) => ({
      id: mean.id,
      x: mean.at,
      title: mean.title,
      text: mean.at < 100 ? mean.at.toFixed(1) : countText(mean.at),
    })),
  ];
  const over = limit === null ? 0 : bins.reduce((sum, bin) => sum + (bin.from >= limit ? bin.count : 0), 0);
  return (
    <section className="compare-chart" aria-label={title}>
      <h3>
        {title} <small>{what}</small>
      </h3>
      <Chart
        id={id}
        heading={{ title, caption }}
        spoken={`${title}: from ${countText(first)} to ${countText(last)}${over > 0 ? `; ${countText(over)} ${what} hold more than fits` : ''}. ${note}`}
        x={{
          scale: 'linear',
          domain: [low, Math.max(high, low + 1)],
          ticks,
          text: countText,
          title: along,
        }}
        y={{ scale: 'linear', domain: [0, most * 1.05], ticks: countTicks(most), text: shortCount, title: '' }}
        height={HEIGHT}
        series={[]}
        heads={heads}
        figures={() => ({
          head: [along, what],
          rows: bins.map(({ from, to, count }) => ({
            name: from === to ? countText(from) : `${countText(from)} to ${countText(to)}`,
            cells: [countText(count)],
            values: [from, count],
          })),
        })}
      >
        {(plot) => (
          <>
            {bins.map(({ from, to, count }) => {
              if (count === 0) return null;
              const left = plot.x(from - 0.5);
              const top = Math.min(plot.y(count), plot.bottom - 1.5);
              return (
                <rect
                  key={from}
                  className="compare-column"
                  data-over={limit !== null && from >= limit ? '' : undefined}
                  x={left}
                  y={top}
                  width={Math.max(1, plot.x(to + 0.5) - left - 1)}
                  height={plot.bottom - top}
                />
              );
            })}
            <MarkLines plot={plot} marks={marks} shift={0.5} onParams={onParams} />
            {means.map((mean) => (
              <line
                key={mean.id}
                className="plot-dotted"
                x1={plot.x(mean.at)}
                x2={plot.x(mean.at)}
                y1={plot.top - 4}
                y2={plot.bottom}
              />
            ))}
          </>
        )}
      </Chart>
      {note !== '' && <p className="compare-note">{note}</p>}
    </section>
  );
}

function shortCount(count: number): string {
  if (count >= 1e6) return `${count / 1e6}M`;
  return count >= 1000 ? `${count / 1000}k` : countText(count);
}

function RowChart(props: ChartParts) {
  const { rowCounts, nnz, rows } = props.comparison.statistics;
  const first = Math.max(0, firstUsed(rowCounts));
  return (
    <CountChart
      {...props}
      id="rows"
      title="Non-zeros per row"
      what="rows"
      along="non-zeros of a row"
      bins={binned(rowCounts, first, rowCounts.length - 1, MOST_BARS)}
      means={rows === 0 ? [] : [{ id: 'mean', at: nnz / rows, title: 'mean' }]}
      limit={null}
      note=""
    />
  );
}

function GroupChart(props: ChartParts & { readonly width: number }) {
  const { width, marks, comparison } = props;
  const counts = comparison.statistics.groups.find((group) => group.width === width)?.counts ?? new Float64Array(0);
  const last = Math.max(lastUsed(counts), ...marks.map(({ mark }) => mark.at)); // bounded: a few marks
  const limits = marks.filter(({ mark }) => mark.isLimit).map(({ mark }) => mark.at + 1);
  return (
    <CountChart
      {...props}
      id={`groups-of-${width}`}
      title={`Non-zeros per ${width} columns`}
      what="groups"
      along={`non-zeros of ${width} neighbouring columns`}
      bins={binned(counts, 0, Math.min(width, last + 2), MOST_BARS)}
      means={[]}
      limit={limits.length === 0 ? null : limits.reduce((a, b) => Math.min(a, b))}
      note=""
    />
  );
}

function lastUsed(counts: Float64Array): number {
  let last = counts.length - 1;
  while (last > 0 && counts[last] === 0) last--;
  return Math.max(0, last);
}

function SharedChart(props: ChartParts) {
  const { shared }: MatrixStatistics = props.comparison.statistics;
  const { counts, mean, byChance, best, sampled } = shared;
  const first = Math.max(0, firstUsed(counts));
  const text = (n: number): string => (n < 100 ? n.toFixed(1) : countText(n));
  return (
    <CountChart
      {...props}
      id="shared-columns"
      title="Columns that two rows share"
      what="pairs"
      along="columns in which both rows hold a non-zero"
      bins={binned(counts, first, counts.length - 1, MOST_BARS)}
      means={[{ id: 'mean', at: mean, title: 'mean' }]}
      limit={null}
      note={`${countText(sampled.length)} rows, chosen at random once and for all, against every other row: they share ${text(mean)} columns on average, ${text(byChance)} would be chance, and the best partner shares ${text(best)}.`}
    />
  );
}
