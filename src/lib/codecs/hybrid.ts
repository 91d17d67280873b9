import { filling } from '../../core/declared/declare.ts';
import { decode } from '../../formats/hybrid/decode.ts';
import { encoding } from '../../formats/hybrid/encoding.ts';
import { encodeRows } from '../../formats/hybrid/encode.ts';
import { multiply } from '../../formats/hybrid/multiply.ts';
import { params } from '../../formats/hybrid/params.ts';
import { codec } from '../codec.ts';

/** The hybrid of TwELL: short rows in ELL, the others in a dense tail. Source: https://arxiv.org/abs/2603.23198 */
export const hybrid = codec({ id: 'hybrid', params, encodeSteps: filling(encoding, encodeRows), decode, multiply });
