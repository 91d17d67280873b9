import { BY_BYTES } from '../../../kit/words/speed-of.ts';
import { memo, useMemo } from 'react';
import { type AnyListedFormat } from '../../../core/format.ts';
import { largest, smallest } from '../../../core/number/statistics.ts';
import { type Axis, powersBetween } from '../../../kit/charts/axis.ts';
import { Chart } from '../../../kit/charts/Chart.tsx';
import type { ChartNote } from '../../../kit/charts/ChartNotes.tsx';
import type { ChartFigures } from '../../../kit/charts/chart-csv.ts';
import type { ChartCursor } from '../../../kit/charts/cursor.ts';
import type { ChartPoint, Rule, Series } from '../../../kit/charts/series.ts';
import { ratio } from '../../../kit/words/quantity.ts';
import { LEFT_AXIS } from '../curves/left-axis.ts';
import { ThumbText } from '../../../kit/charts/ThumbText.tsx';
import { type PendingDots, type MeasuredSpeed, runsWithoutGap } from '../curves/measured-speeds.ts';
import type { QuantisedLine } from '../curves/references.ts';
import type { PublishedLine } from '../../../kit/report/use-published.ts';
import { atShare, type FormatCurves, GRID, type VariantCurve } from '../curves/size-curves.ts';
import type { Stretch } from '../curves/winners.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { leftText, roughLeft } from '../../../kit/words/shares.ts';
import { greyOf, type Substitute, withMark } from '../../../kit/words/substitute.ts';
import { EndNames } from './EndNames.tsx';

interface ComparedSpeeds {
  readonly line: QuantisedLine;
  readonly points: readonly MeasuredSpeed[];
}

interface SpeedChartProps {
  readonly curves: readonly FormatCurves[];
  /** by format, ascending in density */
  readonly measured: readonly { readonly format: AnyListedFormat; readonly points: readonly MeasuredSpeed[] }[];
  readonly besides: readonly ComparedSpeeds[];
  readonly fastest: readonly Stretch<string>[];
  readonly coming: readonly PendingDots[];
  /** the mark of the measurements, which also makes them grey */
  readonly mark: Substitute | null;
  readonly published: readonly PublishedLine[];
  readonly cursor: ChartCursor;
  readonly reference: string;
  readonly strong: string | null;
  readonly onStrong: (format: string | null) => void;
  readonly height: number;
}

const SPEEDS: Axis = {
  scale: 'log',
  domain: [0.22, 9],
  ticks: [0.25, 0.5, 1, 2, 4, 8],
  text: (y) => `${y < 0.25 ? `1/${Math.round(1 / y)}` : y}×`,
  title: 'speed against dense, logarithmic',
};

/** The axis of speeds by weights left, which includes every one of `values`: those of dots, not of thin lines. */
export function speedsAxis(values: readonly number[]): Axis {
  const [low, high] = SPEEDS.domain;
  const finite = values.filter((value) => value > 0 && Number.isFinite(value));
  const domain = [
    Math.min(
      low,
      smallest(
        finite.map((value) => value / ROOM),
        low,
      ),
    ),
    Math.max(
      high,
      largest(
        finite.map((value) => value * ROOM),
        high,
      ),
    ),
  ] as const;
  const [first, second] = SPEEDS.ticks;
  return { ...SPEEDS, domain, ticks: powersBetween(domain[0], domain[1], second / first) };
}

/** Space beyond the outermost dots, as a factor. */
const ROOM = 1.15;

function useSpeedsAxis({ measured, besides, published }: SpeedChartProps): Axis {
  return useMemo(() => {
    const dots = [...measured, ...besides].flatMap(({ points }) => points);
    const ratios = dots.flatMap(({ p10, ratio: middle, p90 }) => [p10, middle, p90]);
    const squares = published.flatMap(({ figures: { points } }) => points.map(({ value }) => value));
    return speedsAxis([...ratios, ...squares]);
  }, [measured, besides, published]);
}

