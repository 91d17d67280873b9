/**
 * Measures the cost of checksums, for docs/reference.md: `node scripts/run.mjs bench/checksum-cost.ts`. For every
 * format, milliseconds of encoding a matrix of 4096 × 4096 that it supports, of the checksums in it, and the second as a
 * share of the first. The minimum of several rounds, since other work on the machine only adds.
 */
import { smallest } from '../src/core/number/statistics.ts';
import { mixer } from '../src/core/encoded/checksum.ts';
import { type AnyFormat, defaultParams, type ParamField } from '../src/core/format.ts';
import { finish } from '../src/core/job.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import { pruneToPatternSteps } from '../src/core/matrix/prune-pattern.ts';
import { formats } from '../src/formats/registry.ts';
import { generate } from '../src/generate/generate.ts';

const ROUNDS = 40;
const SIZE = 4096;

/** Matrices at the densities of half-pruned weights, of weights pruned to a tenth, and of sparse activations. */
const MATRICES = [0.5, 0.1, 0.005].map((density) => ({
  density,
  matrix: generate({ pattern: 'uniform', rows: SIZE, cols: SIZE, density, seed: 1 }),
}));

/**
 * Milliseconds spent in checksums. `mix`, which processes all bytes, is replaced by a timed version, since encoders call it
 * while they copy rows.
 */
let checksumMs = 0;
const shared = mixer();
const { mix } = shared;
shared.mix = (bytes) => {
  const start = performance.now();
  mix(bytes);
  checksumMs += performance.now() - start;
};

/** The duration of `work`, ms. */
function time(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** The matrix, or the pruned one that the format suggests; null if neither is supported. */
function supported(format: AnyFormat, m: Matrix, params: unknown): Matrix | null {
  const support = format.admits(m, params);
  if (support.ok) return m;
  if (!support.prune) return null;
  return finish(pruneToPatternSteps(m, support.prune.kept, support.prune.group));
}

console.log('format       values  density  encode ms  checksums ms  share');
for (const format of formats) {
  const field: ParamField<unknown> = format.params.valueType;
  for (const valueType of field.kind === 'choice' ? field.options.map(({ value }) => value) : []) {
    for (const { density, matrix } of MATRICES) {
      const p = { ...defaultParams<Record<string, unknown>>(format.params), valueType };
      const m = supported(format, matrix, p);
      if (!m) continue;
      const encodes: number[] = [];
      const checks: number[] = [];
      // An encoder that searches for seconds runs only once.
      for (let round = 0; round < ROUNDS && encodes.reduce((a, b) => a + b, 0) < 4000; round++) {
        checksumMs = 0;
        encodes.push(time(() => format.encode(m, p)));
        checks.push(checksumMs);
      }
      const [encode, check] = [smallest(encodes), smallest(checks)];
      const cells = [encode.toFixed(1).padStart(9), check.toFixed(2).padStart(12)];
      const share = `${((100 * check) / encode).toFixed(1)} %`.padStart(7);
      // bounded: some cells of a line
      console.log(`${format.id.padEnd(13)}${String(valueType).padEnd(8)}${String(density).padEnd(7)}`, ...cells, share);
    }
  }
}
