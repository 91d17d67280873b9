import { kernels } from '../../formats/bitmask/kernels.ts';
import { withKernels } from '../codec.ts';
import { bitmask as codec } from '../codecs/bitmask.ts';

/** bitmask with its kernels, for `run` and `bench`: the format of sparsescope/bitmask, which it replaces. */
export const bitmask = withKernels(codec, { title: 'bitmask', effort: 1.1, kernels });
