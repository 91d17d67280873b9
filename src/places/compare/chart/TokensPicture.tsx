import { memo, useMemo } from 'react';
import { scaleLinear } from 'd3';
import { largest } from '../../../core/number/statistics.ts';
import type { Axis } from '../../../kit/charts/axis.ts';
import { Chart } from '../../../kit/charts/Chart.tsx';
import type { ChartFigures } from '../../../kit/charts/chart-csv.ts';
import type { ChartNote } from '../../../kit/charts/ChartNotes.tsx';
import type { ChartPoint, Rule, Series } from '../../../kit/charts/series.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { leftText } from '../../../kit/words/shares.ts';
import { oneDecimal } from '../../../kit/words/rates.ts';
import { LEFT_AXES } from '../curves/left-axis.ts';
import { GRID } from '../curves/size-curves.ts';
import { EndNames } from './EndNames.tsx';
import type { LeftLine } from './lines.ts';
import type { ModelLine, ModelRule } from './model-lines.ts';
import { crossingNote, lookOf, type PictureProps } from './picture-parts.ts';
import { ThumbText } from './ThumbText.tsx';

/** Tokens per second that were measured, or published. */
export interface TokensDot {
  readonly format: string;
  readonly title: string;
  readonly left: number;
  readonly tokensPerSecond: number;
}

/** Where a line passes a rule. */
export interface Crossing {
  readonly line: LeftLine;
  readonly rule: ModelRule;
  readonly at: number;
}

interface TokensPictureProps extends PictureProps {
  /** 'Llama-3.1-8B' */
  readonly subject: string;
  readonly lines: readonly ModelLine[];
  readonly rules: readonly ModelRule[];
  readonly crossings: readonly Crossing[];
  readonly dots: readonly TokensDot[];
  readonly published: readonly TokensDot[];
  /** 10^9 bytes per second */
  readonly readGBps: number;
  /** whose, to follow 'on' */
  readonly on: string;
}

/** Tokens per second over what is left: lines are at most, by bytes; dots were measured. */
export const TokensPicture = memo(function TokensPicture(props: TokensPictureProps) {
  const { subject, lines, rules, crossings, dots, published, readGBps, on, cursor, scale, narrow = false } = props;
  const y = useMemo((): Axis => {
    const flat = rules.map(({ read }) => rate(read, readGBps));
    // bounded: a few rules and measurements
    const max = largest([1, ...flat, ...[...dots, ...published].map(({ tokensPerSecond }) => tokensPerSecond)]);
    const nice = scaleLinear([0, 1.3 * max], [0, 1]).nice(4);
    const [min, top] = nice.domain();
    const title = 'tokens per second';
    return { scale: 'linear', domain: [min, top], ticks: nice.ticks(4), text: String, title };
  }, [rules, dots, published, readGBps]);
  const series = useMemo(
    () => [
      ...lines.map(({ line, sizes }): Series => ({
        ...lookOf(line),
        // One that ends before the others is named there.
        title: !narrow && sizes[sizes.length - 1] === null ? null : line.title,
        points: ratesOf(sizes, readGBps),
      })),
      ...dotSeries(published, 'published'),
      ...dotSeries(dots, 'encoded'),
    ],
    [lines, dots, published, readGBps, narrow],
  );
  const ends = useMemo(
    () =>
      lines
        .filter(({ sizes }) => sizes[sizes.length - 1] === null)
        .map(({ line, sizes }) => ({
          key: line.key,
          title: line.title,
          color: cssTextColorOf(line.curve.variant.format.id),
          points: ratesOf(sizes, readGBps),
        })),
    [lines, readGBps],
  );
  const across = useMemo(
    () =>
      rules.map(({ id, title, read }): Rule => ({
        id,
        title,
        at: rate(read, readGBps),
        kind: id === 'f16' ? 'solid' : 'dotted',
      })),
    [rules, readGBps],
  );
  const notes = useMemo(
    () => [
      ...crossings.map(({ line, rule, at }): ChartNote => crossingNote(at, rate(rule.read, readGBps), line)),
      ...dots
        .filter(({ left }) => left === cursor.at)
        .map(({ format, title, left, tokensPerSecond }): ChartNote => ({
          x: left,
          y: tokensPerSecond,
          text: `${title} measured ${oneDecimal(tokensPerSecond)}`,
          color: cssTextColorOf(format),
        })),
    ],
    [crossings, dots, readGBps, cursor.at],
  );
  const said = [
    ...across.map(({ title, at }) => `${title} at most ${oneDecimal(at)}`),
    ...dots.map(({ title, left, tokensPerSecond }) => {
      return `${title} with ${leftText(left)} left measured ${oneDecimal(tokensPerSecond)}`;
    }),
  ];
  return (
    <Chart
      id="tokens-by-left"
      heading={{ title: `${subject}: tokens per second over what is left`, caption: `lines: at most, by bytes, ${on}` }}
      spoken={`Tokens per second of ${subject} over what is left: ${said.join(', ')}.`}
      x={LEFT_AXES[scale]}
      y={y}
      height={props.height}
      series={series}
      rules={across}
      notes={notes}
      cursor={cursor}
      strong={props.strong}
      onStrong={props.onStrong}
      figures={() => figuresOf(props)}
    >
      {(plot) => (
        <>
          <EndNames plot={plot} ends={ends} domain={y.domain} />
          <ThumbText plot={plot} at={cursor.at} />
        </>
      )}
    </Chart>
  );
});

