import { listText } from '../../core/story/words.ts';
import { type Sliding, slidingOf } from '../../theory/sliding-windows.ts';

/** Pattern Z:L (`kept`:`group`) on hardware M:N (`hardwareKept`:`window`) as a person types it, not checked yet. */
export interface PatternChoice {
  readonly kept: number;
  readonly group: number;
  readonly hardwareKept: number;
  readonly window: number;
}

/** A worked example: a pattern on hardware, and the columns of non-zeros. */
export interface Preset extends PatternChoice {
  readonly title: string;
  /** columns of the non-zeros; default: the first `kept` */
  readonly columns?: readonly number[];
}

/** The worked examples that a person can choose. */
export const PRESETS: readonly Preset[] = [
  { title: '6:8 on 2:4', kept: 6, group: 8, hardwareKept: 2, window: 4, columns: [0, 2, 3, 4, 5, 7] },
  { title: '4:6 on 2:4', kept: 4, group: 6, hardwareKept: 2, window: 4 },
  { title: '14:16 on 2:4', kept: 14, group: 16, hardwareKept: 2, window: 4 },
  { title: '2:5 on 1:3', kept: 2, group: 5, hardwareKept: 1, window: 3, columns: [0, 1] },
  { title: '2:7 on 1:4', kept: 2, group: 7, hardwareKept: 1, window: 4, columns: [0, 1] },
  { title: '4:8 on 2:5', kept: 4, group: 8, hardwareKept: 2, window: 5, columns: [0, 1, 2, 3] },
];

export function sameChoice(a: PatternChoice, b: PatternChoice): boolean {
  return a.kept === b.kept && a.group === b.group && a.hardwareKept === b.hardwareKept && a.window === b.window;
}

/** The first `kept` columns. */
export function firstColumns(kept: number): readonly number[] {
  return Array.from({ length: kept }, (_, c) => c);
}

/** Sets or clears a column; the columns stay in order. */
export function toggled(columns: readonly number[], column: number): readonly number[] {
  return columns.includes(column)
    ? columns.filter((c) => c !== column)
    : [...columns, column].toSorted((a, b) => a - b);
}

/** The sliding windows of a choice, or a sentence that says why the choice is not possible. */
export function slidingOfChoice({ kept, group, hardwareKept, window }: PatternChoice): Sliding | string {
  return slidingOf({ kept, group }, { kept: hardwareKept, window });
}

/** 'column 3', 'columns 0, 1 and 5', or 'columns 0 to 5' for four or more in a row. Ascending, not empty. */
export function columnsText(columns: readonly number[]): string {
  const last = columns.length - 1;
  if (last === 0) return `column ${columns[0]}`;
  if (last >= 3 && columns[last] - columns[0] === last) return `columns ${columns[0]} to ${columns[last]}`;
  return `columns ${listText(columns.map(String))}`;
}
