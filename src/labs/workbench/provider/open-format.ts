import { type AbortsWork, type AnyListedFormat, defaultParams, paramsKey } from '../../../core/format.ts';
import type { matrix } from '../../../engine/matrix-service.ts';
import type { FormatParams } from '../../../state/index.ts';
import type { App } from '../../../kit/app-context.ts';
import { cssName } from '../../../kit/format-color.ts';
import { ownId, reasonOf } from '../own/user-format-source.ts';
import { formatLibrary } from './format-library.ts';
import { pageSandbox } from './page-sandbox.ts';
import { type CsrArrays, CsrMatrix, type Matrix } from '../../../core/matrix/index.ts';
import { messageOf } from '../../../core/errors.ts';
import type { UserFormatResult, UserFormatUpdate } from '../own/own-formats.ts';
import { type Description, type Outcome, paramsOf } from '../own/parse-answers.ts';
import type { RoundTrip } from '../own/module-requests.ts';
import { ownFormat } from '../own/own-format.ts';
import type { OwnParams } from '../own/module-messages.ts';
import type { SandboxOptions } from '../own/sandbox/sandbox.ts';
import { type Evaluated, type OpenedFormat, UserFormatSession } from '../own/user-format-session.ts';
import { deflatedText } from '../library/deflated-text.ts';

/** Milliseconds for an answer about a whole matrix, which a person can see and cancel. */
const WHOLE_MS = 60_000;

/** Evaluates texts of modules: the sandbox of the page. */
export type Evaluate = (text: string, options?: SandboxOptions) => Evaluated;

/** Why there is no result. */
type NotEncoded = Exclude<Outcome<never>, { readonly kind: 'done' }>;

const failed = (error: unknown): NotEncoded => ({ kind: 'failed', message: messageOf(error), line: 0 });

/**
 * A text as a format of the page: runs it for its description, and later for windows and whole matrices. Null with a sentence
 * if it cannot be run.
 */
export async function sandboxedFormat(
  name: string,
  text: string,
  evaluate: Evaluate,
): Promise<{ readonly format: AnyListedFormat } | { readonly why: string }> {
  const windows = new Asking(name, text, evaluate);
  const first = await windows.opened().catch(failed);
  if ('kind' in first) return { why: reasonOf(first) };
  const { description } = first;
  const link = await deflatedText(text);
  const runs = new WeakMap<Matrix, Map<string, Outcome<RoundTrip>>>();
  const keyOf = (given: Readonly<Record<string, unknown>>): string =>
    paramsKey(paramsOf(description, given as OwnParams));
  const answer = async (
    cells: CsrArrays,
    given: Readonly<Record<string, unknown>>,
    signal?: AbortsWork,
  ): Promise<UserFormatResult> => {
    const params = paramsOf(description, given as OwnParams);
    const module = { name, text, evaluate, description };
    return { params, outcome: await encodedOnce(module, new CsrMatrix(cells), params, signal) };
  };
  const format = ownFormat({
    name,
    text,
    description,
    runOf: (matrix, params) =>
      runs.get(matrix)?.get(keyOf(params)) ?? failed(new Error(`${description.title} has not been asked`)),
  });
  return {
    format: {
      ...format,
      sandboxed: {
        link,
        hasResult: (window, params) => runs.get(window)?.has(keyOf(params)) ?? false,
        async encodeWindow(window, params) {
          const outcome = await windows.ask(window, params as OwnParams, true);
          const known = runs.get(window) ?? new Map<string, Outcome<RoundTrip>>();
          runs.set(window, known.set(keyOf(params), outcome));
        },
        encode: answer,
        async sendTo(engine, given, signal) {
          let of: UserFormatUpdate['matrix'] = null;
          const watch = signal ? { signal } : {};
          if (given) {
            const { generation, ...cells } = await engine.cells(watch);
            of = { generation, ...(await answer(cells, given, signal)) };
          }
          const update: UserFormatUpdate = { name, text, description, matrix: of };
          await engine.registerFormat(watch, update);
        },
      },
    },
  };
}

/** A module that is evaluated again after it was terminated. */
class Asking {
  readonly #name: string;
  readonly #text: string;
  readonly #evaluate: Evaluate;
  readonly #options: SandboxOptions;
  #open: Promise<OpenedFormat | NotEncoded> | null = null;

  constructor(name: string, text: string, evaluate: Evaluate, options: SandboxOptions = {}) {
    this.#name = name;
    this.#text = text;
    this.#evaluate = evaluate;
    this.#options = options;
  }

