// Runs the module in the editor of custom formats, and plays its story.

import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { CsrMatrix, Matrix } from '../../../../src/core/matrix/index.ts';
import type { UserParams } from '../../own/module-messages.ts';
import { atStep, createPlayer, type Player } from '../../../../src/state/index.ts';
import { type App, useApp, useSession, oncePerPage } from '../../../../src/kit/app-context.ts';
import { LiveModule } from './live/live-module.ts';
import type { LiveModuleState } from './live/module-state.ts';
import { pageSandbox } from '../../provider/page-sandbox.ts';
import { matricesByDensity, matrixToMeasure } from './live/measured-matrices.ts';

/** The module in the editor (a custom format), and the player of its story, whose step is not in the address. */
export interface ModuleWithPlayer {
  readonly module: LiveModule;
  readonly player: Player;
}

/** A changed text runs this long after the last change, ms; at once if nothing was changed for PAUSE_MS. */
const TYPING_MS = 30;
const PAUSE_MS = 240;

/** Makes the module and player of a page, which all texts share. */
function createModule(app: App): ModuleWithPlayer {
  // The open matrix as last read, so that it is read again only if another matrix is open.
  let lastRead: { readonly generation: number; readonly matrix: ReturnType<typeof matrixToMeasure> } | null = null;
  const module = new LiveModule({
    evaluate: (text, onSlow) => pageSandbox().evaluate(text, { onSlow }),
    now: () => performance.now(),
    pageMatrix() {
      const generation = app.session.store.getState().summary?.generation ?? -1;
      if (lastRead?.generation !== generation) lastRead = { generation, matrix: matrixToMeasure(app) };
      return lastRead.matrix;
    },
    densities: matricesByDensity,
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

/** What `useLiveModule` runs. */
interface ModuleInput {
  readonly name: string;
  readonly text: string;
  readonly params: UserParams;
  /** a matrix to show instead of the part of the open matrix that the page shows */
  readonly example: CsrMatrix | null;
  /** the matrix on which an exercise measures bytes */
  readonly goalMatrix: Matrix | null;
}

/** Runs the module in the editor whenever its text, its parameters or a matrix changes. */
export function useLiveModule({
  name,
  text,
  params,
  example,
  goalMatrix,
}: ModuleInput): ModuleWithPlayer & { readonly runAgain: () => void } {
  const app = useApp();
  const live = oncePerPage(app, createModule);
  const pageWindow = useSession((s) => s.window);
  const generation = useSession((s) => s.summary?.generation);
  const window = example ?? pageWindow;
  const [repetition, setRepetition] = useState(0);
  const changedAt = useRef(0);
  useEffect(() => {
    if (!window) return;
    const isAfterPause = performance.now() - changedAt.current > PAUSE_MS;
    changedAt.current = performance.now();
    const open = (): void => void live.module.open({ name, text, params, window, goalMatrix });
    const timer = setTimeout(open, isAfterPause ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [live, name, text, params, window, goalMatrix, generation, repetition]);
  useEffect(() => () => live.module.close(), [live, name]);
  return useMemo(() => ({ ...live, runAgain: () => setRepetition((n) => n + 1) }), [live]);
}

/** A selection from the results for the current text. */
export function useModuleState<T>({ module }: ModuleWithPlayer, select: (state: LiveModuleState) => T): T {
  return useStore(module.store, select);
}
