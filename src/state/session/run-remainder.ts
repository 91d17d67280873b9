import { REPORT_BOUNDS } from '../../core/bounds/bounds.ts';
import {
  aCount,
  aFiniteNumber,
  anObject,
  anyOf,
  aText,
  type Check,
  conforms,
  listOf,
  objectOf,
  oneOf,
  optional,
} from '../../core/bounds/shapes.ts';
import type { RunRemainder } from './session-state.ts';

// Checks the stored remainder of a run: the request by which an interrupted benchmark is continued.

/** A list of at least one element. */
const nonEmptyListOf = (inner: Check, what: string): Check => listOf(inner, REPORT_BOUNDS.rows, what, 1);

const anEntry = objectOf({
  format: aText,
  params: anObject,
  kernels: anyOf("'auto', 'all' or a list of kernels", oneOf('auto', 'all'), nonEmptyListOf(aText, 'kernels')),
});
const aSpec = objectOf({ pattern: aText, rows: aCount, cols: aCount, density: aFiniteNumber, seed: aCount });
const aRequest = objectOf({
  operation: aText,
  sizes: anObject,
  workload: anyOf(
    'the open matrix (stage) or a generated one',
    objectOf({ kind: oneOf('stage') }),
    objectOf({ kind: oneOf('generated'), spec: aSpec }),
  ),
  entries: nonEmptyListOf(anEntry, 'entries'),
  memory: oneOf('cold', 'warm'),
  rounds: aCount,
  seed: aCount,
  where: oneOf('gpu', 'cpu'),
});
const anAxis = anyOf(
  'an axis', // what changes from run to run of a sweep: `SweepAxis`
  objectOf({ of: oneOf('density'), values: nonEmptyListOf(aFiniteNumber, 'values') }),
  objectOf({
    of: oneOf('non-zeros'),
    values: nonEmptyListOf(aFiniteNumber, 'values'),
    parts: nonEmptyListOf(objectOf({ operation: aText, entries: nonEmptyListOf(anEntry, 'entries') }), 'parts'),
  }),
  objectOf({
    of: oneOf('shape'),
    values: nonEmptyListOf(
      objectOf({ rows: aCount, cols: aCount, entries: nonEmptyListOf(anEntry, 'entries') }),
      'shapes',
    ),
  }),
  objectOf({ of: oneOf('size'), name: aText, values: nonEmptyListOf(aFiniteNumber, 'values') }),
);
const aRemainder = objectOf({ request: aRequest, axis: optional(anAxis) });

/** The remainder of a run as this browser stored it; undefined if it is invalid, such as one of another version. */
export function checkedRemainder(value: unknown): RunRemainder | undefined {
  return conforms(value, aRemainder) ? (value as RunRemainder) : undefined;
}
