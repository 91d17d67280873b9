import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AnyListedFormat } from '../../core/format.ts';
import { busySentence, messageOf } from '../../core/errors.ts';
import type { bench } from '../../engine/bench-service.ts';
import type { Engine } from '../../engine/bridge/engine.ts';
import type { ServiceOf } from '../../engine/bridge/service.ts';
import type { matrix } from '../../engine/matrix-service.ts';
import type { Catalog, DocumentStore } from '../document.ts';
import type { AgreedOrigins } from '../agreed-origins.ts';
import type { Player } from '../player.ts';
import type { RunStore } from './run-store.ts';
import { asSentence } from '../sentence.ts';
import { EMPTY_SESSION, type SessionState } from './session-state.ts';
import { createStories, type Stories, type TwoStories } from '../stories.ts';

/** What a session is made of; tests pass a fake engine. */
export interface SessionDependencies {
  readonly engine: Engine;
  readonly catalog: Catalog;
  /** grows by those that a person wrote */
  readonly formats: readonly AnyListedFormat[];
  readonly document: DocumentStore;
  readonly player: Player;
  readonly origins: AgreedOrigins;
  /** where runs outlive the page */
  readonly runStore: () => Promise<RunStore>;
  /** what shows stories together; default: loaded with the first story */
  readonly together?: () => Promise<TwoStories>;
  /** makes an example's address absolute, since the worker's own base is another one */
  readonly resolveUrl: (url: string) => string;
  /** Resolves when the page has drawn what the stores hold now: nothing is timed until then. */
  readonly drawn?: () => Promise<void>;
}

/** What the parts of a session share. */
export interface SessionContext extends SessionDependencies {
  readonly store: StoreApi<SessionState>;
  readonly stories: Stories;
  readonly matrix: ServiceOf<typeof matrix>;
  readonly bench: ServiceOf<typeof bench>;
  /** Whether a benchmark is in progress, which is told then: `what`, to follow 'before you', has to wait for its end. */
  isBusy(what: string): boolean;
  /** Shows what went wrong, unless somebody cancelled it, or the engine died, which is told by itself. */
  fail(error: unknown): void;
}

export function createContext(dependencies: SessionDependencies): SessionContext {
  const store = createStore<SessionState>(() => EMPTY_SESSION);
  const { engine } = dependencies;
  return {
    ...dependencies,
    store,
    stories: createStories(dependencies.formats, dependencies.together),
    matrix: engine.service<typeof matrix>('matrix'),
    bench: engine.service<typeof bench>('bench'),
    isBusy(what) {
      const isRunning = store.getState().bench.running !== null;
      if (isRunning) store.setState({ error: busySentence(what) });
      return isRunning;
    },
    fail(error) {
      if (!isCancelled(error) && !isEngineDeath(error)) store.setState({ error: sentenceOf(error) });
    },
  };
}

/** Errors cross threads without their class; their name stays. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === 'CancelledError';
}

/** The engine died before it could answer. */
export function isEngineDeath(error: unknown): boolean {
  return error instanceof Error && error.name === 'EngineDeathError';
}

/** The message of an error, as a sentence. */
export function sentenceOf(error: unknown): string {
  return asSentence(messageOf(error));
}
