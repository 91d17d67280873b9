import { hasAll, isCount, isEither, isListOf, isMaybe, isNumber, isOneOf, isRecord, isText } from '../checks.ts';
import type { RestOfRun } from './session-state.ts';

const isEntry = hasAll({
  format: isText,
  params: isRecord,
  kernels: isEither(isOneOf('auto', 'all'), isListOf(isText)),
});
const isSpec = hasAll({ pattern: isText, rows: isCount, cols: isCount, density: isNumber, seed: isCount });
const isRequest = hasAll({
  operation: isText,
  sizes: isRecord,
  workload: isEither(hasAll({ kind: isOneOf('stage') }), hasAll({ kind: isOneOf('generated'), spec: isSpec })),
  entries: isListOf(isEntry),
  memory: isOneOf('cold', 'warm'),
  rounds: isCount,
  seed: isCount,
  where: isOneOf('gpu', 'cpu'),
});
const isAxis = isEither(
  hasAll({ of: isOneOf('density'), values: isListOf(isNumber) }),
  hasAll({
    of: isOneOf('non-zeros'),
    values: isListOf(isNumber),
    parts: isListOf(hasAll({ operation: isText, entries: isListOf(isEntry) })),
  }),
  hasAll({
    of: isOneOf('shape'),
    values: isListOf(hasAll({ rows: isCount, cols: isCount, entries: isListOf(isEntry) })),
  }),
  hasAll({ of: isOneOf('size'), name: isText, values: isListOf(isNumber) }),
);

/**
 * How a run goes on, as this browser has kept it; undefined for what is none, of another version of this application, say:
 * the run is then there without a way on. What the engine makes of its values, it says itself.
 */
export function checkedRest(value: unknown): RestOfRun | undefined {
  if (!hasAll({ request: isRequest, axis: isMaybe(isAxis) })(value)) return undefined;
  return value as RestOfRun;
}
