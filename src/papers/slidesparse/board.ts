import { createStore } from 'zustand/vanilla';
import type { Choices } from '../../state/index.ts';
import type { SlidingGroup } from '../../theory/sliding-windows.ts';
import { type Choice, firstColumns, type Preset, PRESETS, sameChoice, toggled } from './windows-form.ts';

/** The group on the board. */
export interface Board {
  readonly choice: Choice;
  /** columns of its non-zeros, ascending */
  readonly columns: readonly number[];
  /** values by column as a story gave them; a column that is not there has the value `valueOf` gives it */
  readonly values: ReadonlyMap<number, number>;
}

function boardOf(preset: Preset): Board {
  return { choice: preset, columns: preset.columns ?? firstColumns(preset.kept), values: new Map() };
}

/** Outlives the page, so that what was clicked is there again on the way back from the stage. */
export const board = createStore<Board>(() => boardOf(PRESETS[0]));

/** The first placement of a pattern. */
function unchanged(choice: Choice): readonly number[] {
  return PRESETS.find((preset) => sameChoice(preset, choice))?.columns ?? firstColumns(choice.kept);
}

/** The board as the address has it, without the values that a story gave: '' for what it shows at first. */
export function boardTexts({ choice, columns }: Pick<Board, 'choice' | 'columns'>): Choices {
  const { kept, group, hardwareKept, window } = choice;
  const isFirst = sameChoice(choice, PRESETS[0]);
  const isUnchanged = columns.join() === unchanged(choice).join();
  return {
    pattern: isFirst ? '' : `${kept}:${group}`,
    on: isFirst ? '' : `${hardwareKept}:${window}`,
    columns: isUnchanged ? '' : columns.join('.') || 'none',
  };
}

/** Shows what an address asks for; a board that shows it already keeps its values. `columns`: null for those of the choice. */
export function showLinked(choice: Choice, columns: readonly number[] | null): void {
  const next = { choice, columns: (columns ?? unchanged(choice)).filter((c) => c < choice.group) };
  if (JSON.stringify(boardTexts(next)) === JSON.stringify(boardTexts(board.getState()))) return;
  board.setState({ ...next, values: new Map() });
}

/** Puts a worked choice on the board. */
export function showPreset(preset: Preset): void {
  board.setState(boardOf(preset));
}

/** Another pattern or other hardware; columns that remain keep their values. */
export function changeChoice(part: Partial<Choice>): void {
  board.setState(({ choice, columns }) => {
    const next = { ...choice, ...part };
    return { choice: next, columns: columns.filter((c) => c < next.group) };
  });
}

/** Sets or clears a column. */
export function toggleColumn(column: number): void {
  board.setState(({ columns }) => ({ columns: toggled(columns, column) }));
}

/** Other non-zeros in the same pattern. */
export function placeColumns(columns: readonly number[]): void {
  board.setState({ columns });
}

/** Puts the group of a story on the board, with its values. */
export function showGroup({ pattern, hardware, cells }: SlidingGroup): void {
  const columns = cells.flatMap((value, c) => (value === 0 ? [] : [c]));
  board.setState({
    choice: { kept: pattern.kept, group: pattern.group, hardwareKept: hardware.kept, window: hardware.window },
    columns,
    values: new Map(columns.map((c) => [c, cells[c]])),
  });
}

/** The value of a column that is set: the one that a story gave it, else its number from 1, as in the paper's example. */
export function valueOf({ values }: Pick<Board, 'values'>, column: number): number {
  return values.get(column) ?? column + 1;
}
