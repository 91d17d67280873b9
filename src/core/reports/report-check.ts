import { REPORT_BOUNDS } from '../bounds/bounds.ts';
import {
  aBoolean,
  allOf,
  aCount,
  aDate,
  aNonNegativeNumber,
  aRecord,
  aReportNumber,
  aReportText,
  type Check,
  checkCount,
  describe,
  freeObject,
  listOf,
  Mismatch,
  mismatch,
  nullable,
  listOfNumbers,
  objectOf,
  oneOf,
  optional,
  orAny,
  type Path,
  readAs,
  recordOf,
} from '../bounds/shapes.ts';
import { ReadError } from '../errors.ts';
import { quotedWords } from '../error-messages.ts';
import { countText } from '../text/words.ts';
import { checkRatios, consistentTimes, consistentVerification, consistentWorkload } from './report-consistency.ts';
import {
  ARITHMETICS,
  type BenchReport,
  type BenchRow,
  type DraftMark,
  type Environment,
  type FirstTime,
  type RecordingMark,
  type Rejection,
  type Span,
  type TunedChoices,
  type Unfinished,
  type Verification,
  type Workload,
} from '../report.ts';

/** Throws ReadError if a file is larger than REPORT_BOUNDS allows. */
export function checkReportSize(name: string, bytes: number): void {
  if (bytes <= REPORT_BOUNDS.bytes) return;
  const [found, max] = [bytes, REPORT_BOUNDS.bytes].map((n) => `${countText(Math.ceil(n / 2 ** 20))} MiB`);
  throw new ReadError(`${name}: found ${found}, expected a file of reports of at most ${max}.`);
}

/**
 * The reports in the text of the file `name`, written by `reportsToJson`: one report or a list of them, within
 * REPORT_BOUNDS. Unknown properties stay. Throws ReadError with file, position, found and expected.
 */
export function parseReports(name: string, text: string): readonly BenchReport[] {
  return checkReports(name, parseReportText(name, text));
}

/** The first half of `parseReports`: the JSON value of a text, unchecked. */
export function parseReportText(name: string, text: string): unknown {
  checkReportSize(name, text.length);
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = quotedWords(error);
    throw new ReadError(`${name}: found no JSON (${detail}), expected a report exported by this application.`);
  }
}

/** The second half of `parseReports`: checks that a JSON value is one or more reports within REPORT_BOUNDS. */
export function checkReports(name: string, value: unknown): readonly BenchReport[] {
  return readAs(name, value, () => {
    if (Array.isArray(value)) {
      if (value.length === 0) throw new Mismatch('found an empty list');
      reportList(value, null);
      checkRowsInAll(value as BenchReport[]);
      return value as BenchReport[];
    }
    checkReport(value, null);
    return [value as BenchReport];
  });
}

const verification = allOf(
  objectOf<Verification>({
    ok: aBoolean,
    outputs: aCount,
    compared: optional(aCount),
    worstShare: aNonNegativeNumber,
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
  }),
  consistentVerification,
);

const aDraft = optional(objectOf<DraftMark>({ of: aReportText, name: aReportText, version: aCount }));

const tuned = objectOf<TunedChoices>({
  chosen: recordOf(aNonNegativeNumber),
  start: recordOf(aNonNegativeNumber),
  gain: aNonNegativeNumber,
  tried: aCount,
  remembered: aBoolean,
});
// bounded: the three kinds of arithmetic
const anArithmetic = oneOf(...ARITHMETICS);
const vsDense = objectOf<NonNullable<BenchRow['vsDense']>>({
  reference: aReportText,
  valueType: optional(aReportText),
  ratio: aNonNegativeNumber,
  p10: aNonNegativeNumber,
  p90: aNonNegativeNumber,
});

/** The checks of the fields that rows of reports and of recordings have in common. */
export const rowShape = {
  kernel: aReportText,
  format: aReportText,
  params: aRecord,
  bytes: aCount,
  multiplyAdds: optional(aNonNegativeNumber),
  tuned: optional(tuned),
  arithmetic: optional(anArithmetic),
  vsDense: nullable(vsDense),
  runsPerSample: aCount,
  copies: aCount,
  encodeMs: aNonNegativeNumber,
  uploadMs: aNonNegativeNumber,
  compileMs: aNonNegativeNumber,
  firstDispatchMs: aNonNegativeNumber,
};

const firstTime = objectOf<FirstTime>({
  kernel: aReportText,
  chosen: optional(recordOf(aNonNegativeNumber)),
  rounds: aCount,
  medianNs: aNonNegativeNumber,
  p10Ns: aNonNegativeNumber,
  p90Ns: aNonNegativeNumber,
  ratio: nullable(aNonNegativeNumber),
});

