import { type Region, subMatrix } from '../../core/matrix/index.ts';
import { cellsText, readCells, withCell } from '../../core/cells/cells-text.ts';
import type { EditedSource, MatrixSource } from '../../engine/matrix/source-types.ts';
import type { MatrixSummary } from '../../engine/matrix/types.ts';
import { type AppDocument, baseOf, withSource } from '../document.ts';
import type { SessionContext } from './session-context.ts';
import type { Stage } from './stage.ts';

export interface Editing {
  /** A cell of the window, counted from its corner; 0 clears it. */
  setCell(row: number, col: number, value: number): Promise<void>;
}

type Open = (source: MatrixSource, documentFor: (summary: MatrixSummary) => Promise<AppDocument>) => Promise<boolean>;

/** What was asked for, until the worker has it. */
interface Asked {
  readonly source: MatrixSource;
  readonly window: Region;
}

/**
 * The window becomes a matrix of its own when one of its cells changes: what it was a window of stays in the document, and
 * is there again when the browser goes back. The story follows at once; the worker has the matrix a moment later.
 */
export function createEditing(context: SessionContext, stage: Stage, open: Open): Editing {
  const { store, document, player } = context;
  let asked: Asked | null = null;

  /** What is edited: all of a matrix that is one's own already, or else the window. */
  const begun = ({ source, window }: Asked) => {
    if (source.kind === 'edited') {
      const { rows, cols } = source.at;
      return { cells: readCells(source.cells, rows, cols), window, of: source.of, at: source.at };
    }
    const cells = store.getState().window;
    const whole = { row: 0, col: 0, rows: window.rows, cols: window.cols };
    return cells && { cells, window: whole, ...originOf(source, window) };
  };

  return {
    async setCell(row, col, value) {
      const doc = document.getState();
      if (doc.window === null || context.isBusy('edit the matrix')) return;
      const from = begun(asked ?? { source: doc.source, window: doc.window });
      if (!from) return;
      const { window, of, at } = from;
      let mine: Asked | null = null;
      try {
        // What a link brings back is what is shown: values of four digits.
        const text = cellsText(withCell(from.cells, window.row + row, window.col + col, value));
        const cells = readCells(text, from.cells.rows, from.cells.cols);
        const source: EditedSource = { kind: 'edited', of, at, cells: text };
        asked = mine = { source, window };
        stage.preview(subMatrix(cells, window), cells);
        await open(source, async () => {
          const { frame, step } = player.store.getState();
          return { ...withSource(document.getState(), source, window), frame, step: frame === null ? step : 0 };
        });
      } catch (error) {
        context.fail(error);
      }
      if (asked !== mine) return;
      asked = null;
      // Where it came to nothing, what was there is shown again.
      stage.preview(null);
    },
  };
}

/** What a window is of: of a matrix that had been edited before it was pruned, what that was a window of. */
function originOf(source: Exclude<MatrixSource, EditedSource>, window: Region): Pick<EditedSource, 'of' | 'at'> {
  const base = baseOf(source);
  if (base.kind === 'edited') {
    return { of: base.of, at: { ...window, row: base.at.row + window.row, col: base.at.col + window.col } };
  }
  return { of: source.kind === 'pruned' ? { ...source, base } : base, at: window };
}
