import type { StepKind, StepName } from '../../../core/story/step-kind.ts';
import { codeOf } from './code.ts';
import type { EllStep, EllTrace } from './trace.ts';

/** The kind of a step, by which its frames are chosen. */
export function kindOf(_: EllTrace, step: EllStep): StepKind {
  return { ...NAMES[step.kind], code: codeOf(step) };
}

const NAMES: Readonly<Record<EllStep['kind'], StepName>> = {
  count: { name: 'a row is counted' },
  allocate: { name: 'the longest row decides' },
  slot: { name: 'weight' },
  padding: { name: 'padding', event: 'padding' },
  packed: { name: 'all bytes' },
  round: { name: 'slot of every row' },
  multiplied: { name: 'y is complete', event: 'sum' },
};
