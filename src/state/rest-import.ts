import type { RestOfRun } from './session-state.ts';

type Check = (value: unknown) => boolean;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isOneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.some((one) => one === value);
const isListOf =
  (of: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(of);
const hasAll =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([name, check]) => check(value[name]));
const isEither =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));

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
  if (!hasAll({ request: isRequest, axis: (axis) => axis === undefined || isAxis(axis) })(value)) return undefined;
  return value as RestOfRun;
}