/** Speed relative to dense: thin lines by bytes alone, thick lines measured, squares published by others. */
export const SpeedChart = memo(function SpeedChart(props: SpeedChartProps) {
  const { curves, measured, besides, fastest, coming, published, cursor, reference, mark } = props;
  const series = useMemo(
    () => [
      ...curves.flatMap(({ format, variants: [current] }): readonly Series[] =>
        current === undefined || format.id === reference
          ? []
          : [
              {
                ...named(format.id),
                id: format.id,
                kind: 'limit',
                // A line that ends before the others is named at its end.
                title: current.heldUpTo < 1 || measured.some((m) => m.format.id === format.id) ? null : format.title,
                join: 'straight',
                points: limitOf(current),
              },
            ],
      ),
      ...published.map(({ format, figures }): Series => ({
        ...named(format),
        id: `${format} ${figures.title}`,
        kind: 'published',
        title: null,
        points: figures.points.map(({ density, value }) => ({ x: density, y: value })),
      })),
      ...coming.map(({ id, format, densities }): Series => ({
        ...named(format),
        id,
        kind: 'coming',
        title: null,
        points: densities.map((x) => ({ x, y: 1 })),
      })),
      ...measured.flatMap(({ format, points }, i) =>
        measuredSeries(
          { ...named(format.id), id: format.id, ...(mark !== null && grey(i, measured.length)) },
          withMark(format.title, mark),
          points,
        ),
      ),
      ...besides.flatMap((beside) => comparedSeries(beside, reference, mark)),
    ],
    [curves, published, measured, besides, coming, reference, mark],
  );
  const y = useSpeedsAxis(props);
  const rules = useMemo<readonly Rule[]>(() => [{ id: 'even', at: 1, title: reference, kind: 'solid' }], [reference]);
  const notes = useMemo<readonly ChartNote[]>(
    () =>
      fastest
        .slice(1)
        .flatMap(({ winner, from }): readonly ChartNote[] =>
          winner === reference ? [{ x: from, y: 1, text: `equal at ${roughLeft(from)}` }] : [],
        ),
    [fastest, reference],
  );
  const ends = useMemo(
    () =>
      curves.flatMap(({ format, variants: [current] }) =>
        current === undefined || format.id === reference || measured.some((m) => m.format.id === format.id)
          ? []
          : [
              {
                key: format.id,
                title: format.title,
                color: cssTextColorOf(format.id),
                points: limitOf(current),
              },
            ],
      ),
    [curves, measured, reference],
  );
  const figures = (): ChartFigures => figuresOf(curves, measured, besides, reference, mark);
  const said = measured.map(({ format, points }) => {
    const best = points.reduce((a, b) => (b.ratio > a.ratio ? b : a), points[0]);
    return `${format.title} up to ${withMark(ratio(best.ratio), mark)} at ${roughLeft(best.density)} left`;
  });
  return (
    <Chart
      id="speed-by-density"
      heading={{
        title: 'Speed',
        caption: withMark(`against dense, y = A x · thin: ${BY_BYTES} · thick: measured`, mark),
      }}
      spoken={`Speed against dense by what is left${said.length === 0 ? `, ${BY_BYTES}` : `: ${said.join('; ')}`}.`}
      x={LEFT_AXIS}
      y={y}
      height={props.height}
      series={series}
      rules={rules}
      notes={notes}
      cursor={cursor}
      strong={props.strong}
      onStrong={props.onStrong}
      figures={figures}
    >
      {(plot) => (
        <>
          <EndNames plot={plot} ends={ends} rules={rules} domain={y.domain} at={cursor.at} />
          {cursor.handle !== false && <ThumbText plot={plot} at={cursor.at} />}
        </>
      )}
    </Chart>
  );
});

function limitOf({ sizes }: VariantCurve): readonly ChartPoint[] {
  return GRID.flatMap((x, i) => (sizes[i] > 0 ? [{ x, y: 1 / sizes[i] }] : []));
}

function named(format: string): Pick<Series, 'color' | 'textColor' | 'group'> {
  return {
    color: cssColorOf(format),
    textColor: cssTextColorOf(format),
    group: format,
  };
}

function grey(i?: number, of?: number): Pick<Series, 'color' | 'textColor'> {
  return { color: greyOf(i, of), textColor: 'var(--text-quiet)' };
}

function measuredSeries(
  look: Pick<Series, 'id' | 'color' | 'textColor' | 'group'>,
  title: string,
  points: readonly MeasuredSpeed[],
): readonly Series[] {
  const runs = runsWithoutGap(points);
  return runs.map((run, i) => ({
    ...look,
    id: i === 0 ? look.id : `${look.id} ${i}`,
    kind: 'measured',
    title: i === runs.length - 1 ? title : null,
    points: run.map((p) => ({ x: p.density, y: p.ratio, low: p.p10, high: p.p90 })),
  }));
}

/** Dense in fewer bits reads the same bytes at every density: a constant limit, and measurements in dense's colour. */
function comparedSeries(
  { line: { share, title, variant }, points }: ComparedSpeeds,
  reference: string,
  mark: Substitute | null,
): readonly Series[] {
  const own = { ...named(reference), id: variant.key, group: variant.key };
  return [
    {
      ...own,
      kind: 'limit',
      title: points.length > 0 ? null : title,
      join: 'straight',
      dashed: true,
      points: [GRID[0], 1].map((x) => ({ x, y: 1 / share })),
    },
    ...(points.length === 0
      ? []
      : measuredSeries({ ...own, ...(mark !== null && grey()) }, withMark(title, mark), points)),
  ];
}

function figuresOf(
  curves: readonly FormatCurves[],
  measured: SpeedChartProps['measured'],
  besides: SpeedChartProps['besides'],
  reference: string,
  mark: Substitute | null,
): ChartFigures {
  const lines = [
    ...measured.map(({ format, points }) => ({ title: format.title, points })),
    ...besides.filter(({ points }) => points.length > 0).map(({ line, points }) => ({ title: line.title, points })),
  ];
  const limits = curves.filter((f) => f.variants.length > 0 && f.format.id !== reference);
  // A measured share replaces the round one beside it: a generated matrix has slightly more or fewer weights than requested.
  const measuredAt = lines.flatMap(({ points }) => points.map(({ density }) => density));
  const others = LISTED.filter((left) => !measuredAt.some((one) => Math.abs(one - left) < 0.004 * left));
  const shares = new Map([...others, ...measuredAt].map((left) => [leftText(left), left]));
  return {
    head: [
      'left',
      ...limits.map(({ format }) => `${format.title}, ${BY_BYTES}`),
      ...besides.map(({ line }) => `${line.title}, ${BY_BYTES}`),
      ...lines.flatMap(({ title }) => [title, `${title}, p10`, `${title}, p90`].map((text) => withMark(text, mark))),
    ],
    rows: [...shares]
      .toSorted(([, a], [, b]) => a - b)
      .map(([name, left]) => {
        const values = [
          ...limits.map(({ variants: [current] }) => 1 / atShare(current.sizes, left)),
          ...besides.map(({ line }) => 1 / line.share),
          ...lines.flatMap(({ points }) => {
            const found = points.find(({ density }) => leftText(density) === name);
            return found ? [found.ratio, found.p10, found.p90] : [Number.NaN, Number.NaN, Number.NaN];
          }),
        ];
        return {
          name,
          cells: values.map((v) => (Number.isFinite(v) ? ratio(v) : '–')),
          values: [left, ...values.map((v) => (Number.isFinite(v) ? v : null))],
        };
      }),
  };
}

const LISTED = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
