import { DRAFT_BOUNDS, REPORT_BOUNDS } from '../../../core/bounds/bounds.ts';
import {
  type Check,
  hasAll,
  isCount,
  isEither,
  isListOf,
  isMaybe,
  isNull,
  isNumber,
  isOneOf,
  isOrNull,
  isRecord,
  isRecordOf,
  isText,
  isTextUpTo,
  isTruth,
} from '../../../state/checks.ts';
import { checkReports } from '../../../core/reports/report-check.ts';
import type { Draft, DraftText } from './draft.ts';
import { areParams, draftName } from './file.ts';
import { MAX_POINTS } from './result.ts';

/** Per run: far more than the matrices it tries or the messages it reports. */
const MAX_LISTED = 1000;

const { word, length, files, overrides, versions } = DRAFT_BOUNDS;
const isWord = isTextUpTo(word);
const isSentence = isTextUpTo(REPORT_BOUNDS.text);
/** Infinity and NaN are reported as well. */
const isAnyNumber: Check = (value) => typeof value === 'number';

const areFiles = (value: unknown): value is DraftText['files'] =>
  isRecordOf(isText, files, word)(value) &&
  Object.values(value as DraftText['files']).reduce((sum, code) => sum + code.length, 0) <= length;
const textFields = { files: areFiles, overrides: isRecordOf(isNumber, overrides, word) };
const isVersion = hasAll({
  ...textFields,
  number: (value) => isCount(value) && value !== 0,
  at: isWord,
  result: isOrNull(isRecord),
});
const ascend: Check = (value) =>
  (value as Draft['versions']).every(({ number }, i, all) => i === 0 || number > all[i - 1].number);
const isDraft = hasAll({
  ...textFields,
  id: isWord,
  name: isText,
  kernel: isWord,
  params: areParams,
  from: isOneOf('here', 'link', 'file'),
  changedAt: isWord,
  versions: (value) => isListOf(isVersion, { min: 0, max: versions })(value) && ascend(value),
  start: isMaybe(areFiles),
  exercise: isMaybe(isWord),
});

const placeFields = { file: isOrNull(isSentence), line: isCount };
const isMessage = hasAll({
  ...placeFields,
  severity: isOneOf('error', 'warning', 'info'),
  text: isText,
  column: isCount,
  length: isCount,
});
const isShown = isEither(isAnyNumber, isSentence);
const isMap: Check = (value) => {
  if (!hasAll({ outputs: isCount, each: isCount, points: (points) => points instanceof Uint8Array })(value))
    return false;
  const { outputs, each, points } = value as { outputs: number; each: number; points: Uint8Array };
  return each >= 1 && points.length <= MAX_POINTS && points.length === Math.ceil(outputs / each);
};
const isCheck = hasAll({
  stage: isOneOf('checked'),
  matrix: isSentence,
  isOpenMatrix: isTruth,
  rows: isCount,
  cols: isCount,
  place: isCount,
  of: isCount,
  ok: isTruth,
  outputs: isCount,
  wrong: isCount,
  worstShare: isAnyNumber,
  first: isListOf(hasAll({ output: isCount, got: isShown, expected: isShown, bound: isShown }), {
    min: 0,
    max: MAX_LISTED,
  }),
  guard: isMaybe(isSentence),
  declined: isOrNull(isSentence),
  map: isMaybe(isMap),
});
const isRatio = isOrNull(hasAll({ ratio: isNumber, p10: isNumber, p90: isNumber }));
const isTime = hasAll({
  who: isOneOf('draft', 'original', 'reference'),
  kernel: isSentence,
  medianNs: isNumber,
  p10Ns: isNumber,
  p90Ns: isNumber,
  rounds: isCount,
  vsOriginal: isRatio,
  vsDense: isRatio,
  GBps: isOrNull(isNumber),
});
const isReport: Check = (value) => {
  try {
    return checkReports('a draft', [value]).length === 1;
  } catch {
    return false;
  }
};
const isResult = hasAll({
  messages: isListOf(isMessage, { min: 0, max: MAX_LISTED }),
  compiled: isEither(isNull, isTruth),
  checks: isListOf(isCheck, { min: 0, max: MAX_LISTED }),
  budget: isOrNull(hasAll({ stopped: isTruth, sentence: isSentence, loop: isOrNull(hasAll(placeFields)) })),
  timed: isOrNull(
    hasAll({
      rows: isListOf(isTime, { max: MAX_LISTED }),
      of: isCount,
      readBandwidthGBps: isOrNull(isNumber),
      clock: hasAll({ source: isOneOf('timestamp-query', 'wall-clock'), quantumNs: isNumber }),
      report: isMaybe(isReport),
    }),
  ),
  doing: isOrNull(hasAll({ what: isSentence, done: isNumber, total: isNumber })),
  ended: isOrNull(hasAll({ ok: isTruth, sentence: isSentence })),
  on: isSentence,
  adapter: isOrNull(
    hasAll({ vendor: isSentence, architecture: isSentence, device: isSentence, description: isSentence }),
  ),
});

/**
 * The draft stored under a key in this browser; null if it is none, or incomplete. A version's result is dropped if it
 * cannot be read: its text survives and can be run again.
 */
export function checkedDraft(key: unknown, value: unknown): Draft | null {
  if (!isDraft(value)) return null;
  const draft = value as Draft;
  if (draft.id !== key) return null;
  return {
    ...draft,
    name: draftName(draft.name) || draft.kernel,
    versions: draft.versions.map((one) => (isOrNull(isResult)(one.result) ? one : { ...one, result: null })),
  };
}
