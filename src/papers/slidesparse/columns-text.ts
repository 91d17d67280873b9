import { listText } from '../../core/story/words.ts';

/** 'column 3', 'columns 0, 1 and 5', or 'columns 0 to 5' for four or more in a row. Ascending, not empty. */
export function columnsText(columns: readonly number[]): string {
  const last = columns.length - 1;
  if (last === 0) return `column ${columns[0]}`;
  if (last >= 3 && columns[last] - columns[0] === last) return `columns ${columns[0]} to ${columns[last]}`;
  return `columns ${listText(columns.map(String))}`;
}
