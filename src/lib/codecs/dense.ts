import { decode } from '../../formats/dense/decode.ts';
import { encodeSteps } from '../../formats/dense/encode.ts';
import { multiply } from '../../formats/dense/multiply.ts';
import { params } from '../../formats/dense/params.ts';
import { codec } from '../codec.ts';

/** Dense: every cell, zeros included. */
export const dense = codec({ id: 'dense', params, encodeSteps, decode, multiply });
