import type { Matrix } from '../../../core/matrix/index.ts';
import {
  arraysOf,
  type Decoding,
  declaredOf,
  decodingOf,
  type Description,
  descriptionOf,
  type Encoding,
  encodingOf,
  type Outcome,
  type OwnArray,
} from './parse-answers.ts';
import { matrixOfPuts } from '../../../core/declared/matrix-of-puts.ts';
import { firstDifference, roundedMatrix, sentMatrix, valueTypeOf } from './decoded-matrix.ts';
import type { OwnParams, Recording, Request } from './module-messages.ts';

/**
 * Sends requests to an evaluated module of a person's format, and returns its answers unchecked. Rejects with EndedError if
 * the module had to be terminated.
 */
export interface Runner {
  ask(request: Request): Promise<unknown>;
}

/** Two evaluations of one module: the second never sees a matrix before it has decoded it. */
export interface Runners {
  readonly encoder: Runner;
  readonly decoder: Runner;
}

/** A module with chosen parameters, and the arrays that it declares for them. */
export interface ModuleSetup {
  readonly description: Description;
  readonly params: OwnParams;
  readonly arrays: readonly OwnArray[];
}

/** Requests a module's description of itself. Throws OwnFormatError. */
export async function requestDescription({ encoder }: Runners): Promise<Outcome<Description>> {
  return descriptionOf(await encoder.ask({ ask: 'describe' }));
}

/** Asks a module which arrays it has with these parameters. Throws OwnFormatError. */
export async function requestSetup(
  { encoder }: Runners,
  description: Description,
  params: OwnParams,
): Promise<Outcome<ModuleSetup>> {
  const outcome = arraysOf(await encoder.ask({ ask: 'arrays', params }));
  return outcome.kind === 'done' ? { kind: 'done', result: { description, params, arrays: outcome.result } } : outcome;
}

/** Encodes a matrix in the module's arrays, with a recording on request. Throws OwnFormatError. */
export async function requestEncoding(
  runner: Runner,
  { params, arrays }: ModuleSetup,
  matrix: Matrix,
  recorded: Recording,
): Promise<Outcome<Encoding>> {
  const request: Request = { ask: 'encode', matrix: sentMatrix(matrix), params, arrays: declaredOf(arrays), recorded };
  return encodingOf(await runner.ask(request), arrays, matrix);
}

/** Decodes an encoding. `recorded`: with the reads of decode. Throws OwnFormatError. */
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
  return decodingOf(
    await runner.ask(request),
    { rows, cols },
    arrays.map(({ elements }) => elements.length),
  );
}

/** The first cell that decode returned wrongly, with the matrix in the value type of the arrays; null if there is none. */
export function decodingDifference(
  matrix: Matrix,
  { arrays }: ModuleSetup,
  { puts }: Decoding,
): ReturnType<typeof firstDifference> {
  return firstDifference(roundedMatrix(matrix, valueTypeOf(arrays)), matrixOfPuts(puts, matrix).matrix);
}

/** A matrix that was encoded and decoded again. */
export interface RoundTrip {
  readonly chosen: ModuleSetup;
  readonly encoding: Encoding;
  readonly decoding: Decoding;
}

/** Encodes a matrix, and decodes it in another evaluation of the module. `recorded`: as a story needs it, for windows. Throws OwnFormatError. */
export async function encodeAndDecode(
  { encoder, decoder }: Runners,
  chosen: ModuleSetup,
  matrix: Matrix,
  recorded: boolean,
): Promise<Outcome<RoundTrip>> {
  const encoding = await requestEncoding(encoder, chosen, matrix, recorded ? 'lines' : 'nothing');
  if (encoding.kind !== 'done') return encoding;
  const decoding = await requestDecoding(decoder, chosen, encoding.result, matrix, recorded);
  if (decoding.kind !== 'done') return decoding;
  return { kind: 'done', result: { chosen, encoding: encoding.result, decoding: decoding.result } };
}
