import { kernels } from '../../formats/bsr/kernels.ts';
import { withKernels } from '../codec.ts';
import { bsr as codec } from '../codecs/bsr.ts';

/**
 * BSR with its kernels, for `run` and `bench`. Use it instead of the `bsr` of sparsescope/bsr, which has no kernels.
 * `effort`: approximate encoding time relative to CSR.
 */
export const bsr = withKernels(codec, { title: 'BSR', effort: 3, kernels });
