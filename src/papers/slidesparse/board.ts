import { createStore } from 'zustand/vanilla';
import type { Choices } from '../../state/index.ts';
import type { SlidingGroup } from '../../theory/sliding-windows.ts';
import { type PatternChoice, firstColumns, type Preset, PRESETS, sameChoice, toggled } from './windows-form.ts';

/** The group of cells that a person edits: its pattern and the hardware's, its non-zeros and their values. */
export interface Board {
  readonly choice: PatternChoice;
  /** columns of its non-zeros, ascending */
  readonly columns: readonly number[];
  /** values set by `showGroup`, by column; `valueOf` has those of other columns */
  readonly values: ReadonlyMap<number, number>;
}

/** A worked example as a board. */
function boardOf(preset: Preset): Board {
  return { choice: preset, columns: preset.columns ?? firstColumns(preset.kept), values: new Map() };
}

/** The edited group, in a store outside the page's components, so that it stays when the page closes. */
export const board = createStore<Board>(() => boardOf(PRESETS[0]));

/** The initial columns of non-zeros for a pattern on hardware. */
function firstShown(choice: PatternChoice): readonly number[] {
  return PRESETS.find((preset) => sameChoice(preset, choice))?.columns ?? firstColumns(choice.kept);
}

/** The board as texts for the address, without the values of cells; '' for a part that is unchanged. */
export function boardTexts({ choice, columns }: Pick<Board, 'choice' | 'columns'>): Choices {
  const { kept, group, hardwareKept, window } = choice;
  const isFirst = sameChoice(choice, PRESETS[0]);
  const isUnchanged = columns.join() === firstShown(choice).join();
  return {
    pattern: isFirst ? '' : `${kept}:${group}`,
    on: isFirst ? '' : `${hardwareKept}:${window}`,
    columns: isUnchanged ? '' : columns.join('.') || 'none',
  };
}

/** Shows the group of an address; the values of an unchanged group stay. `columns` null: the initial columns. */
export function showLinked(choice: PatternChoice, columns: readonly number[] | null): void {
  const next = { choice, columns: (columns ?? firstShown(choice)).filter((c) => c < choice.group) };
  if (JSON.stringify(boardTexts(next)) === JSON.stringify(boardTexts(board.getState()))) return;
  board.setState({ ...next, values: new Map() });
}

export function showPreset(preset: Preset): void {
  board.setState(boardOf(preset));
}

/** Changes the group's pattern or the hardware's; removes columns beyond the group. */
export function changeChoice(part: Partial<PatternChoice>): void {
  board.setState(({ choice, columns }) => {
    const next = { ...choice, ...part };
    return { choice: next, columns: columns.filter((c) => c < next.group) };
  });
}

export function toggleColumn(column: number): void {
  board.setState(({ columns }) => ({ columns: toggled(columns, column) }));
}

/** Puts the non-zeros into exactly these columns. */
export function placeColumns(columns: readonly number[]): void {
  board.setState({ columns });
}

/** Shows a group with its values, such as the counterexample to a theorem. */
export function showGroup({ pattern, hardware, cells }: SlidingGroup): void {
  const columns = cells.flatMap((value, c) => (value === 0 ? [] : [c]));
  board.setState({
    choice: { kept: pattern.kept, group: pattern.group, hardwareKept: hardware.kept, window: hardware.window },
    columns,
    values: new Map(columns.map((c) => [c, cells[c]])),
  });
}

/** The value of the non-zero in a column: from `showGroup`, else the column's number from 1, as in the paper. */
export function valueOf({ values }: Pick<Board, 'values'>, column: number): number {
  return values.get(column) ?? column + 1;
}
