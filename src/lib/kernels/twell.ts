import { kernels } from '../../formats/twell/kernels.ts';
import { withKernels } from '../codec.ts';
import { twell as codec } from '../codecs/twell.ts';

/** TwELL with its kernels, for `run` and `bench`: the format of sparsescope/twell, which it replaces. */
export const twell = withKernels(codec, { title: 'TwELL', effort: 1, kernels });
