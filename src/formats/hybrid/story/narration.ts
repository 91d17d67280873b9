import type { Words } from '../../../core/story/scene.ts';
import { storageWords } from '../../../core/story/storage-words.ts';
import { countText, counted, say, strong, valueText } from '../../../core/story/words.ts';
import { NONE } from '../layout.ts';
import { roundedUp } from '../routing.ts';
import { storage } from '../storage.ts';
import type { HybridStep, HybridTrace } from './trace.ts';

/** Describes a step in one or two sentences with the numbers of this window. */
export function narrate(t: HybridTrace, step: HybridStep | null): readonly Words[] {
  const { rows, cols, nnz } = t.window;
  switch (step?.kind) {
    case undefined:
      return say`${counted(rows, 'token')} × ${counted(cols, 'hidden neuron')} with ${strong(counted(nnz, 'non-zero'))}. The hybrid keeps tokens that fire few neurons compact, the others dense.`;
    case 'room':
      return room(t);
    case 'route':
      return route(t, step.row);
    case 'stored':
      return [...stored(t), ...storageWords(storage(t.encoded), t.params.valueType)];
    case 'row':
      return row(t, step.row);
    case 'multiplied':
      return say`y is complete: ${strong('gather')} served the slots, ${strong('dense')} the tail. Each part has rows of one length, which suits a simple kernel.`;
  }
}

/** How many rows lie in the tail. */
function stored({ encoded: { rows, slots, tailUsed } }: HybridTrace): readonly Words[] {
  if (tailUsed === 0) return say`${strong('No row')} lies in the tail; each has ${counted(slots, 'slot')}. `;
  if (tailUsed === rows)
    return say`${strong(rows === 1 ? 'The only row' : `All ${rows} rows`)} ${rows === 1 ? 'lies' : 'lie'} in the tail. `;
  return say`${strong(`${tailUsed} of ${rows} rows`)} ${tailUsed === 1 ? 'lies' : 'lie'} in the tail, the others in ${counted(slots, 'slot')} each. `;
}

function room({ encoded: { rows, slots, tailCapacity }, refusal, params }: HybridTrace): readonly Words[] {
  const share =
    params.tailShare === 1 ? 'all rows' : `1/${params.tailShare} of the rows${roundedUp(rows, params.tailShare)}`;
  if (refusal !== null) {
    return say`With the chosen tail, this window is refused. ${refusal}. The story’s tail is for ${strong(share)}, ${counted(tailCapacity, 'row')}.`;
  }
  if (rows === 0) return say`There are ${strong('no rows')}, so no room is reserved.`;
  if (tailCapacity === 0) {
    return say`Every row gets ${strong(counted(slots, 'slot'))}, one for each column. So there is no tail.`;
  }
  return say`Room in advance: ${strong(counted(slots, 'slot'))} for each row, a tail of ${strong(counted(tailCapacity, 'row'))}. The tail is for ${share}: nothing waits until all of ${counted(rows, 'row')} are counted.`;
}

function route({ encoded: { counts, slots, tailMap } }: HybridTrace, r: number): readonly Words[] {
  const has = `Row ${r} has ${counted(counts[r], 'non-zero')}`;
  if (tailMap[r] !== NONE) {
    return say`${has}, more than ${slots}: it goes whole to ${strong(`tail row ${tailMap[r]}`)}. tailMap and tailRows point to each other.`;
  }
  if (counts[r] === 0) return say`${has}: ${strong('its slots stay empty')}, and its count is 0.`;
  const empty = slots - counts[r];
  const rest = empty === 0 ? 'none stays empty' : `${counted(empty, 'slot')} ${empty === 1 ? 'stays' : 'stay'} empty`;
  const go = counts[r] === 1 ? 'it goes' : 'they go';
  return say`${has}, at most ${slots}: ${go} to ${strong('its slots')}. Values and 16-bit columns are stored; ${rest}.`;
}

function row({ encoded: { counts, tailMap, cols }, sums }: HybridTrace, r: number): readonly Words[] {
  const value = strong(`y[${r}] = ${valueText(sums[r])}`);
  if (tailMap[r] !== NONE)
    return say`Row ${r}, in the tail, reads ${countText(cols)} cells: ${value}. It has ${counted(counts[r], 'non-zero')}.`;
  if (counts[r] === 0) return say`Row ${r} is empty: ${value}.`;
  const each = counts[r] === 1 ? '' : 'each ';
  return say`Row ${r} reads ${counted(counts[r], 'slot')}, ${each}with the x of its column: ${value}.`;
}
