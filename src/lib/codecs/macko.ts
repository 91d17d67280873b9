import { decode } from '../../formats/macko/decode.ts';
import { encodeSteps } from '../../formats/macko/encode.ts';
import { multiply } from '../../formats/macko/multiply.ts';
import { params } from '../../formats/macko/params.ts';
import { codec } from '../codec.ts';

/** MACKO: values with short skips between columns. Source: https://arxiv.org/abs/2511.13061 */
export const macko = codec({ id: 'macko', params, encodeSteps, decode, multiply });
