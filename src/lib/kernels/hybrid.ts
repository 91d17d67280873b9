import { kernels } from '../../formats/hybrid/kernels.ts';
import { withKernels } from '../codec.ts';
import { hybrid as codec } from '../codecs/hybrid.ts';

/** hybrid with its kernels, for `run` and `bench`: the format of sparsescope/hybrid, which it replaces. */
export const hybrid = withKernels(codec, { title: 'hybrid', effort: 1, kernels });
