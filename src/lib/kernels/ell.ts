import { kernels } from '../../formats/ell/kernels.ts';
import { withKernels } from '../codec.ts';
import { ell as codec } from '../codecs/ell.ts';

/**
 * ELL with its kernels, for `run` and `bench`. Use it instead of the `ell` of sparsescope/ell, which has no kernels.
 * `effort`: approximate encoding time relative to CSR.
 */
export const ell = withKernels(codec, { title: 'ELL', effort: 4, kernels });
