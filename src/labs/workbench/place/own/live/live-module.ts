import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CsrMatrix, Matrix } from '../../../../../core/matrix/index.ts';
import { paramsOf } from '../../../own/answers.ts';
import type { LawReport } from '../../../own/laws.ts';
import type { Puts } from '../../../../../core/declared/record.ts';
import type { Request } from '../../../own/messages.ts';
import { type Evaluated, type OpenedFormat, UserFormatSession } from '../../../own/session.ts';
import { reasonOf } from '../../../own/source.ts';
import type { UserFormatTrace } from '../../../own/story/trace.ts';
import {
  type Counterexample,
  EMPTY_STATE,
  type LiveModuleState,
  type Problem,
  type Setting,
  type Task,
} from './module-state.ts';
import { settingsOf } from './settings.ts';
import { shortestF32 } from '../../../../../core/number/index.ts';
import { messageOf } from '../../../../../core/errors.ts';
import type { Run } from '../../../own/asking.ts';
import { asStored, valueTypeOf } from '../../../own/decoded-matrix.ts';
import { ownersOf } from '../../../../../core/declared/story/owners.ts';

/** Whether an error is about the syntax of a text. */
export function isSyntaxError(sentence: string): boolean {
  return sentence.startsWith('SyntaxError');
}

/**
 * The line, from 1, of the first syntax error in a text; 0 if unknown. Browsers do not report it for a module, but a parser
 * stops at the first error: the text up to that line, or to any later one, is refused with the same message. `refusal`: the
 * message of a text; null without an error. Calls it O(log lines) times.
 */
export async function syntaxLine(
  text: string,
  sentence: string,
  refusal: (text: string) => Promise<string | null>,
): Promise<number> {
  const lines = text.split('\n');
  const isThere = async (count: number): Promise<boolean> =>
    (await refusal(lines.slice(0, count).join('\n'))) === sentence;
  let low = 1;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isThere(middle)) high = middle;
    else low = middle + 1;
  }
  // The text ends too early: the place is the bracket left open.
  return low === lines.length ? (openBracketLine(text) ?? low) : low;
}

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The line of the last unclosed bracket; null if there is none. Strings and comments are ignored. O(characters). */
function openBracketLine(text: string): number | null {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, (found) =>
    found.replaceAll(/[^\n]/g, ' '),
  );
  const open: { readonly sign: string; readonly line: number }[] = [];
  let line = 1;
  for (const sign of code) {
    if (sign === '\n') line++;
    else if ('([{'.includes(sign)) open.push({ sign, line });
    else if (CLOSING[sign] !== undefined && open.at(-1)?.sign === CLOSING[sign]) open.pop();
  }
  return open.at(-1)?.line ?? null;
}

export interface LiveModuleOptions {
  /** Evaluates a text; `onLong` is called when an answer takes longer than two seconds. */
  readonly evaluate: (text: string, onLong: (what: Request['ask']) => void) => Evaluated;
  /** milliseconds */
  readonly now: () => number;
  /** The matrix of the page, or its first rows; null if there is none. Called at most once per text. */
  readonly whole: () => Promise<{ readonly matrix: CsrMatrix; readonly isWholeMatrix: boolean } | null>;
  /** random matrices by density, the sparsest first; made one by one */
  readonly densities: readonly { readonly density: number; readonly make: () => Matrix }[];
}

/** The runs were abandoned: another text is current. */
class OldError extends Error {}

/** The message of a sandbox that had to remove its frame, after which the run is repeated a few times. */
const CLOSED = 'the sandbox was closed';
const RETRIES = 3;

/** Maximum number of settings that are tried. */
const MAX_SETTINGS = 64;

/**
 * A module while it is being written: opens each text, and reports what it does with the window, whether its laws hold, and its
 * bytes. The newest text counts. Nothing is run before `open`.
 */
export class LiveModule {
  readonly store: StoreApi<LiveModuleState> = createStore<LiveModuleState>(() => EMPTY_STATE);
  readonly #options: LiveModuleOptions;
  readonly #session: UserFormatSession;
  #turn = 0;
  #askedAt = 0;

