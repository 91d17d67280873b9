import { countText } from './text/words.ts';
import type { Region } from './matrix/index.ts';

/** Size of a story's first region of a larger matrix: few enough cells to read every number. */
export const FIRST_REGION = { rows: 5, cols: 32 } as const;

/** A range of rows or columns in words: 'rows 464 to 467', 'column 3'. */
export function spanText(one: string, from: number, count: number): string {
  return `${one}${count === 1 ? '' : 's'} ${countText(from)}${count === 1 ? '' : ` to ${countText(from + count - 1)}`}`;
}

/** The text of a region: 'rows 464 to 467, columns 261 to 292'. */
export function shortenedText({ row, col, rows, cols }: Region): string {
  return `${spanText('row', row, rows)}, ${spanText('column', col, cols)}`;
}
