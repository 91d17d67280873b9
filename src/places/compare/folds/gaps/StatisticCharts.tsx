import type { StatisticChart } from '../../../../core/comparison/comparison.ts';
import { countText } from '../../../../core/story/words.ts';
import type { MatrixStatistics } from '../../../../core/statistics/matrix-statistics.ts';
import { useApp, useDocument } from '../../../../kit/app-context.ts';
import { CountChart } from '../../../../kit/charts/CountChart.tsx';
import { type Bin, binned, firstUsed, lastUsed } from '../../../../kit/charts/histogram.ts';
import {
  type ChartParts,
  headsOf,
  HEIGHT,
  marksOf,
  type PlacedMark,
  type StatisticChartsProps,
} from './chart-parts.ts';
import { GapChart } from './GapChart.tsx';
import { MarkLines } from './MarkLines.tsx';
import { SectionHead } from '../../../../kit/controls/Section.tsx';
import { oneDecimal } from '../../../../kit/words/rates.ts';

/** Bars per histogram at most. */
const MAX_BARS = 64;

/** The distribution of the non-zeros: gaps, rows, groups and pairs of rows, with the limits of formats. */
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

interface CountSectionProps extends ChartParts {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  readonly along: string;
  readonly bins: readonly Bin[];
  /** further names above it, besides the marks of formats */
  readonly means: readonly { readonly id: string; readonly at: number; readonly title: string }[];
  /** counts from here on do not fit; null if all do */
  readonly limit: number | null;
  readonly note: string;
}

/** A histogram of counts with the marks of formats. */
function CountSection(props: CountSectionProps) {
  const { id, title, what, along, bins, means, limit, note, marks, caption, onParams } = props;
  const [first, last] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1];
  const over = limit === null ? 0 : bins.reduce((sum, bin) => sum + (bin.from >= limit ? bin.count : 0), 0);
  return (
    <section className="compare-chart" aria-label={title}>
      <SectionHead level={3} title={title} caption={what} />
      <CountChart
        id={id}
        heading={{ title, caption }}
        spoken={`${title}: from ${countText(first)} to ${countText(last)}${over > 0 ? `; ${countText(over)} ${what} hold more than fits` : ''}. ${note}`}
        what={what}
        along={along}
        bins={bins}
        places={[...marks.map(({ mark }) => mark.at + 0.5), ...means.map(({ at }) => at)]}
        limit={limit}
        lines={means}
        heads={[
          ...headsOf(marks),
          ...means.map((mean) => ({
            id: mean.id,
            x: mean.at,
            title: mean.title,
            text: oneDecimal(mean.at),
          })),
        ]}
        height={HEIGHT}
      >
        {(plot) => <MarkLines plot={plot} marks={marks} shift={0.5} onParams={onParams} />}
      </CountChart>
      {note !== '' && <p className="compare-note">{note}</p>}
    </section>
  );
}

function RowChart(props: ChartParts) {
  const { rowCounts, nnz, rows } = props.comparison.statistics;
  const first = Math.max(0, firstUsed(rowCounts));
  return (
    <CountSection
      {...props}
      id="rows"
      title="Non-zeros per row"
      what="rows"
      along="non-zeros of a row"
      bins={binned(rowCounts, { first, last: rowCounts.length - 1, max: MAX_BARS })}
      means={rows === 0 ? [] : [{ id: 'mean', at: nnz / rows, title: 'mean' }]}
      limit={null}
      note=""
    />
  );
}

function GroupChart(props: ChartParts & { readonly width: number }) {
  const { width, marks, comparison } = props;
  const counts = comparison.statistics.groups.find((group) => group.width === width)?.counts ?? new Float64Array(0);
  const last = Math.max(0, lastUsed(counts), ...marks.map(({ mark }) => mark.at)); // bounded: a few marks
  const limits = marks.filter(({ mark }) => mark.isLimit).map(({ mark }) => mark.at + 1);
  const limit = limits.length === 0 ? null : limits.reduce((a, b) => Math.min(a, b));
  return (
    <CountSection
      {...props}
      id={`groups-of-${width}`}
      title={`Non-zeros per ${width} columns`}
      what="groups"
      along={`non-zeros of ${width} neighbouring columns`}
      bins={binned(counts, {
        first: 0,
        last: Math.min(width, last + 2),
        max: MAX_BARS,
        ...(limit === null ? {} : { edge: limit }),
      })}
      means={[]}
      limit={limit}
      note=""
    />
  );
}

function SharedChart(props: ChartParts) {
  const { shared }: MatrixStatistics = props.comparison.statistics;
  const { counts, mean, byChance, best, sampled } = shared;
  const first = Math.max(0, firstUsed(counts));
  return (
    <CountSection
      {...props}
      id="shared-columns"
      title="Columns that two rows share"
      what="pairs"
      along="columns in which both rows hold a non-zero"
      bins={binned(counts, { first, last: counts.length - 1, max: MAX_BARS })}
      means={[{ id: 'mean', at: mean, title: 'mean' }]}
      limit={null}
      note={`${countText(sampled.length)} rows, a fixed random sample, against every other row: they share ${oneDecimal(mean)} columns on average, where chance would give ${oneDecimal(byChance)}, and the best partner shares ${oneDecimal(best)}.`}
    />
  );
}
