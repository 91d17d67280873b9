import { encodeStepsFromFill } from '../../core/declared/declare.ts';
import { decode } from '../../formats/twell/decode.ts';
import { encoding } from '../../formats/twell/encoding.ts';
import { encodeRows } from '../../formats/twell/encode.ts';
import { multiply } from '../../formats/twell/multiply.ts';
import { params } from '../../formats/twell/params.ts';
import { codec } from '../codec.ts';

/** TwELL: ELL in tiles, each packed separately. Source: https://arxiv.org/abs/2603.23198 */
export const twell = codec({
  id: 'twell',
  params,
  encodeSteps: encodeStepsFromFill(encoding, encodeRows),
  decode,
  multiply,
});
