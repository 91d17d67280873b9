import { kernels } from '../../formats/dense/kernels.ts';
import { withKernels } from '../codec.ts';
import { dense as codec } from '../codecs/dense.ts';

/** dense with its kernels, for `run` and `bench`: the format of sparsescope/dense, which it replaces. */
export const dense = withKernels(codec, { title: 'dense', effort: 1.2, kernels });
