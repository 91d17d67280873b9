import { addChecksumSteps } from '../../../../src/core/encoded/checksum.ts';
import { declaredTrace, type DeclaredTrace } from '../../../../src/story/declared/trace.ts';
import { finish } from '../../../../src/core/job.ts';
import { CsrMatrix, type Matrix, toCsr } from '../../../../src/core/matrix/index.ts';
import type { RoundTrip } from '../module-requests.ts';
import { arrayKey, type UserEncoded, storedEncoding } from '../user-encoding.ts';

/** The steps of a custom format on a window, the visible part of a matrix, and the run of its module behind them. */
export type UserFormatTrace = DeclaredTrace<UserEncoded> & {
  /** the answers of the module, with its names of arrays */
  readonly roundTrip: RoundTrip;
};

/** The trace of a recorded run of a user's module, with the keys of arrays in the encoded matrix as their names. */
export function userFormatTrace(format: string, m: Matrix, run: RoundTrip): UserFormatTrace {
  const window = new CsrMatrix(toCsr(m));
  const encoded = finish(addChecksumSteps(storedEncoding(run, window), window.rows));
  const arrays = run.encoding.arrays.map((each) => ({
    ...each,
    array: { ...each.array, name: arrayKey(each.array.name) },
  }));
  const { setup, encoding, decoding } = run;
  const keyed = { params: setup.params, encoding: { ...encoding, arrays }, decoding };
  return { ...declaredTrace(format, window, encoded, keyed), roundTrip: run };
}
