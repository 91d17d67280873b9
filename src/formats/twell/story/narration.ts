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
      return nothing(step);
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
  if (cells === 0) return say`No neurons: ${strong('nothing to pack')}.`;
  const sign =
    negatives > 0
      ? ` ReLU leaves no negative values; the ${countText(negatives)} here ${negatives === 1 ? 'is' : 'are'} kept.`
      : '';
  if (nnz === 0) return say`ReLU sets ${strong(`all ${countText(cells)}`)} neurons to 0. TwELL keeps none.`;
  const zeros = strong(`${countText(cells - nnz)} of ${countText(cells)}`);
  const kept = nnz === 1 ? 'the one that fired' : `the ${countText(nnz)} that fired, tile by tile`;
  return say`ReLU sets ${zeros} neurons to 0. TwELL keeps ${kept}.${sign}`;
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
      return say`ELL packs whole rows. But tiles are computed at once: ${strong('none knows')} how much room its neighbours need.`;
    case 'width': {
      const longest = counts.indexOf(width);
      if (width === 0) return say`The longest row sets the slots. Here, ${strong('all are empty')}.`;
      return say`Each row gets ${strong(counted(width, 'slot'))}, as many as token ${longest} fills. ${strong(countText(rows * width - window.nnz))} of ${countText(rows * width)} ${rows * width - window.nnz === 1 ? 'stays' : 'stay'} empty.`;
    }
    case 'passes': {
      const dense = (rows * cols * VALUE_BITS[encoded.valueType]) / 8;
      return say`So h is written ${strong('dense')}, ${countText(dense)} B, and read again to be packed.`;
    }
  }
}

function pack(t: TwellTrace, { tile: number, row }: Of<'pack'>): readonly Words[] {
  const count = countAt(t.encoded, row * t.encoded.tiles + number);
  const capacity = capacityOf(t.params);
  const where = `Token ${row}, tile ${number} (${columnsText(t, number)})`;
  const unused = capacity - count;
  const rest = unused === 0 ? '; it is full' : `; ${counted(unused, 'place')} ${unused === 1 ? 'stays' : 'stay'} empty`;
  const noted = t.params.layout === 'packed' ? `word 0 says ${count}` : `counts says ${count}`;
  return say`${where} holds ${strong(counted(count, 'non-zero'))}, moved to the left${rest}, and ${noted}.`;
}

function empty(t: TwellTrace, { tile: number, row, rows }: Of<'empty'>): readonly Words[] {
  const tile = `tile ${number} (${columnsText(t, number)})`;
  const who = rows === 1 ? `Token ${row} leaves` : `Tokens ${row} to ${row + rows - 1} leave`;
  return say`${who} ${tile} ${strong('empty')}, with count 0.`;
}

function refuse(t: TwellTrace, { tile: number, row, count }: Of<'refuse'>): readonly Words[] {
  const capacity = capacityOf(t.params);
  const where = `Token ${row}, tile ${number} (${columnsText(t, number)})`;
  const place = counted(capacity, 'place');
  if (count <= capacity) {
    return say`${where} would fit, but ${strong('another tile of this token overflows')}.`;
  }
  return say`${where} holds ${strong(counted(count, 'non-zero'))} for ${place}: it ${strong('overflows')}. TwELL refuses the matrix.`;
}

/** Tokens that overflow. */
function tokensLeftOut({ overflow }: TwellTrace): number {
  return overflow ? overflow.byRow.filter((n) => n > 0).length : 0;
}

function tile(t: TwellTrace, { tile: number }: Of<'tile'>): readonly Words[] {
  const { encoded: e } = t;
  let stored = 0;
  for (let row = 0; row < e.rows; row++) stored += countAt(e, row * e.tiles + number);
  const order = number % 2 === 1 && number > 0 ? ` Tile ${number - 1} is not done yet.` : '';
  const tokens = e.rows - tokensLeftOut(t);
  return say`Tile ${number} is finished: ${strong(counted(stored, 'non-zero'))} of ${counted(tokens, 'token')}. Its place was known beforehand.${order}`;
}

function nothing({ chapter }: Of<'nothing'>): readonly Words[] {
  switch (chapter) {
    case 'gate':
    case 'tiles':
      return say`No cells: ${strong('no tile')} to fill.`;
    case 'backward':
      return say`No non-zero is stored: ${strong('no gradient')} flows back.`;
    case 'walk':
      return say`No non-zero is stored: ${strong('nothing to walk')}, every output is 0.`;
    case 'hybrid':
      return say`No tokens: ${strong('nothing to route')}.`;
  }
}

