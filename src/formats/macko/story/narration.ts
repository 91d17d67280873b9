import { entryValue, f16Value, Q4_GROUP, VALUE_BITS } from '../../../core/number/index.ts';
import { groupScaleWords, scaleWords } from '../../../core/story/scale-words.ts';
import { storageWords } from '../../../core/story/storage-words.ts';
import type { Words } from '../../../core/story/scene.ts';
import { counted, say, strong, valueText } from '../../../core/story/words.ts';
import { lanesOf, touchedLines } from './lanes.ts';
import { encoding } from '../encoding.ts';
import { entryCount, GROUP, placesFor } from '../layout.ts';
import { byteSum, lowBits } from './scene-entries.ts';
import { reachOf } from '../params.ts';
import { alignedStart, CHUNK, LANES, type MackoStep, type MackoTrace } from './trace.ts';

/** Lanes of most subgroups; the picture has fewer. */
const USUAL_LANES = 32;

type Of<K extends MackoStep['kind']> = Extract<MackoStep, { kind: K }>;

/** Describes a step in one or two sentences with the numbers of this window. */
export function narrate(t: MackoTrace, step: MackoStep | null): readonly Words[] {
  if (step === null) return opening(t);
  switch (step.kind) {
    case 'row-start':
      return scaleWords(t.window, step.row, t.encoded.scales[step.row], 'values');
    case 'group-scale':
      return groupScale(t, step.group);
    case 'pad':
      return padding(t, step);
    case 'emit':
      return emission(t, step);
    case 'row-end':
      return rowEnd(t, step.row);
    case 'byte':
      return byteWords(t, step.byte);
    case 'word':
      return wordWords(t, step.word);
    case 'starts':
      return starts(t);
    case 'align':
      return align(t, step.row);
    case 'reduce':
      return reduce(t, step.row);
    default:
      return multiply(t, step);
  }
}

function isEmpty({ encoded: { indptr } }: MackoTrace, row: number): boolean {
  return indptr[row] === indptr[row + 1];
}

function opening({ window: { rows, cols, nnz } }: MackoTrace): readonly Words[] {
  return say`${strong(counted(nnz, 'weight'))} in ${rows} × ${cols} cells. MACKO stores each with its skip: the empty columns before it.`;
}

function groupScale({ encoded }: MackoTrace, group: number): readonly Words[] {
  const last = Math.min(entryCount(encoded), (group + 1) * Q4_GROUP) - 1;
  const where = group * Q4_GROUP === last ? `Entry ${last}` : `Entries ${group * Q4_GROUP} to ${last}`;
  return groupScaleWords(where, f16Value(encoded.scales[group]));
}

function padding(
  { params: { deltaBits } }: MackoTrace,
  { row, column, previous, bridged }: Of<'pad'>,
): readonly Words[] {
  const reach = reachOf(deltaBits);
  const left = column - previous - 1 - (bridged - reach);
  const sum = strong(`${left} = ${reach - 1} + 1 + ${left - reach}`);
  if (bridged > reach) return say`${left} more columns are skipped, so another ${strong('zero')} is stored: ${sum}.`;
  const needed = Math.floor(left / reach);
  const zeros = needed === 1 ? say`a ${strong('zero')}` : say`${strong(`${needed} zeros`)}`;
  const bits = `${counted(deltaBits, 'bit')} ${deltaBits === 1 ? 'counts' : 'count'} to ${reach - 1}`;
  return [
    ...(previous < 0 ? say`Before the first weight of row ${row}, ` : []),
    ...say`${strong(left)} columns are skipped, but ${bits}. So MACKO stores `,
    ...zeros,
    ...say` on the way: ${sum}.`,
  ];
}

/** '2 columns are', '1 column is', 'No column is'. */
export function columnsAre(skip: number): string {
  return skip === 0 ? 'No column is' : `${counted(skip, 'column')} ${skip === 1 ? 'is' : 'are'}`;
}

function emission(t: MackoTrace, { row, entry, column, previous, bridged }: Of<'emit'>): readonly Words[] {
  const skip = column - previous - bridged - 1;
  const stores = say`MACKO stores ${strong(valueText(entryValue(t.encoded, row, entry)))} and ${strong(skip)}`;
  return [...say`${columnsAre(skip)} ${bridged > 0 ? 'left to skip' : 'skipped'}. `, ...stores, ...say`.`];
}

function rowEnd({ encoded: { indptr, rows, cols }, columnOf }: MackoTrace, row: number): readonly Words[] {
  const [start, end] = [indptr[row], indptr[row + 1]];
  if (start === end) return say`Row ${row} is empty and stores nothing: indptr[${row + 1}] is ${strong(end)} again.`;
  const after = columnOf[end - 1] === cols - 1 ? '' : '; zeros after it are not stored';
  const next =
    row === rows - 1
      ? say`There are ${strong(counted(end, 'entry', 'entries'))} in all.`
      : say`The next row starts at ${strong(`entry ${end}`)}.`;
  return [...say`Row ${row} ends with its last non-zero${after}. `, ...next];
}

function byteWords(t: MackoTrace, byte: number): readonly Words[] {
  const { deltaBits } = t.encoded;
  const perByte = 8 / deltaBits;
  const first = byte * perByte;
  const last = Math.min(first + perByte, entryCount(t.encoded)) - 1;
  const value = new Uint8Array(t.encoded.deltas.buffer)[byte];
  if (first === last) return say`Byte ${byte} holds one skip, that of entry ${first}: ${strong(value)}.`;
  const whose = perByte === 2 ? `${first} and ${last}` : `${first} to ${last}`;
  return say`The skips of entries ${whose} share byte ${byte}, the first in its ${lowBits(deltaBits)}: ${byteSum(t.encoded, byte)} = ${strong(value)}.`;
}

