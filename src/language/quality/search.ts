import type { Steps } from '../../core/job.ts';
import { BLOCK_MATRICES, type BlockMatrix, blockMatrixShape, type DecoderConfig } from '../decoder.ts';
import type { ScoredText } from '../score.ts';
import { type DensityMap, evenDensities, type Recipe } from '../stored/recipe.ts';
import type { QualityMeter } from './meter.ts';
import { type Mean, pairedDifference } from './paired.ts';
import { allBits } from './sensitivity.ts';

/** Shares by which what gets denser does, the largest first. */
const MOVES = [0.08, 0.04, 0.02];
/** Moves tried in a round, those that promise most first. */
const PAIRS = 3;
/** Rounds at most: each measures every part a little denser and a little sparser. */
const ROUNDS = 4;
const LEAST = 0.02;
/** Texts after which a try may be given up, and by how many standard errors it has to be worse. */
const TRIED_TEXTS = 4;
const HOPELESS = 2;

/** Matrices that get denser and sparser together. */
type MovedPart =
  /** all of a layer */
  | { readonly layer: number }
  /** of these kinds, in all layers */
  | { readonly kinds: readonly BlockMatrix[] };

/** The kinds that are moved together: attention, what makes neurons, and what reads them. */
const KINDS: readonly (readonly BlockMatrix[])[] = [['q', 'k', 'v', 'o'], ['gate', 'up'], ['down']];

/** The way that the search prunes by: any that has a density of its own for every matrix. */
export type SearchedWay = 'magnitude' | 'rows' | 'wanda';

export interface SearchRequest {
  readonly way: SearchedWay;
  readonly valueType: Recipe['valueType'];
  /** of all matrices together, which the search keeps */
  readonly density: number;
  /** texts that moves are measured on */
  readonly tried: readonly ScoredText[];
  /** other texts, on which the result is measured once */
  readonly heldOut: readonly ScoredText[];
}

/** A move of density that was measured. */
export interface Try {
  /** denser by `by`, and at what cost: sparser, by as many weights */
  readonly to: MovedPart;
  readonly from: MovedPart;
  readonly by: number;
  /** bits a text against the same density everywhere, on the texts tried, with the moves kept before; below 0: better */
  readonly difference: Mean;
  /** texts measured: fewer than all where it was given up */
  readonly texts: number;
  /** kept for the next round */
  readonly isKept: boolean;
}

export interface SearchResult {
  readonly densities: DensityMap;
  readonly tries: number;
  /** bits a text against the same density everywhere, on texts that the search has not seen; below 0: better */
  readonly heldOut: Mean;
  /** whether the gain is more than chance: the interval on held-out texts lies below 0 */
  readonly isGain: boolean;
}

/** All matrices of a part by a share denser; null where one would leave the range. */
function moved(map: DensityMap, part: MovedPart, by: number): DensityMap | null {
  const isInside = (density: number): boolean => density >= LEAST && density <= 1;
  let fits = true;
  const next = map.map((row, layer) => {
    const names = 'layer' in part ? (part.layer === layer ? BLOCK_MATRICES : []) : part.kinds;
    const changed = { ...row };
    for (const name of names) {
      changed[name] = row[name] + by;
      fits &&= isInside(changed[name]);
    }
    return changed;
  });
  return fits ? next : null;
}

/** Weights of a part. */
function weightsOf(config: DecoderConfig, part: MovedPart): number {
  const of = (names: readonly BlockMatrix[]): number =>
    names.reduce((sum, name) => {
      const [rows, cols] = blockMatrixShape(config, name);
      return sum + rows * cols;
    }, 0);
  return 'layer' in part ? of(BLOCK_MATRICES) : config.layers * of(part.kinds);
}

/** A model as the search goes on: its densities, and the bits of the texts tried. */
interface Found {
  readonly densities: DensityMap;
  readonly bits: readonly number[];
}

/**
 * Moves density between layers and between kinds of matrices as long as that is measured to help, at the same number of
 * weights. Every round measures each part alone a little denser and a little sparser, then tries the moves that promise most.
 * Texts are compared one by one, so that their own differences do not count. `onTry` gets every move that was measured.
 */
