import type { StatisticChart, StatisticMark } from '../../../../core/comparison/comparison.ts';
import { counted, countText } from '../../../../core/text/words.ts';
import type { MatrixStatistics } from '../../../../core/statistics/matrix-statistics.ts';
import { useApp, useDocument } from '../../../../kit/app-context.ts';
import { CountChart } from '../../../../kit/charts/CountChart.tsx';
import { binned, cumulated, firstUsed, lastUsed } from '../../../../kit/charts/histogram.ts';
import { SectionHead } from '../../../../kit/controls/Section.tsx';
import { smallest } from '../../../../core/number/statistics.ts';
import { oneDecimal } from '../../../../kit/words/rates.ts';
import { useMemo } from 'react';
import type { FormatParams } from '../../../../state/index.ts';
import { type Axis, powersBetween, type Plot } from '../../../../kit/charts/axis.ts';
import { Chart } from '../../../../kit/charts/Chart.tsx';
import { percent } from '../../../../kit/words/quantity.ts';
import { cssColorOf, cssTextColorOf } from '../../../../kit/format-color.ts';
import type { AnyListedFormat } from '../../../../core/format.ts';
import type { Comparison } from '../../../../engine/matrix/matrix-types.ts';
import type { FormatVerdict } from '../../../../engine/matrix/verdict-types.ts';
import type { ChartHeadLabel } from '../../../../kit/charts/ChartWords.tsx';
import { TextButton } from '../../../../kit/controls/Button.tsx';

interface StatisticChartsProps {
  readonly comparison: Comparison;
  /** caption of the matrix, in saved charts and their file names */
  readonly caption: string;
  readonly onParams: (format: string, params: FormatParams) => void;
}

interface ChartParts extends StatisticChartsProps {
  readonly marks: readonly FormatMark[];
}

/** Height of each chart of statistics, px. */
const HEIGHT = 236;

/** The logarithmic axis of gaps begins left of the bar of gap 1, and ends this factor after the widest gap. */
const AXIS_START = 0.75;
const AXIS_MARGIN = 1.25;
/** The bar of gap 1 would begin left of the axis; it begins just inside. */
const FIRST_BAR_START = 0.76;

/** Up to this gap, the line and the table have every gap; above it, the line skips small rises, the table most gaps. */
const ALL_GAPS_UP_TO = 16;
/** Rise of the cumulative line that is too small to be seen. */
const SMALL_RISE = 0.002;

/** A count that matters to a format, drawn as a vertical line; often the largest that fits (`isLimit`). */
interface FormatMark {
  readonly id: string;
  readonly format: AnyListedFormat;
  readonly mark: StatisticMark<FormatParams>;
  /** the format has the parameters that the mark would set */
  readonly isSet: boolean;
}

/** The marks of all formats in the charts that `matches` accepts. */
function marksOf(
  formats: readonly AnyListedFormat[],
  verdicts: Readonly<Record<string, FormatVerdict>>,
  params: Readonly<Record<string, FormatParams>>,
  matches: (chart: StatisticChart) => boolean,
): readonly FormatMark[] {
  return formats.flatMap((format) =>
    (verdicts[format.id]?.marks ?? [])
      .filter(({ chart }) => matches(chart))
      .map((anyMark, i) => {
        const mark = anyMark as StatisticMark<FormatParams>;
        const currentParams = params[format.id] ?? {};
        const isSet = Object.entries(mark.params ?? {}).every(([name, value]) => currentParams[name] === value);
        return { id: `${format.id} ${i}`, format, mark, isSet: mark.params !== undefined && isSet };
      }),
  );
}

function headLabels(marks: readonly FormatMark[]): readonly ChartHeadLabel[] {
  return marks.map(({ id, format, mark }) => ({
    id,
    x: mark.at,
    title: mark.title,
    text: mark.lines.join(', '),
    color: cssTextColorOf(format.id),
  }));
}

