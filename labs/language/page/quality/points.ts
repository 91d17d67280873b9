// The points of the quality charts: recorded or measured, with their names and comparisons.

import type { Pruning } from '../../../../src/engine/matrix/source-types.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import type { RecordedQuality, RecordedRow, RecordedMethod } from '../../decoders/quality/recorded-quality.ts';
import { UNCHANGED, type ModelPruning, type Recipe, recipeKey, type StoredType } from '../../decoders/stored/recipe.ts';
import { spenseShare } from '../../../../src/theory/spense.ts';
import type { MeasuredQuality } from '../service/types.ts';

/** A point of the quality charts: how well the model with one pruning and value type predicts held-out tales. */
export interface QualityPoint {
  readonly id: string;
  /** method of pruning */
  readonly method: RecordedMethod;
  /** density: the share of the weights kept */
  readonly density: number;
  /** N:M, `SPENSE`, or null */
  readonly pattern: string | null;
  readonly valueType: StoredType;
  /** seconds of training after pruning; 0: none */
  readonly trained: number;
  readonly bitsPerByte: number;
  /** bits per byte above the floor, the fewest with which any model can predict the same tales */
  readonly excessBits: number;
  /** standard error of `excessBits`; null if unknown */
  readonly excessSe: number | null;
  /** number of tales that the model wrote, and of those that broke no rule such as spelling (tales/judge.ts) */
  readonly judged: number;
  readonly unbroken: number;
  /** for each rule, in how many of the written tales it was the first to be broken */
  readonly firstBroken: Readonly<Record<string, number>>;
  /** bytes of the blocks' matrices as a share of their bytes in dense f16 */
  readonly bytesShare: number;
  /** number of held-out tales whose bits were measured */
  readonly tales: number;
  /** the same pruning as a choice for the whole page; null if the page cannot choose it */
  readonly pruning: Pruning | null;
}

/** Bits of the mask for each weight of an unstructured matrix, kept or not. */
const MASK_BITS = 1;
/** Bits for the position of each kept weight in N:M. */
const POSITION_BITS = 2;
/** Bits of a value; a value in i4 includes its part of an f16 scale for every 32 values. */
const TYPE_BITS: Readonly<Record<StoredType, number>> = { f16: 16, i8: 8, i4: 4.5 };

/** The pattern of Spense: 2:4 in some columns, all weights in the others. */
export const SPENSE = 'Spense';

/** Bytes as a share of dense f16: of N:M and Spense with positions, else of dense values or, if smaller, values with a bitmask. */
export function relativeBytes(density: number, pattern: string | null, valueType: StoredType): number {
  const bits = TYPE_BITS[valueType];
  if (pattern === SPENSE) return (spenseShare(density, bits) * bits) / 16;
  if (pattern !== null) return (density * (bits + POSITION_BITS)) / 16;
  if (density === 1) return bits / 16;
  return Math.min(bits, density * bits + MASK_BITS) / 16;
}

/** The points of a recording (quality.json). `denseBytes`: bytes of the blocks' matrices in f16. */
export function recordedPoints(recorded: RecordedQuality, denseBytes: number): readonly QualityPoint[] {
  return recorded.rows.map((row) => {
    const { way: method, density, valueType, bitsPerByte } = row;
    const pattern = row.pattern ?? null;
    return {
      id: `${recipeKey(recipeOfRow(row))}${row.trained === undefined ? '' : ` trained ${row.trained}`}`,
      method,
      density,
      pattern,
      valueType,
      trained: row.trained ?? 0,
      bitsPerByte,
      excessBits: bitsPerByte - recorded.floor.exact,
      excessSe: row.differenceSe ?? null,
      judged: row.judged ?? 0,
      unbroken: row.unbroken ?? 0,
      firstBroken: row.firstBroken ?? {},
      bytesShare: row.bytes === undefined ? relativeBytes(density, pattern, valueType) : row.bytes / denseBytes,
      tales: recorded.tales,
      pruning: row.trained === undefined && valueType === 'f16' ? pruningOf(recipeOfRow(row).pruning) : null,
    };
  });
}

/** A measurement made in this browser, as a point. */
export function measuredPoint(recipe: Recipe, quality: MeasuredQuality, bytesPerTale: number): QualityPoint {
  const { way: method, density, pattern } = rowOf(recipe.pruning);
  return {
    id: recipeKey(recipe),
    method,
    density,
    pattern,
    valueType: recipe.valueType,
    trained: 0,
    bitsPerByte: quality.bitsPerByte,
    excessBits: quality.bitsPerByte - quality.floor,
    excessSe: quality.lost.se / bytesPerTale,
    judged: quality.judged,
    unbroken: quality.unbroken,
    firstBroken: quality.firstBroken,
    bytesShare: relativeBytes(density, pattern, recipe.valueType),
    tales: quality.tales,
    pruning: recipe.valueType === 'f16' ? pruningOf(recipe.pruning) : null,
  };
}

function rowOf(pruning: ModelPruning): Pick<RecordedRow, 'way' | 'density'> & { readonly pattern: string | null } {
  if (pruning.way === 'none') return { way: 'none', density: 1, pattern: null };
  if (pruning.way === 'n-of-m') {
    const { kept, group, by: criterion } = pruning;
    return { way: criterion, density: kept / group, pattern: `${kept}:${group}` };
  }
  if (pruning.way === 'spense') return { way: pruning.by, density: pruning.density, pattern: SPENSE };
  const { way: method, density } = pruning;
  return { way: method, density: typeof density === 'number' ? density : Number.NaN, pattern: null };
}

