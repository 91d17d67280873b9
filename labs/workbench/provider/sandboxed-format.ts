// A custom format as other pages use it, whose module runs in a sandbox.

import { type AnyListedFormat, paramsKey } from '../../../src/core/format.ts';
import type { AbortsWork } from '../../../src/core/sandboxed-format.ts';
import { SparseScopeError } from '../../../src/core/errors.ts';
import { messageOf } from '../../../src/core/error-messages.ts';
import { type CsrArrays, CsrMatrix, type Matrix } from '../../../src/core/matrix/index.ts';
import { deflatedText } from '../library/deflated-text.ts';
import type { UserParams } from '../own/module-messages.ts';
import type { RoundTrip } from '../own/module-requests.ts';
import { userFormat } from '../own/user-format.ts';
import type { UserFormatRegistration, UserFormatResult } from '../own/user-formats.ts';
import { type Outcome, paramsOf } from '../own/parse-answers.ts';
import type { SandboxOptions } from '../own/sandbox/sandbox-worker.ts';
import { type ModuleEvaluation, OpenedFormat, UserFormatSession } from '../own/user-format-session.ts';
import { reasonOf } from '../own/user-format-source.ts';

/** Time limit for a whole matrix, in milliseconds: long, since the user can cancel. */
const WHOLE_MATRIX_MS = 60_000;

/** Evaluates the JavaScript text of a module in the sandbox of the page. */
export type Evaluate = (text: string, options?: SandboxOptions) => ModuleEvaluation;

/** Why a module has no result. */
type NoResult = Exclude<Outcome<never>, { readonly kind: 'done' }>;

const failed = (error: unknown): NoResult => ({ kind: 'failed', message: messageOf(error), line: 0 });

/**
 * Makes a format from the text of a user's module: runs the module in the sandbox for its description, and
 * later for windows (submatrices, which stories show) and whole matrices. `why`: the reason if the module cannot run.
 */
export async function sandboxedFormat(
  name: string,
  text: string,
  evaluate: Evaluate,
): Promise<{ readonly format: AnyListedFormat } | { readonly why: string }> {
  const module = new RestartableModule(name, text, evaluate);
  const opened = await module.opened().catch(failed);
  if (!(opened instanceof OpenedFormat)) return { why: reasonOf(opened) };
  const { description } = opened;
  const link = await deflatedText(text);
  const windowResults = new WeakMap<Matrix, Map<string, Outcome<RoundTrip>>>();
  const keyOf = (requested: Readonly<Record<string, unknown>>): string =>
    paramsKey(paramsOf(description, requested as UserParams));
  const encodeInNewSandbox = async (
    cells: CsrArrays,
    requested: Readonly<Record<string, unknown>>,
    signal?: AbortsWork,
  ): Promise<UserFormatResult> => {
    const params = paramsOf(description, requested as UserParams);
    const source = { name, text, evaluate };
    return { params, outcome: await resultInNewSandbox(source, new CsrMatrix(cells), params, signal) };
  };
  const format = userFormat({
    name,
    text,
    description,
    resultOf: (matrix, params) =>
      windowResults.get(matrix)?.get(keyOf(params)) ?? failed(new SparseScopeError(`${description.title} has not run`)),
  });
  return {
    format: {
      ...format,
      sandboxed: {
        link,
        hasResult: (window, params) => windowResults.get(window)?.has(keyOf(params)) ?? false,
        async encodeWindow(window, params) {
          const outcome = await module.roundTrip(window, params as UserParams, true);
          const byParams = windowResults.get(window) ?? new Map<string, Outcome<RoundTrip>>();
          windowResults.set(window, byParams.set(keyOf(params), outcome));
        },
        encode: encodeInNewSandbox,
        async registerWith(engine, requested, signal) {
          let result: UserFormatRegistration['matrix'] = null;
          const options = signal ? { signal } : {};
          if (requested) {
            const { generation, ...cells } = await engine.cells(options);
            result = { generation, ...(await encodeInNewSandbox(cells, requested, signal)) };
          }
          const registration: UserFormatRegistration = { name, text, description, matrix: result };
          await engine.registerFormat(options, registration);
        },
      },
    },
  };
}

/** A module that is evaluated again if it is used after its sandbox was terminated. */
class RestartableModule {
  readonly #name: string;
  readonly #text: string;
  readonly #evaluate: Evaluate;
  readonly #options: SandboxOptions;
  #open: Promise<OpenedFormat | NoResult> | null = null;

  constructor(name: string, text: string, evaluate: Evaluate, options: SandboxOptions = {}) {
    this.#name = name;
    this.#text = text;
    this.#evaluate = evaluate;
    this.#options = options;
  }

  /** The described module, or why it has no description. Rejects if it was terminated. */
  opened(): Promise<OpenedFormat | NoResult> {
    this.#open ??= this.#begin();
    return this.#open;
  }

  /** Encodes and decodes a matrix; `recordsSteps`: the result has the steps of the encoder. Never rejects. */
  async roundTrip(matrix: Matrix, params: UserParams, recordsSteps: boolean): Promise<Outcome<RoundTrip>> {
    try {
      const opened = await this.opened();
      return opened instanceof OpenedFormat ? await opened.roundTrip(matrix, params, recordsSteps) : opened;
    } catch (error) {
      this.#open = null;
      return failed(error);
    }
  }

  async #begin(): Promise<OpenedFormat | NoResult> {
    const session = new UserFormatSession((text) => this.#evaluate(text, this.#options));
    const outcome = await session.open(this.#name, this.#text);
    if (outcome === null) return failed(new SparseScopeError('another text was opened'));
    return outcome.kind === 'done' ? outcome.result : outcome;
  }
}

/** A module's text and how to evaluate it. */
interface ModuleSource {
  readonly name: string;
  readonly text: string;
  readonly evaluate: Evaluate;
}

/** A module's result for a whole matrix, in a separate evaluation that ends with the answer or with `signal`. */
async function resultInNewSandbox(
  { name, text, evaluate }: ModuleSource,
  matrix: Matrix,
  params: UserParams,
  signal: AbortsWork | undefined,
): Promise<Outcome<RoundTrip>> {
  const running: ModuleEvaluation[] = [];
  const module = new RestartableModule(
    name,
    text,
    (moduleText, options) => {
      const evaluated = evaluate(moduleText, options);
      running.push(evaluated);
      return evaluated;
    },
    { limitMs: WHOLE_MATRIX_MS },
  );
  const end = (): void => {
    for (const evaluated of running) evaluated.end();
  };
  signal?.addEventListener('abort', end);
  try {
    const outcome = await module.roundTrip(matrix, params, false);
    if (signal?.aborted) throw Object.assign(new Error('cancelled'), { name: 'CancelledError' });
    return outcome;
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}
