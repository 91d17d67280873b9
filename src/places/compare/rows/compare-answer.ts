import type { Words } from '../../../core/story/scene.ts';
import { bytesText, capitalised, countText, listText, say, strong, threeDigits } from '../../../core/story/words.ts';
import { noCardOf } from '../../../kit/words/no-card.ts';
import { time } from '../../../kit/words/quantity.ts';
import { oneDecimal } from '../../../kit/words/rates.ts';
import { MIN_GB, modelSize } from '../../../kit/words/weights.ts';
import type { Compared, CompareRow } from './compare-row.ts';
import { bitsOf, wayName } from './ways.ts';

type Answered = Pick<Compared, 'level' | 'rows' | 'a' | 'b' | 'f16Bytes' | 'tokens' | 'summary'> & {
  readonly model: Pick<NonNullable<Compared['model']>, 'shape' | 'isLayer'> | null;
  /** times of this device are no bounds, so that a missing one was not measured */
  readonly isMeasured: boolean;
};

/**
 * What A and B take, what takes less, and what dense in 4 bits takes, which needs no pruning; of a model also how fast they
 * are: whole tokens, or what its matrices alone would allow, measured, or at most. Null while something of it is not known.
 */
export function compareAnswer(compared: Answered): readonly Words[] | null {
  return compared.level === 'model' ? modelAnswer(compared) : matrixAnswer(compared);
}

function matrixAnswer({ rows, a, b }: Answered): readonly Words[] | null {
  if (a === null || !isSettled(a) || (b !== null && !isSettled(b))) return null;
  if (rows.some(({ state }) => state === 'waiting')) return null;
  const stored = storedWords(a, b);
  if (a.state !== 'known' || a.bytes === null) return stored;
  const min = Math.min(a.bytes, b?.state === 'known' ? (b.bytes ?? Infinity) : Infinity);
  return [...stored, ...smallerWords(rows, a, b, min)];
}

/** 'MACKO stores this matrix in 199 352 bytes, CSR in 316 624' */
function storedWords(a: CompareRow, b: CompareRow | null): readonly Words[] {
  const [nameA, nameB] = [wayName(a, [b]), b && wayName(b, [a])];
  const [sizeA, sizeB] = [sizeOf(a), b && sizeOf(b)];
  if (sizeA === null) {
    if (b === null) return say`${nameA} ${cannot(a)}.`;
    if (sizeB !== null) return say`${nameA} ${cannot(a)}; ${nameB ?? ''} stores it in ${strong(sizeB)}.`;
    return a.state === 'open' || b.state === 'open'
      ? say`${nameA} ${cannot(a)}; ${nameB ?? ''} ${cannot(b, 'it')}.`
      : say`${nameA} ${cannot(a)}, and neither can ${nameB ?? ''}.`;
  }
  const stores = say`${nameA} stores this matrix in `;
  if (b === null) return [...stores, strong(sizeA)];
  if (sizeB === null) return [...stores, ...say`${strong(sizeA)}, ${nameB ?? ''} ${cannot(b, 'it')}`];
  // The unit need not be said again.
  const again = (a.bytes ?? 0) < IN_FULL && (b.bytes ?? 0) < IN_FULL ? sizeB.replace(/ bytes?$/, '') : sizeB;
  return [...stores, strong(`${sizeA}, ${nameB ?? ''} in ${again}`)];
}

function cannot({ state }: CompareRow, what = 'this matrix'): string {
  return state === 'open' ? `has to encode ${what} first` : `cannot store ${what}`;
}

/** Those with values of as many bits that take less, then dense in 4 bits. */
function smallerWords(rows: readonly CompareRow[], a: CompareRow, b: CompareRow | null, min: number): readonly Words[] {
  const bits = bitsOf(a.stored.params);
  const known = rows.filter(
    ({ state, bytes, key }) => state === 'known' && bytes !== null && key !== a.key && key !== b?.key,
  );
  const smaller = known
    .filter(({ bytes, stored }) => (bytes ?? 0) < min && bitsOf(stored.params) === bits)
    .toSorted((x, y) => (x.bytes ?? 0) - (y.bytes ?? 0));
  const names = [...new Set(smaller.map((row) => row.format.title))];
  const those = `; in ${bits} bits `;
  const alike =
    names.length === 0
      ? `${those}none is smaller.`
      : names.length === 1
        ? `${those}only ${names[0]} is smaller.`
        : `${those}${listText(names.slice(0, MAX_NAMED))}${names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''} are smaller.`;
  return [{ text: alike }, ...fourBitWords(rows, a, b)];
}

