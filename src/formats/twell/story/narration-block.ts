import { VALUE_BITS } from '../../../core/number/index.ts';
import type { Words } from '../../../core/story/scene.ts';
import { countText, counted, listText, say, strong, valueText } from '../../../core/story/words.ts';
import { lowerCompression } from '../overflow.ts';
import { capacityOf, slotsOf } from '../params.ts';
import { lossOf, PADDING_WORDS, readWords, storedWords } from '../published.ts';
import { rowLength, type TwellStep, type TwellTrace } from './trace.ts';

/** Most columns that a sentence names; of more it gives the number. */
const MAX_NAMED = 3;

/** The words of the chapters on overflow, up and down, and the hybrid. */

type Of<K extends TwellStep['kind']> = Extract<TwellStep, { kind: K }>;

export function narrateOverflow(t: TwellTrace, { about }: Of<'overflow'>): readonly Words[] {
  const { hot, params, window } = t;
  const capacity = capacityOf(params);
  const place = counted(capacity, 'place');
  const lost = hot.columns.length - capacity;
  switch (about) {
    case 'fullest':
      if (hot.real === 0) return say`All tile rows are ${strong('empty')}.`;
      return say`The fullest tile row is tile ${hot.tile} of token ${hot.row}: ${strong(counted(hot.real, 'non-zero'))} for ${place}.`;
    case 'hot': {
      const who = t.overflow ? `Token ${hot.row}` : 'A hot token, made up,';
      return say`${who} has ${counted(hot.columns.length, 'non-zero')} in tile ${hot.tile}, where ${capacity} ${capacity === 1 ? 'fits' : 'fit'}: ${strong(`${lost} ${lost === 1 ? 'has' : 'have'} no place`)}. TwELL refuses such a matrix.`;
    }
    case 'lower': {
      const lower = lowerCompression(hot.columns.length, params);
      if (lower === undefined) {
        const places = counted(capacityOf({ ...params, compression: 2 }), 'place');
        return say`${strong('No compression holds it')}: compression 2, the lowest, has ${places} for ${params.tileWidth} columns.`;
      }
      const slots = slotsOf({ ...params, compression: lower });
      const times = tileRowBytes(params.layout, slots) / tileRowBytes(params.layout, slotsOf(params));
      return say`Way out: compression ${strong(lower)} instead of ${params.compression}. All tokens take ${strong(`${valueText(times)} times the bytes`)}.`;
    }
    case 'hybrid': {
      const bytes = (window.cols * VALUE_BITS[params.valueType]) / 8;
      return say`Or the hybrid: the token goes into a ${strong('dense tail')}, ${countText(bytes)} B.`;
    }
  }
}

/** Bytes of a tile row: words of 4, or 2 of value and 4 of column for each slot, and 4 of count. */
function tileRowBytes(layout: TwellTrace['params']['layout'], slots: number): number {
  return layout === 'packed' ? 4 * slots : 6 * slots + 4;
}

/** What the published kernel would do with the hot tile row, given the words that it would store and read. */
export function narratePublished({ hot, params }: TwellTrace, { beyond }: Of<'published'>): readonly Words[] {
  const slots = slotsOf(params);
  const words = storedWords(hot.columns.length, slots, beyond);
  const { lost, repeated, countsRead } = lossOf(readWords(words, hot.columns.length, slots));
  const from = hot.tile * params.tileWidth;
  const columns = (numbers: readonly number[], many: string): string => {
    if (numbers.length > MAX_NAMED) return `${many} are`;
    const names = listText(numbers.map((number) => String(from + hot.columns[number - 1])));
    return numbers.length === 1 ? `column ${names} is` : `columns ${names} are`;
  };
  const again = repeated.length === 0 ? '' : `, ${columns(repeated, countText(repeated.length))} counted again`;
  const counts = countsRead === 0 ? '' : ', and the count is read as value 0';
  const loss = say`${strong(`${columns(lost, `${lost.length} of ${hot.columns.length}`)} lost`)}${again}${counts}.`;
  if (beyond === 'wraps') return [...say`The published kernel carries on. If it wraps after word ${slots}, `, ...loss];
  const inRowBelow = Math.max(0, words.length - slots - PADDING_WORDS);
  const inPadding = hot.columns.length - slots + 1 - inRowBelow;
  const below = inRowBelow === 0 ? '' : `, ${countText(inRowBelow)} in the row below, the first over its count`;
  return [
    ...say`If it goes on, ${countText(inPadding)} ${inPadding === 1 ? 'lies' : 'lie'} in the padding after the row${below}: `,
    ...loss,
  ];
}

