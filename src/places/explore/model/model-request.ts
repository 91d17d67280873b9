import type { AnyListedFormat } from '../../../core/format.ts';
import { GEMM, SPMV } from '../../../core/operations/index.ts';
import type { ShapeGroup } from '../../../theory/models/model-shape.ts';
import type { BenchEntry, BenchRequest, SweepAxis, SweepShape } from '../../../engine/bench/bench-types.ts';
import type { GenerateSpec } from '../../../generate/generate.ts';
import { PATTERNS } from './measured.ts';
import { isHeld } from '../../../theory/models/model-bytes.ts';
import { computes } from './model-choices.ts';

const ROUNDS = 10;
const SEED = 1;

/** Cells of a shape that are really made; what is above them are the same rows again. */
const DISTINCT_CELLS = 2 ** 24;

/** The operation of so many tokens. */
export function operationFor(tokens: number): string {
  return tokens === 1 ? SPMV.id : GEMM.id;
}

export interface ToMeasure {
  readonly groups: readonly ShapeGroup[];
  readonly density: number;
  readonly tokens: number;
  readonly format: AnyListedFormat;
  readonly params: Readonly<Record<string, unknown>>;
  readonly reference: AnyListedFormat;
  readonly referenceParams: Readonly<Record<string, unknown>>;
}

/** A run over shapes: each once, dense and in the format in the same rounds, cold, with weights that the worker makes. */
export function measurement(wanted: ToMeasure): { readonly request: BenchRequest; readonly axis: SweepAxis } {
  const { groups, density, tokens, format, params, reference, referenceParams } = wanted;
  const operation = operationFor(tokens);
  const dense: BenchEntry = { format: reference.id, params: referenceParams, kernels: 'auto' };
  const isDense = format.id === reference.id && params.valueType === referenceParams.valueType;
  const stored: readonly BenchEntry[] =
    !isDense && computes(format, operation, params, tokens) ? [{ format: format.id, params, kernels: 'auto' }] : [];
  const values = groups.map(({ rows, cols, keptDense }): SweepShape => ({
    rows,
    cols,
    entries: keptDense ? [dense] : [dense, ...stored],
    distinctRows: Math.max(1, Math.ceil(DISTINCT_CELLS / cols)),
  }));
  const [{ rows, cols, entries }] = values;
  const spec = { ...patternFor(wanted), rows, cols, density, seed: SEED };
  return {
    request: {
      operation,
      sizes: tokens === 1 ? {} : { tokens },
      workload: { kind: 'generated', spec },
      entries,
      memory: 'cold',
      rounds: ROUNDS,
      seed: SEED,
      where: 'gpu',
    },
    axis: { of: 'shape', values },
  };
}

/** Largest group of an N:M pattern. */
const LARGEST_GROUP = 64;

/**
 * Non-zeros anywhere, unless the format holds them only where they are spread: then N in every M neighbours, for the
 * smallest such M.
 */
export function patternFor({
  format,
  params,
  density,
  groups,
}: Pick<ToMeasure, 'format' | 'params' | 'density' | 'groups'>): Pick<GenerateSpec, 'pattern' | 'options'> {
  const stored = { format, params };
  const anywhere = groups.every((group) => group.keptDense || isHeld(stored, density, group, 'independent'));
  const m = Array.from({ length: LARGEST_GROUP - 1 }, (_, i) => i + 2).find(
    (group) => Math.abs(density * group - Math.round(density * group)) < 1e-9,
  );
  return anywhere || m === undefined ? { pattern: PATTERNS[0] } : { pattern: PATTERNS[1], options: { m } };
}

/** Of a first measurement on an H200 (docs/performance-log.md, "A whole model"): trials and rounds of a shape, and encoding and moving its cells. */
const SECONDS_PER_SHAPE = 8.5;
const SECONDS_PER_CELL = 2.2e-8;

/** About how long a measurement takes, in seconds. */
export function estimatedSeconds(groups: readonly ShapeGroup[]): number {
  return groups.reduce((sum, { rows, cols }) => sum + SECONDS_PER_SHAPE + rows * cols * SECONDS_PER_CELL, 0);
}
