import { BY_BYTES } from '../words/speed-of.ts';
import { roughDensityText } from '../words/shares.ts';
import { countText } from '../../core/text/words.ts';
import { largest } from '../../core/number/statistics.ts';
import { ratio as ratioText } from '../words/quantity.ts';
import { type Axis, domainOf } from '../charts/axis.ts';
import { Chart } from '../charts/Chart.tsx';
import { BREAK_EVEN_RULES, type Series } from '../charts/series.ts';
import { ratioScale, tickText, type TitleOf } from './report-view.ts';
import {
  type BreakEven,
  breakEven,
  type ParamSweep,
  positionOf,
  seriesTitle,
  type Sweep,
  type SweepAxis,
  type SweepPoint,
  type SweepSeries,
} from './sweep-series.ts';
import { cssColorOf, cssTextColorOf } from '../format-color.ts';
import { SectionHead } from '../controls/Section.tsx';
import type { BenchReport } from '../../core/report.ts';
import { greyOf, type Substitute, withSubstitute } from '../words/ran-instead.ts';

interface SweepChartProps {
  readonly sweep: Sweep;
  readonly titleOf: TitleOf;
  /** what the chart is about, if the axis alone does not name it */
  readonly matrixName?: string;
  /** drawn in addition to the measurements */
  readonly furtherSeries?: readonly Series[];
  /** a further text about a point, for the table */
  readonly detailOf?: (format: string, point: SweepPoint) => string;
  /** what measured the times instead of a GPU, 'software' or 'CPU'; null or absent: a GPU */
  readonly substitute?: Substitute | null;
}

/** A chart of speed against dense, by density or by a size. Two lines per format: measured, and its limit by bytes. */
export function SweepChart(props: SweepChartProps) {
  const { sweep, titleOf, matrixName, furtherSeries = [], detailOf = () => '', substitute = null } = props;
  const { axis, series, reports, arithmetic } = sweep;
  const scale = axis.of === 'density' ? 'linear' : 'log';
  const positions = reports.map((report) => positionOf(axis, report));
  const [fastest] = series.filter(({ valueType }) => valueType === null).toSorted((a, b) => topRatio(b) - topRatio(a));
  // Break-even points of a CPU that simulates a GPU mean nothing.
  const hasBreakEven = substitute !== 'software';
  const fastestBreakEven = fastest && hasBreakEven ? breakEven(fastest.points, scale) : null;
  const greyAt = (i: number): string | null => (substitute === null ? null : greyOf(i, series.length));
  const nameOf = (s: SweepSeries): string => withSubstitute(seriesTitle(s, titleOf), substitute);
  const spoken = series.map((s) => {
    const breakEvenPoint = hasBreakEven ? breakEven(s.points, scale) : null;
    return `${nameOf(s)} up to ${ratioText(topRatio(s))}${breakEvenPoint ? `, ${breakEvenText(breakEvenPoint, axis)}` : ''}`;
  });
  const title = `${matrixName === undefined ? 'Speed' : `${matrixName}: speed`} by ${axis.title}`;
  const heading = { title, caption: withSubstitute(speedCaption(arithmetic, reports.at(0)), substitute) };
  return (
    <section className="sweep mt-8" aria-label={title}>
      <SectionHead {...heading} />
      <figure>
        <Chart
          heading={heading}
          id={`speed-${matrixName === undefined ? '' : `of-${reports[0].workload.operation}-`}by-${axis.name}`}
          spoken={`${title}: ${spoken.join('; ')}.`}
          x={{
            scale,
            title: scale === 'log' ? `${axis.title}, logarithmic` : axis.title,
            domain: domainOf(positions),
            ticks: positions,
            text: (x) => positionText(axis, x),
            reversed: axis.of === 'density',
          }}
          y={speedAxis(
            series.flatMap((s) => s.points),
            furtherSeries.flatMap((line) => line.points.map((p) => p.y)),
          )}
          rules={BREAK_EVEN_RULES}
          series={[
            ...furtherSeries,
            ...series.flatMap((s, i) => speedLines(s.format, nameOf(s), s.points, s.valueType, greyAt(i))),
          ]}
          notes={
            fastestBreakEven && fastest
              ? [
                  {
                    x: fastestBreakEven.at,
                    y: 1,
                    text: `${titleOf(fastest.format)} ${breakEvenText(fastestBreakEven, axis)}`,
                  },
                ]
              : []
          }
          table={() => ({
            head: [
              axis.title,
              ...series.map(
                (s) => `${seriesTitle(s, titleOf)}, by ${arithmetic ? 'bytes and multiply-adds' : 'bytes'} alone`,
              ),
            ],
            rows: positions.map((x) => ({
              name: positionText(axis, x),
              cells: series.map((s) =>
                pointText(
                  s.points.find((p) => p.x === x),
                  (p) => [detailOf(s.format, p), substitute ?? ''].filter((part) => part !== '').join(', '),
                ),
              ),
            })),
          })}
        />
      </figure>
    </section>
  );
}

