import { createContext, useContext, useEffect, useEffectEvent } from 'react';
import { createStore } from 'zustand/vanilla';
import type { Words } from '../../core/text/words.ts';
import type { Theme } from '../../render/index.ts';
import type { App } from '../app-context.ts';
import type { Pruning } from '../../engine/matrix/source-types.ts';

/** A panel that the matrix picker can show instead of its columns. */
export type PanelName = 'examples' | 'type' | 'generate' | 'web' | 'config';

/** Actions of the shell around every page: dialogs, files, the clipboard, colours. */
export interface ShellActions {
  readonly theme: Theme;
  readonly openFile: () => void;
  /** opens the matrix picker, or one of its panels */
  readonly openMatrixPicker: (panel?: PanelName) => void;
  readonly openCommandPalette: () => void;
  readonly openAbout: () => void;
  readonly openShortcuts: () => void;
  /** opens the dialog 'Embed and export', for the matrix and the picture of a story or of the page */
  readonly openExport: () => void;
  /** Shows a story's picture alone: the page's picture, or the picture of another `App`, such as a lesson's. */
  readonly present: (app?: App) => void;
  readonly share: () => void;
  /** runs the measurement of the current page, or the benchmark if it has none */
  readonly run: () => void;
  /** Sets what `run` does on the current page; null sets it back to the benchmark. */
  readonly setRunHandler: (run: (() => void) | null) => void;
  readonly exportScene: (kind: 'svg' | 'png') => void;
  /** Moves the focus to the selection bar below the header, which names matrix, formats and device. */
  readonly focusSelection: () => void;
}

/** Provided by the shell to all pages and dialogs. */
export const ShellContext = createContext<ShellActions | null>(null);

/** The actions of the shell. Throws Error outside of ShellContext. */
export function useShell(): ShellActions {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error('useShell: found no page, expected a component below ShellContext');
  return shell;
}

/** While mounted, Run (button and key) calls `run`; null: the benchmark. Pass the same function for the same run. */
export function useUserRun(run: (() => void) | null): void {
  const { setRunHandler } = useShell();
  const setHandler = useEffectEvent(setRunHandler);
  useEffect(() => {
    setHandler(run);
    return () => setHandler(null);
  }, [run]);
}

/** The current page's answer about the matrix, formats and device, in one line; null for none. */
export const visibleAnswer = createStore<readonly Words[] | null>(() => null);

/** While the component is mounted, `words` is the page's answer. Pass the same array while the text is the same. */
export function useVisibleAnswer(words: readonly Words[] | null): void {
  useEffect(() => {
    visibleAnswer.setState(words, true);
    return () => visibleAnswer.setState(null, true);
  }, [words]);
}

/** A language model, as the selection bar names it. */
interface WritingModel {
  /** 'Tales 3.4M' */
  readonly name: string;
  /** null: none of its matrices is pruned */
  readonly pruning: Pruning | null;
}

/** The language model that the page shows; null if the open matrix is from this model, or on other pages. */
export const writingModel = createStore<WritingModel | null>(() => null);
