import { floatAt } from '../../../core/number/index.ts';
import type { Words } from '../../../core/story/scene.ts';
import { storageWords } from '../../../core/story/storage-words.ts';
import { countText, counted, say, strong, valueText } from '../../../core/story/words.ts';
import { encoding } from '../encoding.ts';
import type { EllStep, EllTrace } from './trace.ts';

type Of<K extends EllStep['kind']> = Extract<EllStep, { kind: K }>;

/** Describes a step in one or two sentences with the numbers of this window. */
export function narrate(t: EllTrace, step: EllStep | null): readonly Words[] {
  const { rows, cols, nnz } = t.window;
  const { width } = t.encoded;
  const slots = rows * width;
  switch (step?.kind) {
    case undefined:
      return say`This ${rows} × ${cols} window holds ${strong(counted(nnz, 'non-zero'))}. ELLPACK pushes rows to the left; each gets as many slots as the longest needs.`;
    case 'count':
      return say`Row ${step.row} holds ${strong(counted(t.encoded.counts[step.row], 'non-zero'))}. The longest row so far has ${step.width}.`;
    case 'allocate':
      return say`The longest row has ${strong(counted(width, 'non-zero'))}, so every row gets ${counted(width, 'slot')}. ${strong(countText(slots - nnz))} of ${counted(slots, 'slot')} will stay empty.`;
    case 'slot':
      return slot(t, step);
    case 'padding':
      return padding(t, step);
    case 'packed':
      return [
        ...say`${strong(countText(slots - nnz))} of ${counted(slots, 'slot')} ${slots - nnz === 1 ? 'is' : 'are'} padding. `,
        ...storageWords(encoding.storage(t.encoded), t.params.valueType),
      ];
    case 'round':
      return round(t, step);
    case 'multiplied':
      return multiplied(t, slots);
  }
}

function slot({ encoded }: EllTrace, { row, col, slot: s }: Of<'slot'>): readonly Words[] {
  const index = s * encoded.rows + row;
  const value = strong(valueText(floatAt(encoded.values, index)));
  return say`Row ${row} holds ${value} in column ${strong(col)}: slot ${s} of the row. Slot ${s} of all rows lies together: this is element ${s} × ${encoded.rows} + ${row} = ${index}.`;
}

function padding({ encoded: { width, counts } }: EllTrace, { row }: Of<'padding'>): readonly Words[] {
  const empty = width - counts[row];
  return say`Row ${row} has ${counted(counts[row], 'non-zero')}: ${strong(`${empty} of its ${counted(width, 'slot')}`)} ${empty === 1 ? 'is' : 'are'} padding. Padding has value 0 and column 0.`;
}

function round({ encoded: { rows, counts } }: EllTrace, { slot: s }: Of<'round'>): readonly Words[] {
  const busy = counts.reduce((n, count) => n + (count > s ? 1 : 0), 0);
  const idle = rows - busy;
  const first = `Slot ${s} of every row, one lane each: `;
  if (idle === 0)
    return say`${first}every lane adds a product. ${strong('Neighbouring lanes')} read neighbouring elements.`;
  return say`${first}${strong(counted(busy, 'lane'))} ${busy === 1 ? 'adds' : 'add'} a product, ${idle} ${idle === 1 ? 'waits' : 'wait'}.`;
}

function multiplied({ encoded: { width, nnz } }: EllTrace, slots: number): readonly Words[] {
  if (slots === 0) return say`There is nothing to multiply: every y is ${strong(0)}.`;
  const idle = Math.round((100 * (slots - nnz)) / slots);
  return say`y is complete after ${strong(counted(width, 'round'))}. ${counted(slots, 'turn')} for ${counted(nnz, 'product')}: ${idle}\u202f% of them were idle.`;
}
