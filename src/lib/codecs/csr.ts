import { decode } from '../../formats/csr/decode.ts';
import { encoding } from '../../formats/csr/encoding.ts';
import { multiply } from '../../formats/csr/multiply.ts';
import { params } from '../../formats/csr/params.ts';
import { codec } from '../codec.ts';

/** CSR: compressed sparse rows. */
export const csr = codec({ id: 'csr', params, encodeSteps: encoding.encodeSteps, decode, multiply }, encoding);