export function narrateWalk(t: TwellTrace, step: Of<'row'> | Of<'walk'> | Of<'walked'>): readonly Words[] {
  switch (step.kind) {
    case 'row':
      return row(t, step.row);
    case 'walk':
      return walk(t, step);
    case 'walked':
      return walked(t);
  }
}

function row(t: TwellTrace, r: number): readonly Words[] {
  if (t.overflow && t.overflow.byRow[r] > 0) return say`Token ${r} overflowed and is ${strong('not stored')}.`;
  const count = rowLength(t.kept, r);
  const value = strong(`y[${r}] = ${valueText(t.sums[r])}`);
  const first = r === 0 ? 'Down, with one output, adds up each non-zero times its x. ' : '';
  if (count === 0) return say`${first}Token ${r} fires no neuron: ${value}.`;
  return say`${first}Token ${r} reads ${counted(count, 'non-zero')} in ${counted(t.encoded.tiles, 'tile')}: ${value}.`;
}

function walk({ walk: { row: r, entries, count }, block }: TwellTrace, { about, entry }: Of<'walk'>): readonly Words[] {
  const { column, h, u, tile, y } = entries[entry];
  switch (about) {
    case 'entry': {
      const first = entry === 0 ? `The whole block, for token ${r} with ${counted(block.width, 'input')}. ` : '';
      return say`${first}Non-zero ${entry + 1} of ${count}, in tile ${tile}: neuron ${strong(column)}, h = ${strong(valueText(h))}.`;
    }
    case 'up': {
      const terms = Array.from(block.x, (x, k) => `${valueText(x)} × ${valueText(block.up[column * block.width + k])}`);
      return say`Up: x times column ${column} of Wu, ${terms.join(' + ')} = ${strong(valueText(u))}.`;
    }
    case 'down':
      return say`Down: h u = ${valueText(h)} × ${valueText(u)} = ${strong(valueText(h * u))} times row ${column} of Wd is added to y: now ${listText(Array.from(y, valueText))}.`;
  }
}

function walked({ walk: { row: r, count }, window }: TwellTrace): readonly Words[] {
  return say`Token ${r} has read ${strong(`${countText(count)} of ${countText(window.cols)}`)} columns of Wu and rows of Wd.`;
}

export function narrateHybrid(t: TwellTrace, step: Of<'route'> | Of<'routed'> | Of<'transpose'>): readonly Words[] {
  const { slots, counts, clamped, tail, longestColumn } = t.routing;
  const { rows, nnz } = t.window;
  switch (step.kind) {
    case 'route': {
      const count = counts[step.row];
      const has = `Token ${step.row} has ${counted(count, 'non-zero')}`;
      if (count <= slots) return say`${has}, at most ${slots}: it ${strong('stays compact')}.`;
      return say`${has}, more than ${slots}: it goes ${strong('whole into tail row')} ${tail.indexOf(step.row)}.${clampedText(t, count, clamped[step.row])}`;
    }
    case 'routed': {
      const inTail = tail.reduce((sum, r) => sum + counts[r], 0);
      if (tail.length === 0) return say`None of ${counted(rows, 'token')} needs the tail.`;
      return say`${strong(`${tail.length} of ${counted(rows, 'token')}`)} ${tail.length === 1 ? 'lies' : 'lie'} in the tail and ${tail.length === 1 ? 'holds' : 'hold'} ${Math.round((100 * inTail) / Math.max(1, nnz))}\u202f% of the non-zeros.`;
    }
    case 'transpose': {
      const { column, count } = longestColumn;
      if (step.about === 'count')
        return say`Training also reads h by columns: a gradient sums over the tokens of a neuron. So the hybrid is ${strong('transposed')}.`;
      if (count === 0) return say`Every row of the transpose is ${strong('empty')}.`;
      const tokens = strong(counted(count, 'token'));
      if (count <= slots)
        return say`${tokens} ${count === 1 ? 'fires' : 'fire'} neuron ${column}: it fits the compact part.`;
      return say`Neuron ${column} is fired by ${tokens}, more than ${slots}: it goes to the tail.`;
    }
  }
}

/** How the published conversion counts a row with a tile of more non-zeros than slots; '' if it is right. */
function clampedText({ params, routing: { slots } }: TwellTrace, count: number, clamped: number): string {
  if (clamped === count) return '';
  const adds = ` The published conversion clamps each tile to ${counted(slotsOf(params), 'slot')} and counts ${clamped}`;
  if (clamped > slots) return `${adds}.`;
  return `${adds}: the token stays compact and loses ${countText(count - clamped)}.`;
}
