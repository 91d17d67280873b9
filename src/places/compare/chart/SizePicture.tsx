import { memo, useMemo } from 'react';
import { Chart } from '../../../kit/charts/Chart.tsx';
import type { ChartFigures } from '../../../kit/charts/chart-csv.ts';
import type { Axis } from '../../../kit/charts/axis.ts';
import type { ChartNote } from '../../../kit/charts/ChartNotes.tsx';
import type { ChartPoint, Rule, Series } from '../../../kit/charts/series.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { percent } from '../../../kit/words/quantity.ts';
import { leftText, roughLeft } from '../../../kit/words/shares.ts';
import { LEFT_AXIS } from '../curves/left-axis.ts';
import { atShare, GRID } from '../curves/size-curves.ts';
import type { SizeFacts } from './chart-words.ts';
import { EndNames } from './EndNames.tsx';
import type { SizeLine } from './lines.ts';
import { crossingNote, lookOf, type PictureProps } from './picture-parts.ts';
import { ThumbText } from '../../../kit/charts/ThumbText.tsx';

/** A line of bytes by weights left. */
export interface SizedLine {
  readonly line: SizeLine;
  /** per share of the grid, relative to dense f16; NaN if the format cannot hold it */
  readonly sizes: readonly number[];
  /** where it crosses dense f16; null if it does not */
  readonly evenAt: number | null;
}

/** The facts about a line for the sentence above the picture. */
export function sizeFacts({ line, sizes, evenAt }: SizedLine): SizeFacts {
  return { title: line.title, evenAt, startsSmaller: sizes[0] < 1, heldUpTo: line.curve.heldUpTo };
}

/** A size from an actual encoding. */
export interface EncodedDot {
  readonly format: string;
  readonly title: string;
  readonly left: number;
  /** relative to dense f16 */
  readonly size: number;
}

interface SizePictureProps extends PictureProps {
  /** 'this matrix', 'Llama-3.1-8B' */
  readonly subject: string;
  readonly lines: readonly SizedLine[];
  readonly rules: readonly { readonly id: string; readonly title: string; readonly size: number }[];
  readonly dots: readonly EncodedDot[];
  readonly published: readonly Series[];
}

/** The title of the picture, for a matrix and for a model. */
export const SIZE_TITLE = 'Size against what is left';

const AXIS: Axis = {
  scale: 'linear',
  domain: [0, 1.12],
  ticks: [0, 0.25, 0.5, 0.75, 1],
  text: (y) => String(100 * y),
  title: '% of dense f16',
};

/** Bytes against dense f16 by weights left: lines are closed forms, dots were encoded. */
export const SizePicture = memo(function SizePicture(props: SizePictureProps) {
  const { subject, lines, dots, published, cursor, narrow = false } = props;
  const series = useMemo(
    () => [
      ...lines.map(({ line, sizes }): Series => ({
        ...lookOf(line),
        // A line that leaves the picture at its top is labelled there.
        title: narrow || sizes[sizes.length - 1] <= AXIS.domain[1] ? line.title : null,
        points: pointsOf(sizes),
      })),
      ...published,
      ...[...new Set(dots.map(({ format }) => format))].map((format): Series => ({
        id: format,
        group: format,
        kind: 'encoded',
        title: null,
        color: cssColorOf(format),
        textColor: cssTextColorOf(format),
        points: dots.filter((dot) => dot.format === format).map(({ left, size }) => ({ x: left, y: size })),
      })),
    ],
    [lines, published, dots, narrow],
  );
  const rules = useMemo(
    () =>
      props.rules.map(({ id, title, size }, i): Rule => ({
        id,
        at: size,
        title,
        kind: i === 0 ? 'solid' : 'dotted',
      })),
    [props.rules],
  );
  const notes = useMemo(
    () =>
      lines.flatMap(({ line, evenAt }): readonly ChartNote[] =>
        line.side !== null && evenAt !== null ? [crossingNote(evenAt, 1, line)] : [],
      ),
    [lines],
  );
  const ends = useMemo(
    () =>
      lines.map(({ line, sizes }) => ({
        key: line.key,
        title: line.title,
        color: cssTextColorOf(line.curve.variant.format.id),
        points: pointsOf(sizes),
      })),
    [lines],
  );
  const said = lines.map(({ line, sizes, evenAt }) =>
    evenAt === null
      ? `${line.title} is ${percent(sizes[sizes.length - 1] || 0, 0)} of it with everything left`
      : `${line.title} is smaller below ${roughLeft(evenAt)}`,
  );
  return (
    <Chart
      id="size-by-left"
      heading={{ title: SIZE_TITLE, caption: `${subject}, bytes of dense f16` }}
      spoken={`Bytes of ${subject} against dense f16, over what is left: ${said.join('; ')}.`}
      x={LEFT_AXIS}
      y={AXIS}
      height={props.height}
      series={series}
      rules={rules}
      notes={notes}
      cursor={cursor}
      strong={props.strong}
      onStrong={props.onStrong}
      figures={() => sizeFigures(props)}
    >
      {(plot) => (
        <>
          {/* On a phone the legend has all of them. */}
          {!narrow && <EndNames plot={plot} ends={ends} rules={rules} domain={AXIS.domain} at={cursor.at} />}
          <ThumbText plot={plot} at={cursor.at} />
        </>
      )}
    </Chart>
  );
});

function pointsOf(sizes: readonly number[]): readonly ChartPoint[] {
  return GRID.flatMap((x, i) => (Number.isFinite(sizes[i]) ? [{ x, y: sizes[i] }] : []));
}

const TABLE = [0.0001, 0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

export function sizeFigures({ lines, rules, dots }: SizePictureProps): ChartFigures {
  const shares = [...new Set([...TABLE, ...dots.map(({ left }) => left)])].toSorted((a, b) => a - b);
  const encoded = [...new Set(dots.map(({ title }) => title))];
  return {
    head: [
      'left',
      ...lines.map(({ line }) => line.title),
      ...rules.map(({ title }) => title),
      ...encoded.map((title) => `${title}, encoded`),
    ],
    rows: shares.map((left) => {
      const values = [
        ...lines.map(({ sizes }) => atShare(sizes, left)),
        ...rules.map(({ size }) => size),
        ...encoded.map(
          (title) => dots.find((dot) => dot.title === title && Math.abs(dot.left - left) < 1e-9)?.size ?? Number.NaN,
        ),
      ];
      return {
        name: leftText(left),
        cells: values.map((value) => (Number.isFinite(value) ? percent(value, 1) : '–')),
        values: [left, ...values.map((value) => (Number.isFinite(value) ? value : null))],
      };
    }),
  };
}
