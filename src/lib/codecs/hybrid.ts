import { encoding } from '../../formats/hybrid/encoding.ts';
import { multiply } from '../../formats/hybrid/multiply.ts';
import { params } from '../../formats/hybrid/params.ts';
import { codec } from '../codec.ts';

/** The hybrid format: short rows in ELL, long rows in a dense tail. Source: TwELL, https://arxiv.org/abs/2603.23198 */
export const hybrid = codec(
  { id: 'hybrid', params, encodeSteps: encoding.encodeSteps, decode: encoding.decode, multiply },
  encoding,
);
