import { MINIATURE_COLUMNS } from './comparison.ts';

/** How many of the first row's `count` entries, whose columns ascend, are within the columns of a miniature. */
export function firstRowEntries(count: number, columnAt: (entry: number) => number): number {
  const most = Math.min(count, MINIATURE_COLUMNS);
  let shown = 0;
  while (shown < most && columnAt(shown) < MINIATURE_COLUMNS) shown++;
  return shown;
}
