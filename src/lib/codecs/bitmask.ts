import { decode } from '../../formats/bitmask/decode.ts';
import { encoding } from '../../formats/bitmask/encoding.ts';
import { multiply } from '../../formats/bitmask/multiply.ts';
import { params } from '../../formats/bitmask/params.ts';
import { codec } from '../codec.ts';

/** The codec of the bitmask format, which stores a bit for each cell, then the non-zeros. */
export const bitmask = codec({ id: 'bitmask', params, encodeSteps: encoding.encodeSteps, decode, multiply }, encoding);
