import { memo, useMemo } from 'react';
import { largest } from '../../../core/number/statistics.ts';
import type { Axis } from '../../../kit/charts/axis.ts';
import type { ChartTable } from '../../../kit/charts/chart-csv.ts';
import type { ChartNote } from '../../../kit/charts/ChartWords.tsx';
import type { ChartPoint, Rule, Series } from '../../../kit/charts/series.ts';
import { shareText } from '../../../core/text/rounded.ts';
import { roughDensityText } from '../../../kit/words/shares.ts';
import { valueAtDensity, GRID } from '../curves/size-curves.ts';
import { ChartHead, type ChartHeadProps } from './ChartHead.tsx';
import { sizeWords } from './chart-words.ts';
import { DensityChart } from './DensityChart.tsx';
import type { DenseLine, SizeLine } from '../curves/chart-lines.ts';
import type { Dot, DensityChartBaseProps } from './chart-parts.ts';
import { crossingNote, dotColumns, dotSeries, densityTable, lineSeries } from './chart-parts.ts';

/** The line of one format: its bytes by density. */
export interface SizeChartLine {
  readonly line: SizeLine;
  /** for each density in `GRID`, relative to dense f16; NaN if the format cannot store the matrix */
  readonly sizes: readonly number[];
  /** the density at which the format is as large as dense f16; null if there is none */
  readonly evenAt: number | null;
}

interface SizeChartProps extends DensityChartBaseProps {
  /** 'this matrix', 'Llama-3.1-8B' */
  readonly name: string;
  readonly lines: readonly SizeChartLine[];
  readonly rules: readonly Pick<DenseLine, 'id' | 'title' | 'size'>[]; // horizontal lines: dense in each value type
  /** sizes of actual encodings, relative to dense f16 */
  readonly dots: readonly Dot[];
  readonly published: readonly Series[];
}

const SIZE_TITLE = 'Size by density';

/** The axis ends here at the latest, relative to dense f16: beyond it, the lines of large matrices would be flat. */
const MAX_END = 4;

/** The axis of sizes, with a tick at its end: to 125 %, further if one of `values` needs it, at most to 400 %. */
export function sizeAxis(values: readonly number[]): Axis {
  const needed = largest(
    values.filter((value) => value <= MAX_END),
    1,
  );
  const step = needed <= 1.25 ? 0.25 : needed <= 2.5 ? 0.5 : 1;
  const end = Math.max(1.25, step * Math.ceil(needed / step));
  return {
    scale: 'linear',
    domain: [0, end],
    ticks: Array.from({ length: Math.round(end / step) + 1 }, (_, i) => i * step),
    text: (y) => String(100 * y),
    title: '% of dense f16',
  };
}

interface SizeSectionProps extends SizeChartProps, Omit<ChartHeadProps, 'title' | 'caption'> {
  /** whether the lines assume random positions, instead of groups with equally many weights */
  readonly isRandom: boolean;
}

/** The sizes of a matrix or of a model by density, as text and as a chart. */
export function SizeSection({ tools, note, marks = [], isRandom, ...chartProps }: SizeSectionProps) {
  // The text is about the two compared formats, A and B.
  const sideFacts = chartProps.lines
    .filter(({ line }) => line.side !== null)
    // A matrix in the format's own pattern can be stored beyond the end of its line, which assumes random positions.
    .filter(
      ({ line }) =>
        !chartProps.dots.some((dot) => dot.format === line.format.id && dot.density > line.supportedUpTo + 0.005),
    )
    .map(({ line, sizes, evenAt }) => ({
      ...line,
      evenAt,
      // Models have no size at small densities.
      startsSmaller: sizes.some((size) => size < 1),
      isRandom,
    }));
  return (
    <>
      <ChartHead title={SIZE_TITLE} caption={sizeWords(sideFacts)} tools={tools} note={note} marks={marks} />
      <SizeChart {...chartProps} />
    </>
  );
}

/** The chart of bytes against dense f16 by density: lines are calculated, dots are actual encodings. */
export const SizeChart = memo(function SizeChart(props: SizeChartProps) {
  const { name, lines, rules, dots, published, ...chartProps } = props;
  const drawn = useMemo(() => lines.map(({ line, sizes }) => lineSeries(line, pointsOf(sizes))), [lines]);
  const series = useMemo(() => [...published, ...dotSeries(dots, 'encoded')], [published, dots]);
  const drawnRules = useMemo(
    () =>
      rules.map(({ id, title, size }): Rule => ({
        id,
        position: size,
        title,
        kind: id === 'f16' ? 'solid' : 'dotted',
      })),
    [rules],
  );
  const notes = useMemo(
    () =>
      lines.flatMap(({ line, evenAt }): readonly ChartNote[] =>
        line.side !== null && evenAt !== null ? [crossingNote(evenAt, 1, line)] : [],
      ),
    [lines],
  );
  const y = useMemo(() => {
    const sides = new Set(lines.flatMap(({ line }) => (line.side === null ? [] : [line.format.id])));
    const ofSides = dots.filter(({ format }) => sides.has(format));
    return sizeAxis([...rules.map(({ size }) => size), ...ofSides.map((dot) => dot.y)]);
  }, [lines, dots, rules]);
  const spoken = lines.map(({ line, sizes, evenAt }) =>
    evenAt === null
      ? `${line.title} is ${shareText(sizes[sizes.length - 1] || 0)} of it at a density of 100\u202f%`
      : `${line.title} is smaller below ${roughDensityText(evenAt)}`,
  );
  return (
    <DensityChart
      {...chartProps}
      id="size-by-left"
      heading={{ title: SIZE_TITLE, caption: `${name}, bytes of dense f16` }}
      spoken={`Bytes of ${name} against dense f16, by density: ${spoken.join('; ')}.`}
      y={y}
      lines={drawn}
      series={series}
      rules={drawnRules}
      notes={notes}
      table={() => sizeFigures(props)}
    />
  );
});

function pointsOf(sizes: readonly number[]): readonly ChartPoint[] {
  return GRID.flatMap((x, i) => (Number.isFinite(sizes[i]) ? [{ x, y: sizes[i] }] : []));
}

/** The densities in the table of the chart. */
const LISTED_DENSITIES = [0.0001, 0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** The numbers of the chart, as a table. */
export function sizeFigures({ lines, rules, dots }: SizeChartProps): ChartTable {
  const columns = [
    ...lines.map(({ line: { title }, sizes }) => ({
      title,
      valueAt: (density: number) => valueAtDensity(sizes, density),
    })),
    ...rules.map(({ title, size }) => ({ title, valueAt: () => size })),
    ...dotColumns(dots, 'encoded'),
  ];
  return densityTable([...LISTED_DENSITIES, ...dots.map(({ density }) => density)], columns, shareText);
}
