import { kernels } from '../../formats/bitmask/kernels.ts';
import { withKernels } from '../codec.ts';
import { bitmask as codec } from '../codecs/bitmask.ts';

/**
 * bitmask with its kernels, for `run` and `bench`. Use it instead of the `bitmask` of sparsescope/bitmask, which has no kernels.
 * `effort`: approximate encoding time relative to CSR.
 */
export const bitmask = withKernels(codec, { title: 'bitmask', effort: 1.1, kernels });
