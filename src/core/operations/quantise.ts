import type { Matrix } from '../matrix/index.ts';
import type { Operation } from './operation.ts';
import { quantise } from '../number/quantise.ts';
import { Random } from '../number/random.ts';
import { TOKENS } from './gemm.ts';
import { sampleOf } from './sample.ts';

/** Maximum of activations that the oracle quantises, in about 0.1 s; beyond it tokens are sampled. */
const MAX_QUANTISED = 2 ** 22;
const VALUES_PER_YIELD = 2 ** 18;

/** Activations: normal, with magnitudes that differ from token to token. */
function activations(m: Pick<Matrix, 'cols'>, tokens: number, seed: number): Float32Array {
  const random = new Random(seed);
  const x = new Float32Array(tokens * m.cols);
  for (let t = 0; t < tokens; t++) {
    const magnitude = 2 ** (8 * random.uniform() - 4);
    for (let i = t * m.cols; i < (t + 1) * m.cols; i++) x[i] = magnitude * random.normal();
  }
  return x;
}

/**
 * Q(X): every row of the activations X (tokens x columns of A) as i8 with one scale. Outputs: the integers of every
 * token, then the scale of every token; all of them exact. Of the matrix A only the number of columns matters.
 */
export const QUANTISE: Operation = {
  id: 'quantise',
  title: 'Q(X)',
  summary: 'Activations to 8 bits, one scale per token.',
  sizes: { tokens: { ...TOKENS, default: 1024 } },
  inputs: (m, { tokens }, seed) => ({ x: activations(m, tokens, seed) }),
  varied: (m, _inputs, { tokens }, seed) => ({ x: activations(m, tokens, seed) }),
  *expectedSteps(m, { x }, { tokens }, sampling) {
    const { cols } = m;
    const chosen = sampleOf(tokens, Math.floor(MAX_QUANTISED / Math.max(1, cols)), sampling);
    const count = chosen.length * cols;
    const output = new Float64Array(count + chosen.length);
    const at = new Uint32Array(output.length);
    for (let i = 0; i < chosen.length; i++) {
      const first = chosen[i] * cols;
      const { values, scale } = quantise(x.subarray(first, first + cols));
      output.set(values, i * cols);
      output[count + i] = scale;
      for (let c = 0; c < cols; c++) at[i * cols + c] = first + c;
      at[count + i] = tokens * cols + chosen[i];
      if ((i * cols) % VALUES_PER_YIELD < cols)
        yield { what: 'computing the reference', done: i + 1, total: chosen.length };
    }
    const expected = {
      output,
      bound: new Float64Array(output.length),
      ...(chosen.length === tokens ? {} : { sample: { at, of: tokens * (cols + 1) } }),
    };
    return () => expected;
  },
};
