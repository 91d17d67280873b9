import {
  type Assignment,
  assignGreedily,
  assignOptimally,
  type Bottleneck,
  overfullRun,
  type Sliding,
  type SlidingGroup,
  slidingOf,
} from '../../theory/sliding-windows.ts';
import { counted, valueText, listText } from '../../core/text/words.ts';
import { createStore } from 'zustand/vanilla';
import type { Choices } from '../../state/index.ts';

/** Pattern Z:L (`kept`:`group`) on hardware M:N (`hardwareKept`:`window`) as typed by the user, not checked yet. */
interface PatternChoice {
  readonly kept: number;
  readonly group: number;
  readonly hardwareKept: number;
  readonly window: number;
}

/** A worked example: a pattern on hardware, and the columns of non-zeros. */
interface Preset extends PatternChoice {
  readonly title: string;
  /** columns of the non-zeros; default: the first `kept` */
  readonly columns?: readonly number[];
}

/** The worked examples that the user can choose. */
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

/** The sliding windows of a choice, or a text that explains why the choice is not possible. */
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

/** The group of cells that the user edits: its pattern and the hardware's, its non-zeros and their values. */
export interface Board {
  readonly choice: PatternChoice;
  /** columns of its non-zeros, ascending */
  readonly columns: readonly number[];
  /** values set by `showGroup`, by column; `valueOf` has the values of other columns */
  readonly values: ReadonlyMap<number, number>;
}

/** A worked example as a board. */
function boardOf(preset: Preset): Board {
  return { choice: preset, columns: preset.columns ?? firstColumns(preset.kept), values: new Map() };
}

/** The edited group, in a store outside the page's components, so that it stays when the page closes. */
export const board = createStore<Board>(() => boardOf(PRESETS[0]));

/** The initial columns of non-zeros for a pattern on hardware. */
function initialColumns(choice: PatternChoice): readonly number[] {
  return PRESETS.find((preset) => sameChoice(preset, choice))?.columns ?? firstColumns(choice.kept);
}

/** The board as texts for the address, without the values of cells; '' for a part that is unchanged. */
export function boardTexts({ choice, columns }: Pick<Board, 'choice' | 'columns'>): Choices {
  const { kept, group, hardwareKept, window } = choice;
  const isFirst = sameChoice(choice, PRESETS[0]);
  const isUnchanged = columns.join() === initialColumns(choice).join();
  return {
    pattern: isFirst ? '' : `${kept}:${group}`,
    on: isFirst ? '' : `${hardwareKept}:${window}`,
    columns: isUnchanged ? '' : columns.join('.') || 'none',
  };
}

/** Shows the group of an address; the values of an unchanged group stay. `columns` null: the initial columns. */
export function showLinked(choice: PatternChoice, columns: readonly number[] | null): void {
  const next = { choice, columns: (columns ?? initialColumns(choice)).filter((c) => c < choice.group) };
  if (JSON.stringify(boardTexts(next)) === JSON.stringify(boardTexts(board.getState()))) return;
  board.setState({ ...next, values: new Map() });
}

export function showPreset(preset: Preset): void {
  board.setState(boardOf(preset));
}

