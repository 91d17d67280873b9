import { kernels } from '../../formats/macko/kernels.ts';
import { withKernels } from '../codec.ts';
import { macko as codec } from '../codecs/macko.ts';

/**
 * MACKO with its kernels, for `run` and `bench`. Use it instead of the `macko` of sparsescope/macko, which has no kernels.
 * `effort`: approximate encoding time relative to CSR.
 */
export const macko = withKernels(codec, { title: 'MACKO', effort: 1.5, kernels });
