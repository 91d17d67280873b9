import type { FrameContext, FrameSlider, RecordedMatrix, RecordedTime } from '../../../story/frames.ts';
import { fact, type Stated, stated } from '../../../core/text/stated.ts';
import { threeDigits } from '../../../core/text/words.ts';
import { wholePercent, densitySlider } from '../../../story/flow/verdict.ts';

/* The recorded times of EC-SpMV on large matrices, and the texts about them in the last frame. */

/** Why random rows and rows of a real model gain nothing; undefined if random rows gain or were not timed. */
export function sharingText({ random, plainRandom, rival, dense }: LargeTimes): string | undefined {
  if (!random || random.ns < (rival ?? dense).ns) return undefined;
  const costs =
    'Fewer bytes are read, but a row in several lists has several sums to add. Random rows share too little to pay for that. ';
  return `${plainRandom && plainRandom.ns < random.ns ? costs : ''}Rows of a real model share hardly more than random ones.`;
}

const micros = (time: RecordedTime | null | undefined): string => `${threeDigits((time?.ns ?? 0) / 1000)} \u00b5s`;

/** The headline about the recorded times. */
export function worthText({ planted, random, plainRandom, plainPlanted, rival, dense, keptShare }: LargeTimes): Stated {
  const keptFact = fact('share kept that was timed', keptShare, 'left');
  const limit = (rival ?? dense).ns;
  const than = rival ? '4-bit weights' : 'dense';
  /** whether a format with this time is faster than its rival */
  const pays = (time: RecordedTime | null | undefined): boolean => (time?.ns ?? Infinity) < limit;
  if (pays(planted) && random && !pays(random)) {
    if (!plainRandom || plainRandom.ns >= random.ns)
      return stated`*Not worth it with ${keptFact} kept*, unless rows were made to share columns.`;
    const head = stated`*Random rows with ${keptFact} kept: plain lists are faster.*`;
    // Both times, as their bars print them: a word alone does not say by how much.
    return plainPlanted
      ? stated`${head} Rows made to share columns: EC-SpMV takes ${micros(planted)}, plain lists ${micros(plainPlanted)}.`
      : stated`${head} Rows made to share columns: EC-SpMV is faster than ${than}.`;
  }
  if (pays(random)) return stated`*Faster than ${than} with ${keptFact} kept*, even if rows share columns by chance.`;
  if (pays(planted)) return stated`*Faster than ${than} if rows share columns.* Others were not timed.`;
  return planted
    ? stated`*Not worth it here*: rows that share columns lose to ${than}, too.`
    : stated`*Random rows lose* to ${than} with ${keptFact} kept. Rows that share: not timed.`;
}

/** A short text about the recorded times for the headline of the frame; null if few words would say too little. */
export function shortWorthText({ random, plainRandom, rival, dense, keptShare }: LargeTimes): Stated | null {
  if (!random) return null;
  const keptFact = { ...fact('share kept that was timed', keptShare, 'left'), scope: 'recorded' } as const;
  if (random.ns < (rival ?? dense).ns) return stated`Random rows, ${keptFact} kept, gain, too.`;
  return plainRandom && plainRandom.ns < random.ns
    ? stated`Random rows, ${keptFact} kept: plain lists are faster.`
    : null;
}

/** Recorded times of large matrices of one shape, at the density that the slider chooses. */
export interface LargeTimes {
  readonly slider: FrameSlider | null;
  /** share of the weights kept, from 0 to 1 */
  readonly keptShare: number;
  /** the matrix whose shape all of these have */
  readonly main: RecordedMatrix;
  /** time of dense for the main matrix */
  readonly dense: RecordedTime;
  /** time of dense with 4-bit weights; null: not timed */
  readonly rival: RecordedTime | null;
  /** time for rows that share columns; null: not timed at this density; absent: not timed at any density */
  readonly planted?: RecordedTime | null;
  /** time for weights at random positions; null or absent as for `planted` */
  readonly random?: RecordedTime | null;
  /** time for weights at random positions, in plain lists */
  readonly plainRandom?: RecordedTime;
  /** time for rows that share columns, in plain lists */
  readonly plainPlanted?: RecordedTime;
}

/** The format that has a plain list for each row. */
const PLAIN = 'csr';

/** The density at which times are chosen first. */
const DENSITY = 0.3;

/**
 * Times of y = A x for the shape of the largest matrix that was timed with about 30 % of the weights kept: one whose rows
 * share columns or, if there is none, one with random rows. Null without either.
 */
export function largeTimes(context: FrameContext): LargeTimes | null {
  const products = (context.recordedTimes?.matrices ?? []).filter(
    ({ operation, tokens, dense }) => operation === 'spmv' && tokens === 1 && dense !== null,
  );
  const timed = (pattern: string): readonly RecordedMatrix[] =>
    products.filter((product) => product.pattern === pattern && product.format !== null);
  const [planted, random] = [timed('planted-blocks'), timed('uniform')];
  const isNearDensity = ({ density }: RecordedMatrix): boolean => Math.abs(density - DENSITY) < 0.02;
  const main = largestOfAll(planted.filter(isNearDensity)) ?? largestOfAll(random.filter(isNearDensity));
  if (!main?.dense) return null;
  const hasShape = ({ rows, cols }: RecordedMatrix): boolean => rows === main.rows && cols === main.cols;
  const matrices = [...planted, ...random].filter(hasShape).toSorted((a, b) => a.density - b.density);
  const { slider, chosen: chosenMatrix = main } = densitySlider(context, matrices, main);
  const keptShare = wholePercent(chosenMatrix);
  const atDensity = (pattern: string) =>
    matrices.find((matrix) => matrix.pattern === pattern && wholePercent(matrix) === keptShare);
  const timeOf = (pattern: string): RecordedTime | null | undefined =>
    matrices.some((matrix) => matrix.pattern === pattern) ? (atDensity(pattern)?.format ?? null) : undefined;
  const [plainRandom, plainPlanted] = ['uniform', 'planted-blocks'].map(
    (pattern) => atDensity(pattern)?.otherFormats?.[PLAIN],
  );
  const rival = products.find((matrix) => isNearDensity(matrix) && hasShape(matrix) && matrix.dense4)?.dense4 ?? null;
  const [plantedTime, randomTime] = [timeOf('planted-blocks'), timeOf('uniform')];
  return {
    slider,
    keptShare,
    main,
    dense: main.dense,
    rival,
    ...(plantedTime !== undefined && { planted: plantedTime }),
    ...(randomTime !== undefined && { random: randomTime }),
    ...(plainRandom && { plainRandom }),
    ...(plainPlanted && { plainPlanted }),
  };
}

function largestOfAll(matrices: readonly RecordedMatrix[]): RecordedMatrix | null {
  const cells = ({ rows, cols }: RecordedMatrix): number => rows * cols;
  return matrices.reduce<RecordedMatrix | null>((best, m) => (best && cells(best) >= cells(m) ? best : m), null);
}