/** Changes the group's pattern or the hardware's; removes columns beyond the group. */
export function changeChoice(change: Partial<PatternChoice>): void {
  board.setState(({ choice, columns }) => {
    const next = { ...choice, ...change };
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

interface PlacementBoardProps {
  /** the hardware windows over a group of the pattern */
  readonly sliding: Sliding;
  /** columns of the non-zeros, ascending */
  readonly columns: readonly number[];
  /** the value to show in a set column; default: none */
  readonly cellValue?: (column: number) => number;
  readonly onToggle: (column: number) => void;
}

/** One group of columns, each set or cleared by a click; below, which hardware window stores which non-zero. */
export function PlacementBoard({ sliding, columns, cellValue, onToggle }: PlacementBoardProps) {
  const { group, kept } = sliding.pattern;
  const greedy = assignGreedily(sliding, columns);
  const optimal = assignOptimally(sliding, columns);
  const overfull = overfullRun(sliding, columns);
  return (
    <div className="@container overflow-x-auto">
      <div
        className="board mt-4 [--name:4.75rem] @max-[30rem]:[--name:1.25rem] [--board-cell:clamp(1.5rem,(100cqw_-_var(--name))_/_var(--columns)_-_2px,2.75rem)]"
        style={{ '--columns': group }}
      >
        <div className="grid grid-cols-[var(--name)_1fr] items-center">
          <span className="text-muted text-12 @max-[30rem]:hidden">non-zeros</span>
          {/* Cells stay wide enough to touch; in a narrow page they scroll. */}
          <div
            className="grid grid-cols-[repeat(var(--columns),var(--board-cell))] gap-0.5 @max-[30rem]:col-2"
            role="group"
            aria-label={`Group of ${group} columns`}
          >
            {Array.from({ length: group }, (_, c) => {
              const isLost = columns.includes(c) && greedy.windowOf[columns.indexOf(c)] === -1;
              return (
                <button
                  key={c}
                  type="button"
                  className="board-cell group h-11 rounded-[3px] bg-cell @container text-quiet text-12 font-mono relative cursor-pointer aria-pressed:bg-(--values-pale) aria-pressed:text-(--values-text) data-stuck:shadow-[inset_0_-3px_0_var(--accent)] data-lost:outline-2 data-lost:outline-(--strong) data-lost:-outline-offset-2"
                  aria-pressed={columns.includes(c)}
                  data-lost={isLost || undefined}
                  data-stuck={overfull?.columns.includes(c) || undefined}
                  onClick={() => onToggle(c)}
                >
                  <span className="unseen">column </span>
                  <span className="leading-[1.3] block text-12 @max-[2.2rem]:group-aria-pressed:font-semibold">
                    {c}
                  </span>
                  {cellValue && (
                    // In a narrow cell, a bold column number replaces the value.
                    <span className="leading-[1.3] block font-semibold min-h-[1lh] @max-[2.2rem]:hidden">
                      {columns.includes(c) ? valueText(cellValue(c)) : ''}
                    </span>
                  )}
                  {isLost && <span className="unseen">, with no place</span>}
                </button>
              );
            })}
          </div>
        </div>
        <p className="text-muted text-12 mt-2">
          {counted(columns.length, 'non-zero')} of at most {kept}
          {columns.length > kept ? ': more than the pattern allows' : ''}. Click a cell to set or clear it.
        </p>
        <div className="flex flex-wrap mt-4 gap-6">
          {/* The key restarts the animation of the windows for each placement. */}
          <Windows
            key={columns.join()}
            title="Greedy, left to right"
            sliding={sliding}
            columns={columns}
            assignment={greedy}
          />
          <Windows title="Optimal, by matching" sliding={sliding} columns={columns} assignment={optimal} />
        </div>
        <p className="min-h-6 mt-4 mb-4" role="status">
          {overfull ? reasonText(sliding, overfull) : 'Every non-zero has a window.'}
        </p>
      </div>
    </div>
  );
}

/** A text that explains why no assignment has a window for every non-zero. */
function reasonText({ windows }: Sliding, { columns, firstWindow, lastWindow, freeSlots }: Bottleneck): string {
  const excessText = `with room for ${freeSlots}: ${columns.length} do not fit, in any order.`;
  if (lastWindow - firstWindow + 1 === windows && windows > 1)
    return `There are ${counted(columns.length, 'non-zero')} in ${columnsText(columns)} for all ${windows} windows, ${excessText}`;
  const windowsText = firstWindow === lastWindow ? `window ${firstWindow}` : `windows ${firstWindow} to ${lastWindow}`;
  const columnNames = columnsText(columns);
  return `C${columnNames.slice(1)} ${columns.length === 1 ? 'is' : 'are'} seen only by ${windowsText}, ${excessText}`;
}

interface WindowsProps {
  readonly title: string;
  readonly sliding: Sliding;
  readonly columns: readonly number[];
  readonly assignment: Assignment;
}

/** A row for each window: the columns that it covers, and the columns whose non-zeros it stores. */
function Windows({ title, sliding, columns, assignment }: WindowsProps) {
  const { stride, windows, hardware, pattern } = sliding;
  const windowByColumn = new Map(columns.map((c, i) => [c, assignment.windowOf[i]]));
  return (
    <table className="windows w-[calc(var(--name)+var(--columns)*(var(--board-cell)+2px))] table-fixed border-separate [border-spacing:0_2px]">
      <caption className="text-start font-semibold pb-1">
        {title}{' '}
        <span className="number text-muted font-normal ms-2">{`${assignment.placedCount} of ${columns.length}`}</span>
      </caption>
      <tbody>
        {Array.from({ length: windows }, (_, w) => (
          <tr key={w} style={{ '--turn': w }}>
            <th className="text-muted text-12 w-(--name)" scope="row">
              <span className="@max-[30rem]:hidden">window </span>
              {w}
            </th>
            {Array.from({ length: pattern.group }, (_, c) => {
              const coversColumn = c >= w * stride && c < w * stride + hardware.window;
              const storesColumn = windowByColumn.get(c) === w;
              return (
                <td
                  className="h-[1.35rem] rounded-[4px] border-r-2 border-transparent bg-clip-padding data-sees:bg-track data-takes:bg-accent"
                  key={c}
                  data-sees={coversColumn || undefined}
                  data-takes={storesColumn || undefined}
                >
                  {storesColumn && <span className="unseen">takes column {c}</span>}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