interface ParamChartProps {
  readonly sweep: ParamSweep;
  readonly title: string;
  /** the name of the parameter, and the text of each of its values */
  readonly paramTitle: string;
  readonly valueText: (value: unknown) => string;
  /** as in a SweepChart */
  readonly substitute?: Substitute | null;
  /** the report of the points, for the caption */
  readonly report: BenchReport;
}

/** Speed against dense of one format at the values of one parameter, all from the same rounds. */
export function ParamChart({ sweep, title, paramTitle, valueText, substitute = null, report }: ParamChartProps) {
  const { points, values, format, arithmetic } = sweep;
  const grey = substitute === null ? null : greyOf();
  const name = `Speed of ${title} by ${paramTitle}`;
  const heading = { title: name, caption: withSubstitute(speedCaption(arithmetic, report), substitute) };
  const x: Axis = {
    scale: 'linear',
    title: paramTitle,
    domain: [0, values.length - 1],
    ticks: values.map((_, i) => i),
    text: (i) => valueText(values[i]),
  };
  const spoken = points.map((p) => `${valueText(values[p.x])} ${withSubstitute(ratioText(p.ratio), substitute)}`);
  return (
    <section className="sweep mt-8" aria-label={name}>
      <SectionHead {...heading} />
      <figure>
        <Chart
          heading={heading}
          id={`speed-of-${format}-by-${sweep.axis.name}`}
          spoken={`${name}: ${spoken.join(', ')}.`}
          x={x}
          y={speedAxis(points)}
          rules={BREAK_EVEN_RULES}
          series={speedLines(format, withSubstitute(title, substitute), points, null, grey)}
          table={() => ({
            head: [paramTitle, `speed, ${BY_BYTES}`],
            rows: values.map((value, i) => ({
              name: valueText(value),
              cells: [
                pointText(
                  points.find((p) => p.x === i),
                  () => substitute ?? '',
                ),
              ],
            })),
          })}
        />
      </figure>
    </section>
  );
}

/** A logarithmic axis of speeds against dense that covers points and their limits. */
export function speedAxis(points: readonly SweepPoint[], others: readonly number[] = []): Axis {
  const { domain, ticks } = ratioScale([...points.flatMap((p) => [p.p10, p.p90, p.limit]), ...others]);
  return { scale: 'log', domain, ticks, text: tickText, title: 'speed against dense' };
}

/** A format's measured line and limit, in its colour or `grey`. `valueType`: of dense in another type, such as i4. */
export function speedLines(
  format: string,
  title: string,
  points: readonly SweepPoint[],
  valueType: string | null = null,
  grey: string | null = null,
): readonly Series[] {
  const color = grey ?? cssColorOf(format);
  const id = valueType === null ? format : `${format} ${valueType}`;
  return [
    { kind: 'limit', id, title: null, color, points: points.map(({ x, limit }) => ({ x, y: limit })) },
    {
      kind: 'measured',
      id,
      title,
      color,
      textColor: grey === null ? cssTextColorOf(format) : 'var(--text-muted)',
      points: points.map(({ x, ratio, p10, p90 }) => ({ x, y: ratio, low: p10, high: p90 })),
    },
  ];
}

/** The meaning of the thin and thick lines of a chart; `arithmetic`: the thin ones count multiply-adds, too. */
export function speedCaption(arithmetic: boolean, report?: Pick<BenchReport, 'recorded' | 'imported'>): string {
  const from = report?.imported
    ? 'imported'
    : report?.recorded
      ? `recorded on ${report.recorded.name}`
      : 'measured here';
  return `thin: by bytes ${arithmetic ? 'and multiply-adds ' : ''}alone · thick: ${from}`;
}

/** A position on the axis as the text of a tick. */
function positionText(axis: SweepAxis, x: number): string {
  return axis.of === 'density' ? String(Number((100 * x).toPrecision(2))) : countText(x);
}

/** 'faster below 420 non-zeros per token', 'faster below 68 % left' */
function breakEvenText({ at, faster }: BreakEven, axis: SweepAxis): string {
  const position =
    axis.of === 'density' ? `${roughDensityText(at)} left` : `${countText(Number(at.toPrecision(2)))} ${axis.title}`;
  return `faster ${faster} ${position}`;
}

/** A point as a cell of the table: its ratio, the largest possible one, and a detail. */
function pointText(point: SweepPoint | undefined, detailOf: (point: SweepPoint) => string = () => ''): string {
  if (!point) return '–';
  return [ratioText(point.ratio), ratioText(point.limit), detailOf(point)].filter((part) => part !== '').join(', ');
}

/** The highest speed against dense of a series. */
function topRatio(series: SweepSeries): number {
  return largest(series.points.map((p) => p.ratio));
}
