import { decode } from '../../formats/slidesparse/decode.ts';
import { encodeSteps } from '../../formats/slidesparse/encode.ts';
import { multiply } from '../../formats/slidesparse/multiply.ts';
import { params } from '../../formats/slidesparse/params.ts';
import { codec } from '../codec.ts';

/** SlideSparse: 2:4 windows over (2N-2):2N sparsity. Source: https://arxiv.org/abs/2603.05232 */
export const slideSparse = codec({ id: 'slidesparse', params, encodeSteps, decode, multiply });
