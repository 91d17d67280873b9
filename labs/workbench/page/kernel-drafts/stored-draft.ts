// Checks a draft that is read from the browser's storage.

import { DRAFT_BOUNDS } from '../../theory/bounds.ts';
import {
  aBoolean,
  aCount,
  aFiniteNumber,
  anObject,
  anyOf,
  aReportText,
  aText,
  type Check,
  check,
  checkCount,
  conforms,
  freeObject,
  listOf,
  mismatch,
  nullable,
  objectOf,
  oneOf,
  optional,
  type Path,
  recordOf,
  textUpTo,
} from '../../../../src/core/bounds/shapes.ts';
import { checkReports } from '../../../../src/core/reports/report-check.ts';
import type { Draft, DraftText } from './draft.ts';
import { areParams, draftName } from './draft-file.ts';
import { MAX_POINTS } from './draft-result.ts';

/** Maximum matrices, messages or times in the stored result of a run; real results have far fewer. */
const MAX_LISTED = 1000;

const { word, length, files, overrides, versions } = DRAFT_BOUNDS;
/** A short text, such as a name or a time. */
const aWord = textUpTo(word);
/** Measured numbers may be infinite or NaN. */
const anyNumber = check('a number', (value) => typeof value === 'number');

/** An object with at most `max` entries, whose names have a limited length. */
const objectWithNames = (inner: Check, max: number, what: string): Check => {
  const entries = recordOf(inner, freeObject(max, what));
  return (value, path) => {
    entries(value, path);
    for (const name of Object.keys(value as object)) aWord(name, { parent: path, key: name });
  };
};
const filesByPath = objectWithNames(aText, files, 'files');
const filesWithinLimit: Check = (value, path) => {
  filesByPath(value, path);
  const characters = Object.values(value as DraftText['files']).reduce((sum, code) => sum + code.length, 0);
  checkCount(characters, length, 'characters', path);
};
const textFields = { files: filesWithinLimit, overrides: objectWithNames(aFiniteNumber, overrides, 'overrides') };
const aVersion = objectOf({
  ...textFields,
  number: check('a whole number from 1', (value) => Number.isSafeInteger(value) && Number(value) >= 1),
  at: aWord,
  result: nullable(anObject),
});
const versionList = listOf(aVersion, versions, 'versions');
const ascendingNumbers = check('versions whose numbers ascend', (value) =>
  (value as Draft['versions']).every(({ number }, i, versions) => i === 0 || number > versions[i - 1].number),
);
const aDraft = objectOf({
  ...textFields,
  id: aWord,
  name: aText,
  kernel: aWord,
  params: check('parameters', areParams),
  from: oneOf('here', 'link', 'file'),
  changedAt: aWord,
  versions: (value: unknown, path: Path | null) => {
    versionList(value, path);
    ascendingNumbers(value, path);
  },
  start: optional(filesWithinLimit),
  exercise: optional(aWord),
});

const positionFields = { file: nullable(aReportText), line: aCount };
const aMessage = objectOf({
  ...positionFields,
  severity: oneOf('error', 'warning', 'info'),
  text: aText,
  column: aCount,
  length: aCount,
});
const anOutput = anyOf('a number or a text', anyNumber, aReportText);
const mapFields = objectOf({
  outputs: aCount,
  each: aCount,
  points: check('bytes', (points) => points instanceof Uint8Array),
});
/** A map of a run's wrong outputs: one byte for every `each` outputs. */
const aMap: Check = (value, path) => {
  mapFields(value, path);
  const { outputs, each, points } = value as { outputs: number; each: number; points: Uint8Array };
  const isComplete = each >= 1 && points.length <= MAX_POINTS && points.length === Math.ceil(outputs / each);
  if (!isComplete) throw mismatch(path, `${points.length} points`, `one for every ${each} of ${outputs} outputs`);
};
const aCheck = objectOf({
  stage: oneOf('checked'),
  matrix: aReportText,
  isOpenMatrix: aBoolean,
  rows: aCount,
  cols: aCount,
  place: aCount,
  of: aCount,
  ok: aBoolean,
  outputs: aCount,
  wrong: aCount,
  worstShare: anyNumber,
  first: listOf(
    objectOf({ output: aCount, got: anOutput, expected: anOutput, bound: anOutput }),
    MAX_LISTED,
    'wrong outputs',
  ),
  guard: optional(aReportText),
  declined: nullable(aReportText),
  map: optional(aMap),
});
const aRatio = nullable(objectOf({ ratio: aFiniteNumber, p10: aFiniteNumber, p90: aFiniteNumber }));
const aTime = objectOf({
  who: oneOf('draft', 'original', 'reference'),
  kernel: aReportText,
  medianNs: aFiniteNumber,
  p10Ns: aFiniteNumber,
  p90Ns: aFiniteNumber,
  rounds: aCount,
  vsOriginal: aRatio,
  vsDense: aRatio,
  GBps: nullable(aFiniteNumber),
});
const aReport = check('a report', (value) => {
  try {
    return checkReports('a draft', [value]).length === 1;
  } catch {
    return false;
  }
});
const aResult = objectOf({
  messages: listOf(aMessage, MAX_LISTED, 'messages'),
  compiled: nullable(aBoolean),
  checks: listOf(aCheck, MAX_LISTED, 'checks'),
  budget: nullable(objectOf({ stopped: aBoolean, sentence: aReportText, loop: nullable(objectOf(positionFields)) })),
  timed: nullable(
    objectOf({
      rows: listOf(aTime, MAX_LISTED, 'times', 1),
      of: aCount,
      readBandwidthGBps: nullable(aFiniteNumber),
      clock: objectOf({ source: oneOf('timestamp-query', 'wall-clock'), quantumNs: aFiniteNumber }),
      report: optional(aReport),
    }),
  ),
  doing: nullable(objectOf({ what: aReportText, done: aFiniteNumber, total: aFiniteNumber })),
  ended: nullable(objectOf({ ok: aBoolean, sentence: aReportText })),
  on: aReportText,
  adapter: nullable(
    objectOf({ vendor: aReportText, architecture: aReportText, device: aReportText, description: aReportText }),
  ),
});

/**
 * The draft (a user's changed kernel) that this browser stores under a key; null if `value` is no complete draft. An
 * unreadable result of a version is dropped: its text stays and can be run again.
 */
export function checkedDraft(key: unknown, value: unknown): Draft | null {
  if (!conforms(value, aDraft)) return null;
  const draft = value as Draft;
  if (draft.id !== key) return null;
  return {
    ...draft,
    name: draftName(draft.name) || draft.kernel,
    versions: draft.versions.map((version) =>
      conforms(version.result, nullable(aResult)) ? version : { ...version, result: null },
    ),
  };
}
