import { largest } from '../../../core/number/statistics.ts';
import { bf16Value, VALUE_BITS } from '../../../core/number/index.ts';
import type { Words } from '../../../core/story/scene.ts';
import { storageWords } from '../../../core/story/storage-words.ts';
import { counted, countText, say, strong, valueText } from '../../../core/story/words.ts';
import { countAt } from '../layout.ts';
import { capacityOf } from '../params.ts';
import { narrateHybrid, narrateOverflow, narratePublished, narrateWalk } from './narration-block.ts';
import { rowLength, type TwellStep, type TwellTrace } from './trace.ts';
import type { BackwardStep } from './scene-backward.ts';
import type { GateStep } from './scene-gate.ts';

type Of<K extends TwellStep['kind']> = Extract<TwellStep, { kind: K }>;

/** Describes a step in one or two sentences with the numbers of this window. */
export function narrate(t: TwellTrace, step: TwellStep | null): readonly Words[] {
  switch (step?.kind) {
    case undefined:
      return opening(t);
    case 'ell':
      return ell(t, step);
    case 'gate':
      return narrateGate(t, step);
    case 'pack':
      return pack(t, step);
    case 'empty':
      return empty(t, step);
    case 'refuse':
      return refuse(t, step);
    case 'tile':
      return tile(t, step);
    case 'nothing':
      return nothing(t, step);
    case 'word':
      return word(t, step);
    case 'overflow':
      return narrateOverflow(t, step);
    case 'published':
      return narratePublished(t, step);
    case 'row':
    case 'walk':
    case 'walked':
      return narrateWalk(t, step);
    case 'route':
    case 'routed':
    case 'transpose':
      return narrateHybrid(t, step);
    case 'backward':
      return narrateBackward(t, step);
    case 'skipped':
      return skipped(t, step);
  }
}

function opening({ window, negatives }: TwellTrace): readonly Words[] {
  const { rows, cols, nnz } = window;
  const cells = rows * cols;
  if (cells === 0) return say`There are no neurons here, so there is ${strong('nothing to pack')}.`;
  const sign =
    negatives > 0
      ? ` ReLU would leave no negative values; here ${negatives === 1 ? 'there is 1, and it is' : `there are ${countText(negatives)}, and they are`} stored like the others.`
      : '';
  if (nnz === 0)
    return say`After ReLU most neurons are 0: here ${strong(`all ${countText(cells)}`)}. TwELL keeps those that fire, tile by tile, while they are computed.`;
  const zeros = strong(`${countText(cells - nnz)} of ${countText(cells)}`);
  const kept =
    nnz === 1
      ? 'the one that fired, while its tile is'
      : `the ${countText(nnz)} that fired, tile by tile, while they are`;
  if (2 * nnz < cells) return say`After ReLU most neurons are 0: here ${zeros}. TwELL keeps ${kept} computed.${sign}`;
  return say`After ReLU many neurons are usually 0: here ${zeros}. TwELL keeps ${kept} computed.${sign}`;
}

/** Words of a tile's columns: 'columns 8 to 15'. */
function columnsText({ params, window }: TwellTrace, tileNumber: number): string {
  const from = tileNumber * params.tileWidth;
  const to = Math.min(from + params.tileWidth, window.cols) - 1;
  return to > from ? `columns ${from} to ${to}` : `column ${from}`;
}

function ell({ window, encoded }: TwellTrace, { about }: Of<'ell'>): readonly Words[] {
  const { rows, cols } = window;
  const counts = Array.from({ length: rows }, (_, r) => rowLength(window, r));
  const width = largest(counts, 0);
  switch (about) {
    case 'row':
      if (encoded.tiles < 2)
        return say`ELL pushes the whole row to the left. With more tiles, all would be computed at once, and tile 1 ${strong('could not know')} how much room tile 0 needs.`;
      return say`ELL pushes the whole row to the left. All tiles are computed at once, so tile 1 ${strong('cannot know')} how much room tile 0 needs.`;
    case 'width': {
      const longest = counts.indexOf(width);
      if (width === 0)
        return say`How many slots a row gets is known only once the last row is counted. Here, ${strong('no row holds anything')}.`;
      return say`How many slots a row gets is known only once the last row is counted: ${strong(counted(width, 'slot'))}, because token ${longest} has ${counted(width, 'non-zero')}. ${strong(countText(rows * width - window.nnz))} of ${countText(rows * width)} ${rows * width - window.nnz === 1 ? 'stays' : 'stay'} empty.`;
    }
    case 'passes': {
      const dense = (rows * cols * VALUE_BITS[encoded.valueType]) / 8;
      return say`So the GEMM has to write h ${strong('dense')}, ${countText(dense)} B, and a second kernel reads all of it again to pack it. TwELL aims to write packed tiles straight away.`;
    }
  }
}

