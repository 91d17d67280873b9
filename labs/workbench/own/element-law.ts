// The law that every stored element matters, tested by changing elements one after another.

import { type ElementType, rangeOf, zeroElements } from '../../../src/core/declared/element-type.ts';
import { matrixOfPuts } from '../../../src/core/declared/matrix-of-puts.ts';
import type { CsrMatrix } from '../../../src/core/matrix/index.ts';
import { Random } from '../../../src/core/number/random.ts';
import { FLIP_CASES } from './law-cases.ts';
import { inGroups, MAX_CONCURRENT, type Tally } from './law-tally.ts';
import { type ModuleSetup, requestDecoding, requestEncoding, type Runner, type Runners } from './module-requests.ts';
import type { Encoding } from './parse-answers.ts';

/** Maximum elements of an encoded matrix that are changed, one after another; of more elements, a random sample. */
const MAX_FLIPS = 200;

/** A stored element: the index of its array, and its index in the array. */
interface ElementPosition {
  readonly array: number;
  readonly index: number;
}

/** Tests that every element matters: changing an element that is not padding must change the result of decode. */
export async function testElementLaw(runners: Runners, setup: ModuleSetup, tally: Tally): Promise<void> {
  for (const { name, make } of FLIP_CASES) {
    const matrix = make();
    const outcome = await requestEncoding(runners.encoder, setup, matrix, 'steps');
    if (outcome.kind !== 'done') continue;
    const before = await requestDecoding(runners.decoder, setup, outcome.result, matrix);
    if (before.kind !== 'done') continue;
    const { arrays } = outcome.result;
    const sample = sampleOf(elementsWithoutPadding(outcome.result));
    const original = matrixOfPuts(before.result.puts, matrix).matrix;
    for (const group of inGroups(sample, MAX_CONCURRENT)) {
      const noticed = await Promise.all(
        group.map((element) => isFlipNoticed(runners.decoder, setup, outcome.result, matrix, element, original)),
      );
      for (const [i, isNoticed] of noticed.entries()) {
        tally.tried++;
        if (isNoticed) {
          tally.passed++;
          continue;
        }
        const { array, index } = group[i];
        const why = `${arrays[array].array.name}[${index}] can change unnoticed: call it padding, or leave it out.`;
        if (tally.broken) continue;
        const line = await lineOf(runners.encoder, setup, matrix, group[i]);
        tally.broken = { law: 'matters', why, line, name, matrix, shrinkTries: 0 };
      }
    }
  }
}

/** All elements of an encoded matrix that encode has not marked as padding. */
function elementsWithoutPadding({ arrays, stores }: Encoding): readonly ElementPosition[] {
  const keyOf = (array: number, index: number): number => array * 2 ** 32 + index;
  const paddingKeys = new Set<number>();
  for (let i = 0; i < (stores?.at.length ?? 0); i++) {
    if (stores && stores.isPadding[i] === 1) paddingKeys.add(keyOf(stores.array[i], stores.at[i]));
  }
  return arrays.flatMap(({ elements: { length } }, array) =>
    Array.from({ length }, (_, index) => ({ array, index })).filter(
      (element) => !paddingKeys.has(keyOf(element.array, element.index)),
    ),
  );
}

/** The elements if there are at most MAX_FLIPS, else this many random ones. */
function sampleOf(elements: readonly ElementPosition[]): readonly ElementPosition[] {
  if (elements.length <= MAX_FLIPS) return elements;
  const random = new Random(1);
  return Array.from({ length: MAX_FLIPS }, () => elements[random.below(elements.length)]);
}

/** The line of the module that stores an element; 0 if unknown. */
async function lineOf(
  runner: Runner,
  setup: ModuleSetup,
  matrix: CsrMatrix,
  { array, index }: ElementPosition,
): Promise<number> {
  const outcome = await requestEncoding(runner, setup, matrix, 'lines');
  const stores = outcome.kind === 'done' ? outcome.result.stores : null;
  for (let i = (stores?.at.length ?? 0) - 1; i >= 0; i--) {
    if (stores && stores.array[i] === array && stores.at[i] === index) return stores.line[i];
  }
  return 0;
}

/** Whether decode fails, or returns another matrix than `original`, once an element has another value. */
async function isFlipNoticed(
  runner: Runner,
  setup: ModuleSetup,
  encoding: Encoding,
  matrix: CsrMatrix,
  { array, index }: ElementPosition,
  original: CsrMatrix,
): Promise<boolean> {
  const { type } = encoding.arrays[array].array;
  for (const otherValue of otherValues(type, encoding.arrays[array].elements[index])) {
    const arrays = encoding.arrays.map((encodedArray, i) => {
      if (i !== array) return encodedArray;
      const elements = zeroElements(type, encodedArray.elements.length);
      elements.set(encodedArray.elements);
      elements[index] = otherValue;
      return { ...encodedArray, elements };
    });
    const decoded = await requestDecoding(runner, setup, { arrays }, matrix);
    if (decoded.kind !== 'done' || decoded.result.outside !== null) return true;
    const { matrix: changed, repeated } = matrixOfPuts(decoded.result.puts, matrix);
    if (repeated !== null || differs(original, changed)) return true;
  }
  return false;
}

/** Whether two matrices of the same size store different cells. */
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
