import { REPORT_BOUNDS } from '../../core/bounds/bounds.ts';
import { excess } from '../../core/bounds/check.ts';
import { ReadError } from '../../core/errors.ts';
import { countText } from '../../core/story/words.ts';
import {
  type BenchReport,
  type BenchRow,
  type DraftMark,
  type Environment,
  type Refusal,
  type TunedChoices,
  type Unfinished,
  type Verification,
  type Workload,
} from '../../core/report.ts';

/** A place inside of a report; made into words only where something is wrong there. */
interface Path {
  readonly to: Path | null;
  readonly key: string | number;
}

/** Throws Mismatch when the value at `path` is not what it should be. */
type Check = (value: unknown, path: Path | null) => void;

/** A check for every property, so that a new one of the report cannot be forgotten here. */
type Shape<T> = { readonly [K in keyof Required<T>]: Check };

class Mismatch extends Error {}

/** Throws ReadError where a file is larger than any report is. */
export function checkReportSize(name: string, bytes: number): void {
  if (bytes <= REPORT_BOUNDS.bytes) return;
  const [found, most] = [bytes, REPORT_BOUNDS.bytes].map((n) => `${countText(Math.ceil(n / 2 ** 20))} MiB`);
  throw new ReadError(`${name}: found ${found}, expected a file of reports of at most ${most}.`);
}

/**
 * The reports in a text that `reportsToJson` wrote: one report, or a list of them, within REPORT_BOUNDS. Properties that
 * are not known are kept. Throws ReadError with file, place, found and expected.
 */
export function parseReports(name: string, text: string): readonly BenchReport[] {
  return checkReports(name, parseReportText(name, text));
}

/** The first half of parseReports: what the text says, whatever it is. */
export function parseReportText(name: string, text: string): unknown {
  checkReportSize(name, text.length);
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new ReadError(`${name}: found no JSON (${detail}), expected a report exported by this application.`);
  }
}