export function* searchSteps(
  meter: QualityMeter,
  request: SearchRequest,
  onTry: (one: Try) => void = () => {},
): Steps<SearchResult> {
  const { config } = meter;
  const layers = Array.from({ length: config.layers }, (_, layer): MovedPart => ({ layer }));
  const kinds = KINDS.map((names): MovedPart => ({ kinds: names }));
  const total = 1 + ROUNDS * (2 * (layers.length + kinds.length) + PAIRS) + 2;
  let done = 0;

  /** Bits of texts, fewer of them where it is hopeless against others. */
  const measured = function* (
    densities: DensityMap,
    texts: readonly ScoredText[],
    against: readonly number[] | null = null,
  ): Steps<number[]> {
    yield { what: 'Searching densities', done: Math.min(done++, total), total };
    const pruning = { way: request.way, density: densities };
    const { weights } = yield* meter.storeSteps({ pruning, valueType: request.valueType });
    if (against === null) return yield* allBits(meter, weights, texts);
    const bits: number[] = [];
    for (const text of texts) {
      bits.push(yield* meter.textSteps(weights, text));
      const { mean, se } = pairedDifference(bits, against);
      if (bits.length >= TRIED_TEXTS && mean > HOPELESS * se) break;
    }
    return bits;
  };
  /** Bits a text that a part costs alone, a little denser or sparser; infinite out of range. */
  const costs = function* ({ densities, bits }: Found, part: MovedPart, by: number): Steps<number> {
    const next = moved(densities, part, by);
    if (next === null) return Number.POSITIVE_INFINITY;
    return pairedDifference(yield* measured(next, request.tried.slice(0, TRIED_TEXTS)), bits).mean;
  };
  /** Moves within one cut of the model into parts, with what they promise. */
  const promised = function* (best: Found, parts: readonly MovedPart[], by: number): Steps<Move[]> {
    const costOf: { readonly denser: number; readonly sparser: number }[] = [];
    for (const part of parts) {
      costOf.push({ denser: yield* costs(best, part, by), sparser: yield* costs(best, part, -by) });
    }
    return parts.flatMap((to, t) =>
      parts.flatMap((from, f): Move[] => {
        const share = weightsOf(config, to) / weightsOf(config, from);
        const promise = costOf[t].denser + share * costOf[f].sparser;
        return t === f || !Number.isFinite(promise) ? [] : [{ to, from, by, fromBy: share * by, promise }];
      }),
    );
  };

  const even = evenDensities(request.density, config.layers);
  const evenBits = yield* measured(even, request.tried);
  let best: Found = { densities: even, bits: evenBits };
  let tries = 0;
  let size = 0;
  for (let round = 0; round < ROUNDS && size < MOVES.length; round++) {
    const by = MOVES[size];
    const moves = [...(yield* promised(best, layers, by)), ...(yield* promised(best, kinds, by))];
    let isBetter = false;
    for (const { to, from, fromBy } of moves.toSorted((a, b) => a.promise - b.promise).slice(0, PAIRS)) {
      const denser = moved(best.densities, to, by);
      const densities = denser && moved(denser, from, -fromBy);
      if (densities === null) continue;
      const bits = yield* measured(densities, request.tried, best.bits);
      tries++;
      const isKept = bits.length === request.tried.length && pairedDifference(bits, best.bits).mean < 0;
      onTry({ to, from, by, difference: pairedDifference(bits, evenBits), texts: bits.length, isKept });
      if (!isKept) continue;
      best = { densities, bits };
      isBetter = true;
      break;
    }
    if (!isBetter) size++;
  }

  done = total - 2;
  if (best.densities === even) {
    return { densities: even, tries, heldOut: { mean: 0, se: 0, low: 0, high: 0 }, isGain: false };
  }
  const usual = yield* measured(even, request.heldOut);
  const heldOut = pairedDifference(yield* measured(best.densities, request.heldOut), usual);
  return { densities: best.densities, tries, heldOut, isGain: heldOut.high < 0 };
}

interface Move {
  readonly to: MovedPart;
  readonly from: MovedPart;
  readonly by: number;
  readonly fromBy: number;
  /** bits a text, if what parts cost alone added up */
  readonly promise: number;
}