  /** The described module, or why it has no description. Rejects if it was terminated. */
  opened(): Promise<OpenedFormat | NotEncoded> {
    this.#open ??= this.#begin();
    return this.#open;
  }

  /** Its result for a matrix; never rejects. */
  async ask(matrix: Matrix, params: OwnParams, recorded: boolean): Promise<Outcome<RoundTrip>> {
    try {
      const opened = await this.opened();
      return 'kind' in opened ? opened : await opened.ask(matrix, params, recorded);
    } catch (error) {
      this.#open = null;
      return failed(error);
    }
  }

  async #begin(): Promise<OpenedFormat | NotEncoded> {
    const session = new UserFormatSession((text) => this.#evaluate(text, this.#options));
    const outcome = await session.open(this.#name, this.#text);
    if (outcome === null) return failed(new Error('another text was opened'));
    return outcome.kind === 'done' ? outcome.result : outcome;
  }
}

interface Module {
  readonly name: string;
  readonly text: string;
  readonly evaluate: Evaluate;
  readonly description: Description;
}

/** A module's result for a large matrix, in an evaluation of its own that ends with the answer or with `signal`. */
async function encodedOnce(
  { name, text, evaluate }: Module,
  matrix: Matrix,
  params: OwnParams,
  signal: AbortsWork | undefined,
): Promise<Outcome<RoundTrip>> {
  const running: Evaluated[] = [];
  const once = new Asking(
    name,
    text,
    (module, options) => {
      const evaluated = evaluate(module, options);
      running.push(evaluated);
      return evaluated;
    },
    { limitMs: WHOLE_MS },
  );
  const end = (): void => {
    for (const evaluated of running) evaluated.end();
  };
  signal?.addEventListener('abort', end);
  try {
    const outcome = await once.ask(matrix, params, false);
    if (signal?.aborted) throw Object.assign(new Error('cancelled'), { name: 'CancelledError' });
    return outcome;
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}

export type Stores = Pick<App, 'session' | 'document' | 'engine'> & {
  /** the page's list, to which the format is added */
  readonly formats: readonly AnyListedFormat[];
};

/** The texts of the open formats, by name. */
const open = new Map<string, string>();

/** Follows the places: a text that was changed in Code becomes another format when it is used elsewhere. */
let follows = false;

/**
 * Runs a text, and adds it to the formats of the page under its name. Resolves with why that failed, as a sentence; null if it
 * did not.
 */
export async function openFormat(app: Stores, name: string, text: string): Promise<string | null> {
  if (open.get(name) === text) return null;
  const opened = await sandboxedFormat(name, text, (module, options) => pageSandbox().evaluate(module, options));
  if ('why' in opened) return `${name} cannot be run: ${opened.why}.`;
  open.set(name, text);
  await add(app, opened.format);
  follow(app);
  return null;
}

async function add({ session, document, engine, formats }: Stores, format: AnyListedFormat): Promise<void> {
  const { id } = format;
  const all = formats as AnyListedFormat[];
  const at = all.findIndex((one) => one.id === id);
  all.splice(at < 0 ? all.length : at, 1, format);
  await format.sandboxed?.sendTo(engine.service<typeof matrix>('matrix'), null);
  // Black: no further colour differs enough from those of the others.
  const { style } = window.document.documentElement;
  for (const part of ['', '-text']) style.setProperty(`--format-${cssName(id)}${part}`, 'var(--text)');
  const doc = document.getState();
  // The parameters of the previous text may not exist in this one.
  const params = defaultParams<FormatParams>(format.params);
  const isB = doc.against?.format === id;
  document.setState({
    ...doc,
    params: { ...doc.params, [id]: params },
    ...(isB && { against: { format: id, params } }),
  });
  if (isB || doc.format === id) session.rebuildStories();
}

function follow(app: Stores): void {
  if (follows) return;
  follows = true;
  app.document.subscribe(({ view, format, against }, before) => {
    if (view === before.view) return;
    for (const [name, text] of open) {
      const isShown = [format, against?.format].includes(ownId(name));
      const kept = formatLibrary().find(name)?.text;
      if (!isShown || kept === undefined || kept === text || approvedTexts.has(text)) continue;
      void openFormat(app, name, kept).then((why) => {
        if (why !== null) app.session.store.setState({ error: why });
      });
    }
  });
}

/** Texts from a link that a person has agreed to: they stay unchanged, whatever this browser stores under their name. */
export const approvedTexts = new Set<string>();
