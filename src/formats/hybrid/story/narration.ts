import type { Words } from '../../../core/story/scene.ts';
import { storageWords } from '../../../core/story/storage-words.ts';
import { countText, counted, say, strong, valueText } from '../../../core/story/words.ts';
import { encoding } from '../encoding.ts';
import { NONE } from '../layout.ts';
import { shareOfRows } from '../params.ts';
import { roundedUp } from '../routing.ts';
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
      return [...stored(t), ...storageWords(encoding.storage(t.encoded), t.params.valueType)];
    case 'row':
      return row(t, step.row);
    case 'multiplied':
      return say`y is complete. All rows of a part have ${strong('one length')}, which suits a simple kernel.`;
  }
}

/** How many rows lie in the tail. */
function stored({ encoded: { rows, tailUsed } }: HybridTrace): readonly Words[] {
  return say`${strong(`${tailUsed} of ${counted(rows, 'row')}`)} ${tailUsed === 1 ? 'lies' : 'lie'} in the tail. `;
}

function room({ encoded: { rows, slots, tailCapacity }, refusal, params }: HybridTrace): readonly Words[] {
  const share = `${shareOfRows(params.tailShare)}${roundedUp(rows, params.tailShare)}`;
  if (refusal !== null) {
    return say`This window is refused: the tail is too short. The story takes a longer one. ${refusal}. The story’s tail is for ${strong(share)}, ${counted(tailCapacity, 'row')}.`;
  }
  if (rows === 0) return say`There are ${strong('no rows')}, so no room is reserved.`;
  if (tailCapacity === 0) {
    return say`Every row gets ${strong(counted(slots, 'slot'))}, one for each column. So there is no tail.`;
  }
  return say`Room is set aside first: ${strong(counted(slots, 'slot'))} for each row, a tail of ${strong(counted(tailCapacity, 'row'))}. The tail is for ${share}: nothing waits until all rows are counted.`;
}

function route({ encoded: { counts, slots, tailMap } }: HybridTrace, r: number): readonly Words[] {
  const has = `Row ${r} has ${counted(counts[r], 'non-zero')}`;
  if (tailMap[r] !== NONE) {
    return say`${has}, more than ${slots}: it goes whole to ${strong(`tail row ${tailMap[r]}`)}.`;
  }
  if (counts[r] === 0) return say`${has}: ${strong('its slots stay empty')}.`;
  return say`${has}, at most ${slots}: ${strong('its slots')} keep values and 16-bit columns.`;
}

function row({ encoded: { counts, tailMap, cols }, sums }: HybridTrace, r: number): readonly Words[] {
  const value = strong(`y[${r}] = ${valueText(sums[r])}`);
  if (tailMap[r] !== NONE)
    return say`Row ${r}, in the tail, reads ${countText(cols)} cells for ${counted(counts[r], 'non-zero')}: ${value}.`;
  if (counts[r] === 0) return say`Row ${r} is empty: ${value}.`;
  return say`Row ${r} reads ${counted(counts[r], 'slot')}, with one x per slot: ${value}.`;
}
