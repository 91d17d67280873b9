import { type AnyListedFormat, OWN_GROUP } from '../../../core/format.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import type { FormatParams } from '../../../state/index.ts';
import type { BenchRequest, SweepAxis } from '../../../engine/bench/bench-types.ts';
import type { Pruning } from '../../../engine/matrix/pruning-way.ts';
import type { SizeMatrix, SizesRequest } from '../service/size-types.ts';
import { type CurveChoices, EVEN_PATTERNS, isChosen } from './curve-choices.ts';
import type { QuantisedLine } from './references.ts';
import { withValueType } from './variants.ts';

interface Shape {
  readonly rows: number;
  readonly cols: number;
}

/** Identifies the subject of sizes: equal for the same matrices. */
export function subjectOf(
  { matrix, way, seed, values }: Pick<CurveChoices, 'matrix' | 'way' | 'seed' | 'values'>,
  { rows, cols }: Shape,
  whole: number,
): string {
  const of = matrix === 'stage' ? `stage ${whole}` : `generated ${rows} ${cols} ${seed}`;
  return `${of}, ${way}, ${values}`;
}

/**
 * The densities to measure: the chosen number of them, from 0.05 to 0.9 if there are several, plus a few small ones on
 * the logarithmic axis; those of the patterns if pruning is N:M.
 */
export function densitiesOf({
  densities,
  axis,
  way,
}: Pick<CurveChoices, 'densities' | 'axis' | 'way'>): readonly number[] {
  if (way === 'n-of-m') return EVEN_PATTERNS.map(([kept, group]) => kept / group);
  if (axis === 'log') {
    return Array.from({ length: densities }, (_, i) => Number((1e-3 * 900 ** (i / (densities - 1))).toPrecision(2)));
  }
  return Array.from({ length: densities }, (_, i) => {
    if (i === 0) return 0.05;
    return Number((0.9 * (i / (densities - 1))).toFixed(3));
  });
}

/** The pruning to a density. */
function pruningTo({ way, seed }: Pick<CurveChoices, 'way' | 'seed'>, density: number): Pruning {
  switch (way) {
    case 'random':
      return { way, density, seed };
    case 'n-of-m': {
      const [kept, group] = evenPattern(density);
      return { way, kept, group };
    }
    case 'magnitude':
    case 'rows':
      return { way, density };
  }
}

/** The pattern with the smallest share not below this density; the fullest if all are below. */
export function evenPattern(density: number): readonly [kept: number, group: number] {
  const found = EVEN_PATTERNS.find(([kept, group]) => kept / group >= density - 1e-9);
  return found ?? EVEN_PATTERNS[EVEN_PATTERNS.length - 1];
}

/** The matrix for a density: generated with it, or pruned from the stage's. */
export function matrixOf(choices: CurveChoices, density: number): SizeMatrix {
  if (choices.matrix === 'stage') return { kind: 'pruned', pruning: pruningTo(choices, density) };
  const { rows, cols, seed, way } = choices;
  if (way === 'n-of-m') {
    const [kept, group] = evenPattern(density);
    return {
      kind: 'generated',
      spec: { pattern: 'n-of-m', rows, cols, density: kept / group, seed, options: { m: group } },
    };
  }
  return { kind: 'generated', spec: { pattern: 'uniform', rows, cols, density, seed } };
}

/**
 * The encodings, in two parts: formats with a closed form at all densities first, then the others, whose encoders may
 * search for minutes.
 */
export function sizeRequests(
  choices: CurveChoices,
  formats: readonly AnyListedFormat[],
  params: Readonly<Record<string, FormatParams>>,
): readonly SizesRequest[] {
  const matrices = densitiesOf(choices).map((density) => matrixOf(choices, density));
  const entriesOf = (isPart: (format: AnyListedFormat) => boolean): SizesRequest['entries'] =>
    formats.filter(isPart).flatMap((format) => {
      const own = withValueType(format, params[format.id], choices.values);
      return own && isChosen(format, choices.formats) ? [{ format: format.id, params: own }] : [];
    });
  return [
    { matrices, entries: entriesOf((f) => f.expectedEffectiveDensity !== undefined) },
    { matrices, entries: entriesOf((f) => f.expectedEffectiveDensity === undefined) },
  ].filter(({ entries }) => entries.length > 0);
}

/**
 * y = A x at every density, for every chosen format with a kernel for it, and for dense in fewer bits if runs compare
 * it with dense. The stage's matrix is measured unpruned: at its own density, without an axis.
 */
export function speedRequest(
  choices: CurveChoices,
  formats: readonly AnyListedFormat[],
  params: Readonly<Record<string, FormatParams>>,
  where: 'gpu' | 'cpu',
  quantised: readonly QuantisedLine[] = [],
): { readonly request: BenchRequest; readonly axis: SweepAxis | null } {
  const { rows, cols, seed, rounds } = choices;
  const values = densitiesOf(choices);
  const fewerBits = quantised.filter(({ isCompared }) => isCompared).map(({ variant }) => variant.params);
  const entries = formats.flatMap((format) => {
    const own = withValueType(format, params[format.id], choices.values);
    const hasKernel = format.kernels.some((kernel) => kernel.operation === 'spmv');
    // What somebody wrote is asked about one matrix at a time, and not about those of a sweep.
    const canRun = format.group !== OWN_GROUP && (where === 'cpu' || hasKernel);
    const sets = [
      ...(own && choices.formats.includes(format.id) ? [own] : []),
      ...(format.id === referenceFormat.id ? fewerBits : []),
    ];
    return canRun ? sets.map((set) => ({ format: format.id, params: set, kernels: 'auto' as const })) : [];
  });
  return {
    request: {
      operation: 'spmv',
      sizes: {},
      workload:
        choices.matrix === 'stage'
          ? { kind: 'stage' }
          : { kind: 'generated', spec: { pattern: 'uniform', rows, cols, density: values[0], seed } },
      entries,
      memory: 'cold',
      rounds,
      seed,
      where,
    },
    axis: choices.matrix === 'stage' ? null : { of: 'density', values },
  };
}
