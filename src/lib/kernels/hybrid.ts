import { kernels } from '../../formats/hybrid/kernels.ts';
import { withKernels } from '../codec.ts';
import { hybrid as codec } from '../codecs/hybrid.ts';

/**
 * hybrid with its kernels, for `run` and `bench`. Use it instead of the `hybrid` of sparsescope/hybrid, which has no kernels.
 * `effort`: approximate encoding time relative to CSR.
 */
export const hybrid = withKernels(codec, { title: 'hybrid', effort: 1, kernels });