function pack(t: TwellTrace, { tile: number, row }: Of<'pack'>): readonly Words[] {
  const count = countAt(t.encoded, row * t.encoded.tiles + number);
  const capacity = capacityOf(t.params);
  const where = `Token ${row}, tile ${number} (${columnsText(t, number)})`;
  const unused = capacity - count;
  const isPacked = t.params.layout === 'packed';
  const moves = `${count === 1 ? 'It moves' : 'They move'} to the left inside ${count === 1 ? 'its' : 'their'} own tile`;
  const rest =
    unused === 0
      ? ', which is full'
      : `; ${counted(unused, isPacked ? 'word' : 'slot')} ${unused === 1 ? 'stays' : 'stay'} empty`;
  const noted = isPacked ? `word 0 says ${count}` : `counts says ${count}`;
  return say`${where} holds ${strong(counted(count, 'non-zero'))}. ${moves}${rest}, and ${noted}.`;
}

function empty(t: TwellTrace, { tile: number, row, rows }: Of<'empty'>): readonly Words[] {
  const tile = `tile ${number} (${columnsText(t, number)})`;
  const unused = counted(capacityOf(t.params), t.params.layout === 'packed' ? 'word' : 'slot');
  if (rows === 1) return say`Token ${row} leaves ${tile} ${strong('empty')}: count 0, with ${unused} never read.`;
  return say`Tokens ${row} to ${row + rows - 1} leave ${tile} ${strong('empty')}: count 0 each, with ${unused} each never read.`;
}

function refuse(t: TwellTrace, { tile: number, row, count }: Of<'refuse'>): readonly Words[] {
  const capacity = capacityOf(t.params);
  const where = `Token ${row}, tile ${number} (${columnsText(t, number)})`;
  const place = counted(capacity, 'place');
  if (count <= capacity) {
    return say`${where} would fit, but ${strong('another tile of this token overflows')}: the token is left out of this story and waits for the hybrid.`;
  }
  return say`${where} holds ${strong(counted(count, 'non-zero'))} for ${place}: it ${strong('overflows')}. The encoder refuses this matrix and names the place; the token waits for the hybrid.`;
}

/** Tokens that overflow. */
function tokensLeftOut({ overflow }: TwellTrace): number {
  return overflow ? overflow.byRow.filter((n) => n > 0).length : 0;
}

function tile(t: TwellTrace, { tile: number }: Of<'tile'>): readonly Words[] {
  const { encoded: e } = t;
  let stored = 0;
  for (let row = 0; row < e.rows; row++) stored += countAt(e, row * e.tiles + number);
  const order =
    number % 2 === 1 && number > 0 ? ` Tile ${number - 1} to its left is not done yet, which does not matter.` : '';
  const tokens = e.rows - tokensLeftOut(t);
  return say`Tile ${number} is finished: ${strong(counted(stored, 'non-zero'))} of ${counted(tokens, 'token')}. Its place in memory was known beforehand.${order}`;
}

function nothing({ window }: TwellTrace, { chapter }: Of<'nothing'>): readonly Words[] {
  const none = window.nnz > 0 ? 'No token is stored' : 'No token fires a neuron';
  switch (chapter) {
    case 'gate':
      return say`There are no cells, so there is ${strong('no tile')} to compute.`;
    case 'backward':
      return say`${none}, so ${strong('no gradient')} flows back.`;
    case 'tiles':
      return say`There are no columns, so there is ${strong('no tile')} to pack.`;
    case 'walk':
      return say`${none}, so there is ${strong('nothing to walk')}: every output is 0.`;
    case 'hybrid':
      return say`There are no tokens, so there is ${strong('nothing to route')}.`;
  }
}

/** Hexadecimal with its width: 0x3F80. */
export function hexText(bits: number, digits: number): string {
  return `0x${(bits >>> 0).toString(16).toUpperCase().padStart(digits, '0')}`;
}

function word({ sample, params, window }: TwellTrace, { about }: Of<'word'>): readonly Words[] {
  const { value, column, bf16, at } = sample;
  const isPacked = params.layout === 'packed';
  const stored = bf16Value(bf16);
  switch (about) {
    case 'value': {
      const what = at
        ? `Token ${at.row} holds ${valueText(value)} in column ${column}`
        : `An example, since ${window.nnz > 0 ? 'no token is stored' : 'the window holds nothing'}: ${valueText(value)} in column ${column}`;
      return say`${what}. As f32 it takes ${strong('32 bits')}: a sign, 8 bits of exponent, 23 of fraction.`;
    }
    case 'round': {
      const exact = Object.is(stored, value) || (Number.isNaN(stored) && Number.isNaN(value));
      const result = exact
        ? 'which loses nothing here'
        : `${valueText(value)} becomes ${String(stored).replaceAll('-', '−')}`;
      return say`bf16 keeps the ${strong('upper 16 bits')}, rounded to nearest, ties to even: ${hexText(bf16, 4)}, ${result}.`;
    }
    case 'column':
      if (!isPacked)
        return say`The split layout keeps the column, ${strong(column)}, as a 32-bit number, so it takes matrices of any width.`;
      return say`The column, ${strong(column)}, takes the lower 16 bits. They reach 65\u202f536 columns; a wider matrix is refused and needs the split layout.`;
    case 'word': {
      if (!isPacked)
        return say`Value and column are at the ${strong('same index')} of two arrays, and counts says how many of a tile row to read. The packed layout joins them: ${hexText(((bf16 << 16) | column) >>> 0, 8)}.`;
      const joined = ((bf16 << 16) | column) >>> 0;
      const example = at ? ' (1 in column 300 would be 0x3F80012C.)' : '';
      return say`Both make one word: ${strong(hexText(joined, 8))} = ${countText(joined)}. One load brings value and column, and word 0 of the same tile row says how many to read.${example}`;
    }
  }
}

