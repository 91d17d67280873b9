import {
  type Assignment,
  assignGreedily,
  assignOptimally,
  type Bottleneck,
  overfullRun,
  type Sliding,
} from '../../theory/sliding-windows.ts';
import { counted, valueText } from '../../core/story/words.ts';
import { columnsText } from './windows-form.ts';

export interface PlacementBoardProps {
  /** the hardware windows over a group of the pattern */
  readonly sliding: Sliding;
  /** columns of the non-zeros, ascending */
  readonly columns: readonly number[];
  /** the value to show in a set column; default: none */
  readonly cellValue?: (column: number) => number;
  readonly onToggle: (column: number) => void;
}

/** One group of columns, each set or cleared by a click; below, which hardware window holds which non-zero. */
export function PlacementBoard({ sliding, columns, cellValue, onToggle }: PlacementBoardProps) {
  const { group, kept } = sliding.pattern;
  const greedy = assignGreedily(sliding, columns);
  const optimal = assignOptimally(sliding, columns);
  const stuck = overfullRun(sliding, columns);
  return (
    <div className="@container overflow-x-auto">
      <div className="board mt-4" style={{ '--columns': group }}>
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
                  className="board-cell group h-11 rounded-[3px] bg-cell @container text-quiet text-12 font-mono relative cursor-pointer"
                  aria-pressed={columns.includes(c)}
                  data-lost={isLost || undefined}
                  data-stuck={stuck?.columns.includes(c) || undefined}
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
          {stuck ? reasonText(sliding, stuck) : 'Every non-zero has a window.'}
        </p>
      </div>
    </div>
  );
}

/** Why no assignment gives every non-zero a window, in a sentence. */
function reasonText({ windows }: Sliding, { columns, firstWindow, lastWindow, room }: Bottleneck): string {
  const lost = `with room for ${room}: ${columns.length} do not fit, in any order.`;
  if (lastWindow - firstWindow + 1 === windows && windows > 1)
    return `There are ${counted(columns.length, 'non-zero')} in ${columnsText(columns)} for all ${windows} windows, ${lost}`;
  const seen = firstWindow === lastWindow ? `window ${firstWindow}` : `windows ${firstWindow} to ${lastWindow}`;
  const who = columnsText(columns);
  return `C${who.slice(1)} ${columns.length === 1 ? 'is' : 'are'} seen only by ${seen}, ${lost}`;
}

interface WindowsProps {
  readonly title: string;
  readonly sliding: Sliding;
  readonly columns: readonly number[];
  readonly assignment: Assignment;
}

/** A row for each window: the columns that it covers, and those whose non-zeros it holds. */
function Windows({ title, sliding, columns, assignment }: WindowsProps) {
  const { stride, windows, hardware, pattern } = sliding;
  const takerOf = new Map(columns.map((c, i) => [c, assignment.windowOf[i]]));
  return (
    <table className="windows">
      <caption className="text-start font-semibold pb-1">
        {title}{' '}
        <span className="number text-muted font-normal ms-2">{`${assignment.placed} of ${columns.length}`}</span>
      </caption>
      <tbody>
        {Array.from({ length: windows }, (_, w) => (
          <tr key={w} style={{ '--turn': w }}>
            <th className="text-muted text-12 w-(--name)" scope="row">
              <span className="@max-[30rem]:hidden">window </span>
              {w}
            </th>
            {Array.from({ length: pattern.group }, (_, c) => {
              const sees = c >= w * stride && c < w * stride + hardware.window;
              const takes = takerOf.get(c) === w;
              return (
                <td
                  className="h-[1.35rem] rounded-[4px] border-r-2 border-transparent bg-clip-padding data-sees:bg-track data-takes:bg-accent"
                  key={c}
                  data-sees={sees || undefined}
                  data-takes={takes || undefined}
                >
                  {takes && <span className="unseen">takes column {c}</span>}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
