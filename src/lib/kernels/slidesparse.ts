import { kernels } from '../../formats/slidesparse/kernels.ts';
import { withKernels } from '../codec.ts';
import { slideSparse as codec } from '../codecs/slidesparse.ts';

/**
 * SlideSparse with its kernels, for `run` and `bench`. Use it instead of the `slideSparse` of sparsescope/slidesparse, which has no kernels.
 * `effort`: approximate encoding time relative to CSR.
 */
export const slideSparse = withKernels(codec, { title: 'SlideSparse', effort: 3.5, kernels });
