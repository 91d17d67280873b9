import { sealSteps } from '../../../../core/encoded/checksum.ts';
import { declaredTrace, type DeclaredTrace } from '../../../../core/declared/story/trace.ts';
import { finish } from '../../../../core/job.ts';
import { CsrMatrix, type Matrix, toCsr } from '../../../../core/matrix/index.ts';
import type { RoundTrip } from '../module-requests.ts';
import { keyOf, type UserEncoded, storedEncoding } from '../user-encoding.ts';

/** The trace of a person's format, and the run that it shows. */
export type UserFormatTrace = DeclaredTrace<UserEncoded> & {
  /** as in the module's answer: arrays by their own names */
  readonly own: RoundTrip;
};

/** The trace of a recorded run of a person's module. In it, arrays are named by keys that are safe as names. */
export function ownTrace(format: string, m: Matrix, run: RoundTrip): UserFormatTrace {
  const window = new CsrMatrix(toCsr(m));
  const encoded = finish(sealSteps(storedEncoding(run, window), window.rows));
  const arrays = run.encoding.arrays.map((each) => ({
    ...each,
    array: { ...each.array, name: keyOf(each.array.name) },
  }));
  const { chosen, encoding, decoding } = run;
  const keyed = { params: chosen.params, encoding: { ...encoding, arrays }, decoding };
  return { ...declaredTrace(format, window, encoded, keyed), own: run };
}
