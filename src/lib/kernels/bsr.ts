import { kernels } from '../../formats/bsr/kernels.ts';
import { withKernels } from '../codec.ts';
import { bsr as codec } from '../codecs/bsr.ts';

/** BSR with its kernels, for `run` and `bench`: the format of sparsescope/bsr, which it replaces. */
export const bsr = withKernels(codec, { title: 'BSR', effort: 3, kernels });