/** The chart of gaps: columns from one non-zero of a row to the next, and how far formats that store gaps can reach. */
function GapChart({ comparison, caption, onParams, marks }: ChartParts) {
  const { gaps, nnz, longestRun } = comparison.statistics;
  const sums = useMemo(() => cumulated(gaps), [gaps]);
  const widest = Math.max(gaps.length - 1, ...marks.map(({ mark }) => mark.at), 2); // bounded: a few marks
  const ticks = powersBetween(1, widest * AXIS_MARGIN, 2);
  const x: Axis = {
    scale: 'log',
    domain: [AXIS_START, widest * AXIS_MARGIN],
    ticks,
    text: countText,
    title: 'columns to the non-zero before',
  };
  const notes = Object.values(comparison.verdicts).flatMap((verdict) =>
    verdict.notes.filter(({ chart }) => chart.of === 'gaps'),
  );
  const spokenGaps = ticks.filter((tick) => tick <= widest);
  const run = `The longest run has ${counted(longestRun, 'non-zero')}`;
  const choices = marks.filter(({ mark }) => mark.params !== undefined);
  return (
    <section className="compare-chart min-w-0" aria-label="Gaps">
      <SectionHead
        level={3}
        title="Gaps between neighbours in a row"
        caption="bar: gaps of this width, line: up to it"
      />
      <Chart
        id="gaps"
        heading={{ title: 'Gaps between neighbours in a row', caption }}
        spoken={
          nnz === 0
            ? 'There are no gaps.'
            : `Of ${counted(nnz, 'gap')}, ${spokenGaps.map((gap) => `${percent(shareAt(sums, gap, nnz))} are up to ${countText(gap)}`).join(', ')} columns wide. ${run}.`
        }
        x={x}
        y={SHARES}
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
        heads={headLabels(marks)}
        table={() => ({
          head: ['columns', 'gaps of this width', 'share', 'up to it'],
          rows: gapRows(gaps, sums, nnz),
        })}
      >
        {(plot) => (
          <>
            <GapBars plot={plot} gaps={gaps} nnz={nnz} />
            <MarkLines
              plot={plot}
              marks={marks}
              ring={(count) => plot.y(shareAt(sums, count, nnz))}
              onParams={onParams}
            />
          </>
        )}
      </Chart>
      {choices.length > 0 && (
        <p className="ps-[44px] flex flex-wrap gap-y-1 gap-x-3 text-muted text-12">
          {choices[0].format.title} with{' '}
          {choices.map(({ id, format, mark, isSet }) => (
            <TextButton key={id} aria-pressed={isSet} onClick={() => onParams(format.id, mark.params as FormatParams)}>
              {mark.title}
            </TextButton>
          ))}
        </p>
      )}
      <p className="leading-[1.45] text-muted text-12 mt-2 max-w-[44rem]">
        {longestRun > 0 && `${run} in neighbouring columns.`}
        {notes.map(({ text, source }) => (
          <span key={source} className="block">
            {' '}
            {text} <cite>{source}</cite>
          </span>
        ))}
      </p>
    </section>
  );
}

const SHARES: Axis = {
  scale: 'linear',
  domain: [0, 1],
  ticks: [0, 0.5, 1],
  text: (share) => percent(share, 0),
  title: '',
};

/** The share of gaps that are at most this wide. */
function shareAt(sums: Float64Array, gap: number, nnz: number): number {
  return nnz === 0 ? 0 : sums[Math.min(gap, sums.length - 1)] / nnz;
}

/** The points of the cumulative line, without points too close to the previous one. */
function stepPoints(sums: Float64Array, nnz: number): readonly { readonly x: number; readonly y: number }[] {
  const points = [{ x: AXIS_START, y: 0 }];
  const widest = sums.length - 1;
  let previousShare = 0;
  for (let gap = 1; gap <= widest; gap++) {
    const share = shareAt(sums, gap, nnz);
    if (gap > ALL_GAPS_UP_TO && share - previousShare < SMALL_RISE && gap < widest) continue;
    points.push({ x: gap, y: share });
    previousShare = share;
  }
  return [...points, { x: widest * AXIS_MARGIN + 1, y: shareAt(sums, widest, nnz) }];
}

/** The chart of gaps as a table. */
function gapRows(gaps: Uint32Array, sums: Float64Array, nnz: number) {
  const rows = [];
  for (let gap = 1; gap < gaps.length; gap++) {
    // Then powers of two, and the widest: a wide matrix has thousands of gaps.
    if (gap > ALL_GAPS_UP_TO && Math.log2(gap) % 1 !== 0 && gap < gaps.length - 1) continue;
    const [share, upTo] = [nnz === 0 ? 0 : gaps[gap] / nnz, shareAt(sums, gap, nnz)];
    rows.push({
      name: countText(gap),
      cells: [countText(gaps[gap]), percent(share), percent(upTo)],
      values: [gap, gaps[gap], share, upTo],
    });
  }
  return rows;
}

