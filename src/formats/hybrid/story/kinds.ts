import type { StepKind, StepName } from '../../../core/story/step-kind.ts';
import { NONE } from '../layout.ts';
import { codeOf } from './code.ts';
import type { HybridStep, HybridTrace } from './trace.ts';

/** The kind of a step, by which its frames are chosen. */
export function kindOf(t: HybridTrace, step: HybridStep): StepKind {
  return { ...nameOf(t, step), code: codeOf(t, step) };
}

function nameOf({ encoded: { counts, tailMap }, refusal }: HybridTrace, step: HybridStep): StepName {
  switch (step.kind) {
    case 'room':
      return refusal === null ? { name: 'room is reserved' } : { name: 'the tail is too short', event: 'refusal' };
    case 'route':
      if (tailMap[step.row] !== NONE) return { name: 'row to the tail', event: 'overflow' };
      if (counts[step.row] === 0) return { name: 'empty row', event: 'differs' };
      return { name: 'compact row' };
    case 'stored':
      return { name: 'all bytes' };
    case 'row':
      return { name: tailMap[step.row] === NONE ? 'sum of a compact row' : 'sum of a dense row', event: 'sum' };
    case 'multiplied':
      return { name: 'y is complete' };
  }
}
