import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { CsrMatrix, Matrix } from '../../../../core/matrix/index.ts';
import type { OwnParams } from '../../own/module-messages.ts';
import { atStep, createPlayer, type Player } from '../../../../state/index.ts';
import { type App, useApp, useSession, oncePerPage } from '../../../../kit/app-context.ts';
import { LiveModule } from './live/live-module.ts';
import type { LiveModuleState } from './live/module-state.ts';
import { pageSandbox } from '../../provider/page-sandbox.ts';
import { densities, wholeMatrix } from './live/measured-matrices.ts';

/** The module in the editor with the player of its story, whose steps are not those of the document. */
export interface PlayedModule {
  readonly module: LiveModule;
  readonly player: Player;
}

/** During typing, a text is run after this long without a new character; the first change after a pause is run at once. */
const TYPING_MS = 30;
const REST_MS = 240;

function createModule(app: App): PlayedModule {
  let last: { readonly generation: number; readonly whole: ReturnType<typeof wholeMatrix> } | null = null;
  const module = new LiveModule({
    evaluate: (text, onLong) => pageSandbox().evaluate(text, { onLong }),
    now: () => performance.now(),
    whole() {
      const generation = app.session.store.getState().summary?.generation ?? -1;
      if (last?.generation !== generation) last = { generation, whole: wholeMatrix(app) };
      return last.whole;
    },
    densities,
  });
  const player = createPlayer(app.document);
  // Another story keeps the step, so that the effect of a change is visible.
  module.store.subscribe(({ story }, before) => {
    if (!story || story === before.story) return;
    const { chapters, steps } = story.trace;
    const step = before.story ? player.store.getState().step : 1;
    player.loadDetached({ stepCount: steps.length, chapters }, atStep(step));
  });
  return { module, player };
}

/** What a live module depends on. */
interface ModuleInput {
  readonly name: string;
  readonly text: string;
  readonly params: OwnParams;
  /** replaces the page's window */
  readonly shown: CsrMatrix | null;
  /** the matrix on which an exercise is judged */
  readonly judged: Matrix | null;
}

/** Runs the module in the editor whenever its text, its parameters or the window changes. */
export function useLiveModule({
  name,
  text,
  params,
  shown,
  judged,
}: ModuleInput): PlayedModule & { readonly again: () => void } {
  const app = useApp();
  const own = oncePerPage(app, createModule);
  const pageWindow = useSession((s) => s.window);
  const generation = useSession((s) => s.summary?.generation);
  const window = shown ?? pageWindow;
  const [turn, setTurn] = useState(0);
  const changedAt = useRef(0);
  useEffect(() => {
    if (!window) return;
    const hasRested = performance.now() - changedAt.current > REST_MS;
    changedAt.current = performance.now();
    const open = (): void => void own.module.open({ name, text, params, window, judged });
    const timer = setTimeout(open, hasRested ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [own, name, text, params, window, judged, generation, turn]);
  useEffect(() => () => own.module.close(), [own, name]);
  return useMemo(() => ({ ...own, again: () => setTurn((n) => n + 1) }), [own]);
}

/** A selection from the results for the current text. */
export function useModuleState<T>({ module }: Pick<PlayedModule, 'module'>, select: (state: LiveModuleState) => T): T {
  return useStore(module.store, select);
}