/** Hexadecimal with its width: 0x3F80. */
export function hexText(bits: number, digits: number): string {
  return `0x${(bits >>> 0).toString(16).toUpperCase().padStart(digits, '0')}`;
}

function word({ sample, params }: TwellTrace, { about }: Of<'word'>): readonly Words[] {
  const { value, column, bf16, at } = sample;
  const isPacked = params.layout === 'packed';
  const stored = bf16Value(bf16);
  switch (about) {
    case 'value': {
      const what = at
        ? `Token ${at.row} holds ${valueText(value)} in column ${column}`
        : `An example: ${valueText(value)} in column ${column}`;
      return say`${what}. f32 takes ${strong('32 bits')}: sign, 8 of exponent, 23 of fraction.`;
    }
    case 'round': {
      const exact = Object.is(stored, value) || (Number.isNaN(stored) && Number.isNaN(value));
      const result = exact ? 'without loss' : `${valueText(value)} becomes ${String(stored).replaceAll('-', '−')}`;
      return say`bf16 keeps the ${strong('upper 16 bits')}, rounded: ${hexText(bf16, 4)}, ${result}.`;
    }
    case 'column':
      if (!isPacked) return say`The split layout keeps column ${strong(column)} in 32 bits: enough for any width.`;
      return say`Column ${strong(column)} takes the lower 16 bits, enough for 65\u202f536 columns.`;
    case 'word': {
      if (!isPacked) return say`Value and column have the ${strong('same index')} in two arrays.`;
      const joined = ((bf16 << 16) | column) >>> 0;
      return say`Both make one word: ${strong(hexText(joined, 8))} = ${countText(joined)}. One load brings value and column.`;
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
  const left = tooLong > 0 ? ` That includes ${counted(tooLong, 'token')} without room.` : '';
  switch (about) {
    case 'adds':
      return say`Up and down multiply ${strong(`${countText(nnz)} of ${countText(cells)}`)} neurons per input and skip ${Math.round(100 * (1 - density))}\u202f%.${left}`;
    case 'bytes':
      return storageWords(ledger, encoded.valueType);
    case 'limit': {
      const speed = 3 / (1 + 2 * density);
      return say`The gate stays dense, and up and down walk over ${valueText(100 * density)}\u202f% of the neurons: at most ${strong(`${speed.toFixed(2)} times`)} as fast as dense by multiply-adds.`;
    }
  }
}

/** The words of the gate's tile, from which the packed tiles come, and of the backward pass. */

function narrateGate({ gate, block, negatives, overflow }: TwellTrace, { about }: GateStep): readonly Words[] {
  if (!gate) return nothing({ kind: 'nothing', chapter: 'gate' });
  const { row, tile, width, kept } = gate;
  switch (about) {
    case 'product':
      return say`One workgroup computes tile ${tile} of the gate, here for token ${row}: ${counted(block.width, 'input')} times ${strong(counted(width, 'column'))} of Wg. (Made up.)`;
    case 'relu': {
      if (overflow && overflow.byRow[row] > 0)
        return say`ReLU sets negative sums to 0. Token ${row} overflows: its tile is left ${strong('empty')}.`;
      const left = negatives > 0 ? ' Negative values here stay.' : '';
      return say`ReLU sets negative sums to 0: ${strong(`${kept.length} of ${counted(width, 'column')}`)} ${kept.length === 1 ? 'fires' : 'fire'}.${left}`;
    }
    case 'epilogue':
      return say`So every tile ${strong('packs itself')}: a count, and each value with its column.`;
  }
}

function narrateBackward(t: TwellTrace, { about }: BackwardStep): readonly Words[] {
  const { walk, window, backward } = t;
  const { entries, column, tokens } = backward;
  const [first] = entries;
  switch (about) {
    case 'dh':
      return say`Backwards, the gradient of h u is dy Wdᵀ, needed only ${strong('where h is stored')}: ${countText(walk.count)} of ${countText(window.cols)} neurons of token ${walk.row}. For neuron ${first.column}: ${strong(valueText(first.back))}.`;
    case 'both':
      return say`For neuron ${first.column}, du = d(hu) h = ${strong(valueText(first.du))} and dh = d(hu) u = ${strong(valueText(first.dh))}.`;
    case 'column':
      return say`Row ${column} of dWd sums h u dy over the ${strong(counted(tokens.length, 'token'))} stored in column ${column} of h.`;
  }
}