/** Which row is the first by a figure, and which of those with values of 16 bits. */
function extremeText(rows: readonly CompareRow[], adjective: string, of: (row: CompareRow) => number | null): string {
  const ranked = rows
    .flatMap((row) => ((of(row) ?? 0) > 0 ? [{ row, figure: of(row) ?? 0 }] : []))
    .toSorted((one, other) => one.figure - other.figure)
    .map(({ row }) => row);
  const [first] = ranked;
  // The first of one is no answer.
  if (ranked.length < 2) return '';
  const wide = ranked.find(({ stored }) => bitsOf(stored.params) === 16);
  if (wide === undefined || wide === first) return `${capitalised(adjective)}: ${rowName(first)}.`;
  const own = `${capitalised(adjective)}: ${first.format.title}${first.format === wide.format ? ',' : ''} in ${bitsOf(first.stored.params)} bits`;
  return first.format === wide.format ? `${own} and in 16.` : `${own}; in 16 bits ${rowName(wide)}.`;
}

/** 'dense i4', 'MACKO' */
function rowName({ format, stored }: CompareRow): string {
  return bitsOf(stored.params) === 16 ? format.title : `${format.title} ${String(stored.params.valueType)}`;
}

/**
 * 'Smallest: bitmask, in 4 bits and in 16. Fastest: dense in 4 bits; in 16 bits MACKO.' Of a matrix; empty where
 * sizes are not known yet. Times in software rank nothing.
 */
