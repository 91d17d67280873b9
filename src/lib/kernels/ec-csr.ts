import { kernels } from '../../formats/ec-csr/kernels.ts';
import { withKernels } from '../codec.ts';
import { ecCsr as codec } from '../codecs/ec-csr.ts';

/**
 * EC-SpMV with its kernels, for `run` and `bench`. Use it instead of the `ecCsr` of sparsescope/ec-csr, which has no kernels.
 * `effort`: approximate encoding time relative to CSR.
 */
export const ecCsr = withKernels(codec, { title: 'EC-SpMV', effort: 100, kernels });
