import type { Region } from '../../core/matrix/index.ts';
import type { SpyRequest, SpyTile, WindowCells } from '../../engine/matrix/types.ts';
import type { SessionContext } from './session-context.ts';

/** What the page asks of the matrix on the screen. What goes wrong is shown. */
export interface Questions {
  /** A part of the matrix as a picture; null when the matrix has changed meanwhile or there is none. */
  spy(request: SpyRequest): Promise<SpyTile | null>;
  /** Cells of any region, for hover and the keyboard walk; null as above. */
  cells(region: Region): Promise<WindowCells | null>;
  /** What `ask` answers about the matrix on the screen; null as above, and while a benchmark runs. */
  ifCurrent<T extends { readonly generation: number }>(ask: () => Promise<T>): Promise<T | null>;
}

export function createQuestions({ matrix, store, fail }: SessionContext): Questions {
  const generation = (): number | undefined => store.getState().summary?.generation;
  const ifCurrent = async <T extends { readonly generation: number }>(ask: () => Promise<T>): Promise<T | null> => {
    const asked = generation();
    if (asked === undefined) return null;
    try {
      const answer = await ask();
      return answer.generation === generation() ? answer : null;
    } catch (error) {
      // A region of the matrix before may lie outside of the one that is there now.
      if (asked === generation()) fail(error);
      return null;
    }
  };
  return {
    spy: (request) => ifCurrent(() => matrix.spy({}, request)),
    cells: (region) => ifCurrent(() => matrix.window({}, region)),
    ifCurrent: async (ask) => (store.getState().bench.running ? null : ifCurrent(ask)),
  };
}