export function extremeWords({ level, rows }: Pick<Answered, 'level' | 'rows'>): string {
  if (level === 'model' || rows.some(({ state }) => state === 'waiting')) return '';
  const known = rows.filter(({ state }) => state === 'known');
  const ofCards = known.filter(({ figures }) => figures?.measured && noCardOf(figures.measured.timed.report) === null);
  return [
    extremeText(known, 'smallest', ({ bytes }) => bytes),
    extremeText(ofCards, 'fastest', ({ measuredNs }) => measuredNs),
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** Formats named at most. */
const MAX_NAMED = 3;

function fourBitWords(rows: readonly CompareRow[], a: CompareRow, b: CompareRow | null): readonly Words[] {
  const dense = fewestBits(rows);
  if (!dense || dense.bytes === null || a.bytes === null || dense.key === a.key || dense.key === b?.key) return [];
  const full = sizeOf(dense) ?? '';
  // The unit need not be said again after one in bytes.
  const size = Math.max(a.bytes, b?.bytes ?? 0) < IN_FULL ? full.replace(/ bytes?$/, '') : full;
  const takes = `Dense in 4 bits, unpruned, takes ${size}`;
  return dense.bytes < a.bytes ? say` ${strong(takes)}.` : say` ${takes}.`;
}

/** Dense in the fewest bits. */
function fewestBits(rows: readonly CompareRow[]): CompareRow | null {
  return (
    rows
      .filter(({ format }) => format.group === 'baseline')
      .toSorted((x, y) => bitsOf(x.stored.params) - bitsOf(y.stored.params))
      .at(0) ?? null
  );
}

/** Below, bytes are written in full. */
const IN_FULL = 1e6;

/** '199 352 bytes', 'about 73.4 MB'; null where they are not known. */
function sizeOf({ bytes, state, isExpected }: CompareRow): string | null {
  if (state !== 'known' || bytes === null) return null;
  const about = isExpected ? 'about ' : '';
  return bytes >= IN_FULL
    ? `${about}${bytesText(bytes)}`
    : `${about}${countText(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
}

function isSettled({ state }: CompareRow): boolean {
  return state !== 'waiting';
}

function modelAnswer(compared: Answered): readonly Words[] | null {
  const { rows, a, b, f16Bytes, model, tokens } = compared;
  if (a === null || model === null) return null;
  const name = model.isLayer ? `A layer of ${model.shape.name}` : model.shape.name;
  const [nameA, nameB] = [wayName(a, [b]), b ? wayName(b, [a]) : 'dense f16'];
  if (a.gain) {
    const { gain, model: of } = a.gain.measured;
    const faster = `${threeDigits(gain)} times as fast`;
    const where = of === model.shape.name ? '' : ` at ${of}`;
    return say`${nameA} stores the activations of ${name}, not its weights. Many tokens at once are ${strong(faster)}, measured${where}.`;
  }
  if (a.state !== 'known' || a.bytes === null) {
    return say`${nameA} ${a.state === 'open' ? `has to encode ${name} first` : `cannot store ${name}`}.`;
  }
  // Dense in f16 takes what it takes.
  const f16 = a.bytes === f16Bytes ? null : f16Bytes;
  const other = b === null ? f16 : b.state === 'known' ? b.bytes : null;
  const size = strong(
    other === null
      ? `${name} takes ${modelSize(a.bytes)}`
      : `${name} takes ${modelSize(a.bytes)} instead of ${modelSize(other, Math.min(a.bytes, other) < MIN_GB)}`,
  );
  const cannotB =
    b !== null && other === null
      ? `; ${nameB} ${b.state === 'open' ? 'has to be encoded first' : 'cannot store it'}`
      : '';
  // A layer writes nothing by itself.
  const writes = model.isLayer ? 'passes' : 'writes';
  const speed = speedOf(a, b, tokens, writes);
  const head = say`In ${nameA} ${size}${speed.text}${cannotB}.`;
  return [...head, ...fourBitsOfModel(rows, compared, speed.kind, writes)];
}

interface Speed {
  readonly text: string;
  readonly kind: 'whole' | 'measured' | 'prompt' | 'at most' | 'none';
}

/** Measured and at most are never compared with each other. Times of matrices alone are no times of tokens, and are called so. */
function speedOf(a: CompareRow, b: CompareRow | null, tokens: number, writes: string): Speed {
  if (tokens > 1) {
    if (a.measuredNs === null) return { text: '', kind: 'none' };
    const instead = b?.measuredNs ? ` instead of ${time(b.measuredNs)}` : '';
    return { text: `; its matrices alone read ${tokens} tokens in ${time(a.measuredNs)}${instead}`, kind: 'prompt' };
  }
  // Whole tokens are compared with whole tokens alone.
  if (a.wholeNs !== null && (b === null || b.wholeNs !== null)) {
    const instead = b?.wholeNs ? ` instead of ${rateOf(b.wholeNs)}` : '';
    return { text: ` and writes ${rateOf(a.wholeNs)} whole tokens a second${instead}`, kind: 'whole' };
  }
  if (a.measuredNs !== null) {
    const instead = b?.measuredNs ? ` instead of ${rateOf(b.measuredNs)}` : '';
    return { text: `${ALONE} ${rateOf(a.measuredNs)} tokens a second${instead}`, kind: 'measured' };
  }
  if (a.atMostNs === null) return { text: '', kind: 'none' };
  const instead = b?.atMostNs ? ` instead of ${rateOf(b.atMostNs)}` : '';
  return { text: ` and ${writes} at most ${rateOf(a.atMostNs)} tokens a second${instead}`, kind: 'at most' };
}

const ALONE = '; its matrices alone would allow';

function rateOf(ns: number): string {
  return oneDecimal(1e9 / ns);
}

function fourBitsOfModel(
  rows: readonly CompareRow[],
  { a, b, isMeasured }: Answered,
  kind: Speed['kind'],
  writes: string,
): readonly Words[] {
  const dense = fewestBits(rows);
  if (!dense || dense.bytes === null || a === null || a.bytes === null) return [];
  if (dense.key === a.key || dense.key === b?.key) return [];
  const takes = `In 4 bits, unpruned, it takes ${modelSize(dense.bytes)}`;
  const fast = fourBitSpeed(dense, kind, writes) ?? (isMeasured ? NOT_MEASURED : '');
  return dense.bytes < a.bytes ? say` ${strong(takes)}${fast}.` : say` ${takes}${fast}.`;
}

const NOT_MEASURED = '; speed not measured';

/** The speed of dense in 4 bits, as that of A was said; null where it would have to be measured. */
function fourBitSpeed(
  { wholeNs, measuredNs, atMostNs }: CompareRow,
  kind: Speed['kind'],
  writes: string,
): string | null {
  switch (kind) {
    case 'whole':
      if (wholeNs !== null) return ` and writes ${rateOf(wholeNs)}`;
      return measuredNs === null ? null : `${ALONE} ${rateOf(measuredNs)}, whole tokens were not measured`;
    case 'measured':
      return measuredNs === null ? null : `${ALONE} ${rateOf(measuredNs)}`;
    case 'prompt':
      return measuredNs === null ? null : `; its matrices alone read them in ${time(measuredNs)}`;
    case 'at most':
      return atMostNs === null ? '' : ` and ${writes} at most ${rateOf(atMostNs)}`;
    case 'none':
      return '';
  }
}