function ratesOf(sizes: ModelLine['sizes'], readGBps: number): readonly ChartPoint[] {
  return GRID.flatMap((x, i) => {
    const size = sizes[i];
    return size === null ? [] : [{ x, y: rate(size.read, readGBps) }];
  });
}

/** Tokens per second that reading these bytes allows. */
function rate(bytes: number, readGBps: number): number {
  return (readGBps * 1e9) / bytes;
}

function dotSeries(dots: readonly TokensDot[], kind: 'encoded' | 'published'): readonly Series[] {
  return [...new Set(dots.map(({ title }) => title))].map((title): Series => {
    const own = dots.filter((dot) => dot.title === title);
    return {
      id: title,
      kind,
      title: null,
      group: own[0].format,
      color: cssColorOf(own[0].format),
      textColor: cssTextColorOf(own[0].format),
      points: own.map(({ left, tokensPerSecond }) => ({ x: left, y: tokensPerSecond })),
    };
  });
}

const TABLE = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

function figuresOf({ lines, rules, dots, published, readGBps }: TokensPictureProps): ChartFigures {
  const all = [
    ...dots.map((dot) => ({ ...dot, name: `${dot.title}, measured` })),
    ...published.map((dot) => ({ ...dot, name: `${dot.title}, published` })),
  ];
  const names = [...new Set(all.map(({ name }) => name))];
  const shares = [...new Set([...TABLE, ...all.map(({ left }) => left)])].toSorted((a, b) => a - b);
  return {
    head: [
      'left',
      ...lines.map(({ line }) => `${line.title}, at most`),
      ...rules.map(({ title }) => `${title}, at most`),
      ...names,
    ],
    rows: shares.map((left) => {
      const at = GRID.findIndex((share) => share >= left - 1e-9);
      const values = [
        ...lines.map(({ sizes }) => {
          const size = sizes[at];
          return size === null ? null : rate(size.read, readGBps);
        }),
        ...rules.map(({ read }) => rate(read, readGBps)),
        ...names.map(
          (name) => all.find((dot) => dot.name === name && Math.abs(dot.left - left) < 1e-9)?.tokensPerSecond ?? null,
        ),
      ];
      return {
        name: leftText(left),
        cells: values.map((value) => (value === null ? '–' : oneDecimal(value))),
        values: [left, ...values],
      };
    }),
  };
}