/** A bar for each width of a gap: the share of gaps that are as wide. */
function GapBars({ plot, gaps, nnz }: { readonly plot: Plot; readonly gaps: Uint32Array; readonly nnz: number }) {
  const { x, y, bottom } = plot;
  const bars = [];
  for (let gap = 1; gap < gaps.length; gap++) {
    const top = y(nnz === 0 ? 0 : gaps[gap] / nnz);
    // A bar lower than half a pixel, about one in three hundred of all gaps, is not drawn.
    if (bottom - top < 0.5) continue;
    const left = x(Math.max(FIRST_BAR_START, gap - 0.5));
    bars.push(
      <rect
        key={gap}
        className="compare-column fill-track"
        x={left}
        y={top}
        width={Math.max(1, x(gap + 0.5) - left - 1)}
        height={bottom - top}
      />,
    );
  }
  return <g>{bars}</g>;
}

/** Maximum bars of a histogram. */
const MAX_BARS = 64;

/** Charts of how non-zeros are distributed: gaps, rows, groups of columns and pairs of rows, with limits of formats. */
export function StatisticCharts(props: StatisticChartsProps) {
  const { formats } = useApp();
  const params = useDocument((doc) => doc.params);
  const { verdicts, statistics } = props.comparison;
  const marks = (matches: (chart: StatisticChart) => boolean): readonly FormatMark[] =>
    marksOf(formats, verdicts, params, matches);
  const widths = marks(({ of }) => of === 'groups').map(({ mark: { chart } }) =>
    chart.of === 'groups' ? chart.width : 0,
  );
  const { shared, rowCounts, nnz, rows } = statistics;
  const histograms: readonly Counts[] = [
    {
      id: 'rows',
      title: 'Non-zeros per row',
      unit: 'row',
      counts: rowCounts,
      along: 'non-zeros of a row',
      mean: rows === 0 ? null : nnz / rows,
      marks: marks(({ of }) => of === 'rows'),
    },
    ...[...new Set(widths)]
      .toSorted((a, b) => a - b)
      .map((width) => ({
        id: `groups-of-${width}`,
        title: `Non-zeros per ${width} columns`,
        unit: 'group',
        counts: statistics.groups.find((group) => group.width === width)?.counts ?? new Float64Array(0),
        along: `non-zeros of ${width} neighbouring columns`,
        width,
        mean: null,
        marks: marks((chart) => chart.of === 'groups' && chart.width === width),
      })),
    ...(shared.counts.length === 0
      ? []
      : [
          {
            id: 'shared-columns',
            title: 'Columns that two rows share',
            unit: 'pair',
            counts: shared.counts,
            along: 'columns in common',
            mean: shared.mean,
            note: sharedText(statistics),
            marks: marks(({ of }) => of === 'shared'),
          },
        ]),
  ];
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,26rem),1fr))] gap-y-6 gap-x-8">
      <GapChart {...props} marks={marks(({ of }) => of === 'gaps')} />
      {histograms.map((counts) => (
        <CountSection key={counts.id} {...props} {...counts} />
      ))}
    </div>
  );
}

/** How many columns two rows share: on average, by chance, and with the best partner. */
function sharedText({ shared: { mean, byChance, best, sampled }, rows }: MatrixStatistics): string {
  const start = `Each of ${sampled.length}${sampled.length === rows ? '' : ' sampled'} rows`;
  return `${start} shares ${oneDecimal(mean)} columns with another on average, ${oneDecimal(byChance)} by chance, ${oneDecimal(best)} with the best.`;
}

/** A histogram: how many rows, groups or pairs of rows have how many non-zeros. */
interface Counts {
  readonly id: string;
  readonly title: string;
  /** the counted thing: 'row' */
  readonly unit: string;
  /** title of the horizontal axis: 'non-zeros of a row' */
  readonly along: string;
  /** counts[k]: how many rows, groups or pairs have k non-zeros */
  readonly counts: ArrayLike<number>;
  /** columns of a group, for a histogram of groups: its bars begin at 0; absent: from the first count in use */
  readonly width?: number;
  /** labelled above the chart, like the marks of formats; null: not shown */
  readonly mean: number | null;
  readonly note?: string;
  readonly marks: readonly FormatMark[];
}

