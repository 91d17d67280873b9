import { encoding } from '../../formats/twell/encoding.ts';
import { multiply } from '../../formats/twell/multiply.ts';
import { params } from '../../formats/twell/params.ts';
import { codec } from '../codec.ts';

/** TwELL: ELL in tiles, each packed separately. Source: https://arxiv.org/abs/2603.23198 */
export const twell = codec(
  { id: 'twell', params, encodeSteps: encoding.encodeSteps, decode: encoding.decode, multiply },
  encoding,
);
