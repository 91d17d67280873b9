import { kernels } from '../../formats/ec-csr/kernels.ts';
import { withKernels } from '../codec.ts';
import { ecCsr as codec } from '../codecs/ec-csr.ts';

/** EC-SpMV with its kernels, for `run` and `bench`: the format of sparsescope/ec-csr, which it replaces. */
export const ecCsr = withKernels(codec, { title: 'EC-SpMV', effort: 100, kernels });
