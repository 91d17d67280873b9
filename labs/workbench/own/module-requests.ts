// Requests to the module of a custom format, from its description to encoding and decoding.

import type { Matrix } from '../../../src/core/matrix/index.ts';
import {
  parseArrays,
  type Decoding,
  arrayDeclarations,
  parseDecoding,
  type ModuleDescription,
  parseDescription,
  type Encoding,
  parseEncoding,
  type Outcome,
  type UserArray,
} from './parse-answers.ts';
import { matrixOfPuts } from '../../../src/core/declared/matrix-of-puts.ts';
import { firstDifference, roundedMatrix, matrixMessage, valueTypeOf } from './decoded-matrix.ts';
import type { UserParams, Recording, Request } from './module-messages.ts';

/**
 * Sends requests to an evaluated module of a custom format, and returns its answers unchecked. Rejects with
 * EndedError if the module had to be terminated.
 */
export interface Runner {
  ask(request: Request): Promise<unknown>;
}

/** Two evaluations of one module: `decoder` never receives the matrix that it decodes, only the encoded arrays. */
export interface Runners {
  readonly encoder: Runner;
  readonly decoder: Runner;
}

/** A module with chosen parameters, and the arrays that it declares for them. */
export interface ModuleSetup {
  readonly description: ModuleDescription;
  readonly params: UserParams;
  readonly arrays: readonly UserArray[];
}

/** Requests a module's description of itself. Throws UserFormatError. */
export async function requestDescription({ encoder }: Runners): Promise<Outcome<ModuleDescription>> {
  return parseDescription(await encoder.ask({ ask: 'describe' }));
}

/** Asks a module which arrays it declares for these parameters. Throws UserFormatError. */
export async function requestSetup(
  { encoder }: Runners,
  description: ModuleDescription,
  params: UserParams,
): Promise<Outcome<ModuleSetup>> {
  const outcome = parseArrays(await encoder.ask({ ask: 'arrays', params }));
  return outcome.kind === 'done' ? { kind: 'done', result: { description, params, arrays: outcome.result } } : outcome;
}

/** Encodes a matrix. `recorded`: nothing, steps, or steps with their lines in the module. Throws UserFormatError. */
export async function requestEncoding(
  runner: Runner,
  { params, arrays }: ModuleSetup,
  matrix: Matrix,
  recorded: Recording,
): Promise<Outcome<Encoding>> {
  const declared = arrayDeclarations(arrays);
  const request: Request = { ask: 'encode', matrix: matrixMessage(matrix), params, arrays: declared, recorded };
  return parseEncoding(await runner.ask(request), arrays, matrix);
}

/** Decodes an encoding. `recorded`: whether the answer lists what decode read. Throws UserFormatError. */
export async function requestDecoding(
  runner: Runner,
  { params }: ModuleSetup,
  { arrays }: Pick<Encoding, 'arrays'>,
  { rows, cols }: { readonly rows: number; readonly cols: number },
  recorded = false,
): Promise<Outcome<Decoding>> {
  const request: Request = {
    ask: 'decode',
    rows,
    cols,
    params,
    // Copies, since their memory is transferred.
    arrays: arrays.map(({ array, elements }) => [array.name, elements.slice()]),
    recorded,
  };
  return parseDecoding(
    await runner.ask(request),
    { rows, cols },
    arrays.map(({ elements }) => elements.length),
  );
}

/** The first cell that decode returned wrongly, after rounding to the value type; null if there is none. */
export function decodingDifference(
  matrix: Matrix,
  { arrays }: ModuleSetup,
  { puts }: Decoding,
): ReturnType<typeof firstDifference> {
  return firstDifference(roundedMatrix(matrix, valueTypeOf(arrays)), matrixOfPuts(puts, matrix).matrix);
}

/** The results of encoding a matrix and decoding it again. */
export interface RoundTrip {
  readonly setup: ModuleSetup;
  readonly encoding: Encoding;
  readonly decoding: Decoding;
}

/** Encodes and decodes a matrix in two evaluations. `recorded`: lines and reads for a story. Throws UserFormatError. */
export async function encodeAndDecode(
  { encoder, decoder }: Runners,
  setup: ModuleSetup,
  matrix: Matrix,
  recorded: boolean,
): Promise<Outcome<RoundTrip>> {
  const encoding = await requestEncoding(encoder, setup, matrix, recorded ? 'lines' : 'nothing');
  if (encoding.kind !== 'done') return encoding;
  const decoding = await requestDecoding(decoder, setup, encoding.result, matrix, recorded);
  if (decoding.kind !== 'done') return decoding;
  return { kind: 'done', result: { setup, encoding: encoding.result, decoding: decoding.result } };
}
