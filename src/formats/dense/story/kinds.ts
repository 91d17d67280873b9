import type { StepKind, StepName } from '../../../core/story/step-kind.ts';
import { codeOf } from './code.ts';
import type { DenseStep, DenseTrace } from './trace.ts';

/** The kind of a step, by which its frames are chosen. */
export function kindOf(t: DenseTrace, step: DenseStep): StepKind {
  return { ...nameOf(t, step), code: codeOf(step, t.params.valueType) };
}

function nameOf({ encoded: { cols, stride }, cellsPerLoad }: DenseTrace, step: DenseStep): StepName {
  switch (step.kind) {
    case 'scale':
      return { name: 'scale of a row' };
    case 'group-scale':
      return { name: 'scale of a group' };
    case 'store': {
      const end = (step.load + 1) * cellsPerLoad;
      if (end > cols) return { name: 'row filled with zeros', event: 'padding' };
      return end === stride ? { name: 'row ends', event: 'row end' } : { name: '16 bytes' };
    }
    case 'packed':
      return { name: 'all bytes' };
    case 'products':
      return { name: '16 bytes times x' };
    case 'sum':
      return { name: 'sum of a row', event: 'sum' };
    case 'multiplied':
      return { name: 'y is complete' };
  }
}
