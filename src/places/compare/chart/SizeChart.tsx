import { memo, useMemo } from 'react';
import { Chart } from '../../../kit/charts/Chart.tsx';
import type { ChartNote } from '../../../kit/charts/ChartNotes.tsx';
import type { ChartHeadLabel } from '../../../kit/charts/ChartWords.tsx';
import type { ChartCursor } from '../../../kit/charts/cursor.ts';
import type { ChartFigures } from '../../../kit/charts/chart-csv.ts';
import type { Rule, Series } from '../../../kit/charts/series.ts';
import { density as densityText } from '../../../kit/words/quantity.ts';
import { LEFT_AXES, SIZE_AXES } from '../curves/left-axis.ts';
import type { QuantisedLine, SizeLine } from '../curves/references.ts';
import type { PublishedLine } from '../curves/use-published.ts';
import { type EncodedSize, evenWithDense, sampledSize } from '../curves/ranking.ts';
import { type FormatCurves, GRID, type VariantCurve } from '../curves/size-curves.ts';
import { denseBytes, type SizeQuestion, type Variant, variantName } from '../curves/variants.ts';
import type { Stretch } from '../curves/winners.ts';
import { EndLabels } from './EndLabels.tsx';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { roughDensity } from '../../../kit/words/shares.ts';

interface SizeChartProps {
  readonly curves: readonly FormatCurves[];
  /** formats without a closed form: a line through encoded sizes */
  readonly others: readonly Variant[];
  readonly encoded: readonly EncodedSize[];
  readonly smallest: readonly Stretch<VariantCurve>[];
  readonly question: SizeQuestion;
  readonly scale: 'linear' | 'log';
  readonly cursor: ChartCursor;
  readonly quantised: readonly QuantisedLine[];
  readonly unstructured: readonly SizeLine[];
  readonly published: readonly PublishedLine[];
  readonly reference: string;
  readonly strong: string | null;
  readonly onStrong: (format: string | null) => void;
  readonly height: number;
}

/** Colour of whatever is not a format here. */
const REFERENCE_COLOR = 'var(--text-quiet)';

/** Bytes relative to dense by density: lines expected, dots encoded. */
export const SizeChart = memo(function SizeChart(props: SizeChartProps) {
  const { curves, others, encoded, smallest, question, scale, cursor, quantised, published, reference } = props;
  const { unstructured } = props;
  const dense = denseBytes(question);
  const series = useMemo(
    () => [
      ...curves.flatMap((f) => linesOf(f, reference)),
      ...others.flatMap((variant) => {
        const points = sizesOf(encoded, variant).map(({ density, bytes }) => ({ x: density, y: (bytes ?? 0) / dense }));
        return points.length < 2
          ? []
          : [{ ...named(variant.format.id), id: variant.key, kind: 'expected' as const, title: null, points }];
      }),
      ...unstructured.map(({ id, slope }): Series => ({
        id,
        kind: 'predicted',
        title: null,
        color: REFERENCE_COLOR,
        join: 'straight',
        points: GRID.map((x) => ({ x, y: slope * x })),
      })),
      ...published.map(({ format, figures }): Series => ({
        ...named(format),
        id: `${format} ${figures.title}`,
        kind: 'published',
        title: null,
        points: figures.points.map(({ density, value }) => ({ x: density, y: value })),
      })),
      ...[...new Set(encoded.map((e) => e.format))].map((format): Series => ({
        ...named(format),
        id: format,
        kind: 'encoded',
        title: null,
        points: encoded
          .filter((e) => e.format === format && e.bytes !== null)
          .map(({ density, bytes }) => ({ x: density, y: (bytes ?? 0) / dense })),
      })),
    ],
    [curves, others, encoded, unstructured, published, reference, dense],
  );
  const rules = useMemo<readonly Rule[]>(
    () => [
      { id: 'even', at: 1, title: reference, kind: 'solid' },
      ...quantised.map(({ id, title, share }): Rule => ({ id, at: share, title, kind: 'dotted' })),
    ],
    [quantised, reference],
  );
  const heads = useMemo(
    () => [
      ...headsOf(curves, question, reference),
      ...unstructured.map(({ id, title, slope }) => ({
        id,
        x: 1 / slope,
        title,
        text: roughDensity(1 / slope),
        color: REFERENCE_COLOR,
      })),
    ],
    [curves, unstructured, question, reference],
  );
  const notes = useMemo(() => notesOf(smallest, scale), [smallest, scale]);
  const figures = (): ChartFigures => figuresOf(curves, others, encoded, question);
  const winners = smallest.map(
    (s) => `${variantName(s.winner.variant)} from ${roughDensity(s.from)} to ${roughDensity(s.to)}`,
  );
  return (
    <Chart
      id="size-by-density"
      heading={{ title: 'Size', caption: `bytes relative to dense ${question.valueType}` }}
      spoken={`Bytes of every format relative to dense against density. The smallest: ${winners.join('; ')}.`}
      x={LEFT_AXES[scale]}
      y={SIZE_AXES[scale]}
      height={props.height}
      series={series}
      rules={rules}
      heads={heads}
      notes={notes}
      cursor={cursor}
      strong={props.strong}
      onStrong={props.onStrong}
      figures={figures}
    >
      {({ x, y, right }) => [
        <EndLabels
          key="ends"
          {...{ curves, x, y, right, reference }}
          domain={SIZE_AXES[scale].domain}
          valueOf={(size) => size}
        />,
        ...curves.flatMap((f) => {
          const [current] = f.variants;
          const size = current === undefined ? Number.NaN : sampledSize(current, cursor.at);
          const at = y(size);
          return Number.isFinite(at) && size <= SIZE_AXES[scale].domain[1] && size > 0 && f.format.id !== reference
            ? [
                <circle
                  key={f.format.id}
                  className="plot-ring"
                  style={{ stroke: cssColorOf(f.format.id) }}
                  cx={x(cursor.at)}
                  cy={at}
                  r={3.5}
                />,
              ]
            : [];
        }),
      ]}
    </Chart>
  );
});

