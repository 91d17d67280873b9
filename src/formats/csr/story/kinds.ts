import type { StepKind, StepName } from '../../../core/story/step-kind.ts';
import { codeOf } from './code.ts';
import type { CsrStep, CsrTrace } from './trace.ts';

/** The kind of a step, by which its frames are chosen. */
export function kindOf(_: CsrTrace, step: CsrStep): StepKind {
  return { ...NAMES[step.kind], code: codeOf(step) };
}

const NAMES: Readonly<Record<CsrStep['kind'], StepName>> = {
  entry: { name: 'weight' },
  'row-end': { name: 'row ends', event: 'row end' },
  packed: { name: 'all bytes' },
  product: { name: 'look up x' },
  sum: { name: 'sum of a row', event: 'sum' },
  multiplied: { name: 'y is complete' },
};
