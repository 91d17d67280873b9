import { ReadError } from '../core/errors.ts';
import type { BenchReport, BenchRow, Environment, Refusal, Verification, Workload } from '../core/report.ts';

/** Throws Mismatch when the value at `path` is not what it should be. */
type Check = (value: unknown, path: string) => void;

/** A check for every property, so that a new one of the report cannot be forgotten here. */
type Shape<T> = { readonly [K in keyof Required<T>]: Check };

class Mismatch extends Error {}

/**
 * The reports in a text that `reportsToJson` wrote: one report, or a list of them. Properties that are not known are
 * kept. Throws ReadError with file, place, found and expected.
 */
export function parseReports(name: string, text: string): readonly BenchReport[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new ReadError(`${name}: found no JSON (${detail}), expected a report that this application exported.`);
  }
  try {
    if (Array.isArray(value)) {
      if (value.length === 0) throw new Mismatch('found an empty list, expected at least one report');
      value.forEach((report, i) => checkReport(report, `[${i}]`));
      return value as BenchReport[];
    }
    checkReport(value, '');
    return [value as BenchReport];
  } catch (error) {
    if (error instanceof Mismatch) throw new ReadError(`${name}: ${error.message}.`);
    throw error;
  }
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}

function check(expected: string, test: (value: unknown) => boolean): Check {
  return (value, path) => {
    if (test(value)) return;
    throw new Mismatch(`${path === '' ? '' : `${path}: `}found ${describe(value)}, expected ${expected}`);
  };
}

const aString = check('a text', (v) => typeof v === 'string');
const aBoolean = check('true or false', (v) => typeof v === 'boolean');
const aNumber = check('a number of at least 0', (v) => typeof v === 'number' && v >= 0);
const aCount = check('a whole number of at least 0', (v) => Number.isSafeInteger(v) && Number(v) >= 0);
const aRecord = check('an object', isRecord);
const aDate = check('a date like 2026-01-31T12:00:00Z', (v) => typeof v === 'string' && !Number.isNaN(Date.parse(v)));
const aReportNumber = check(
  "a number, 'NaN', 'Infinity' or '-Infinity'",
  (v) => typeof v === 'number' || v === 'NaN' || v === 'Infinity' || v === '-Infinity',
);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function oneOf(...values: readonly (string | number | boolean)[]): Check {
  return check(values.map((v) => JSON.stringify(v)).join(' or '), (v) => values.some((known) => known === v));
}

function nullable(inner: Check): Check {
  return (value, path) => {
    if (value !== null) inner(value, path);
  };
}

function optional(inner: Check): Check {
  return (value, path) => {
    if (value !== undefined) inner(value, path);
  };
}

/** What stands for an output that was not compared. */
function orAny(inner: Check): Check {
  return (value, path) => {
    if (value !== 'any') inner(value, path);
  };
}

function listOf(inner: Check): Check {
  return (value, path) => {
    check('a list', Array.isArray)(value, path);
    (value as readonly unknown[]).forEach((element, i) => inner(element, `${path}[${i}]`));
  };
}

function recordOf(inner: Check): Check {
  return (value, path) => {
    aRecord(value, path);
    for (const [key, element] of Object.entries(value as object)) inner(element, `${path}.${key}`);
  };
}

function objectOf<T>(shape: Shape<T>): Check {
  return (value, path) => {
    aRecord(value, path);
    const record = value as Readonly<Record<string, unknown>>;
    for (const [key, inner] of Object.entries<Check>(shape)) inner(record[key], path === '' ? key : `${path}.${key}`);
  };
}

const verification = objectOf<Verification>({
  ok: aBoolean,
  outputs: aCount,
  compared: optional(aCount),
  worstShare: aNumber,
  failures: listOf(
    objectOf<Verification['failures'][number]>({
      row: aCount,
      found: (value, path) => {
        if (value !== 'unwritten') aReportNumber(value, path);
      },
      expected: orAny(aReportNumber),
      bound: orAny(aReportNumber),
    }),
  ),
  failureCount: aCount,
  checkedAfterTiming: aBoolean,
});

const row = objectOf<BenchRow>({
  kernel: aString,
  format: aString,
  title: aString,
  where: oneOf('gpu', 'cpu'),
  params: aRecord,
  bytes: aCount,
  multiplyAdds: optional(aNumber),
  verified: verification,
  samplesNs: listOf(aNumber),
  medianNs: nullable(aNumber),
  p10Ns: nullable(aNumber),
  p90Ns: nullable(aNumber),
  GBps: nullable(aNumber),
  vsDense: nullable(
    objectOf<NonNullable<BenchRow['vsDense']>>({ reference: aString, ratio: aNumber, p10: aNumber, p90: aNumber }),
  ),
  cached: aBoolean,
  runsPerSample: aCount,
  copies: aCount,
  encodeMs: aNumber,
  uploadMs: aNumber,
  compileMs: aNumber,
  firstDispatchMs: aNumber,
});

const environment = objectOf<Environment>({
  adapter: objectOf<Environment['adapter']>({
    vendor: aString,
    architecture: aString,
    device: aString,
    description: aString,
  }),
  isFallback: aBoolean,
  runtime: aString,
  features: listOf(aString),
  limits: recordOf(aNumber),
  subgroupSize: objectOf<Environment['subgroupSize']>({ min: aCount, max: aCount }),
});

const workload = objectOf<Workload>({
  operation: aString,
  sizes: optional(recordOf(aCount)),
  rows: aCount,
  cols: aCount,
  nnz: aCount,
  density: aNumber,
  source: aString,
  seed: aCount,
  memory: oneOf('cold', 'warm'),
  rounds: aCount,
});

const checkReport = objectOf<BenchReport>({
  schema: oneOf(1),
  createdAt: aDate,
  app: aString,
  environment,
  clock: objectOf<BenchReport['clock']>({ source: oneOf('timestamp-query', 'wall-clock'), quantumNs: aNumber }),
  readBandwidthGBps: nullable(aNumber),
  peakGFMAps: optional(aNumber),
  workload,
  nullDispatchNs: nullable(aNumber),
  rows: listOf(row),
  refused: listOf(
    objectOf<Refusal>({
      kernel: aString,
      format: aString,
      params: optional(aRecord),
      reason: aString,
      failed: optional(oneOf(true)),
    }),
  ),
  notes: listOf(aString),
});
