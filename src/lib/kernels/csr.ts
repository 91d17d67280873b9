import { kernels } from '../../formats/csr/kernels.ts';
import { withKernels } from '../codec.ts';
import { csr as codec } from '../codecs/csr.ts';

/** CSR with its kernels, for `run` and `bench`: the format of sparsescope/csr, which it replaces. */
export const csr = withKernels(codec, { title: 'CSR', effort: 1, kernels });