function wordWords(t: MackoTrace, word: number): readonly Words[] {
  const value = t.encoded.deltas[word].toString(16).padStart(8, '0');
  const perWord = 32 / t.encoded.deltaBits;
  const entries = Math.min(perWord, entryCount(t.encoded) - word * perWord);
  return say`Four bytes make word ${word}, low byte first: ${strong(`0x${value}`)}. One 32-bit load brings the skips of ${strong(counted(entries, 'entry', 'entries'))}.`;
}

function starts({ encoded }: MackoTrace): readonly Words[] {
  const entries = entryCount(encoded);
  if (entries === 0) {
    const stored =
      encoded.scales.length > 0 ? say`${strong('indptr')} and the scales are` : say`${strong('indptr')} is`;
    return [...say`No weights, no entries: `, ...stored, ...say` all that is stored.`];
  }
  const tail = placesFor(entries) - entries;
  const marks = say`${strong('indptr')} says at which entry every row begins. `;
  const groups =
    tail === 0
      ? say`${counted(entries, 'entry', 'entries')} fill whole groups of ${GROUP}. `
      : say`${strong(counted(tail, 'zero'))} ${tail === 1 ? 'fills' : 'fill'} the last group of ${GROUP}. `;
  return [...marks, ...groups, ...storageWords(encoding.storage(encoded), encoded.valueType)];
}

function align({ encoded }: MackoTrace, row: number): readonly Words[] {
  const { indptr } = encoded;
  const [start, end] = [indptr[row], indptr[row + 1]];
  const aligned = alignedStart(start);
  const before = start - aligned;
  const after = Math.ceil(end / GROUP) * GROUP - end;
  const range = end - start === 1 ? `entry ${start}` : `entries ${start} to ${end - 1}`;
  if (before + after === 0)
    return say`Row ${row} is ${range}: whole groups of ${GROUP}, nothing is masked. ${loads(encoded)}.`;
  const are = before + after === 1 ? 'is' : 'are';
  const parts = [before > 0 ? `${before} before` : '', after > 0 ? `${after} after` : ''].filter(Boolean).join(' and ');
  return say`Row ${row} is ${range}. ${loads(encoded)}: here entry ${strong(aligned)}. The ${strong(parts)} ${are} masked.`;
}

/** Why a lane processes exactly eight entries: what it loads at once. */
function loads({ valueType }: MackoTrace['encoded']): string {
  const valueBytes = (GROUP * VALUE_BITS[valueType]) / 8;
  const at = valueBytes > 16 ? `${valueBytes / 16} loads bring` : 'One load brings';
  return `${at} ${GROUP} values (${valueBytes} bytes) and their skips, from a multiple of ${GROUP} on`;
}

function multiply(t: MackoTrace, { kind, row, chunk }: Extract<MackoStep, { chunk: number }>): readonly Words[] {
  const lanes = lanesOf(t, row, chunk);
  const list = (numbers: readonly number[]): string => numbers.join(', ');
  switch (kind) {
    case 'load': {
      const part =
        t.encoded.indptr[row + 1] - alignedStart(t.encoded.indptr[row]) > CHUNK
          ? `, entries ${chunk} to ${chunk + CHUNK - 1}`
          : '';
      return say`Row ${row}${part}: each of ${strong(`${LANES} lanes`)} loads ${GROUP} entries; masked entries count as 0.`;
    }
    case 'sum':
      return say`Every lane adds up its own ${GROUP} skips: ${strong(list(lanes.sums))}.`;
    case 'scan0':
      return say`The scan, first level: every lane adds the sum of its ${strong('left neighbour')}. Now they hold ${list(lanes.scan0)}.`;
    case 'scan1':
      return say`Second level: every lane adds what is ${strong('two lanes to the left')}. Each now holds the sum up to its own end: ${list(lanes.scan1)}. With ${USUAL_LANES} lanes it takes ${Math.log2(USUAL_LANES)} levels.`;
    case 'columns':
      return say`Each lane starts where the previous one ends${lanes.carry > 0 ? `, and ${lanes.carry} is carried over from earlier entries` : ''}. ${strong('Column = skips so far + number of the entry in its row')}.`;
    case 'gather': {
      const lines = touchedLines(t, row, chunk);
      return say`The lanes fetch x at their columns, from ${strong(counted(lines.length, 'cache line'))} of 64 bytes.`;
    }
    default:
      return say`Value times x, added up inside each lane: ${strong(lanes.products.map(valueText).join(', '))}. Padding adds 0.`;
  }
}

function reduce(t: MackoTrace, row: number): readonly Words[] {
  if (isEmpty(t, row)) return say`Row ${row} has no entries: ${strong(`y[${row}] = 0`)}.`;
  return say`The lanes add their sums, in two levels again: ${strong(`y[${row}] = ${valueText(rowSum(t, row))}`)}.`;
}

/** y[row], in f64. */
export function rowSum(t: MackoTrace, row: number): number {
  let sum = 0;
  for (let i = t.encoded.indptr[row]; i < t.encoded.indptr[row + 1]; i++)
    sum += entryValue(t.encoded, row, i) * t.x[t.columnOf[i]];
  return sum;
}
