import { entryValue, f16Value, Q4_GROUP } from '../../../core/number/index.ts';
import { groupScaleWords, scaleWords } from '../../../core/story/scale-words.ts';
import type { Words } from '../../../core/story/scene.ts';
import { storageWords } from '../../../core/story/storage-words.ts';
import { counted, say, strong, valueText } from '../../../core/story/words.ts';
import { encoding } from '../encoding.ts';
import { popcount } from '../layout.ts';
import { WORD_BITS } from '../params.ts';
import type { BitmaskStep, BitmaskTrace } from './trace.ts';

type Of<K extends BitmaskStep['kind']> = Extract<BitmaskStep, { kind: K }>;

/** Describes a step in one or two sentences with the numbers of this window. */
export function narrate(t: BitmaskTrace, step: BitmaskStep | null): readonly Words[] {
  const { rows, cols, nnz } = t.window;
  switch (step?.kind) {
    case undefined:
      return say`This ${rows} × ${cols} window holds ${strong(counted(nnz, 'non-zero'))}. A bitmask has a bit for each of its ${counted(rows * cols, 'cell')}: is a value stored?`;
    case 'scale':
      return scale(t, step);
    case 'bit':
      return bit(t, step);
    case 'row-end':
      return rowEnd(t, step.row);
    case 'packed':
      return [
        ...say`${strong(counted(nnz, 'bit'))} of ${t.encoded.mask.length * WORD_BITS} ${nnz === 1 ? 'is' : 'are'} set. `,
        ...storageWords(encoding.storage(t.encoded), t.params.valueType),
      ];
    case 'word':
      return wordWords(t, step);
    case 'product':
      return product(t, step);
    case 'sum':
      return sum(t, step.row);
    case 'multiplied':
      return multiplied(t);
  }
}

function scale(
  { window, encoded: { valueType, scales, nnz } }: BitmaskTrace,
  { row, at }: Of<'scale'>,
): readonly Words[] {
  if (valueType === 'i8') return scaleWords(window, row, scales[at], 'values');
  const [first, last] = [at * Q4_GROUP, Math.min(nnz, (at + 1) * Q4_GROUP) - 1];
  return groupScaleWords(first === last ? `Value ${last}` : `Values ${first} to ${last}`, f16Value(scales[at]));
}

function bit(t: BitmaskTrace, { row, col, at, word }: Of<'bit'>): readonly Words[] {
  const value = strong(valueText(entryValue(t.encoded, row, at)));
  return say`Row ${row} holds ${value} in column ${strong(col)}: bit ${col % WORD_BITS} of mask[${word}] is set. The value goes to values[${at}].`;
}

function rowEnd({ encoded: { rowPtr, rows } }: BitmaskTrace, row: number): readonly Words[] {
  const count = rowPtr[row + 1] - rowPtr[row];
  if (count === 0) return say`Row ${row} is empty: rowPtr[${row + 1}] is ${strong(rowPtr[row + 1])} again.`;
  return say`Row ${row} ends with ${counted(count, 'set bit')}: rowPtr[${row + 1}] = ${strong(rowPtr[row + 1])}, where ${row === rows - 1 ? 'the last row ends' : 'the next row begins'}.`;
}

/** The columns of a word: [first, last]. */
function columnsOf({ encoded: { wordsPerRow, cols } }: BitmaskTrace, word: number): readonly [number, number] {
  const first = (word % wordsPerRow) * WORD_BITS;
  return [first, Math.min(cols, first + WORD_BITS) - 1];
}

function wordWords(t: BitmaskTrace, { row, word }: Of<'word'>): readonly Words[] {
  const set = popcount(t.encoded.mask[word]);
  const [first, last] = columnsOf(t, word);
  const columns = first === last ? `column ${first}` : `columns ${first} to ${last}`;
  const are = first === last ? 'is' : 'are';
  if (set === 0) return say`mask[${word}] is ${strong(0)}: ${columns} of row ${row} ${are} skipped at once.`;
  return say`mask[${word}], ${columns} of row ${row}, has ${strong(counted(set, 'set bit'))}.`;
}

function product(t: BitmaskTrace, { row, col, at, before, sum }: Of<'product'>): readonly Words[] {
  const value = entryValue(t.encoded, row, at);
  const place = before === 0 ? 'No bit' : before === 1 ? '1 bit' : `${before} bits`;
  const are = before > 1 ? 'are' : 'is';
  return say`${place} of row ${row} ${are} set before column ${strong(col)}: its value is values[${t.encoded.rowPtr[row]} + ${before}]. Times x: ${valueText(value)} × ${valueText(t.x[col])} = ${strong(valueText(value * t.x[col]))}. The row adds up to ${valueText(sum)} so far.`;
}

function sum({ encoded: { rowPtr }, y }: BitmaskTrace, row: number): readonly Words[] {
  const count = rowPtr[row + 1] - rowPtr[row];
  if (count === 0) return say`No bit of row ${row} is set: y[${row}] is ${strong(0)}.`;
  return say`Row ${row} is done after ${counted(count, 'product')}: y[${row}] = ${strong(valueText(y[row]))}.`;
}

function multiplied({ encoded: { mask, nnz } }: BitmaskTrace): readonly Words[] {
  const empty = mask.reduce((n, word) => n + (word === 0 ? 1 : 0), 0);
  return say`y is complete after ${strong(counted(nnz, 'multiplication'))}. ${counted(mask.length, 'mask word')} had to be read, ${empty} of them empty: the mask costs the same, however few bits are set.`;
}
