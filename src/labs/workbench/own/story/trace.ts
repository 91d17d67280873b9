import { sealSteps } from '../../../../core/encoded/checksum.ts';
import { declaredTrace, type DeclaredTrace } from '../../../../core/declared/story/trace.ts';
import { finish } from '../../../../core/job.ts';
import { CsrMatrix, type Matrix, toCsr } from '../../../../core/matrix/index.ts';
import type { RoundTrip } from '../module-requests.ts';
import { arrayKey, type UserEncoded, storedEncoding } from '../user-encoding.ts';

/** The steps of a person's format on a window, the visible part of a matrix, and the run of its module behind them. */
export type UserFormatTrace = DeclaredTrace<UserEncoded> & {
  /** as in the module's answer: arrays by their own names */
  readonly roundTrip: RoundTrip;
};

/** The steps of a recorded run of a person's module. They name arrays by their keys in the encoded matrix. */
export function userFormatTrace(format: string, m: Matrix, run: RoundTrip): UserFormatTrace {
  const window = new CsrMatrix(toCsr(m));
  const encoded = finish(sealSteps(storedEncoding(run, window), window.rows));
  const arrays = run.encoding.arrays.map((each) => ({
    ...each,
    array: { ...each.array, name: arrayKey(each.array.name) },
  }));
  const { setup, encoding, decoding } = run;
  const keyed = { params: setup.params, encoding: { ...encoding, arrays }, decoding };
  return { ...declaredTrace(format, window, encoded, keyed), roundTrip: run };
}
