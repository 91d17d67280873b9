import { kernels } from '../../formats/ell/kernels.ts';
import { withKernels } from '../codec.ts';
import { ell as codec } from '../codecs/ell.ts';

/** ELL with its kernels, for `run` and `bench`: the format of sparsescope/ell, which it replaces. */
export const ell = withKernels(codec, { title: 'ELL', effort: 4, kernels });
