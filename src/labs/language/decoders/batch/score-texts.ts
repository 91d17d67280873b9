import type { Steps } from '../../../../core/job.ts';
import type { Numbers, Passes } from './passes.ts';

/**
 * Bits of every token of a text but its first: -log2 of the probability that the model gives it behind those before it. The
 * text is at most `passes.width` + 1 long. Yields after every block.
 */
export function* textBitsSteps(passes: Passes, ids: readonly number[]): Steps<Float64Array> {
  const tokens = ids.length - 1;
  const bits = new Float64Array(Math.max(0, tokens));
  if (tokens < 1) return bits;
  const { layers } = passes.config;
  passes.embed(ids.slice(0, -1));
  for (let layer = 0; layer < layers; layer++) {
    passes.throughBlock(layer, tokens);
    yield { what: 'Measuring', done: layer + 1, total: layers };
  }
  passes.logits(tokens, (numbers, first) => {
    const wholes = logSums(numbers);
    for (let t = 0; t < numbers.tokens; t++) {
      const logit = numbers.memory[numbers.at + ids[first + t + 1] * numbers.width + t];
      bits[first + t] = (wholes[t] - logit) / Math.LN2;
    }
  });
  return bits;
}

/** ln of the sum of e^logit of every column, without overflow. */
function logSums({ memory, at, rows, width, tokens }: Numbers): Float64Array {
  const max = new Float64Array(tokens).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0, row = at; i < rows; i++, row += width) {
    for (let t = 0; t < tokens; t++) if (memory[row + t] > max[t]) max[t] = memory[row + t];
  }
  const sums = new Float64Array(tokens);
  for (let i = 0, row = at; i < rows; i++, row += width) {
    for (let t = 0; t < tokens; t++) sums[t] += Math.exp(memory[row + t] - max[t]);
  }
  return sums.map((sum, t) => max[t] + Math.log(sum));
}