const rowProperties = objectOf<BenchRow>({
  ...rowShape,
  storedBytes: optional(aCount),
  title: aReportText,
  draft: aDraft,
  where: oneOf('gpu', 'cpu'),
  searching: optional(oneOf(true)),
  first: optional(firstTime),
  verified: verification,
  samplesNs: listOfNumbers(REPORT_BOUNDS.samples, 'samples'),
  rounds: optional(listOfNumbers(REPORT_BOUNDS.samples, 'rounds')),
  medianNs: nullable(aNonNegativeNumber),
  p10Ns: nullable(aNonNegativeNumber),
  p90Ns: nullable(aNonNegativeNumber),
  GBps: nullable(aNonNegativeNumber),
  cached: aBoolean,
});

/** Checks a row: its properties, its times against its samples, and that each sample is of a different round. */
const row: Check = (value, path) => {
  rowProperties(value, path);
  consistentTimes(value, path);
  const { samplesNs, rounds } = value as BenchRow;
  if (rounds === undefined) return;
  const roundsPath: Path = { parent: path, key: 'rounds' };
  if (rounds.length !== samplesNs.length) {
    throw mismatch(
      roundsPath,
      `${countText(rounds.length)} rounds`,
      `${countText(samplesNs.length)}, one for each sample`,
    );
  }
  const wrong = rounds.findIndex((round, i) => !Number.isSafeInteger(round) || (i > 0 && round <= rounds[i - 1]));
  if (wrong >= 0) {
    const min = wrong === 0 ? 0 : Math.floor(rounds[wrong - 1]) + 1;
    throw mismatch({ parent: roundsPath, key: wrong }, describe(rounds[wrong]), `a whole number of at least ${min}`);
  }
};

/** Checks of parts of a report, also used for recordings; each is named after the value that it accepts. */
export const anEnvironment = objectOf<Environment>({
  adapter: objectOf<Environment['adapter']>({
    vendor: aReportText,
    architecture: aReportText,
    device: aReportText,
    description: aReportText,
  }),
  isFallback: aBoolean,
  runtime: aReportText,
  features: listOf(aReportText, REPORT_BOUNDS.properties, 'features'),
  limits: recordOf(aNonNegativeNumber),
  subgroupSize: objectOf<Environment['subgroupSize']>({ min: aCount, max: aCount }),
});

export const aWorkload = allOf(
  objectOf<Workload>({
    operation: aReportText,
    sizes: optional(recordOf(aCount, freeObject(REPORT_BOUNDS.sizes, 'sizes'))),
    rows: aCount,
    cols: aCount,
    nnz: aCount,
    density: aNonNegativeNumber,
    source: aReportText,
    contents: optional(aCount),
    seed: aCount,
    memory: oneOf('cold', 'warm'),
    rounds: aCount,
  }),
  consistentWorkload,
);

export const aClock = objectOf<BenchReport['clock']>({
  source: oneOf('timestamp-query', 'wall-clock'),
  quantumNs: aNonNegativeNumber,
});

export const someRejections = listOf(
  objectOf<Rejection>({
    kernel: aReportText,
    format: aReportText,
    params: optional(aRecord),
    draft: aDraft,
    reason: aReportText,
    failed: optional(oneOf(true)),
  }),
  REPORT_BOUNDS.rows,
  'refusals',
);

/** The checks of a device's peaks (roofs), in a report and in a recording. */
export const roofShape = {
  readBandwidthGBps: nullable(aNonNegativeNumber),
  nullDispatchNs: nullable(aNonNegativeNumber),
  peakGFMAps: optional(aNonNegativeNumber),
  peakI8GMAps: optional(aNonNegativeNumber),
  peakI8MatrixGMAps: optional(aNonNegativeNumber),
};

const recordingMark = objectOf<RecordingMark>({
  id: aReportText,
  name: aReportText,
  date: aReportText,
  driver: aReportText,
  commit: aReportText,
});

const reportProperties = objectOf<BenchReport>({
  schema: oneOf(1),
  createdAt: aDate,
  app: aReportText,
  environment: anEnvironment,
  recorded: optional(recordingMark),
  imported: optional(oneOf(true)),
  clock: aClock,
  ...roofShape,
  workload: aWorkload,
  rows: listOf(row, REPORT_BOUNDS.rows, 'rows'),
  refused: someRejections,
  notes: listOf(aReportText, REPORT_BOUNDS.notes, 'notes'),
  timeline: optional(
    listOf(
      objectOf<Span>({ what: aReportText, fromMs: aCount, toMs: aCount, beside: optional(oneOf(true)) }),
      REPORT_BOUNDS.rows,
      'spans',
    ),
  ),
  unfinished: optional(
    objectOf<Unfinished>({
      waiting: listOf(
        objectOf<Unfinished['waiting'][number]>({ format: aReportText, params: aRecord, draft: aDraft }),
        REPORT_BOUNDS.rows,
        'formats that wait',
      ),
    }),
  ),
});

const checkReport: Check = (value, path) => {
  reportProperties(value, path);
  checkRatios(value as BenchReport, path);
};

const reportList = listOf(checkReport, REPORT_BOUNDS.reports, 'reports');

function checkRowsInAll(reports: readonly BenchReport[]): void {
  const rows = reports.reduce((sum, report) => sum + report.rows.length + report.refused.length, 0);
  checkCount(rows, REPORT_BOUNDS.rowsInAll, 'rows and refusals in all reports', null);
}