function named(format: string): Pick<Series, 'color' | 'textColor' | 'group'> {
  return {
    color: cssColorOf(format),
    textColor: cssTextColorOf(format),
    group: format,
  };
}

/** The line of the current parameters and, dashed, the best of all others if it is clearly lower. */
function linesOf({ format, variants }: FormatCurves, reference: string): readonly Series[] {
  const [current, ...others] = variants;
  if (current === undefined || format.id === reference) return [];
  const own: Series = {
    ...named(format.id),
    id: current.variant.key,
    kind: 'expected',
    title: null,
    join: 'straight',
    points: pointsOf(current.sizes, current.heldUpTo),
  };
  const best = GRID.map((_, i) =>
    others.reduce((least, o) => (o.sizes[i] < least || Number.isNaN(least) ? o.sizes[i] : least), Number.NaN),
  );
  // Next to the current line, not on it.
  const shown = best.map((size, i) =>
    size < 0.995 && (Number.isNaN(current.sizes[i]) || size < 0.985 * current.sizes[i]) ? size : Number.NaN,
  );
  return [
    own,
    ...runsOf(shown).map((points, i): Series => ({
      ...named(format.id),
      id: `${format.id} best ${i}`,
      kind: 'expected',
      title: null,
      dashed: true,
      join: 'straight',
      points,
    })),
  ];
}

function pointsOf(sizes: readonly number[], heldUpTo: number): Series['points'] {
  const points = GRID.flatMap((x, i) => (Number.isFinite(sizes[i]) ? [{ x, y: sizes[i] }] : []));
  const last = points.at(-1);
  return last && heldUpTo < 1 && heldUpTo > last.x ? [...points, { x: heldUpTo, y: last.y }] : points;
}

/** Runs of finite values. */
function runsOf(sizes: readonly number[]): readonly Series['points'][] {
  const runs: { x: number; y: number }[][] = [];
  sizes.forEach((y, i) => {
    if (!Number.isFinite(y)) return;
    if (i === 0 || !Number.isFinite(sizes[i - 1])) runs.push([]);
    runs[runs.length - 1].push({ x: GRID[i], y });
  });
  return runs.filter((run) => run.length > 1);
}

/** Names above the chart, where each current line reaches dense. */
function headsOf(
  curves: readonly FormatCurves[],
  question: SizeQuestion,
  reference: string,
): readonly ChartHeadLabel[] {
  return curves.flatMap(({ format, variants: [current] }) => {
    if (current === undefined || format.id === reference) return [];
    const at = evenWithDense(current, question);
    return at === null
      ? []
      : [
          {
            id: format.id,
            x: at,
            title: format.title,
            text: roughDensity(at),
            color: cssTextColorOf(format.id),
          },
        ];
  });
}

/** Named crossings of two formats, except those with dense, which are labelled above the chart. */
function notesOf(smallest: readonly Stretch<VariantCurve>[], scale: 'linear' | 'log'): readonly ChartNote[] {
  return smallest.slice(1).flatMap(({ winner, from, to }, i) => {
    const before = smallest[i].winner;
    const isNarrow = to - from < 0.01 && scale === 'linear';
    const size = sampledSize(winner, from);
    if (before.variant.format === winner.variant.format || isNarrow || size > 0.95) return [];
    if (scale === 'linear' && from < 0.02) return [];
    const text = `${winner.variant.format.title} is smaller than ${before.variant.format.title} from ${roughDensity(from)} on`;
    return [{ x: from, y: size, text }];
  });
}

function sizesOf(encoded: readonly EncodedSize[], { format, params }: Variant): readonly EncodedSize[] {
  return encoded
    .filter(
      (e) =>
        e.format === format.id &&
        e.bytes !== null &&
        Object.entries(params).every(([name, value]) => e.params[name] === value),
    )
    .toSorted((a, b) => a.density - b.density);
}

const TABLE_DENSITIES = [0.0001, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

function figuresOf(
  curves: readonly FormatCurves[],
  others: readonly Variant[],
  encoded: readonly EncodedSize[],
  question: SizeQuestion,
): ChartFigures {
  const all = curves.flatMap((f) => f.variants.slice(0, 1));
  const dense = denseBytes(question);
  const shownOthers = others.filter((variant) => sizesOf(encoded, variant).length > 0);
  const densities = [...new Set([...TABLE_DENSITIES, ...encoded.map((e) => e.density)])].toSorted((a, b) => a - b);
  return {
    head: [
      'density',
      ...all.map((c) => variantName(c.variant)),
      ...all.map((c) => `${variantName(c.variant)}, encoded`),
      ...shownOthers.map((v) => `${variantName(v)}, encoded`),
    ],
    rows: densities.map((density) => {
      const expected = all.map((c) => sampledSize(c, density));
      const measured = [...all.map((c) => c.variant), ...shownOthers].map((variant) => {
        const found = sizesOf(encoded, variant).find((e) => Math.abs(e.density - density) < 1e-9);
        return found ? (found.bytes ?? Number.NaN) / dense : Number.NaN;
      });
      const values = [...expected, ...measured];
      return {
        name: densityText(density),
        cells: values.map((v) => (Number.isFinite(v) ? densityText(v) : '–')),
        values: [density, ...values.map((v) => (Number.isFinite(v) ? v : null))],
      };
    }),
  };
}
