// For tests: runs the module of a custom format on the test's own thread, without a sandbox.

import {
  parseArrays,
  parseDecoding,
  arrayDeclarations,
  parseDescription,
  parseEncoding,
  type Outcome,
  paramsOf,
} from '../own/parse-answers.ts';
import { matrixMessage } from '../own/decoded-matrix.ts';
import type { UserParams, Request } from '../own/module-messages.ts';
import { answerTo, failure, type UserFormatModule } from '../own/runtime/answer.ts';
import {
  type ModuleSetup,
  requestDescription,
  requestSetup,
  type Runner,
  type Runners,
} from '../own/module-requests.ts';
import { STARTERS } from '../own/starters.ts';
import type { UserFormatSource } from '../own/user-format-source.ts';

/** The module of one of the starters. */
export function starterText(id: string): string {
  const found = STARTERS.find((starter) => starter.id === id);
  if (!found) throw new RangeError(`starters: found no ${id}, expected one`);
  return found.text;
}

let evaluations = 0;

/** A new address of a module's text, so that every import evaluates it again. */
function addressOf(text: string): string {
  // A different comment makes a different module.
  return `data:text/javascript,${encodeURIComponent(`${text}\n// ${evaluations++}`)}`;
}

/** The answer of an evaluated module. */
function answerOf(module: UserFormatModule, address: string, request: Request): unknown {
  // Vitest maps every line of a stack back to its source, which is a hundred times slower than encoding.
  const { prepareStackTrace } = Error;
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  try {
    return answerTo(module, address, request);
  } finally {
    if (prepareStackTrace) Error.prepareStackTrace = prepareStackTrace;
  }
}

/** Evaluates a module on this thread, for texts that are our own. */
export function localRunner(text: string): Runner {
  const address = addressOf(text);
  const module = (import(/* @vite-ignore */ address) as Promise<UserFormatModule>).catch((error: unknown) =>
    failure(error, address),
  );
  return {
    ask: async (request) => {
      const loaded = await module;
      return 'answer' in loaded ? loaded : answerOf(loaded, address, request);
    },
  };
}

/** Runners on this thread: encode and decode each have their own evaluation of the module. */
export function localRunners(text: string): Runners {
  return { encoder: localRunner(text), decoder: localRunner(text) };
}

/** The description, parameters and arrays of a module, with `params` in place of its defaults. */
export async function setupOf(runners: Runners, params: UserParams = {}): Promise<ModuleSetup> {
  const description = done(await requestDescription(runners));
  return done(await requestSetup(runners, description, paramsOf(description, params)));
}

/** A module on this thread as the source of a format. */
export async function localSource(name: string, text: string): Promise<UserFormatSource> {
  const address = addressOf(text);
  const module = (await import(/* @vite-ignore */ address)) as UserFormatModule;
  const ask = (request: Request): unknown => answerOf(module, address, request);
  const description = done(parseDescription(ask({ ask: 'describe' })));
  return {
    name,
    text,
    description,
    resultOf: (matrix, params, { recorded }) => {
      const arrays = done(parseArrays(ask({ ask: 'arrays', params })));
      const encoded = ask({
        ask: 'encode',
        matrix: matrixMessage(matrix),
        params,
        arrays: arrayDeclarations(arrays),
        recorded: recorded ? 'lines' : 'nothing',
      });
      const encoding = parseEncoding(encoded, arrays, matrix);
      if (encoding.kind !== 'done') return encoding;
      const namedElements = encoding.result.arrays.map(({ array, elements }) => [array.name, elements] as const);
      const { rows, cols } = matrix;
      const decoded = ask({ ask: 'decode', rows, cols, params, arrays: namedElements, recorded });
      const lengths = namedElements.map(([, { length }]) => length);
      const decoding = parseDecoding(decoded, matrix, lengths);
      if (decoding.kind !== 'done') return decoding;
      const setup = { description, params, arrays };
      return { kind: 'done', result: { setup, encoding: encoding.result, decoding: decoding.result } };
    },
  };
}

/** The result of an outcome that must be successful. Throws Error. */
function done<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'done') return outcome.result;
  throw new Error(JSON.stringify(outcome));
}