/** The recipe (pruning and value type) of a recorded row, without its training. */
export function recipeOfRow({ way: method, density, pattern, valueType }: RecordedRow): Recipe {
  if (method === 'none') return { ...UNCHANGED, valueType };
  const criterion = method === 'wanda' ? 'wanda' : 'magnitude';
  if (pattern === SPENSE) return { pruning: { way: 'spense', density, by: criterion }, valueType };
  if (pattern !== undefined) {
    const [keptOfGroup, group] = pattern.split(':').map(Number);
    return { pruning: { way: 'n-of-m', kept: keptOfGroup, group, by: criterion }, valueType };
  }
  return { pruning: method === 'random' ? { way: method, density, seed: 1 } : { way: method, density }, valueType };
}

/** The pruning as a choice for the whole page; null if the page cannot choose it. */
function pruningOf(pruning: ModelPruning): Pruning | null {
  if (pruning.way === 'none' || pruning.way === 'spense') return null;
  if (pruning.way === 'n-of-m') {
    return pruning.by === 'magnitude' ? { way: 'n-of-m', kept: pruning.kept, group: pruning.group } : null;
  }
  const { density } = pruning;
  return typeof density === 'number' ? { ...pruning, density } : null;
}

/** The densities at which each curve is measured. */
export const CURVE_DENSITIES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1] as const;
const PATTERNS = [
  [2, 4],
  [4, 8],
  [6, 8],
  [14, 16],
] as const;

/** All prunings and value types that this browser can measure, the most informative first. */
export const RECIPES: readonly Recipe[] = [
  UNCHANGED,
  ...[0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.9, 0.1].map((density): Recipe => f16({ way: 'wanda', density })),
  ...PATTERNS.map(([kept, group]) => f16({ way: 'n-of-m', kept, group, by: 'wanda' })),
  f16({ way: 'spense', density: 0.75, by: 'wanda' }),
  { ...UNCHANGED, valueType: 'i4' },
  { ...UNCHANGED, valueType: 'i8' },
  { pruning: { way: 'wanda', density: 0.5 }, valueType: 'i4' },
  { pruning: { way: 'wanda', density: 0.5 }, valueType: 'i8' },
  ...CURVE_DENSITIES.map((density): Recipe => f16({ way: 'magnitude', density })),
  ...CURVE_DENSITIES.map((density): Recipe => f16({ way: 'random', density, seed: 1 })),
];

function f16(pruning: ModelPruning): Recipe {
  return { pruning, valueType: 'f16' };
}

/** The name of a point: 'Wanda, 50 % left', '2:4 by Wanda', 'i4', 'Wanda, 50 % left, i4, trained further'. */
export function pointName({ method, density, pattern, valueType, trained }: QualityPoint): string {
  const type = valueType === 'f16' ? '' : valueType;
  const name =
    method === 'none'
      ? type === ''
        ? METHOD_NAMES.none
        : type
      : pattern === null
        ? `${METHOD_NAMES[method]}, ${densityText(density)} left${type === '' ? '' : `, ${type}`}`
        : `${pattern} by ${METHOD_NAMES[method]}${type === '' ? '' : ` in ${type}`}`;
  return trained > 0 ? `${name}, trained further` : name;
}

/** The methods of pruning in words, and the model without pruning. */
export const METHOD_NAMES: Readonly<Record<RecordedMethod, string>> = {
  none: 'dense f16',
  magnitude: 'magnitude',
  rows: 'magnitude in rows',
  wanda: 'Wanda',
  random: 'random',
};

/** The bits per tale that a point needs, compared with the dense model: '1.5 bits per tale more than dense'. */
export function againstDense(p: QualityPoint, dense: QualityPoint, bytesPerTale: number): string {
  const extraBits = (p.bitsPerByte - dense.bitsPerByte) * bytesPerTale;
  if (Math.abs(extraBits) < 0.05) return 'as many bits per tale as dense';
  return `${Math.abs(extraBits).toFixed(1)} bits per tale ${extraBits < 0 ? 'fewer' : 'more'} than dense`;
}

/** The points of a method's curve by falling density, from the dense model on. */
export function curveOf(points: readonly QualityPoint[], method: RecordedMethod): readonly QualityPoint[] {
  return points
    .filter((p) => p.valueType === 'f16' && p.trained === 0 && p.pattern === null)
    .filter((p) => p.method === method || p.method === 'none')
    .toSorted((a, b) => b.density - a.density);
}

/** The dense model; undefined until it is measured. */
export function denseOf(points: readonly QualityPoint[]): QualityPoint | undefined {
  return points.find((p) => p.method === 'none' && p.valueType === 'f16' && p.trained === 0);
}

/** The point before further training, with the same pruning and value type as `trainedPoint`. */
export function untrainedOf(points: readonly QualityPoint[], trained: QualityPoint): QualityPoint | undefined {
  return points.find(
    (p) =>
      p.trained === 0 &&
      p.method === trained.method &&
      p.density === trained.density &&
      p.pattern === trained.pattern &&
      p.valueType === trained.valueType,
  );
}

/** The share of unbroken tales in words: '42 of 100', 'none'. */
export function unbrokenText({ unbroken, judged }: Pick<QualityPoint, 'unbroken' | 'judged'>): string {
  return unbroken === 0 ? 'none' : `${Math.round((100 * unbroken) / judged)} of 100`;
}
