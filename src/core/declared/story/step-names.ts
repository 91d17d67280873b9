import type { StepName } from '../../story/step-kind.ts';
import type { StoredStep } from './stored-steps.ts';
import type { DeclaredStep } from './trace.ts';

/** The name of a step of a declared story; frames are chosen by these names. */
export function nameOfStep(step: DeclaredStep): StepName {
  switch (step.kind) {
    case 'stored':
      return { ...storedName(step), ...(step.prepares && { cell: step.prepares }) };
    case 'encoded':
      return { name: 'all bytes' };
    case 'product':
      return { name: 'look up x' };
    case 'zeros':
      return { name: 'zeros times x' };
    case 'sum':
      return { name: 'sum of a row', event: 'sum' };
    case 'multiplied':
      return { name: 'y is complete' };
  }
}

function storedName({ what, isRowEnd }: StoredStep): StepName {
  if (what === 'padding') return { name: 'padding', event: 'padding' };
  if (what === 'bookkeeping' && isRowEnd) return { name: 'row ends', event: 'row end' };
  return { name: what };
}
