import type { StepKind, StepName } from '../../../core/story/step-kind.ts';
import { codeOf } from './code.ts';
import type { BitmaskStep, BitmaskTrace } from './trace.ts';

/** The kind of a step, by which its frames are chosen. */
export function kindOf({ encoded: { mask } }: BitmaskTrace, step: BitmaskStep): StepKind {
  const isEmpty = step.kind === 'word' && mask[step.word] === 0;
  return { ...(isEmpty ? EMPTY_WORD : NAMES[step.kind]), code: codeOf(step) };
}

const EMPTY_WORD: StepName = { name: 'empty word', event: 'differs' };

const NAMES: Readonly<Record<BitmaskStep['kind'], StepName>> = {
  scale: { name: 'scale' },
  bit: { name: 'weight' },
  'row-end': { name: 'row ends', event: 'row end' },
  packed: { name: 'all bytes' },
  word: { name: 'read 32 bits' },
  product: { name: 'count bits, look up x' },
  sum: { name: 'sum of a row', event: 'sum' },
  multiplied: { name: 'y is complete' },
};
