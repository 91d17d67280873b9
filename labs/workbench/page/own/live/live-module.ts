// Runs the module of a user's format while its text changes, and collects story, laws and bytes.

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CsrMatrix, Matrix } from '../../../../../src/core/matrix/index.ts';
import { loadStory } from '../../../../../src/story/format-story.ts';
import { paramsOf } from '../../../own/parse-answers.ts';
import type { LawReport } from '../../../own/laws.ts';
import type { Request } from '../../../own/module-messages.ts';
import { type ModuleEvaluation, type OpenedFormat, UserFormatSession } from '../../../own/user-format-session.ts';
import { reasonOf } from '../../../own/user-format-source.ts';
import type { UserFormatTrace } from '../../../own/story/trace.ts';
import {
  type Counterexample,
  EMPTY_STATE,
  type LiveModuleState,
  type ModuleProblem,
  type Setting,
  type ModuleTask,
} from './module-state.ts';
import { decodingFault } from './decoding-fault.ts';
import { settingsOf } from './settings.ts';
import { isSyntaxError, syntaxLine } from './syntax-line.ts';
import { messageOf } from '../../../../../src/core/error-messages.ts';

/** What a live module depends on: sandbox, clock, and matrices to measure. */
export interface LiveModuleOptions {
  /** Evaluates a text; `onSlow` is called when an answer needs more than two seconds. */
  readonly evaluate: (text: string, onSlow: (request: Request['ask']) => void) => ModuleEvaluation;
  /** milliseconds */
  readonly now: () => number;
  /** The matrix of the page, or its first rows; null if there is none. Called at most once per text. */
  readonly pageMatrix: () => Promise<{ readonly matrix: CsrMatrix; readonly isWholeMatrix: boolean } | null>;
  /** random matrices by density, the sparsest first; made one by one */
  readonly densities: readonly { readonly density: number; readonly make: () => Matrix }[];
}

/** Adds results of a text to the state. Throws SupersededError once another text was opened. */
type SetResults = (part: Partial<LiveModuleState>) => void;

/** The run of a text was abandoned, since another text was opened. */
class SupersededError extends Error {}

/** The error of a sandbox whose iframe had to be removed; the run is then repeated up to RETRIES times. */
const CLOSED_MESSAGE = 'the sandbox was closed';
const RETRIES = 3;

/** Maximum number of settings (combinations of parameters) for which bytes are computed. */
const MAX_SETTINGS = 64;

/**
 * Runs a format's JavaScript module while the user writes it. For each text, `store` receives the story (encode and
 * decode step by step) of the window (the cells that the page shows), whether the laws are satisfied, such as that
 * decode undoes encode, and the bytes of matrices. A new text supersedes the previous one.
 */
export class LiveModule {
  readonly store: StoreApi<LiveModuleState> = createStore<LiveModuleState>(() => EMPTY_STATE);
  readonly #options: LiveModuleOptions;
  readonly #session: UserFormatSession;
  #generation = 0;
  #openedAt = 0;

