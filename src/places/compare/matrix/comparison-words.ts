import type { Words } from '../../../core/story/scene.ts';
import { counted, listText, strong } from '../../../core/story/words.ts';
import { bytes, percent, ratio, shape } from '../../../kit/words/quantity.ts';
import { NOT_OF_A_GPU, ON_CPU } from '../../../kit/words/speed-of.ts';
import type { FormatRow } from './format-rows.ts';

/**
 * The answer: the format with the fewest bytes for this matrix, the runner-up, and those that cannot hold it. `elsewhere`:
 * the device of the speeds, where it is another than this one.
 */
export function answerWords(
  rows: readonly FormatRow[],
  matrix: { readonly rows: number; readonly cols: number },
  elsewhere: string | null = null,
): readonly Words[] {
  const size = shape(matrix.rows, matrix.cols);
  const settled = rows.filter(({ state }) => state !== 'waiting' && state !== 'running');
  if (settled.length < rows.length) {
    return [
      {
        text: `Encoding this ${size} matrix: ${settled.length} of ${counted(rows.length, 'format')} done.`,
      },
    ];
  }
  const held = rows
    .flatMap((row) => (row.state === 'held' && row.bytes !== null ? [{ row, bytes: row.bytes }] : []))
    .toSorted((a, b) => a.bytes - b.bytes);
  const refused = rows.filter(({ state }) => state === 'refused').map(({ format }) => format.title);
  const cannot = refused.length > 0 ? ` ${listText(refused)} cannot hold it as it is.` : '';
  if (held.length === 0) return [{ text: `No format holds this ${size} matrix.${cannot}` }];
  const [first, second] = held;
  const dense = denseBytes(matrix);
  const share = first.bytes === 0 || first.bytes === dense ? '' : `, ${percent(first.bytes / dense)} of dense`;
  const words: Words[] = [
    strong(`${first.row.format.title} holds this ${size} matrix in ${bytes(first.bytes)}${share}`),
  ];
  const more =
    second === undefined || first.bytes === 0
      ? ''
      : `; ${second.row.format.title} needs ${moreText(second.bytes / first.bytes - 1)}`;
  const fastest = fastestOf(held.map(({ row }) => row));
  const speed =
    fastest === null
      ? ''
      : `the fastest${fastest.onCpu ? ` on ${ON_CPU}` : elsewhere === null ? '' : ` on ${elsewhere}`}, at ${ratio(fastest.ratio)} the speed of dense`;
  const caution = fastest?.onCpu ? ` ${NOT_OF_A_GPU}` : '';
  const isFirst = fastest !== null && fastest.title === first.row.format.title;
  const also = isFirst ? ` and is ${speed}` : '';
  const other = fastest === null || isFirst ? '' : `, and ${fastest.title} is ${speed}`;
  return [...words, { text: `${also}${more}${other}.${caution}${cannot}` }];
}

/** Bytes of the matrix with all its cells in half precision, the baseline. */
export function denseBytes({ rows, cols }: { readonly rows: number; readonly cols: number }): number {
  return Math.max(1, rows * cols * 2);
}

function moreText(share: number): string {
  return share < 0.0005 ? 'as much' : `${percent(share, share < 0.1 ? 1 : 0)} more`;
}

interface Fastest {
  readonly title: string;
  readonly ratio: number;
  readonly onCpu: boolean;
}

/** The format with the highest verified speed relative to dense; null before any is measured. */
function fastestOf(rows: readonly FormatRow[]): Fastest | null {
  let fastest: Fastest | null = null;
  for (const { format, measured } of rows) {
    const speed = measured?.speed;
    if (speed && measured.row.verified.ok && (fastest === null || speed.ratio > fastest.ratio)) {
      fastest = { title: format.title, ratio: speed.ratio, onCpu: measured.row.where === 'cpu' };
    }
  }
  return fastest;
}
