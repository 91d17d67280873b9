import { createContext, useContext, useEffect, useEffectEvent } from 'react';
import { createStore } from 'zustand/vanilla';
import type { Words } from '../../core/story/scene.ts';
import type { Theme } from '../../render/theme.ts';
import type { App } from '../app-context.ts';

/** What belongs to the page as a whole: dialogs, files, the clipboard, the colours. */
export interface ShellActions {
  readonly theme: Theme;
  readonly openFile: () => void;
  /** the chooser of the matrix, or its generator, hub, examples or reader of a model's sizes */
  readonly openChooser: (panel?: 'generate' | 'web' | 'examples' | 'config') => void;
  readonly openPalette: () => void;
  readonly openAbout: () => void;
  readonly openShortcuts: () => void;
  /** the code of a frame for other pages, and files of the chapter */
  readonly openExport: () => void;
  /** Shows a stage alone: the page's, or that of another `App`, such as a lesson's. */
  readonly present: (app?: App) => void;
  readonly share: () => void;
  /** what the place that is shown measures; the benchmark where it measures nothing of its own */
  readonly run: () => void;
  /** A place that measures by itself says how; null takes that back. */
  readonly setRunHandler: (run: (() => void) | null) => void;
  readonly exportScene: (kind: 'svg' | 'png') => void;
  /** Puts the focus on the sentence under the header. */
  readonly toSubject: () => void;
}

export const ShellContext = createContext<ShellActions | null>(null);

/** The page's actions. Throws Error outside of the page. */
export function useShell(): ShellActions {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error('useShell: found no page, expected a component below ShellContext');
  return shell;
}

/**
 * While the component is shown, Run in the header and its key do this; null leaves them the benchmark. `run` is the same
 * function while it does the same.
 */
export function useOwnRun(run: (() => void) | null): void {
  const { setRunHandler } = useShell();
  const offer = useEffectEvent(setRunHandler);
  useEffect(() => {
    offer(run);
    return () => offer(null);
  }, [run]);
}

/** What the place that is shown answers to the subject, in one line; null where it says nothing. */
export const shownAnswer = createStore<readonly Words[] | null>(() => null);

/** While the component is shown, this is the place's answer to the subject. `words` is the same while it says the same. */
export function useAnswer(words: readonly Words[] | null): void {
  useEffect(() => {
    shownAnswer.setState(words, true);
    return () => shownAnswer.setState(null, true);
  }, [words]);
}
