import type { Words } from '../../../core/story/scene.ts';
import { storageWords } from '../../../core/story/storage-words.ts';
import { counted, say, strong, valueText } from '../../../core/story/words.ts';
import { encoding } from '../encoding.ts';
import { cellValue } from '../layout.ts';
import { blocksAlong } from '../params.ts';
import { blockCells, type BsrStep, type BsrTrace } from './trace.ts';

type Of<K extends BsrStep['kind']> = Extract<BsrStep, { kind: K }>;

/** Describes a step in one or two sentences with the numbers of this window. */
export function narrate(t: BsrTrace, step: BsrStep | null): readonly Words[] {
  const { rows, cols, nnz } = t.window;
  const { blockSize, indices } = t.encoded;
  switch (step?.kind) {
    case undefined: {
      const all = blocksAlong(rows, blockSize) * blocksAlong(cols, blockSize);
      return say`A grid cuts this ${rows} × ${cols} window of ${strong(counted(nnz, 'non-zero'))} into ${counted(all, 'block')} of ${blockSize} × ${blockSize}. BSR stores a block whole, or not at all if it is empty.`;
    }
    case 'count':
      return count(t, step);
    case 'block':
      return block(t, step);
    case 'zeros':
      return zeros(t, step);
    case 'packed':
      return [
        ...say`${strong(counted(indices.length, 'block'))} of ${blockSize ** 2} cells, with one index each. `,
        ...storageWords(encoding.storage(t.encoded), t.params.valueType),
      ];
    case 'product':
      return product(t, step);
    case 'sum':
      return sum(t, step);
    case 'multiplied': {
      const cells = indices.length * blockSize ** 2;
      return say`y is complete after ${strong(counted(cells, 'multiplication'))}, zeros included; the window has ${counted(nnz, 'non-zero')}.`;
    }
  }
}

/** 'rows 4 to 7' */
function rowsText({ window: { rows }, encoded: { blockSize } }: BsrTrace, blockRow: number): string {
  const first = blockRow * blockSize;
  const last = Math.min(rows, first + blockSize) - 1;
  return first === last ? `row ${first}` : `rows ${first} to ${last}`;
}

function count(t: BsrTrace, { blockRow }: Of<'count'>): readonly Words[] {
  const { indptr, blockSize, cols } = t.encoded;
  const found = indptr[blockRow + 1] - indptr[blockRow];
  const of = blocksAlong(cols, blockSize);
  const where = `Block row ${blockRow}, ${rowsText(t, blockRow)}`;
  if (found === 0) {
    return say`${where}: ${strong('none')} of its ${counted(of, 'block')} is stored. So indptr[${blockRow + 1}] is ${indptr[blockRow + 1]} again.`;
  }
  return say`${where}: ${strong(found)} of its ${counted(of, 'block')} ${found === 1 ? 'holds' : 'hold'} something. So indptr[${blockRow + 1}] = ${strong(indptr[blockRow + 1])}.`;
}

/** Cells of a block that are not stored as 0. */
function nonZerosOf(t: BsrTrace, blockRow: number, at: number): number {
  return blockCells(t.encoded, blockRow, at).filter(({ row, index }) => cellValue(t.encoded, index, row) !== 0).length;
}

function block(t: BsrTrace, { blockRow, block: at }: Of<'block'>): readonly Words[] {
  const { blockSize, indices } = t.encoded;
  const cells = blockSize ** 2;
  const first = indices[at] * blockSize;
  const held = nonZerosOf(t, blockRow, at);
  const range = `data[${at * cells}] to data[${at * cells + cells - 1}]`;
  return say`Block ${at} begins in column ${first}: indices[${at}] = ${strong(indices[at])}, since ${indices[at]} × ${blockSize} = ${first}. Its ${cells} cells, ${counted(held, 'non-zero')} among them, go to ${range}.`;
}

function zeros(t: BsrTrace, { blockRow }: Of<'zeros'>): readonly Words[] {
  const { indptr, blockSize } = t.encoded;
  const blocks = indptr[blockRow + 1] - indptr[blockRow];
  let held = 0;
  for (let b = indptr[blockRow]; b < indptr[blockRow + 1]; b++) held += nonZerosOf(t, blockRow, b);
  const cells = blocks * blockSize ** 2;
  if (held === cells) {
    return say`Block row ${blockRow}: ${strong(`all ${counted(cells, 'cell')}`)} of its ${counted(blocks, 'block')} are non-zeros. BSR is made for this.`;
  }
  const zeros = cells - held;
  return say`Block row ${blockRow}: its ${counted(blocks, 'block')} ${blocks === 1 ? 'has' : 'have'} ${counted(cells, 'cell')}. The ${strong(counted(zeros, 'zero'))} among them ${zeros === 1 ? 'is' : 'are'} stored and multiplied.`;
}

function product(t: BsrTrace, { blockRow, block: at }: Of<'product'>): readonly Words[] {
  const { blockSize, indices, cols } = t.encoded;
  const first = indices[at] * blockSize;
  const last = Math.min(cols, first + blockSize) - 1;
  const part = first === last ? `x[${first}]` : `x[${first}] to x[${last}]`;
  return say`Block ${at} meets ${strong(part)}, found through one index. Each element of x serves ${rowsText(t, blockRow)}.`;
}

function sum(t: BsrTrace, { blockRow }: Of<'sum'>): readonly Words[] {
  const { indptr, blockSize, rows } = t.encoded;
  const first = blockRow * blockSize;
  if (indptr[blockRow] === indptr[blockRow + 1]) {
    return say`Block row ${blockRow} has no blocks: y is ${strong(0)} in ${rowsText(t, blockRow)}.`;
  }
  const values = Array.from(t.y.subarray(first, Math.min(rows, first + blockSize)), valueText);
  const shown = values.length > 4 ? `${values.slice(0, 4).join(', ')} …` : values.join(', ');
  const scaled = t.encoded.scales.length > 0 ? ' Each was multiplied by the scale of its row.' : '';
  return say`Block row ${blockRow}: y is ${strong(shown)} in ${rowsText(t, blockRow)}.${scaled}`;
}