function skipped(t: TwellTrace, { about }: Of<'skipped'>): readonly Words[] {
  const { window, ledger, encoded } = t;
  const { rows, cols, nnz } = window;
  const cells = rows * cols;
  if (cells === 0) return say`Without cells there is ${strong('nothing to skip')}.`;
  const density = nnz / cells;
  const tooLong = tokensLeftOut(t);
  const left = tooLong > 0 ? ` That includes ${counted(tooLong, 'token')} without room here.` : '';
  switch (about) {
    case 'adds':
      return say`Up and down multiply ${strong(`${countText(nnz)} of ${countText(cells)}`)} neurons per input: ${Math.round(100 * (1 - density))}\u202f% of their multiply-adds are skipped. The gate has to be computed to know which.${left}`;
    case 'bytes':
      return storageWords(ledger, encoded.valueType);
    case 'limit': {
      const speed = 3 / (1 + 2 * density);
      return say`Three GEMMs become one GEMM and two walks over ${valueText(100 * density)}\u202f% of the neurons: at most ${strong(`${speed.toFixed(2)} times`)} as fast by multiply-adds, and never more than 3 times, since the gate stays dense.`;
    }
  }
}

/** The words of the gate's tile, from which the packed tiles come, and of the backward pass. */

function narrateGate({ gate, params, block, negatives, overflow }: TwellTrace, { about }: GateStep): readonly Words[] {
  if (!gate) return say`There are no cells, so there is ${strong('no tile')} to compute.`;
  const { row, tile, width, kept } = gate;
  switch (about) {
    case 'product':
      return say`One workgroup of the gate GEMM computes tile ${tile}: ${counted(block.width, 'input')} of each token times ${strong(counted(width, 'column'))} of Wg, here for token ${row}. The sums are still in registers. (x and Wg are made up to give this window.)`;
    case 'relu': {
      if (overflow && overflow.byRow[row] > 0)
        return say`ReLU sets what is negative to 0. Token ${row} overflows and is left out of this story, so its tile is shown ${strong('empty')}.`;
      const left = negatives > 0 ? ' Negative values of this window come from no ReLU and stay.' : '';
      return say`ReLU sets what is negative to 0: ${strong(`${kept.length} of ${counted(width, 'column')}`)} of this tile ${kept.length === 1 ? 'fires' : 'fire'}. A usual GEMM would now write all ${width} to memory.${left}`;
    }
    case 'epilogue': {
      const what =
        params.layout === 'packed'
          ? 'first how many fired, then each value with its column'
          : 'each value with its column, and how many fired';
      return say`So every tile ${strong('packs itself')}: ${what}. Nobody waits, and the full h is never written.`;
    }
  }
}

function narrateBackward(t: TwellTrace, { about }: BackwardStep): readonly Words[] {
  const { walk, window, backward } = t;
  const { entries, column, tokens } = backward;
  const [first] = entries;
  switch (about) {
    case 'dh':
      return say`Backwards, the gradient of h u is dy Wdᵀ, needed only ${strong('where h is stored')}: for ${countText(walk.count)} of ${countText(window.cols)} neurons of token ${walk.row}. For neuron ${first.column}, dy times its row of Wd is ${strong(valueText(first.back))}; an L1 term adds a constant.`;
    case 'both':
      return say`Each factor gets the other: du = d(hu) h = ${strong(valueText(first.du))} and dh = d(hu) u = ${strong(valueText(first.dh))} for neuron ${first.column}. u is stored for this, or computed again. The gradient of x adds up rows of Wu and Wg, for these neurons alone.`;
    case 'column':
      return say`Weights go the other way: row ${column} of dWd is the sum of h u dy over the ${strong(counted(tokens.length, t.overflow ? 'stored token' : 'token'))} that fired neuron ${column}. That reads a column of h: hence the transpose; our kernels find its tokens by binary search.`;
  }
}
