import { kernels } from '../../formats/slidesparse/kernels.ts';
import { withKernels } from '../codec.ts';
import { slideSparse as codec } from '../codecs/slidesparse.ts';

/** SlideSparse with its kernels, for `run` and `bench`: the format of sparsescope/slidesparse, which it replaces. */
export const slideSparse = withKernels(codec, { title: 'SlideSparse', effort: 3.5, kernels });
