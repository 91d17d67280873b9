/* The texts above Compare's table: the bytes of formats A and B, and the smallest and fastest formats. */

import { wordsOf } from '../../../story/frames.ts';
import { fact, type NamedFact, scoped, sizeFact, type Stated, stated } from '../../../core/text/stated.ts';
import { countText, say, strong, threeDigits, type Words } from '../../../core/text/words.ts';
import { substituteOf } from '../../../kit/words/ran-instead.ts';
import { time } from '../../../kit/words/quantity.ts';
import { oneDecimal } from '../../../kit/words/rates.ts';
import { MIN_BYTES_IN_GB, modelSize } from '../../../kit/words/model-sizes.ts';
import type { ModelShape } from '../../../theory/models/model-shape.ts';
import type { ComparedFormats, CompareRow } from './compare-row.ts';
import { bitsOf, variantName } from './stored-variants.ts';

/** What the answer is computed from. */
type AnswerInput = Pick<ComparedFormats, 'level' | 'rows' | 'a' | 'b' | 'f16Bytes' | 'tokens' | 'summary'> & {
  readonly model: Pick<NonNullable<ComparedFormats['model']>, 'shape' | 'isLayer' | 'starts'> | null;
  /** whether the shown device has measured times: a missing time is then called not measured */
  readonly isMeasured: boolean;
};

/** The bytes of A and B, and what is smaller; for a model also its speed. Null until all rows are computed. */
export function compareAnswer(compared: AnswerInput): readonly Words[] | null {
  if (compared.level === 'model') return modelAnswer(compared);
  const answer = matrixAnswer(compared);
  return answer && wordsOf(answer);
}

/** The answer about a matrix. Each number has a name by which a test computes it again (core/text/stated.ts). */
export function matrixAnswer({ rows, a, b }: Pick<AnswerInput, 'rows' | 'a' | 'b'>): Stated | null {
  if (a === null || rows.some(({ state }) => state === 'waiting')) return null;
  const stored = storedWords(a, b);
  if (a.state !== 'known' || a.bytes === null) return scoped('matrix', stored);
  return scoped('matrix', stated`${stored}${denseWords(rows, a, b)}`);
}

/** The bytes of A and B, bold between `*`: 'MACKO stores this matrix in *199 352 bytes, CSR in 316 624*' */
function storedWords(a: CompareRow, b: CompareRow | null): Stated {
  const nameA = variantName(a, [b]);
  const sizeA = sizeOf(a);
  if (b === null) return sizeA ? stated`${nameA} stores this matrix in *${sizeA}*` : stated`${nameA} ${noBytes(a)}.`;
  const nameB = variantName(b, [a]);
  const sizeB = sizeOf(b, sizeA);
  if (sizeA === null) {
    if (sizeB !== null) return stated`${nameA} ${noBytes(a)}; ${nameB} stores it in *${sizeB}*.`;
    return a.state === 'open' || b.state === 'open'
      ? stated`${nameA} ${noBytes(a)}; ${nameB} ${noBytes(b, 'it')}.`
      : stated`${nameA} ${noBytes(a)}, and neither can ${nameB}.`;
  }
  return sizeB === null
    ? stated`${nameA} stores this matrix in *${sizeA}*, ${nameB} ${noBytes(b, 'it')}`
    : stated`${nameA} stores this matrix in *${sizeA}, ${nameB} in ${sizeB}*`;
}

/** Why a format has no bytes: 'cannot store this matrix'. State 'open': only its encoding would show them. */
function noBytes({ state }: CompareRow, what = 'this matrix'): string {
  return state === 'open' ? `has to encode ${what} first` : `cannot store ${what}`;
}

/** The formats with the fewest bytes and the least time of those with values of as many bits as A's; '' if unknown. */
export function rankingText({ level, rows, a }: Pick<AnswerInput, 'level' | 'rows' | 'a'>): string {
  if (level === 'model' || a === null || rows.some(({ state }) => state === 'waiting')) return '';
  const bits = bitsOf(a.stored.params);
  const comparable = rows.filter(({ state, stored }) => state === 'known' && bitsOf(stored.params) === bits);
  const best = [
    ['smallest', least(comparable, ({ bytes }) => bytes)],
    ['fastest', least(comparable, timeOnCard)],
  ] as const;
  const texts = best.flatMap(([adjective, row]) => (row === null ? [] : [`${adjective}: ${row.format.title}`]));
  return texts.length === 0 ? '' : `In ${bits} bits, ${texts.join(', ')}.`;
}

/** The row with the least figure; null with fewer than two figures to compare. */
function least(rows: readonly CompareRow[], figureOf: (row: CompareRow) => number | null): CompareRow | null {
  const figure = (row: CompareRow): number => figureOf(row) ?? 0;
  const ranked = rows.filter((row) => figure(row) > 0).toSorted((one, other) => figure(one) - figure(other));
  return ranked.length < 2 ? null : ranked[0];
}

