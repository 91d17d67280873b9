import { encoding } from '../../formats/ell/encoding.ts';
import { multiply } from '../../formats/ell/multiply.ts';
import { params } from '../../formats/ell/params.ts';
import { codec } from '../codec.ts';

/** ELLPACK-R: every row padded to the length of the longest row. */
export const ell = codec(
  { id: 'ell', params, encodeSteps: encoding.encodeSteps, decode: encoding.decode, multiply },
  encoding,
);