/** A histogram as a chart with a heading, its mean, and the marks of formats. */
function CountSection(props: StatisticChartsProps & Counts) {
  const { id, title, unit, along, counts, width, mean, note = '', marks, caption, onParams } = props;
  const units = `${unit}s`;
  const [first, last] = [firstUsed(counts), lastUsed(counts)];
  const limits = width === undefined ? [] : marks.filter(({ mark }) => mark.isLimit).map(({ mark }) => mark.at + 1);
  const limit = limits.length === 0 ? null : smallest(limits);
  const largestMark = marks.reduce((max, { mark }) => Math.max(max, mark.at), 0);
  // A histogram of groups begins at 0 and ends after the last count or mark; others span the counts in use.
  const bins = binned(counts, {
    first: width === undefined ? Math.max(0, first) : 0,
    last: width === undefined ? counts.length - 1 : Math.min(width, 2 + Math.max(0, last, largestMark)),
    max: MAX_BARS,
    ...(limit !== null && { edge: limit }),
  });
  const meanLines = mean === null ? [] : [{ id: 'mean', at: mean, title: 'mean' }];
  const excess = limit === null ? 0 : bins.reduce((sum, bin) => sum + (bin.from >= limit ? bin.count : 0), 0);
  const usedCounts = first < 0 ? 'none' : `from ${countText(first)} to ${countText(last)}`;
  const excessText = excess > 0 ? `; ${counted(excess, `${unit} has`, `${units} have`)} more than fits` : '';
  return (
    <section className="compare-chart min-w-0" aria-label={title}>
      <SectionHead level={3} title={title} caption={units} />
      <CountChart
        id={id}
        heading={{ title, caption }}
        spoken={`${title}: ${usedCounts}${excessText}. ${note}`.trim()}
        what={units}
        along={along}
        bins={bins}
        positions={[...marks.map(({ mark }) => mark.at + 0.5), ...meanLines.map(({ at }) => at)]}
        limit={limit}
        lines={meanLines}
        heads={[
          ...headLabels(marks),
          ...meanLines.map(({ at, ...named }) => ({ ...named, x: at, text: oneDecimal(at) })),
        ]}
        height={HEIGHT}
      >
        {(plot) => <MarkLines plot={plot} marks={marks} shift={0.5} onParams={onParams} />}
      </CountChart>
      {note !== '' && <p className="leading-[1.45] text-muted text-12 mt-2 max-w-[44rem]">{note}</p>}
    </section>
  );
}

interface MarkLinesProps {
  readonly plot: Plot;
  readonly marks: readonly FormatMark[];
  /** where the curve is at a count, for a ring around it, px; absent: no ring */
  readonly ring?: (count: number) => number;
  /** offset of a limit to the right of its count: the edge of the last bar that fits */
  readonly shift?: number;
  readonly onParams: StatisticChartsProps['onParams'];
}

/** The lines of the formats' marks. A click on a line sets its mark's parameters, like the button below the chart. */
function MarkLines({ plot: { x, top, bottom }, marks, ring, shift = 0, onParams }: MarkLinesProps) {
  return marks.map(({ id, format, mark, isSet }) => {
    const markX = x(mark.at + (mark.isLimit ? shift : 0));
    return (
      <g
        key={id}
        style={{ color: cssColorOf(format.id), cursor: mark.params ? 'pointer' : undefined }}
        onClick={mark.params ? () => onParams(format.id, mark.params as FormatParams) : undefined}
        aria-hidden="true"
      >
        <line
          className="stroke-current"
          strokeDasharray={isSet ? undefined : '2 3'}
          x1={markX}
          x2={markX}
          y1={top - 4}
          y2={bottom}
        />
        {ring && (
          <circle
            className={`stroke-current stroke-[1.5px] ${isSet ? 'fill-current' : 'fill-ground'}`}
            cx={markX}
            cy={ring(mark.at)}
            r={4}
          />
        )}
      </g>
    );
  });
}