/** The measured time of a row, in ns; null if it was not of a graphics card. */
function timeOnCard({ figures, measuredNs }: CompareRow): number | null {
  return figures?.measurement && substituteOf(figures.measurement.timedRow.report) === null ? measuredNs : null;
}

/**
 * The second half of the answer: dense in few bits, unpruned, if it is smaller than A or the fastest of all, so that the
 * first half alone does not recommend A. '.' if it is neither.
 */
function denseWords(rows: readonly CompareRow[], a: CompareRow, b: CompareRow | null): Stated | string {
  const isNeither = ({ key }: CompareRow): boolean => key !== a.key && key !== b?.key;
  const fastest = least(
    rows.filter(({ state }) => state === 'known'),
    timeOnCard,
  );
  const isDenseFastest = fastest !== null && isNeither(fastest) && isDenseInFewBits(fastest);
  const dense = denseInFewestBits(rows);
  const isSmaller =
    dense !== undefined && isNeither(dense) && dense.bytes !== null && a.bytes !== null && dense.bytes < a.bytes;
  if (isSmaller) {
    const largest = b?.bytes && b.bytes > (a.bytes ?? 0) ? b : a;
    const takes = stated`, but dense in ${bitsFact(dense)} bits, unpruned, takes *${sizeOf(dense, sizeOf(largest)) ?? ''}*`;
    if (!isDenseFastest) return stated`${takes}.`;
    return fastest === dense
      ? stated`${takes} and is the *fastest*.`
      : stated`${takes}, and in ${bitsFact(fastest)} bits it is the *fastest*.`;
  }
  return isDenseFastest ? stated`, but dense in ${bitsFact(fastest)} bits, unpruned, is the *fastest*.` : '.';
}

function bitsFact({ stored }: CompareRow): NamedFact {
  return fact('bits of a value of dense', bitsOf(stored.params));
}

function isDenseInFewBits({ format, stored }: CompareRow): boolean {
  return format.group === 'baseline' && bitsOf(stored.params) < 16;
}

function denseInFewestBits(rows: readonly CompareRow[]): CompareRow | undefined {
  const dense = rows.filter(({ format }) => format.group === 'baseline');
  return dense.toSorted((x, y) => bitsOf(x.stored.params) - bitsOf(y.stored.params)).at(0);
}

/** Before a size that was computed, not counted. */
const ABOUT = 'about ';

/** '199 352 bytes', 'about 73.4 MB'; null if unknown. Omits 'about' and the unit if the size before it has them. */
function sizeOf({ key, bytes, state, isExpected }: CompareRow, sizeBefore: Stated | null = null): Stated | null {
  if (state !== 'known' || bytes === null) return null;
  const hasUnit = sizeBefore?.facts[0].unit !== undefined;
  const hasAbout = sizeBefore !== null && sizeBefore.text.startsWith(ABOUT);
  return stated`${isExpected && !hasAbout ? ABOUT : ''}${sizeFact(key, bytes, hasUnit)}`;
}

function modelAnswer(compared: AnswerInput): readonly Words[] | null {
  const { rows, a, b, f16Bytes, model, tokens } = compared;
  if (a === null || model === null) return null;
  const name = model.isLayer ? `A layer of ${model.shape.name}` : model.shape.name;
  const [nameA, nameB] = [variantName(a, [b]), b ? variantName(b, [a]) : 'dense f16'];
  if (a.gain) {
    const { gain, model: measuredModel } = a.gain.measured;
    const faster = `${threeDigits(gain)} times as fast`;
    const where = measuredModel === model.shape.name ? '' : ` at ${measuredModel}`;
    return say`${nameA} stores the activations of ${name}, not its weights. Many tokens at once are ${strong(faster)}, measured${where}.`;
  }
  if (a.state !== 'known' || a.bytes === null) {
    return say`${nameA} ${a.state === 'open' ? `has to encode ${name} first` : `cannot store ${name}`}.`;
  }
  // Dense in f16 is not compared with itself.
  const f16 = a.bytes === f16Bytes ? null : f16Bytes;
  const otherBytes = b === null ? f16 : b.state === 'known' ? b.bytes : null;
  const size = strong(
    otherBytes === null
      ? `${name} takes ${modelSize(a.bytes)}`
      : `${name} takes ${modelSize(a.bytes)} instead of ${modelSize(otherBytes, Math.min(a.bytes, otherBytes) < MIN_BYTES_IN_GB)}`,
  );
  const cannotB =
    b !== null && otherBytes === null
      ? `; ${nameB} ${b.state === 'open' ? 'has to be encoded first' : 'cannot store it'}`
      : '';
  // A layer alone writes no tokens, and has no time of whole tokens.
  const verb = model.isLayer ? 'passes' : 'writes';
  const speed = speedOf(a, b, tokens, verb, matricesAlone(model.shape));
  const head = say`In ${nameA} ${size}${speed.text}${cannotB}.`;
  return [...head, ...denseWordsOfModel(rows, compared, speed.kind, verb), ...startWords(a, model, speed.kind)];
}

