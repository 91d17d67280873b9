import { kernels } from '../../formats/csr/kernels.ts';
import { withKernels } from '../codec.ts';
import { csr as codec } from '../codecs/csr.ts';

/**
 * CSR with its kernels, for `run` and `bench`. Use it instead of the `csr` of sparsescope/csr, which has no kernels.
 * `effort`: approximate encoding time relative to CSR.
 */
export const csr = withKernels(codec, { title: 'CSR', effort: 1, kernels });