  constructor(options: LiveModuleOptions) {
    this.#options = options;
    this.#session = new UserFormatSession((text) => {
      const generation = this.#generation;
      return options.evaluate(text, (slowRequest) => {
        if (generation === this.#generation) this.store.setState({ slowRequest });
      });
    });
  }

  /** Runs a text instead of the previous one. Resolves once all results are there, or a newer text was opened. */
  async open(task: ModuleTask): Promise<void> {
    const generation = ++this.#generation;
    this.#openedAt = this.#options.now();
    const isStoryOld = this.store.getState().story !== null;
    this.store.setState({ phase: 'running', text: task.text, slowRequest: null, lawsMs: null, isStoryOld });
    const set: SetResults = (part) => {
      if (generation !== this.#generation) throw new SupersededError();
      // There are new results, so the slow call has returned.
      this.store.setState({ slowRequest: null, ...part });
    };
    try {
      await this.#runWithRetries(task, set);
      set({ phase: 'done', slowRequest: null });
    } catch (error) {
      if (generation !== this.#generation) return;
      const text = messageOf(error);
      this.store.setState({ ...NO_RESULTS, phase: 'done', slowRequest: null, problem: { message: text, line: 0 } });
    }
  }

  /** Ends the run, with a message in `problem`. The text stays. */
  cancel(): void {
    const { slowRequest } = this.store.getState();
    const seconds = ((this.#options.now() - this.#openedAt) / 1000).toFixed(1);
    this.#generation++;
    this.#session.close();
    const text = `${requestText(slowRequest)} was ended after ${seconds} s.`;
    this.store.setState({ phase: 'done', slowRequest: null, lawsMs: null, problem: { message: text, line: 0 } });
  }

  /** Lets a slow call continue, and no longer reports that it is slow. */
  wait(): void {
    this.store.setState({ slowRequest: null });
  }

  /** Ends all runs, and forgets the results. */
  close(): void {
    this.#generation++;
    this.#session.close();
    this.store.setState(EMPTY_STATE, true);
  }

  /** Runs a text, and again if the sandbox was closed because an earlier run did not end in time. */
  async #runWithRetries(task: ModuleTask, set: SetResults): Promise<void> {
    for (let retriesRemaining = RETRIES; ; retriesRemaining--) {
      try {
        return await this.#run(task, set);
      } catch (error) {
        if (retriesRemaining === 0 || !(error instanceof Error) || error.message !== CLOSED_MESSAGE) throw error;
        set({});
      }
    }
  }

  async #run({ name, text, params: requested, window, goalMatrix }: ModuleTask, set: SetResults): Promise<void> {
    const opened = await this.#session.open(name, text);
    if (opened === null) throw new SupersededError();
    if (opened.kind !== 'done') {
      const problem: ModuleProblem = {
        message: asMessage(reasonOf(opened)),
        line: 'line' in opened ? opened.line : 0,
      };
      set({ ...NO_RESULTS, problem });
      if (problem.line === 0 && isSyntaxError(problem.message)) await this.#findSyntaxError(text, problem, set);
      return;
    }
    const format = opened.result;
    const params = paramsOf(format.description, requested);
    set({ description: format.description, params });
    await this.#showStory(format, window, set);
    await this.#testLaws(format, set);
    if (goalMatrix) {
      const measured = await format.bytes(goalMatrix, params);
      set({ goalLedger: measured.kind === 'done' ? measured.result : null });
    }
    await this.#measureBytes(format, set);
  }

  async #showStory(format: OpenedFormat, window: CsrMatrix, set: SetResults): Promise<void> {
    const { params } = this.store.getState();
    const outcome = await format.roundTrip(window, params, true);
    if (outcome.kind !== 'done') {
      const text = asMessage(reasonOf(outcome));
      if (outcome.kind === 'refused') return set({ rejection: text, problem: null });
      return set({ problem: { message: text, line: outcome.line }, rejection: null });
    }
    const story = await loadStory(format.format);
    const trace = story.trace(window, params) as unknown as UserFormatTrace;
    set({ story: { story, trace }, isStoryOld: false, problem: null, rejection: null });
  }

  async #testLaws(format: OpenedFormat, set: SetResults): Promise<void> {
    const { params } = this.store.getState();
    const before = this.#options.now();
    const onReport = (laws: LawReport): void => set({ laws });
    const tested = await format.laws(params, { now: this.#options.now, onReport });
    if (tested.kind !== 'done') return set({ laws: null, problem: { message: reasonOf(tested), line: 0 } });
    const { result: laws } = tested;
    set({ laws, lawsMs: this.#options.now() - before });
    const counterexamples: Counterexample[] = [];
    for (const { id, broken } of laws.laws) {
      if (!broken) continue;
      const { matrix, why, line } = broken;
      const outcome = await format.roundTrip(matrix, params, true);
      const roundTrip = outcome.kind === 'done' ? outcome.result : null;
      const cause = line > 0 ? { message: why, line } : roundTrip && decodingFault(roundTrip, matrix);
      counterexamples.push({ law: id, matrix, run: roundTrip, cause });
    }
    set({ counterexamples });
  }

  /** Computes the bytes of the open matrix with every combination of parameters, and of random matrices. */
  async #measureBytes(format: OpenedFormat, set: SetResults): Promise<void> {
    const { params } = this.store.getState();
    const source = await this.#options.pageMatrix();
    if (source) await this.#measureSettings(format, source, set);
    else set({ wholeBytes: null });
    const dots: LiveModuleState['dots'][number][] = [];
    for (const { density, make } of this.#options.densities) {
      const measured = await format.bytes(make(), params);
      if (measured.kind === 'done') dots.push({ density, effectiveDensity: measured.result.effectiveDensity });
      set({ dots: [...dots] });
    }
  }

  /** Computes the bytes of the open matrix with the chosen parameters, and with every combination of parameters. */
  async #measureSettings(
    format: OpenedFormat,
    source: { readonly matrix: CsrMatrix; readonly isWholeMatrix: boolean },
    set: SetResults,
  ): Promise<void> {
    const { params, description } = this.store.getState();
    const { matrix } = source;
    const chosen = await format.bytes(matrix, params);
    const ledger = chosen.kind === 'done' ? chosen.result : null;
    const rejection = chosen.kind === 'done' ? null : asMessage(reasonOf(chosen));
    const allSettings = settingsOf(description?.params ?? []).slice(0, MAX_SETTINGS);
    const settingCount = allSettings.length;
    /** those that the format supports, by bytes */
    let settings: readonly Setting[] = [];
    const showTried = (triedSettings: number): void =>
      set({ wholeBytes: { ...source, ledger, rejection, settings, triedSettings, settingCount } });
    showTried(0);
    for (const [i, combination] of allSettings.entries()) {
      const measured = await format.bytes(matrix, combination);
      if (measured.kind === 'done') {
        const setting = { params: combination, bytes: measured.result.totalBytes };
        settings = [...settings, setting].toSorted((a, b) => a.bytes - b.bytes);
      }
      showTried(i + 1);
    }
  }

  /** Finds the line of a syntax error, which browsers do not report for modules, by evaluating parts of the text. */
  async #findSyntaxError(text: string, problem: ModuleProblem, set: SetResults): Promise<void> {
    const line = await syntaxLine(text, problem.message, async (part) => {
      const opened = await this.#session.open('part', part);
      if (opened === null) throw new SupersededError();
      return opened.kind === 'done' ? null : asMessage(reasonOf(opened));
    });
    this.#session.close();
    if (line > 0) set({ problem: { ...problem, line } });
  }
}

/** The results of a text that cannot be run. */
const NO_RESULTS: Partial<LiveModuleState> = {
  rejection: null,
  laws: null,
  lawsMs: null,
  counterexamples: [],
  goalLedger: null,
  wholeBytes: null,
  dots: [],
};

/** What a module was doing, as the subject of a sentence. */
function requestText(request: Request['ask'] | null): string {
  if (request === null) return 'The module';
  return request === 'describe' ? 'Evaluating the module' : request;
}

/** The text, with a full stop if it has no end mark. */
function asMessage(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
