// Tests the laws of a custom format on many matrices, and shrinks a matrix that breaks a law.

import type { CsrMatrix } from '../../../src/core/matrix/index.ts';
import { shortestF32 } from '../../../src/core/number/index.ts';
import type { Decoding, Encoding, Outcome } from './parse-answers.ts';
import {
  type ModuleSetup,
  requestDecoding,
  requestEncoding,
  decodingDifference,
  type Runners,
} from './module-requests.ts';
import { testElementLaw } from './element-law.ts';
import { type LawCase, LAW_CASES } from './law-cases.ts';
import { type BrokenLaw, inGroups, type LawState, MAX_CONCURRENT, Tally } from './law-tally.ts';
import { matrixOfPuts } from '../../../src/core/declared/matrix-of-puts.ts';
import { type LawId, LAWS } from './law-titles.ts';
import { shrinkMatrix } from './shrink.ts';

/** The state of all laws. */
export interface LawReport {
  readonly laws: readonly LawState[];
  readonly matrices: number;
  /** matrices that the module does not support, on which laws are neither passed nor broken */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

/** Options of `testLaws`. */
export interface LawOptions {
  readonly cases?: readonly LawCase[];
  /** Called whenever there are more results. */
  readonly onReport?: (report: LawReport) => void;
  /** clock in milliseconds, which limits shrinking */
  readonly now: () => number;
  /** maximum milliseconds for shrinking a matrix; default 100 */
  readonly shrinkMs?: number;
}

/** Non-zeros above which an encoding is not recorded, and its steps are not tested. */
const RECORDED_NON_ZEROS = 2000;
/** A matrix with its first encoding. */
interface TestedMatrix {
  readonly name: string;
  readonly matrix: CsrMatrix;
  readonly outcome: Outcome<Encoding>;
}

/**
 * Tests all laws of a module, on each matrix. The law that encoding again gives the same bytes comes last, after
 * everything has been decoded. Throws UserFormatError for an invalid answer of the module, and rejects as `runners` do,
 * the two evaluated copies of the module that answer requests.
 */
export async function testLaws(runners: Runners, setup: ModuleSetup, options: LawOptions): Promise<LawReport> {
  const cases = options.cases ?? LAW_CASES;
  const tallies = new Map<LawId, Tally>(LAWS.map(({ id }) => [id, new Tally()]));
  const refused: { name: string; reason: string }[] = [];
  const report = (): LawReport => ({
    laws: LAWS.map(({ id, title }) => {
      const { passed, tried, broken } = tallyOf(tallies, id);
      return { id, title, passed, tried, broken };
    }),
    matrices: cases.length,
    refused: [...refused],
  });
  const recordSmallest = async (name: string, matrix: CsrMatrix, broken: BrokenLaw): Promise<void> => {
    const tally = tallyOf(tallies, broken.law);
    if (tally.broken) return;
    const { best, tries, why } = await shrinkMatrix(
      { matrix, broken, now: options.now, limitMs: options.shrinkMs ?? 100 },
      (m) => brokenLawOn(runners, setup, m, broken.law),
    );
    tally.broken = { ...why, name, matrix: best, shrinkTries: tries };
  };

  // All laws that need a matrix encoded and decoded once.
  const tried: TestedMatrix[] = [];
  const matrices = cases.map(({ name, make }) => ({ name, matrix: make() }));
  for (const group of inGroups(matrices, MAX_CONCURRENT, sizeOf)) {
    // The requests of a group are sent together, in one message to a sandbox.
    const results = await Promise.all(group.map(({ matrix }) => checkCase(runners, setup, matrix)));
    for (const [i, { outcome, broken, laws }] of results.entries()) {
      const { name, matrix } = group[i];
      tried.push({ name, matrix, outcome });
      if (outcome.kind === 'refused') {
        refused.push({ name, reason: outcome.reason });
        continue;
      }
      countResults(tallies, laws, broken);
      for (const brokenLaw of broken) await recordSmallest(name, matrix, brokenLaw);
    }
    options.onReport?.(report());
  }

  // The law that every element matters.
  await testElementLaw(runners, setup, tallyOf(tallies, 'matters'));
  options.onReport?.(report());

  // The law that encoding again gives the same bytes.
  for (const group of inGroups(tried, MAX_CONCURRENT, sizeOf)) {
    const results = await Promise.all(group.map((tested) => repeatDifference(runners, setup, tested)));
    for (const [i, why] of results.entries()) {
      if (why === 'unknown') continue;
      const broken: readonly BrokenLaw[] = why === null ? [] : [{ law: 'same-bytes', why, line: 0 }];
      countResults(tallies, ['same-bytes'], broken);
      for (const brokenLaw of broken) await recordSmallest(group[i].name, group[i].matrix, brokenLaw);
    }
    options.onReport?.(report());
  }
  options.onReport?.(report());
  return report();
}

function tallyOf(tallies: ReadonlyMap<LawId, Tally>, law: LawId): Tally {
  return tallies.get(law) ?? new Tally();
}

function countResults(tallies: ReadonlyMap<LawId, Tally>, laws: readonly LawId[], broken: readonly BrokenLaw[]): void {
  for (const law of laws) {
    const tally = tallyOf(tallies, law);
    tally.tried++;
    if (!broken.some((brokenLaw) => brokenLaw.law === law)) tally.passed++;
  }
}

/** The rows and non-zeros of a matrix, which are copied and compared. */
function sizeOf({ matrix: { rows, nnz } }: { readonly matrix: CsrMatrix }): number {
  return rows + nnz;
}

/** The law that is broken if a call of encode or decode throws. */
function failed(call: 'encode' | 'decode', { message, line }: Outcome<never> & { readonly kind: 'failed' }): BrokenLaw {
  return { law: 'round-trip', why: `${call} ended with ${message}${line > 0 ? ` in line ${line}` : ''}.`, line };
}

/** The result for one matrix: its encoding, the tested laws, and the broken ones. */
interface CaseResult {
  readonly outcome: Outcome<Encoding>;
  readonly laws: readonly LawId[];
  readonly broken: readonly BrokenLaw[];
}

/** Tests the laws for which a matrix is encoded and decoded once: all but 'same-bytes' and 'matters'. */
async function checkCase(runners: Runners, setup: ModuleSetup, matrix: CsrMatrix): Promise<CaseResult> {
  const recorded = matrix.nnz <= RECORDED_NON_ZEROS && matrix.rows * matrix.cols <= 2 ** 18;
  const outcome = await requestEncoding(runners.encoder, setup, matrix, recorded ? 'steps' : 'nothing');
  if (outcome.kind === 'refused') return { outcome, laws: [], broken: [] };
  if (outcome.kind === 'failed') return { outcome, laws: ['round-trip'], broken: [failed('encode', outcome)] };
  const broken: BrokenLaw[] = [];
  const laws: LawId[] = ['round-trip', 'cells-once', 'arrays-suffice'];
  const decoded = await requestDecoding(runners.decoder, setup, outcome.result, matrix);
  if (decoded.kind === 'done') {
    const outside = outsideOrTwice(decoded.result, matrix);
    if (outside !== null) broken.push({ law: 'cells-once', why: outside, line: 0 });
  }
  const wrong = wrongDecoding(setup, matrix, decoded);
  if (wrong) {
    // If the evaluation that encoded the matrix can decode it, decode uses something besides the arrays.
    const byEncoder = await requestDecoding(runners.encoder, setup, outcome.result, matrix);
    broken.push(
      wrongDecoding(setup, matrix, byEncoder) === null
        ? { law: 'arrays-suffice', why: `Without having encoded it: ${wrong.why}`, line: wrong.line }
        : wrong,
    );
  }
  const { narrated } = outcome.result;
  if (narrated !== null && narrated.some(({ column }) => column !== null)) {
    laws.push('told');
    const why = unnarratedCell(outcome.result, matrix);
    if (why !== null) broken.push({ law: 'told', why, line: 0 });
  }
  return { outcome, laws, broken };
}

/** The law that is broken if the decoding is not the matrix. */
function wrongDecoding(setup: ModuleSetup, matrix: CsrMatrix, decoded: Outcome<Decoding>): BrokenLaw | null {
  if (decoded.kind === 'failed') return failed('decode', decoded);
  if (decoded.kind === 'refused')
    return { law: 'round-trip', why: `decode rejected the arrays: ${decoded.reason}.`, line: 0 };
  const difference = decodingDifference(matrix, setup, decoded.result);
  if (!difference) return null;
  const { row, col, expected, actual } = difference;
  const why = `Row ${row}, column ${col} came back as ${shortestF32(actual)}, expected ${shortestF32(expected)}.`;
  return { law: 'round-trip', why, line: 0 };
}

/** The first call of `put` outside the matrix, or for a cell that had been put, as a message; null if none. */
function outsideOrTwice({ puts, outside }: Decoding, matrix: CsrMatrix): string | null {
  if (outside !== null) {
    return `decode called ${outside}, expected a row below ${matrix.rows}, a column below ${matrix.cols} and a number.`;
  }
  const { repeated } = matrixOfPuts(puts, matrix);
  return repeated === null ? null : `decode put row ${repeated.row}, column ${repeated.col} twice.`;
}

/** The message for a cell that encode names wrongly by `tell`: a non-zero never or twice, or a 0; null if none. */
function unnarratedCell({ narrated }: Encoding, matrix: CsrMatrix): string | null {
  const narratedCounts = new Map<number, number>();
  for (const { rows, column } of narrated ?? []) {
    if (column === null || rows.length !== 1) continue;
    const cell = rows[0] * matrix.cols + column;
    narratedCounts.set(cell, (narratedCounts.get(cell) ?? 0) + 1);
  }
  for (let row = 0; row < matrix.rows; row++) {
    for (let i = matrix.indptr[row]; i < matrix.indptr[row + 1]; i++) {
      const cell = row * matrix.cols + matrix.indices[i];
      const count = narratedCounts.get(cell) ?? 0;
      if (count !== 1)
        return `tell ${count === 0 ? 'never named' : `named ${count} times`} row ${row}, column ${matrix.indices[i]}.`;
      narratedCounts.delete(cell);
    }
  }
  const [zeroCell] = narratedCounts.keys();
  if (zeroCell === undefined) return null;
  return `tell named row ${Math.floor(zeroCell / matrix.cols)}, column ${zeroCell % matrix.cols}, which contains 0.`;
}

/** How a second encoding differs from the first, as a message; null if they are equal, 'unknown' without a first. */
async function repeatDifference(
  runners: Runners,
  setup: ModuleSetup,
  { matrix, outcome }: TestedMatrix,
): Promise<string | null> {
  if (outcome.kind === 'failed') return 'unknown';
  const repeated = await Promise.all([
    requestEncoding(runners.encoder, setup, matrix, 'nothing'),
    requestEncoding(runners.decoder, setup, matrix, 'nothing'),
  ]);
  for (const [i, repetition] of repeated.entries()) {
    const condition = i === 0 ? 'Encoded a second time' : 'Encoded by a fresh copy';
    if (repetition.kind !== outcome.kind)
      return `${condition}, the matrix was ${repetition.kind}; the first time it was ${outcome.kind}.`;
    if (repetition.kind !== 'done' || outcome.kind !== 'done') continue;
    for (const [k, { array, elements }] of outcome.result.arrays.entries()) {
      const repeatedElements = repetition.result.arrays[k].elements;
      if (repeatedElements.length !== elements.length) {
        return `${condition}, ${array.name} had ${repeatedElements.length} elements; the first time ${elements.length}.`;
      }
      for (let index = 0; index < elements.length; index++) {
        if (!isSame(repeatedElements[index], elements[index])) {
          return `${condition}, ${array.name}[${index}] was ${repeatedElements[index]}; the first time ${elements[index]}.`;
        }
      }
    }
  }
  return outcome.kind === 'refused' ? 'unknown' : null;
}

/** Returns Object.is(a, b); faster, since nearly all numbers need a single comparison. */
function isSame(a: number, b: number): boolean {
  return a === b ? a !== 0 || Object.is(a, b) : Number.isNaN(a) && Number.isNaN(b);
}

/** How a matrix breaks this law; null if it does not. Called for each smaller matrix that shrinking tries. */
async function brokenLawOn(
  runners: Runners,
  setup: ModuleSetup,
  matrix: CsrMatrix,
  law: LawId,
): Promise<BrokenLaw | null> {
  if (law === 'same-bytes') {
    const outcome = await requestEncoding(runners.encoder, setup, matrix, 'nothing');
    const why = await repeatDifference(runners, setup, { name: '', matrix, outcome });
    return why === null || why === 'unknown' ? null : { law, why, line: 0 };
  }
  const { broken } = await checkCase(runners, setup, matrix);
  return broken.find((brokenLaw) => brokenLaw.law === law) ?? null;
}
