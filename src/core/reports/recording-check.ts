import { REPORT_BOUNDS } from '../bounds/bounds.ts';
import {
  aCount,
  allOf,
  aDate,
  aNonNegativeNumber,
  aReportText,
  check,
  fault,
  freeObject,
  listOf,
  objectOf,
  oneOf,
  optional,
  type Path,
  readAs,
  recordOf,
  aShare,
} from '../bounds/shapes.ts';
import {
  DEVICE_MODES,
  type RecordedReport,
  type RecordedRow,
  type Recording,
  type RecordingIndex,
} from './recording.ts';
import { consistentTimes, consistentVerification } from './report-consistency.ts';
import { aClock, anEnvironment, aWorkload, roofShape, rowShape, someRejections } from './report-check.ts';

/*
 * Checks JSON files of recordings (measured times of all kernels on one GPU) and their index before the application
 * uses them.
 */

const aDay = check('a date such as 2026-01-31', (v) => typeof v === 'string' && isDay(v));
const aCommit = check(
  "a commit such as '1a2b3c4d'",
  (v) => typeof v === 'string' && /^(?:[0-9a-f]{7,40}(?:-dirty)?|unknown)$/.test(v),
);
const anId = check(
  "the device and the date such as 'h200@2026-01-31'",
  (v) => typeof v === 'string' && /^[a-z0-9-]{1,60}@/.test(v) && isDay(v.slice(v.indexOf('@') + 1)),
);
const aHash = check('eight hexadecimal digits', (v) => typeof v === 'string' && /^[0-9a-f]{8}$/.test(v));

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The name of a device or driver: not empty, and short. */
const aName = check(
  'a text of 1 to 80 letters',
  (v) => typeof v === 'string' && v.trim() !== '' && v.length <= REPORT_BOUNDS.recordingName,
);

/** What a recording and its entry in the index have in common. */
const identifyingFields = { id: anId, name: aName, date: aDay, driver: aName, commit: aCommit };

const row = allOf(
  objectOf<RecordedRow>({
    ...rowShape,
    verified: allOf(
      objectOf<RecordedRow['verified']>({
        outputs: aCount,
        compared: optional(aCount),
        worstShare: aShare,
        checkedWhileTimed: optional(aCount),
      }),
      consistentVerification,
    ),
    medianNs: check('a number above 0', (v) => typeof v === 'number' && v > 0 && Number.isFinite(v)),
    p10Ns: aNonNegativeNumber,
    p90Ns: aNonNegativeNumber,
    cached: optional(oneOf(true)),
  }),
  consistentTimes,
);

const recordingShape = objectOf<Recording>({
  schema: oneOf(1),
  ...identifyingFields,
  app: aReportText,
  clock: aClock,
  environments: objectOf<Recording['environments']>({
    full: anEnvironment,
    'no-subgroups': optional(anEnvironment),
    minimum: optional(anEnvironment),
  }),
  roofs: objectOf<Recording['roofs']>(roofShape),
  kernels: recordOf(
    objectOf<Recording['kernels'][string]>({ title: aReportText, hash: aHash }),
    freeObject(REPORT_BOUNDS.rows, 'recorded kernels'),
  ),
  reports: listOf(
    objectOf<RecordedReport>({
      opened: optional(oneOf(...DEVICE_MODES)), // bounded: three modes, also the keys of `environments`
      // the day and the commit of a later session of measuring, if the report was added in one
      sitting: optional(objectOf<NonNullable<RecordedReport['sitting']>>({ date: aDay, commit: aCommit })),
      createdAt: aDate,
      workload: aWorkload,
      ...roofShape,
      rows: listOf(row, REPORT_BOUNDS.rows, 'rows'),
      refused: someRejections,
      notes: listOf(aReportText, REPORT_BOUNDS.notes, 'notes'),
    }),
    REPORT_BOUNDS.reports,
    'reports',
  ),
});

/** The path of these keys, from the checked value inwards. */
function pathOf(...keys: readonly Path['key'][]): Path | null {
  return keys.reduce<Path | null>((parent, key) => ({ parent, key }), null);
}

/**
 * The value of the file `name` as a recording: the measurements of all kernels on one GPU. Throws ReadError with file,
 * position in it, found and expected.
 */
export function checkRecording(name: string, value: unknown): Recording {
  return readAs(name, value, () => {
    recordingShape(value, null);
    const recording = value as Recording;
    const { id, date, kernels, environments, reports } = recording;
    if (!id.endsWith(`@${date}`)) throw fault(pathOf('id'), `found '${id}', expected it to end in '@${date}'`);
    for (const [opened, environment] of Object.entries(environments)) {
      if (!environment?.isFallback) continue;
      throw fault(pathOf('environments', opened, 'isFallback'), 'found a software adapter, expected a GPU');
    }
    for (const [i, { opened = 'full', rows }] of reports.entries()) {
      if (!environments[opened]) {
        throw fault(
          pathOf('reports', i, 'opened'),
          `found '${opened}', expected one of ${Object.keys(environments).join(', ')}`,
        );
      }
      const unknown = rows.findIndex(({ kernel }) => !Object.hasOwn(kernels, kernel));
      if (unknown < 0) continue;
      throw fault(
        pathOf('reports', i, 'rows', unknown, 'kernel'),
        `found '${rows[unknown].kernel}', expected one of the recording's kernels`,
      );
    }
    return recording;
  });
}

const checkIndex = objectOf<RecordingIndex>({
  schema: oneOf(1),
  recordings: listOf(
    objectOf<RecordingIndex['recordings'][number]>({
      ...identifyingFields,
      bytes: aCount,
      shapes: listOf(aReportText, REPORT_BOUNDS.reports, 'shapes'),
      roofs: objectOf<Recording['roofs']>(roofShape),
    }),
    REPORT_BOUNDS.recordings,
    'recordings',
  ),
});

/** The value of the file `name` as the list of the application's recordings. Throws ReadError like `checkRecording`. */
export function checkRecordingIndex(name: string, value: unknown): RecordingIndex {
  return readAs(name, value, () => {
    checkIndex(value, null);
    return value as RecordingIndex;
  });
}
