// Tests the laws of a custom format on many matrices, and shrinks a matrix that breaks a law.

import type { CsrMatrix } from '../../../src/core/matrix/index.ts';
import { Random } from '../../../src/core/number/random.ts';
import { shortestF32 } from '../../../src/core/number/index.ts';
import type { Decoding, Encoding, Outcome } from './parse-answers.ts';
import {
  type ModuleSetup,
  requestDecoding,
  requestEncoding,
  decodingDifference,
  type Runner,
  type Runners,
} from './module-requests.ts';
import { type LawCase, LAW_CASES, FLIP_CASES } from './law-cases.ts';
import { matrixOfPuts } from '../../../src/core/declared/matrix-of-puts.ts';
import { zeroElements, type ElementType, rangeOf } from '../../../src/core/declared/element-type.ts';
import { type LawId, LAWS } from './law-titles.ts';
import { shrinkMatrix } from './shrink.ts';

/** A law, such as 'decode undoes encode', that a custom format (a module) breaks on a matrix; `why`: a message. */
interface BrokenLaw {
  readonly law: LawId;
  readonly why: string;
  /** the line of the module that is to blame; 0 if unknown */
  readonly line: number;
}

/** The results for a law so far. */
export interface LawState {
  readonly id: LawId;
  readonly title: string;
  /** how many of the tried matrices, or elements, satisfy the law; 0 of 0 if the module reported nothing */
  readonly passed: number;
  readonly tried: number;
  /** the first matrix that breaks the law, shrunk as long as it still does; and how many smaller ones were tried */
  readonly broken:
    | (BrokenLaw & { readonly name: string; readonly matrix: CsrMatrix; readonly shrinkTries: number })
    | null;
}

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
/** Maximum elements of an encoded matrix that are changed, one after another; of more elements, a random sample. */
const MAX_FLIPS = 200;
/** Maximum concurrent requests. */
const MAX_CONCURRENT = 100;
/** Maximum rows plus non-zeros of concurrent requests: the page compares their answers without a pause. */
const GROUP_SIZE = 8000;

/** Counts of one law during the tests. */
class Tally {
  passed = 0;
  tried = 0;
  broken: LawState['broken'] = null;
}

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
  await testFlips(runners, setup, tallyOf(tallies, 'matters'));
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
    if (!broken.some((each) => each.law === law)) tally.passed++;
  }
}

