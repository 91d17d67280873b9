import { encodingOf } from '../../formats/ec-csr/encoding.ts';
import { extractSteps } from '../../formats/ec-csr/extract.ts';
import { multiply } from '../../formats/ec-csr/multiply.ts';
import { fastOverlaps } from '../../formats/ec-csr/overlap-wasm.ts';
import { params } from '../../formats/ec-csr/params.ts';
import { codec } from '../codec.ts';

const encoding = encodingOf((m, p) => extractSteps(m, p, fastOverlaps()));

/** EC-CSR: blocks of rows that share columns. Source: https://arxiv.org/abs/2507.12205 */
export const ecCsr = codec(
  { id: 'ec-csr', params, encodeSteps: encoding.encodeSteps, decode: encoding.decode, multiply },
  encoding,
);
