import { kernels } from '../../formats/macko/kernels.ts';
import { withKernels } from '../codec.ts';
import { macko as codec } from '../codecs/macko.ts';

/** MACKO with its kernels, for `run` and `bench`: the format of sparsescope/macko, which it replaces. */
export const macko = withKernels(codec, { title: 'MACKO', effort: 1.5, kernels });