  constructor(options: LiveModuleOptions) {
    this.#options = options;
    this.#session = new UserFormatSession((text) => {
      const turn = this.#turn;
      return options.evaluate(text, (what) => {
        if (turn === this.#turn) this.store.setState({ long: what });
      });
    });
  }

  /** Runs a text instead of the previous one. Resolves once all results are there, or a newer text was opened. */
  async open(task: Task): Promise<void> {
    const turn = ++this.#turn;
    this.#askedAt = this.#options.now();
    const isStoryOld = this.store.getState().story !== null;
    this.store.setState({ phase: 'running', text: task.text, long: null, lawsMs: null, isStoryOld });
    const set = (part: Partial<LiveModuleState>): void => {
      if (turn !== this.#turn) throw new OldError();
      // There are new results, so the slow call has returned.
      this.store.setState({ long: null, ...part });
    };
    try {
      await this.#runUntilThere(task, set);
      set({ phase: 'done', long: null });
    } catch (error) {
      if (turn !== this.#turn) return;
      const sentence = messageOf(error);
      this.store.setState({ ...NOTHING, phase: 'done', long: null, problem: { sentence, line: 0 } });
    }
  }

  /** Ends all runs, with a message. The text stays. */
  cancel(): void {
    const { long } = this.store.getState();
    const seconds = ((this.#options.now() - this.#askedAt) / 1000).toFixed(1);
    this.#turn++;
    this.#session.close();
    const what = long === null ? 'The module' : long === 'describe' ? 'Evaluating the module' : `${long}`;
    const sentence = `${what} was ended after ${seconds} s.`;
    this.store.setState({ phase: 'done', long: null, lawsMs: null, problem: { sentence, line: 0 } });
  }

  /** Lets a slow call continue. */
  wait(): void {
    this.store.setState({ long: null });
  }

  /** Ends all runs, and forgets the results. */
  close(): void {
    this.#turn++;
    this.#session.close();
    this.store.setState(EMPTY_STATE, true);
  }

  /** Runs a text again if its frame had to be removed, because an earlier run did not end in time. */
  async #runUntilThere(task: Task, set: (part: Partial<LiveModuleState>) => void): Promise<void> {
    for (let left = RETRIES; ; left--) {
      try {
        return await this.#run(task, set);
      } catch (error) {
        if (left === 0 || !(error instanceof Error) || error.message !== CLOSED) throw error;
        set({});
      }
    }
  }

  async #run(
    { name, text, params: given, window, judged }: Task,
    set: (part: Partial<LiveModuleState>) => void,
  ): Promise<void> {
    const opened = await this.#session.open(name, text);
    if (opened === null) throw new OldError();
    if (opened.kind !== 'done') {
      const problem: Problem = { sentence: sentenceOf(reasonOf(opened)), line: 'line' in opened ? opened.line : 0 };
      set({ ...NOTHING, problem });
      if (problem.line === 0 && isSyntaxError(problem.sentence)) await this.#findSyntaxError(text, problem, set);
      return;
    }
    const format = opened.result;
    const params = paramsOf(format.description, given);
    set({ description: format.description, params });
    await this.#tell(format, window, set);
    await this.#tryLaws(format, set);
    if (judged) {
      const weighed = await format.bytes(judged, params);
      set({ judged: weighed.kind === 'done' ? weighed.result : null });
    }
    await this.#weigh(format, set);
  }

  /** Builds the story of the window. */
  async #tell(format: OpenedFormat, window: CsrMatrix, set: (part: Partial<LiveModuleState>) => void): Promise<void> {
    const { params } = this.store.getState();
    const outcome = await format.ask(window, params, true);
    if (outcome.kind !== 'done') {
      const sentence = sentenceOf(reasonOf(outcome));
      if (outcome.kind === 'refused') return set({ refusal: sentence, problem: null });
      return set({ problem: { sentence, line: outcome.line }, refusal: null });
    }
    const story = await format.format.story();
    const trace = story.trace(window, params) as unknown as UserFormatTrace;
    set({ story: { story, trace }, isStoryOld: false, problem: null, refusal: null });
  }

  async #tryLaws(format: OpenedFormat, set: (part: Partial<LiveModuleState>) => void): Promise<void> {
    const { params } = this.store.getState();
    const before = this.#options.now();
    const onReport = (laws: LawReport): void => set({ laws });
    const outcome = await format.laws(params, { now: this.#options.now, onReport });
    if (outcome.kind !== 'done') return set({ laws: null, problem: { sentence: reasonOf(outcome), line: 0 } });
    const { result: laws } = outcome;
    set({ laws, lawsMs: this.#options.now() - before });
    const counterexamples: Counterexample[] = [];
    for (const { id, broken } of laws.laws) {
      if (!broken) continue;
      const { matrix, why, line } = broken;
      const run = await format.ask(matrix, params, true);
      const through = run.kind === 'done' ? run.result : null;
      const point = line > 0 ? { sentence: why, line } : through && pointOf(through, matrix);
      counterexamples.push({ law: id, matrix, run: through, point });
    }
    set({ counterexamples });
  }

  /** Computes the bytes of the whole matrix with every setting, and of random ones. */
  async #weigh(format: OpenedFormat, set: (part: Partial<LiveModuleState>) => void): Promise<void> {
    const { params, description } = this.store.getState();
    const dots: LiveModuleState['dots'][number][] = [];
    const found = await this.#options.whole();
    if (found) {
      const { matrix, isWholeMatrix } = found;
      const first = await format.bytes(matrix, params);
      const ledger = first.kind === 'done' ? first.result : null;
      const refusal = first.kind === 'done' ? null : sentenceOf(reasonOf(first));
      const all = settingsOf(description?.params ?? []).slice(0, MAX_SETTINGS);
      let settings: readonly Setting[] = [];
      set({ whole: { matrix, isWholeMatrix, ledger, refusal, settings, tried: 0, of: all.length } });
      for (const [i, each] of all.entries()) {
        const weighed = await format.bytes(matrix, each);
        if (weighed.kind === 'done') {
          settings = [...settings, { params: each, bytes: weighed.result.totalBytes }].toSorted(
            (a, b) => a.bytes - b.bytes,
          );
        }
        set({ whole: { matrix, isWholeMatrix, ledger, refusal, settings, tried: i + 1, of: all.length } });
      }
    } else set({ whole: null });
    for (const { density, make } of this.#options.densities) {
      const weighed = await format.bytes(make(), params);
      if (weighed.kind === 'done') dots.push({ density, effectiveDensity: weighed.result.effectiveDensity });
      set({ dots: [...dots] });
    }
  }

  /** Browsers do not say where a module has a syntax error: parts of the text are tried to find it. */
  async #findSyntaxError(text: string, problem: Problem, set: (part: Partial<LiveModuleState>) => void): Promise<void> {
    const line = await syntaxLine(text, problem.sentence, async (part) => {
      const found = await this.#session.open('part', part);
      if (found === null) throw new OldError();
      return found.kind === 'done' ? null : sentenceOf(reasonOf(found));
    });
    this.#session.close();
    if (line > 0) set({ problem: { ...problem, line } });
  }
}

/** The missing results of a text that cannot be run. */
const NOTHING: Partial<LiveModuleState> = {
  refusal: null,
  laws: null,
  lawsMs: null,
  counterexamples: [],
  judged: null,
  whole: null,
  dots: [],
};

/** Ends with a full stop. */
function sentenceOf(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * The element and line to which a matrix with a wrong decoding points: the element from which decode made the first wrong cell,
 * or that it never read, and the line that stored it. Null if nothing is wrong, or the store is unknown. O(elements + reads).
 */
export function pointOf(run: Run, matrix: CsrMatrix): Problem | null {
  const { puts } = run.decoding;
  const expected = cellsOf(asStored(matrix, valueTypeOf(run.chosen.arrays)));
  const owners = ownersOf(run);
  for (let i = 0; i < puts.rows.length; i++) {
    const [row, column] = [puts.rows[i], puts.columns[i]];
    const value = expected.get(`${row},${column}`) ?? 0;
    if (Object.is(value, puts.values[i])) continue;
    // A correct value in a wrong position was read with its index, a wrong value in the correct position without it.
    const isPlace = !expected.has(`${row},${column}`);
    const read = owners.readBefore(i);
    const blamed =
      (isPlace
        ? ofPlace(run, read, !isLacking(expected, puts, row))
        : read.findLast(([array]) => classOf(run, array) === 'values')) ?? read.at(-1);
    if (!blamed) return null;
    const from = elementText(run, blamed);
    return pointAt(run, blamed, `From ${from} decode makes row ${row}, column ${column}.`);
  }
  return outside(run, matrix) ?? unread(run);
}

type Element = readonly [array: number, at: number];

/** Of the elements read for a cell, the index with its position: the first for its row, if there are several, or the last. */
function ofPlace(run: Run, read: readonly Element[], isRow: boolean): Element | undefined {
  const indices = read.filter(([array]) => classOf(run, array) === 'indices');
  const all = indices.length > 0 ? indices : read.filter(([array]) => classOf(run, array) !== 'values');
  return isRow ? all[0] : all.at(-1);
}

/** Whether a cell of a row is missing: then a wrong cell in that row is in the wrong column. */
function isLacking(expected: ReadonlyMap<string, number>, { rows, columns }: Puts, row: number): boolean {
  const there = new Set(Array.from(rows, (of, i) => `${of},${columns[i]}`));
  return [...expected.keys()].some((cell) => cell.startsWith(`${row},`) && !there.has(cell));
}

/** The elements read before decode left the matrix. */
function outside(run: Run, { rows }: CsrMatrix): Problem | null {
  const { reads, puts, outside: call } = run.decoding;
  if (call === null || !reads) return null;
  const after = Array.from(reads.at, (at, i): Element => [reads.array[i], at]).filter(
    (_, i) => reads.before[i] === puts.rows.length,
  );
  // Up to the values of the first cell, since later cells were not put either.
  const end = after.findIndex(([array]) => classOf(run, array) === 'values');
  const read = end < 0 ? after : after.slice(0, end + 1);
  const row = Number(/^put\(([^,]*),/.exec(call)?.[1]);
  const blamed = ofPlace(run, read, !(row >= 0 && row < rows)) ?? read.at(-1);
  return blamed ? pointAt(run, blamed, `From ${elementText(run, blamed)} decode makes ${call}.`) : null;
}

/** The first element that decode never read. */
function unread(run: Run): Problem | null {
  const { reads } = run.decoding;
  if (!reads || reads.at.length === 0) return null;
  const read = new Set(Array.from(reads.at, (at, i) => `${reads.array[i]}/${at}`));
  const last = reads.at.length - 1;
  const isPadded = paddingOf(run);
  for (const [array, { elements }] of run.encoding.arrays.entries()) {
    for (let at = 0; at < elements.length; at++) {
      if (read.has(`${array}/${at}`) || isPadded(array, at)) continue;
      const lastRead = elementText(run, [reads.array[last], reads.at[last]]);
      const name = elementText(run, [array, at]);
      return pointAt(run, [array, at], `${name} is never read; last ${lastRead}.`);
    }
  }
  return null;
}

function pointAt(
  { encoding: { stores } }: Run,
  [array, at]: readonly [number, number],
  sentence: string,
): Problem | null {
  for (let i = (stores?.at.length ?? 0) - 1; i >= 0; i--) {
    if (stores && stores.array[i] === array && stores.at[i] === at) return { sentence, line: stores.line[i] };
  }
  return null;
}

function paddingOf({ encoding: { stores } }: Run): (array: number, at: number) => boolean {
  const pads = new Set<string>();
  for (let i = 0; i < (stores?.at.length ?? 0); i++) {
    if (stores && stores.isPadding[i] === 1) pads.add(`${stores.array[i]}/${stores.at[i]}`);
  }
  return (array, at) => pads.has(`${array}/${at}`);
}

function classOf({ encoding }: Run, array: number): string {
  return encoding.arrays[array].array.byteClass;
}

function elementText({ encoding }: Run, [array, at]: readonly [number, number]): string {
  const { array: own, elements } = encoding.arrays[array];
  const value = own.type.kind === 'float' ? shortestF32(elements[at]) : String(elements[at]);
  return `${own.name}[${at}] = ${value}`;
}

function cellsOf({ rows, indptr, indices, data }: CsrMatrix): ReadonlyMap<string, number> {
  const cells = new Map<string, number>();
  for (let r = 0; r < rows; r++) {
    for (let i = indptr[r]; i < indptr[r + 1]; i++) cells.set(`${r},${indices[i]}`, data[i]);
  }
  return cells;
}
