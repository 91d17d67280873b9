import { createStore } from 'zustand/vanilla';
import type { AnyListedFormat } from '../../core/format.ts';
import { busyText, messageOf } from '../../core/error-messages.ts';
import type { bench } from '../../engine/bench-service.ts';
import type { Engine } from '../../engine/bridge/engine.ts';
import type { matrix } from '../../engine/matrix-service.ts';
import type { Catalog, DocumentStore } from '../document.ts';
import type { Preferences } from '../preferences.ts';
import type { Player } from '../player.ts';
import type { SavedFiles, OpenedFile } from './saved-files.ts';
import type { RunStore } from './run-store.ts';
import { asMessage, failureText } from '../error-messages.ts';
import { EMPTY_SESSION, type SessionState } from './session-state.ts';
import { createStories, type TwoStories } from '../stories.ts';

/** What a session, the page's client of the engine in its worker, is created from; tests pass a fake engine. */
export interface SessionDependencies {
  readonly engine: Engine;
  readonly catalog: Catalog;
  /** the listed formats; custom formats are added later */
  readonly formats: readonly AnyListedFormat[];
  readonly document: DocumentStore;
  readonly player: Player;
  /** the web origins from which links may load matrices */
  readonly origins: Preferences['origins'];
  /** the storage of benchmark runs */
  readonly runStore: () => Promise<RunStore>;
  /** the storage of opened files across a reload; absent: none */
  readonly savedFiles?: () => Promise<SavedFiles>;
  /** files saved before the reload, by name */
  readonly files?: ReadonlyMap<string, OpenedFile>;
  /** loads the module that plays stories (animations of formats) side by side; default: an import */
  readonly loadTwoStories?: () => Promise<TwoStories>;
  /** makes an example's address absolute, since the worker has another base address */
  readonly resolveUrl: (url: string) => string;
  /** Resolves when the page has drawn the current state of the stores: no timing starts before. */
  readonly drawn?: () => Promise<void>;
  /** Resolves in a later task of the thread, so that long work is divided; default: resolves in the same task. */
  readonly pause?: () => Promise<void>;
}

export type SessionContext = ReturnType<typeof createContext>;

/** What the modules of a session share: its dependencies and store, the worker's services, and functions for errors. */
export function createContext(dependencies: SessionDependencies) {
  const store = createStore<SessionState>(() => EMPTY_SESSION);
  const { engine } = dependencies;
  const service = engine.service<typeof matrix>('matrix');
  /**
   * Shows an error, unless the user cancelled the work, or the engine died, which is announced separately. `what`: the
   * work, as in `failureText`; default: the error names it.
   */
  const fail = (error: unknown, what?: string): void => {
    if (isCancelled(error) || isEngineDeath(error)) return;
    store.setState({ error: what === undefined ? messageFor(error) : failureText(error, what) });
  };
  /** Whether the engine still has the matrix of this number, which it may have replaced before the page knows. */
  const isInWorker = (generation: number): Promise<boolean> =>
    service.generation({}).then(
      (inWorker) => inWorker === generation,
      // The engine died, or has no matrix: not another one.
      () => true,
    );
  return {
    ...dependencies,
    store,
    stories: createStories(dependencies.formats, dependencies.loadTwoStories),
    matrix: service,
    bench: engine.service<typeof bench>('bench'),
    /** Whether a benchmark is running. If so, shows an error, in which `what` follows 'before you'. */
    isBusy(what: string): boolean {
      const isRunning = store.getState().bench.running !== null;
      if (isRunning) store.setState({ error: busyText(what) });
      return isRunning;
    },
    fail,
    isInWorker,
    /** Like `fail`, for a request about a matrix; does nothing if the engine now has another one. */
    async failOf(generation: number, error: unknown, what?: string): Promise<void> {
      if (await isInWorker(generation)) fail(error, what);
    },
  };
}

/** Whether a job was cancelled. Errors cross threads without their class, so their name is compared. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === 'CancelledError';
}

/** Whether the engine died before it could answer. */
export function isEngineDeath(error: unknown): boolean {
  return error instanceof Error && error.name === 'EngineDeathError';
}

/** The message of an error, with a capital and a full stop. */
export function messageFor(error: unknown): string {
  return asMessage(messageOf(error));
}
