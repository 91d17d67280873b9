import type { AnyListedFormat } from '../../../core/format.ts';
import { MODEL_SHAPE_ROUNDS } from '../../../core/bench/round-counts.ts';
import { GEMM, SPMV } from '../../../core/operations/index.ts';
import type { ShapeGroup } from '../../../theory/models/model-shape.ts';
import type { BenchEntry, BenchRequest, SweepAxis, SweepShape } from '../../../engine/bench/bench-types.ts';
import type { GenerateSpec } from '../../../generate/generate.ts';
import { RANDOM_PATTERNS } from '../../../kit/report/matrix-times.ts';
import { probablySupports } from '../../../theory/expected-bytes.ts';
import { computes } from '../../../kit/report/operation-words.ts';

/** The seed of a run that measures the shapes of a model. */
const SEED = 1;

/** Cells of a shape that are generated; beyond them the rows repeat. */
const DISTINCT_CELLS = 2 ** 24;

/** The id of the operation for this many tokens: matrix × vector for one, matrix × matrix for more. */
export function operationFor(tokens: number): string {
  return tokens === 1 ? SPMV.id : GEMM.id;
}

interface FormatWithParams {
  readonly format: AnyListedFormat;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The shapes of a model to measure, at one density, and the formats to measure them in. */
export interface ModelMeasurement {
  readonly groups: readonly ShapeGroup[];
  readonly density: number;
  readonly tokens: number;
  /** besides dense */
  readonly stored: readonly FormatWithParams[];
  readonly reference: AnyListedFormat;
  readonly referenceParams: Readonly<Record<string, unknown>>;
}

/** The request to measure every shape of a model, dense and in each format, with cold caches, in the same rounds. */
export function modelRequest(measurement: ModelMeasurement): {
  readonly request: BenchRequest;
  readonly axis: SweepAxis;
} {
  const { groups, density, tokens, reference, referenceParams } = measurement;
  const operation = operationFor(tokens);
  const dense: BenchEntry = { format: reference.id, params: referenceParams, kernels: 'auto' };
  const stored = measurement.stored
    .filter(({ format, params }) => {
      const isDense = format.id === reference.id && params.valueType === referenceParams.valueType;
      return !isDense && computes(format, operation, params, tokens);
    })
    .map(({ format, params }): BenchEntry => ({ format: format.id, params, kernels: 'auto' }));
  const values = groups.map(({ rows, cols, keptDense }): SweepShape => ({
    rows,
    cols,
    entries: keptDense ? [dense] : [dense, ...stored],
    distinctRows: Math.max(1, Math.ceil(DISTINCT_CELLS / cols)),
  }));
  const [{ rows, cols, entries }] = values;
  const spec = { ...patternFor(measurement), rows, cols, density, seed: SEED };
  return {
    request: {
      operation,
      sizes: tokens === 1 ? {} : { tokens },
      workload: { kind: 'generated', spec },
      entries,
      memory: 'cold',
      rounds: MODEL_SHAPE_ROUNDS,
      seed: SEED,
      where: 'gpu',
    },
    axis: { of: 'shape', values },
  };
}

/** Groups of N:M are tried up to this size. */
const LARGEST_GROUP = 64;

/** The pattern of the weights: non-zeros anywhere or, if a format needs N:M, N of every M for the least possible M. */
export function patternFor({
  stored,
  density,
  groups,
}: Pick<ModelMeasurement, 'stored' | 'density' | 'groups'>): Pick<GenerateSpec, 'pattern' | 'options'> {
  const isUnconstrained = groups.every(
    (group) => group.keptDense || stored.every((format) => probablySupports(format, density, group, 'independent')),
  );
  const m = Array.from({ length: LARGEST_GROUP - 1 }, (_, i) => i + 2).find(
    (group) => Math.abs(density * group - Math.round(density * group)) < 1e-9,
  );
  return isUnconstrained || m === undefined
    ? { pattern: RANDOM_PATTERNS[0] }
    : { pattern: RANDOM_PATTERNS[1], options: { m } };
}

/** Seconds per shape and per cell, measured on an H200 (docs/performance-lessons.md, "A whole model"). */
const SECONDS_PER_SHAPE = 8.5;
const SECONDS_PER_CELL = 2.2e-8;

/** Estimated duration of a measurement, in seconds. */
export function estimatedSeconds(groups: readonly ShapeGroup[]): number {
  return groups.reduce((sum, { rows, cols }) => sum + SECONDS_PER_SHAPE + rows * cols * SECONDS_PER_CELL, 0);
}