/** The second half: that it is reports, and no more than REPORT_BOUNDS. */
export function checkReports(name: string, value: unknown): readonly BenchReport[] {
  try {
    checkDepth(value, 0);
    if (Array.isArray(value)) {
      if (value.length === 0) throw new Mismatch('found an empty list, expected at least one report');
      reportList(value, null);
      checkRowsInAll(value as BenchReport[]);
      return value as BenchReport[];
    }
    checkReport(value, null);
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

/** rows[3].samplesNs[7] */
function pathText(path: Path | null): string {
  if (path === null) return '';
  const before = pathText(path.to);
  if (typeof path.key === 'number') return `${before}[${path.key}]`;
  return before === '' ? path.key : `${before}.${path.key}`;
}

function mismatch(path: Path | null, found: string, expected: string): Mismatch {
  return fault(path, `found ${found}, expected ${expected}`);
}

function fault(path: Path | null, what: string): Mismatch {
  return new Mismatch(path === null ? what : `${pathText(path)}: ${what}`);
}

function check(expected: string, test: (value: unknown) => boolean): Check {
  return (value, path) => {
    if (!test(value)) throw mismatch(path, describe(value), expected);
  };
}

/** `most` of what is counted, in words: 'samples'. */
function checkCount(found: number, most: number, what: string, path: Path | null): void {
  const tooMany = excess(found, most, what);
  if (tooMany !== null) throw fault(path, tooMany);
}

const isText = check('a text', (v) => typeof v === 'string');

function aString(value: unknown, path: Path | null): void {
  isText(value, path);
  checkCount((value as string).length, REPORT_BOUNDS.text, 'letters', path);
}

const aBoolean = check('true or false', (v) => typeof v === 'boolean');
// A JSON text can hold 1e999, which is read as infinite and could not be written again.
const isNumber = (v: unknown): boolean => typeof v === 'number' && v >= 0 && Number.isFinite(v);
const aNumber = check('a number of at least 0', isNumber);
const aCount = check('a whole number of at least 0', (v) => Number.isSafeInteger(v) && Number(v) >= 0);
const anObject = check('an object', isRecord);
const aDate = check(
  'a date such as 2026-01-31T12:00:00Z',
  (v) => typeof v === 'string' && !Number.isNaN(Date.parse(v)),
);
const aReportNumber = check(
  "a number, 'NaN', 'Infinity' or '-Infinity'",
  (v) => Number.isFinite(v) || v === 'NaN' || v === 'Infinity' || v === '-Infinity',
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

/** Recorded for an output that was not compared. */
function orAny(inner: Check): Check {
  return (value, path) => {
    if (value !== 'any') inner(value, path);
  };
}

const aList = check('a list', Array.isArray);

function listOf(inner: Check, most: number, what: string): Check {
  return (value, path) => {
    aList(value, path);
    const elements = value as readonly unknown[];
    checkCount(elements.length, most, what, path);
    elements.forEach((element, i) => inner(element, { to: path, key: i }));
  };
}

/** A list of numbers that may be long: positions are built only for a wrong one. */
function numbers(most: number, what: string): Check {
  return (value, path) => {
    aList(value, path);
    const elements = value as readonly unknown[];
    checkCount(elements.length, most, what, path);
    const wrong = elements.findIndex((element) => !isNumber(element));
    if (wrong >= 0) aNumber(elements[wrong], { to: path, key: wrong });
  };
}

/** An object whose names are free. */
function freeObject(most: number, what: string): Check {
  return (value, path) => {
    anObject(value, path);
    checkCount(Object.keys(value as object).length, most, what, path);
  };
}

const aRecord = freeObject(REPORT_BOUNDS.properties, 'properties');

function recordOf(inner: Check, isRecord = aRecord): Check {
  return (value, path) => {
    isRecord(value, path);
    for (const [key, element] of Object.entries(value as object)) inner(element, { to: path, key });
  };
}

function objectOf<T>(shape: Shape<T>): Check {
  const checks = Object.entries<Check>(shape);
  return (value, path) => {
    anObject(value, path);
    const record = value as Readonly<Record<string, unknown>>;
    for (const [key, inner] of checks) inner(record[key], { to: path, key });
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
    REPORT_BOUNDS.failures,
    'failures',
  ),
  failureCount: aCount,
  checkedAfterTiming: aBoolean,
  checkedWhileTimed: optional(aCount),
});

const aDraft = optional(objectOf<DraftMark>({ of: aString, name: aString, version: aCount }));

const rowProperties = objectOf<BenchRow>({
  kernel: aString,
  format: aString,
  title: aString,
  draft: aDraft,
  where: oneOf('gpu', 'cpu'),
  params: aRecord,
  bytes: aCount,
  multiplyAdds: optional(aNumber),
  tuned: optional(
    objectOf<TunedChoices>({
      chosen: recordOf(aNumber),
      start: recordOf(aNumber),
      gain: aNumber,
      tried: aCount,
      remembered: aBoolean,
    }),
  ),
  searching: optional(oneOf(true)),
  arithmetic: optional(oneOf('f32', 'i8', 'i8-matrix')),
  verified: verification,
  samplesNs: numbers(REPORT_BOUNDS.samples, 'samples'),
  rounds: optional(numbers(REPORT_BOUNDS.samples, 'rounds')),
  medianNs: nullable(aNumber),
  p10Ns: nullable(aNumber),
  p90Ns: nullable(aNumber),
  GBps: nullable(aNumber),
  vsDense: nullable(
    objectOf<NonNullable<BenchRow['vsDense']>>({
      reference: aString,
      valueType: optional(aString),
      ratio: aNumber,
      p10: aNumber,
      p90: aNumber,
    }),
  ),
  cached: aBoolean,
  runsPerSample: aCount,
  copies: aCount,
  encodeMs: aNumber,
  uploadMs: aNumber,
  compileMs: aNumber,
  firstDispatchMs: aNumber,
});

/** Properties, and that every sample has a round of its own. */
const row: Check = (value, path) => {
  rowProperties(value, path);
  const { samplesNs, rounds } = value as BenchRow;
  if (rounds === undefined) return;
  const to: Path = { to: path, key: 'rounds' };
  if (rounds.length !== samplesNs.length) {
    throw mismatch(to, `${countText(rounds.length)} rounds`, `${countText(samplesNs.length)}, one for each sample`);
  }
  const wrong = rounds.findIndex((round, i) => !Number.isSafeInteger(round) || (i > 0 && round <= rounds[i - 1]));
  if (wrong >= 0) {
    const least = wrong === 0 ? 0 : Math.floor(rounds[wrong - 1]) + 1;
    throw mismatch({ to, key: wrong }, describe(rounds[wrong]), `a whole number of at least ${least}`);
  }
};

const environment = objectOf<Environment>({
  adapter: objectOf<Environment['adapter']>({
    vendor: aString,
    architecture: aString,
    device: aString,
    description: aString,
  }),
  isFallback: aBoolean,
  runtime: aString,
  features: listOf(aString, REPORT_BOUNDS.properties, 'features'),
  limits: recordOf(aNumber),
  subgroupSize: objectOf<Environment['subgroupSize']>({ min: aCount, max: aCount }),
});

const workload = objectOf<Workload>({
  operation: aString,
  sizes: optional(recordOf(aCount, freeObject(REPORT_BOUNDS.sizes, 'sizes'))),
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
  peakI8GMAps: optional(aNumber),
  peakI8MatrixGMAps: optional(aNumber),
  workload,
  nullDispatchNs: nullable(aNumber),
  rows: listOf(row, REPORT_BOUNDS.rows, 'rows'),
  refused: listOf(
    objectOf<Refusal>({
      kernel: aString,
      format: aString,
      params: optional(aRecord),
      draft: aDraft,
      reason: aString,
      failed: optional(oneOf(true)),
    }),
    REPORT_BOUNDS.rows,
    'refusals',
  ),
  notes: listOf(aString, REPORT_BOUNDS.notes, 'notes'),
  unfinished: optional(
    objectOf<Unfinished>({
      waiting: listOf(
        objectOf<Unfinished['waiting'][number]>({ format: aString, params: aRecord, draft: aDraft }),
        REPORT_BOUNDS.rows,
        'formats that wait',
      ),
    }),
  ),
});

const reportList = listOf(checkReport, REPORT_BOUNDS.reports, 'reports');

function checkRowsInAll(reports: readonly BenchReport[]): void {
  const rows = reports.reduce((sum, report) => sum + report.rows.length + report.refused.length, 0);
  checkCount(rows, REPORT_BOUNDS.rowsInAll, 'rows and refusals in all reports', null);
}

/** Also of what is not looked into otherwise: writing it again goes as deep as it goes. */
function checkDepth(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  checkCount(depth + 1, REPORT_BOUNDS.depth, 'levels of lists and objects', null);
  for (const inner of Array.isArray(value) ? (value as readonly unknown[]) : Object.values(value)) {
    if (typeof inner === 'object') checkDepth(inner, depth + 1);
  }
}
