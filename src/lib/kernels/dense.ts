import { kernels } from '../../formats/dense/kernels.ts';
import { withKernels } from '../codec.ts';
import { dense as codec } from '../codecs/dense.ts';

/**
 * dense with its kernels, for `run` and `bench`. Use it instead of the `dense` of sparsescope/dense, which has no kernels.
 * `effort`: approximate encoding time relative to CSR.
 */
export const dense = withKernels(codec, { title: 'dense', effort: 1.2, kernels });
