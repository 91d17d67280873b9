import type { Words } from '../../../core/story/scene.ts';
import { groupScaleWords, scaleWords } from '../../../core/story/scale-words.ts';
import { storageWords } from '../../../core/story/storage-words.ts';
import { countText, counted, say, strong, valueText } from '../../../core/story/words.ts';
import { f16Value } from '../../../core/number/index.ts';
import { cellValue, rowBytes } from '../layout.ts';
import { storage } from '../storage.ts';
import type { DenseStep, DenseTrace } from './trace.ts';

type Of<K extends DenseStep['kind']> = Extract<DenseStep, { kind: K }>;

/** Describes a step in one or two sentences with the numbers of this window. */
export function narrate(t: DenseTrace, step: DenseStep | null): readonly Words[] {
  const { rows, cols } = t.window;
  const cells = rows * cols;
  const zeros = cells - t.encoded.nnz;
  switch (step?.kind) {
    case undefined:
      return say`This ${rows} × ${cols} window has ${strong(counted(cells, 'cell'))}, ${countText(t.window.nnz)} of them non-zero. Dense stores every cell, without indices.`;
    case 'scale':
      return scaleWords(t.window, step.row, t.encoded.scales[step.row], 'cells');
    case 'group-scale':
      return groupScale(t, step);
    case 'store':
      return store(t, step);
    case 'packed':
      return [
        ...say`${strong(counted(cells, 'cell'))} ${cells === 1 ? 'is' : 'are'} stored, ${countText(zeros)} of them zeros. `,
        ...storageWords(storage(t.encoded), t.params.valueType),
      ];
    case 'products':
      return products(t, step);
    case 'sum':
      return say`Row ${step.row} is done after ${counted(cols, 'product')}: y[${step.row}] = ${strong(valueText(t.y[step.row]))}.`;
    case 'multiplied':
      return say`y is complete: ${strong(`${countText(zeros)} of ${countText(cells)}`)} multiplications had a zero. That work and memory is what sparse formats save.`;
  }
}

function groupScale(t: DenseTrace, { row, load }: Of<'group-scale'>): readonly Words[] {
  const { first, last } = loadFacts(t, row, load);
  const { stride, scales } = t.encoded;
  const scale = f16Value(scales[(row * stride) / t.cellsPerLoad + load]);
  const where = `Row ${row}, ${first === last ? `column ${first}` : `columns ${first} to ${last}`}`;
  return groupScaleWords(where, scale);
}

/** First and last column of a load, and how many of its cells are 0. */
function loadFacts(t: DenseTrace, row: number, load: number): { first: number; last: number; zeros: number } {
  const first = load * t.cellsPerLoad;
  const last = Math.min(t.window.cols, first + t.cellsPerLoad) - 1;
  let zeros = 0;
  for (let col = first; col <= last; col++) zeros += cellValue(t.encoded, row, col) === 0 ? 1 : 0;
  return { first, last, zeros };
}

function store(t: DenseTrace, { row, load }: Of<'store'>): readonly Words[] {
  const { first, last, zeros } = loadFacts(t, row, load);
  const count = last - first + 1;
  const padding = t.cellsPerLoad - Math.max(0, count);
  if (count <= 0) {
    return say`Row ${row} ends: ${strong(`${padding} zeros`)} fill it to a multiple of ${rowBytes(t.params.valueType)} bytes.`;
  }
  const where = count === 1 ? `column ${first}` : `columns ${first} to ${last}`;
  const cells = say`Row ${row}, ${where}: ${strong(zeros)} of ${counted(count, 'cell')} ${count === 1 ? 'is' : 'are'} zero. `;
  if (padding === 0) return [...cells, ...say`The ${count} cells fill 16 bytes.`];
  return [...cells, ...say`Padding of ${counted(padding, 'cell')} fills the 16 bytes.`];
}

function products(t: DenseTrace, { row, load, sum }: Of<'products'>): readonly Words[] {
  const { first, last, zeros } = loadFacts(t, row, load);
  const part = first === last ? `x[${first}]` : `x[${first}] to x[${last}]`;
  return say`Row ${row} meets ${part}: ${counted(last - first + 1, 'product')}, ${strong(zeros)} with a zero. The row adds up to ${valueText(sum)} so far.`;
}
