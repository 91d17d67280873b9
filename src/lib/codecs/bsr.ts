import { decode } from '../../formats/bsr/decode.ts';
import { encoding } from '../../formats/bsr/encoding.ts';
import { multiply } from '../../formats/bsr/multiply.ts';
import { params } from '../../formats/bsr/params.ts';
import { codec } from '../codec.ts';

/** BSR: square blocks in compressed rows. */
export const bsr = codec({ id: 'bsr', params, encodeSteps: encoding.encodeSteps, decode, multiply }, encoding);