/** Items in order, in groups of at most `max`, and of at most `GROUP_SIZE` unless a single one is larger. */
function inGroups<T>(items: readonly T[], max: number, size: (item: T) => number = () => 0): readonly (readonly T[])[] {
  const groups: T[][] = [];
  let sizeRemaining = 0;
  for (const item of items) {
    const group = groups.at(-1);
    sizeRemaining -= size(item);
    if (group && group.length < max && sizeRemaining >= 0) group.push(item);
    else {
      groups.push([item]);
      sizeRemaining = GROUP_SIZE - size(item);
    }
  }
  return groups;
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
  const [other] = narratedCounts.keys();
  if (other === undefined) return null;
  return `tell named row ${Math.floor(other / matrix.cols)}, column ${other % matrix.cols}, which contains 0.`;
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
  for (const [i, other] of repeated.entries()) {
    const condition = i === 0 ? 'Encoded a second time' : 'Encoded by a fresh copy';
    if (other.kind !== outcome.kind)
      return `${condition}, the matrix was ${other.kind}; the first time it was ${outcome.kind}.`;
    if (other.kind !== 'done' || outcome.kind !== 'done') continue;
    for (const [k, { array, elements }] of outcome.result.arrays.entries()) {
      const repeatedElements = other.result.arrays[k].elements;
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
  return broken.find((each) => each.law === law) ?? null;
}

/** Tests that every element matters: changing an element that is not padding must change the result of decode. */
async function testFlips(runners: Runners, setup: ModuleSetup, tally: Tally): Promise<void> {
  for (const { name, make } of FLIP_CASES) {
    const matrix = make();
    const outcome = await requestEncoding(runners.encoder, setup, matrix, 'steps');
    if (outcome.kind !== 'done') continue;
    const before = await requestDecoding(runners.decoder, setup, outcome.result, matrix);
    if (before.kind !== 'done') continue;
    const { arrays, stores } = outcome.result;
    const paddingKeys = new Set<number>();
    for (let i = 0; i < (stores?.at.length ?? 0); i++) {
      if (stores && stores.isPadding[i] === 1) paddingKeys.add(stores.array[i] * 2 ** 32 + stores.at[i]);
    }
    const elements = arrays.flatMap(({ elements: { length } }, array) =>
      Array.from({ length }, (_, index) => ({ array, at: index })).filter(
        (e) => !paddingKeys.has(e.array * 2 ** 32 + e.at),
      ),
    );
    const random = new Random(1);
    const sample =
      elements.length <= MAX_FLIPS
        ? elements
        : Array.from({ length: MAX_FLIPS }, () => elements[random.below(elements.length)]);
    const original = matrixOfPuts(before.result.puts, matrix).matrix;
    for (const group of inGroups(sample, MAX_CONCURRENT)) {
      const noticed = await Promise.all(
        group.map(({ array, at }) =>
          isFlipNoticed(runners.decoder, setup, outcome.result, matrix, array, at, original),
        ),
      );
      for (const [i, isNoticed] of noticed.entries()) {
        tally.tried++;
        if (isNoticed) {
          tally.passed++;
          continue;
        }
        const { array, at } = group[i];
        const element = `${arrays[array].array.name}[${at}]`;
        const why = `${element} can change unnoticed: call it padding, or leave it out.`;
        if (tally.broken) continue;
        const line = await lineOf(runners.encoder, setup, matrix, array, at);
        tally.broken = { law: 'matters', why, line, name, matrix, shrinkTries: 0 };
      }
    }
  }
}

/** The line of the module that stores an element; 0 if unknown. */
async function lineOf(
  runner: Runner,
  setup: ModuleSetup,
  matrix: CsrMatrix,
  array: number,
  at: number,
): Promise<number> {
  const outcome = await requestEncoding(runner, setup, matrix, 'lines');
  const stores = outcome.kind === 'done' ? outcome.result.stores : null;
  for (let i = (stores?.at.length ?? 0) - 1; i >= 0; i--) {
    if (stores && stores.array[i] === array && stores.at[i] === at) return stores.line[i];
  }
  return 0;
}

/** Whether decode fails, or returns another matrix, once an element has another value. */
async function isFlipNoticed(
  runner: Runner,
  setup: ModuleSetup,
  encoding: Encoding,
  matrix: CsrMatrix,
  array: number,
  at: number,
  original: CsrMatrix,
): Promise<boolean> {
  const { type } = encoding.arrays[array].array;
  for (const other of otherValues(type, encoding.arrays[array].elements[at])) {
    const arrays = encoding.arrays.map((encodedArray, i) => {
      if (i !== array) return encodedArray;
      const elements = zeroElements(type, encodedArray.elements.length);
      elements.set(encodedArray.elements);
      elements[at] = other;
      return { ...encodedArray, elements };
    });
    const decoded = await requestDecoding(runner, setup, { arrays }, matrix);
    if (decoded.kind !== 'done' || decoded.result.outside !== null) return true;
    const { matrix: changed, repeated } = matrixOfPuts(decoded.result.puts, matrix);
    if (repeated !== null || differs(original, changed)) return true;
  }
  return false;
}

function differs(a: CsrMatrix, b: CsrMatrix): boolean {
  return (
    a.data.length !== b.data.length ||
    a.data.some((value, i) => !Object.is(value, b.data[i]) || a.indices[i] !== b.indices[i]) ||
    a.indptr.some((start, r) => start !== b.indptr[r])
  );
}

/** Other values of an element: a neighbour, and a distant value of at most 255, so that no loop up to it is slow. */
function otherValues(type: ElementType, value: number): readonly number[] {
  if (type.kind === 'float') return [value === 1 ? 2 : 1];
  const { min, max } = rangeOf(type);
  const neighbour = value % 2 === 0 ? value + 1 : value - 1;
  const nearest = neighbour > max || neighbour < min ? value - 1 : neighbour;
  return [nearest, value === 0 ? Math.min(max, 255) : 0].filter((other) => other !== value && other >= min);
}
