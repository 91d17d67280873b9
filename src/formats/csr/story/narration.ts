import { floatAt } from '../../../core/number/index.ts';
import type { Words } from '../../../core/story/scene.ts';
import { storageWords } from '../../../core/story/storage-words.ts';
import { counted, countText, say, strong, valueText } from '../../../core/story/words.ts';
import { encoding } from '../encoding.ts';
import type { CsrStep, CsrTrace } from './trace.ts';

type Of<K extends CsrStep['kind']> = Extract<CsrStep, { kind: K }>;

/** Describes a step in one or two sentences with the numbers of this window. */
export function narrate(t: CsrTrace, step: CsrStep | null): readonly Words[] {
  const { rows, cols, nnz } = t.window;
  switch (step?.kind) {
    case undefined:
      return say`This ${rows} × ${cols} window holds ${strong(counted(nnz, 'non-zero'))}. CSR keeps each with its column, row by row.`;
    case 'entry':
      return entry(t, step);
    case 'row-end':
      return rowEnd(t, step.row);
    case 'packed':
      return [
        ...say`${strong(counted(nnz, 'non-zero'))} and ${counted(rows + 1, 'row start')} are stored. `,
        ...storageWords(encoding.storage(t.encoded), t.params.valueType),
      ];
    case 'product':
      return product(t, step);
    case 'sum':
      return sum(t, step);
    case 'multiplied':
      return say`y is complete after ${strong(counted(nnz, 'multiplication'))}. Dense would take ${countText(rows * cols)}.`;
  }
}

function entry(t: CsrTrace, { row, col, entry: at }: Of<'entry'>): readonly Words[] {
  const value = strong(valueText(floatAt(t.encoded.data, at)));
  return say`Row ${row} holds ${value} in column ${strong(col)}. The value goes to data[${at}], the column to indices[${at}].`;
}

function rowEnd({ encoded: { indptr } }: CsrTrace, row: number): readonly Words[] {
  const [start, end] = [indptr[row], indptr[row + 1]];
  if (start === end) return say`Row ${row} is empty: indptr[${row + 1}] is ${strong(end)} again.`;
  return say`Row ${row} has ${counted(end - start, 'entry', 'entries')}: indptr[${row + 1}] = ${start} + ${end - start} = ${strong(end)}.`;
}

function product(t: CsrTrace, { row, col, entry: at, sum: total }: Of<'product'>): readonly Words[] {
  const value = floatAt(t.encoded.data, at);
  return say`indices[${at}] is ${strong(col)}, so data[${at}] meets x[${col}]: ${valueText(value)} × ${valueText(t.x[col])} = ${strong(valueText(value * t.x[col]))}. Row ${row} adds up to ${valueText(total)} so far.`;
}

function sum({ encoded: { indptr } }: CsrTrace, { row, sum: total }: Of<'sum'>): readonly Words[] {
  const count = indptr[row + 1] - indptr[row];
  if (count === 0) return say`Row ${row} has no entries: y[${row}] is ${strong(0)}.`;
  return say`Row ${row} is done after ${counted(count, 'product')}: y[${row}] = ${strong(valueText(total))}.`;
}
