import {
  aFiniteNumber,
  aNonNegativeNumber,
  aShare,
  aText,
  check,
  describe,
  fault,
  listOf,
  objectOf,
  oneOf,
  optional,
  readAs,
  recordOf,
} from '../../../../src/core/bounds/shapes.ts';
import type { StoredType } from '../stored/recipe.ts';

/**
 * The file labs/language/public/models/ID/quality.json: how well a model predicts held-out tales, texts drawn from a
 * grammar, under many prunings. All rows use the same tales, so a difference between two rows is far more certain than
 * either row.
 */
export interface RecordedQuality {
  readonly schema: 1;
  /** the folder's name below labs/language/public/models */
  readonly model: string;
  /** YYYY-MM-DD */
  readonly date: string;
  /** number of the tales, their bytes in UTF-8, and their tokens with eos */
  readonly tales: number;
  readonly bytes: number;
  readonly tokens: number;
  /** bits per byte of the tales under their grammar: over all derivations of a tale, and for the one that was drawn */
  readonly floor: { readonly exact: number; readonly path: number };
  readonly rows: readonly RecordedRow[];
}

/** How kept weights were chosen: by magnitude in each matrix (or group of a `pattern`), or in each row ('rows'). */
export type RecordedMethod = 'none' | 'magnitude' | 'rows' | 'wanda' | 'random';

/** The model with one pruning and value type, measured. */
export interface RecordedRow {
  readonly way: RecordedMethod;
  /** density of the blocks' matrices: 1 for `none` */
  readonly density: number;
  /** N:M, such as `2:4`, or Spense; absent: unstructured */
  readonly pattern?: string;
  readonly valueType: StoredType;
  /** seconds of further training after pruning, with the zeros fixed */
  readonly trained?: number;
  readonly bitsPerByte: number;
  /** standard error of `bitsPerByte` over the tales */
  readonly se: number;
  /** standard error of the difference from the dense model, tale by tale */
  readonly differenceSe?: number;
  /** how many of `judged` texts that the model wrote broke no rule, such as spelling (tales/judge.ts) */
  readonly unbroken?: number;
  readonly judged?: number;
  /** for each rule, in how many of these texts it was the first broken */
  readonly firstBroken?: Readonly<Record<string, number>>;
  /** of the blocks' matrices, each in its smallest format */
  readonly bytes?: number;
  /** bits per tale by kind of token */
  readonly byKind?: Readonly<Record<string, number>>;
}

/** Far more than in any recording. */
const MAX_ROWS = 1000;
const PATTERN = /^(?:[1-9]\d?:[1-9]\d?|Spense)$/;

const aPositive = check('a number of at least 1', (v) => typeof v === 'number' && v >= 1 && Number.isFinite(v));

const aRow = objectOf<RecordedRow>({
  way: oneOf('none', 'magnitude', 'rows', 'wanda', 'random'),
  density: aShare,
  pattern: optional(check('N:M or Spense', (v) => typeof v === 'string' && PATTERN.test(v))),
  valueType: oneOf('f16', 'i8', 'i4'),
  trained: optional(aNonNegativeNumber),
  bitsPerByte: aNonNegativeNumber,
  se: aNonNegativeNumber,
  differenceSe: optional(aNonNegativeNumber),
  unbroken: optional(aNonNegativeNumber),
  judged: optional(aNonNegativeNumber),
  firstBroken: optional(recordOf(aFiniteNumber)),
  bytes: optional(aNonNegativeNumber),
  byKind: optional(recordOf(aFiniteNumber)),
});

const aRecording = objectOf<RecordedQuality>({
  schema: oneOf(1),
  model: aText,
  date: aText,
  tales: aPositive,
  bytes: aPositive,
  tokens: aPositive,
  floor: objectOf<RecordedQuality['floor']>({ exact: aNonNegativeNumber, path: aNonNegativeNumber }),
  rows: listOf(aRow, MAX_ROWS, 'rows'),
});

/** The value of a quality.json, once checked. Throws ReadError with field, found and expected. */
export function readRecordedQuality(value: unknown): RecordedQuality {
  return readAs('quality.json', value, () => {
    aRecording(value, null);
    const { rows } = value as RecordedQuality;
    const at = rows.findIndex(({ judged, unbroken }) => (judged === undefined) !== (unbroken === undefined));
    if (at >= 0)
      throw fault(null, `rows[${at}].judged: found ${describe(rows[at].judged)}, expected one together with unbroken`);
    return value as RecordedQuality;
  });
}