/** The time to start the kernels, which a bound by bytes does not count, if it is a quarter of the bound or more. */
function startWords(
  a: CompareRow,
  { starts }: NonNullable<AnswerInput['model']>,
  kind: Speed['kind'],
): readonly Words[] {
  if (kind !== 'at most' || starts === null || 4 * starts.ns < (a.minNs ?? Infinity)) return [];
  return say` Starting ${countText(starts.count)} kernels one after another takes ${time(starts.ns)}, which is not counted.`;
}

interface Speed {
  readonly text: string;
  /** measured of whole tokens, of their matrices alone, or of several tokens at once (a prompt); or an upper bound */
  readonly kind: 'whole tokens' | 'matrices' | 'prompt' | 'at most' | 'none';
}

/** The speed of A and B, both of the same kind: times of whole tokens, times of matrices alone, or upper bounds. */
function speedOf(a: CompareRow, b: CompareRow | null, tokens: number, verb: string, alone: string): Speed {
  if (tokens > 1) {
    if (a.measuredNs === null) return { text: '', kind: 'none' };
    const instead = b?.measuredNs ? ` instead of ${time(b.measuredNs)}` : '';
    return { text: `; its matrices alone read ${tokens} tokens in ${time(a.measuredNs)}${instead}`, kind: 'prompt' };
  }
  if (a.tokenNs !== null && (b === null || b.tokenNs !== null)) {
    const instead = b?.tokenNs ? ` instead of ${rateOf(b.tokenNs)}` : '';
    return { text: ` and writes ${rateOf(a.tokenNs)} whole tokens a second${instead}`, kind: 'whole tokens' };
  }
  if (a.measuredNs !== null) {
    const instead = b?.measuredNs ? ` instead of ${rateOf(b.measuredNs)}` : '';
    return { text: `${alone} ${rateOf(a.measuredNs)} tokens a second${instead}`, kind: 'matrices' };
  }
  if (a.minNs === null) return { text: '', kind: 'none' };
  const instead = b?.minNs ? ` instead of ${rateOf(b.minNs)}` : '';
  return { text: ` and ${verb} at most ${rateOf(a.minNs)} tokens a second${instead}`, kind: 'at most' };
}

/** States that only measured matrices are counted. Each expert was timed in its own kernel. */
function matricesAlone({ experts }: Pick<ModelShape, 'experts'>): string {
  return `; its matrices alone${experts ? ', each expert started by itself,' : ''} would allow`;
}

/** Tokens per second. */
function rateOf(ns: number): string {
  return oneDecimal(1e9 / ns);
}

/** The size and speed of dense in the fewest bits of the rows (4), unpruned, compared with A and B of a model. */
function denseWordsOfModel(
  rows: readonly CompareRow[],
  { a, b, isMeasured, model }: AnswerInput,
  kind: Speed['kind'],
  verb: string,
): readonly Words[] {
  const dense = denseInFewestBits(rows);
  if (!dense || dense.bytes === null || a === null || a.bytes === null) return [];
  if (dense.key === a.key || dense.key === b?.key) return [];
  const takes = `In 4 bits, unpruned, it takes ${modelSize(dense.bytes)}`;
  const speedText =
    denseSpeed(dense, kind, verb, model ? matricesAlone(model.shape) : '') ?? (isMeasured ? NOT_MEASURED : '');
  return dense.bytes < a.bytes ? say` ${strong(takes)}${speedText}.` : say` ${takes}${speedText}.`;
}

const NOT_MEASURED = '; speed not measured';

/** The speed of dense in 4 bits, of the same kind as A's; null if not measured. */
function denseSpeed(
  { tokenNs, measuredNs, minNs }: CompareRow,
  kind: Speed['kind'],
  verb: string,
  alone: string,
): string | null {
  switch (kind) {
    case 'whole tokens':
      if (tokenNs !== null) return ` and writes ${rateOf(tokenNs)}`;
      return measuredNs === null ? null : `${alone} ${rateOf(measuredNs)}, whole tokens were not measured`;
    case 'matrices':
      return measuredNs === null ? null : `${alone} ${rateOf(measuredNs)}`;
    case 'prompt':
      return measuredNs === null ? null : `; its matrices alone read them in ${time(measuredNs)}`;
    case 'at most':
      return minNs === null ? '' : ` and ${verb} at most ${rateOf(minNs)}`;
    case 'none':
      return '';
  }
}
