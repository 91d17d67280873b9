import { FormatError } from '../../core/errors.ts';
import { packBf16 } from '../../gpu/buffers.ts';
import type { BlockWeights, DecoderConfig } from '../decoder.ts';
import type { ChainFeedForward, FeedForwardKernel } from './weights.ts';

/**
 * A feed-forward block for kernels that read the weights of each neuron together, in bf16, as the operation 'forward' has
 * them. Throws FormatError for a width that it does not have, and KernelError for a weight that is no bf16.
 */
export function chainFeedForward(
  { hidden, intermediate }: DecoderConfig,
  { matrices: { gate, up, down } }: BlockWeights,
  one: FeedForwardKernel,
  several: FeedForwardKernel | null,
): ChainFeedForward {
  if (hidden % 8 !== 0) throw new FormatError(`feed-forward: found a width of ${hidden}, expected a multiple of 8`);
  const byNeuron = new Float32Array(down.length);
  for (let row = 0; row < hidden; row++) {
    for (let neuron = 0; neuron < intermediate; neuron++) {
      byNeuron[neuron * hidden + row] = down[row * intermediate + neuron];
    }
  }
  const weights = { wg: packBf16('gate', gate), wu: packBf16('up', up), wd: packBf16('down', byNeuron) };
  return { one, several, weights };
}
