import { kernels } from '../../formats/twell/kernels.ts';
import { withKernels } from '../codec.ts';
import { twell as codec } from '../codecs/twell.ts';

/**
 * TwELL with its kernels, for `run` and `bench`. Use it instead of the `twell` of sparsescope/twell, which has no kernels.
 * `effort`: approximate encoding time relative to CSR.
 */
export const twell = withKernels(codec, { title: 'TwELL', effort: 1, kernels });
