import type { StepKind, StepName } from '../../../core/story/step-kind.ts';
import { KEPT, STRIDE, WINDOW } from '../params.ts';
import { codeOf } from './code.ts';
import { firstWindow, type SlideSparseStep, type SlideSparseTrace } from './trace.ts';

/** The kind of a step, by which its frames are chosen. */
export function kindOf(t: SlideSparseTrace, step: SlideSparseStep): StepKind {
  return { ...nameOf(t, step), code: codeOf(t, step) };
}

function nameOf(t: SlideSparseTrace, step: SlideSparseStep): StepName {
  switch (step.kind) {
    case 'accuracy':
      return { name: 'why not 2:4' };
    case 'fits':
      return { name: 'nothing to prune' };
    case 'prune':
      return { name: 'group is pruned', event: 'clip' };
    case 'slide':
      return slideName(t, step);
    case 'nothing':
      return { name: 'nothing to do' };
    case 'scale':
      return { name: 'scale of a row' };
    case 'compress': {
      const { kept } = windowFacts(t, step);
      if (kept === 0) return { name: 'empty window', event: 'padding' };
      return kept === KEPT ? { name: 'stored window' } : { name: 'half-empty window', event: 'padding' };
    }
    case 'fill':
      return { name: 'empty windows', event: 'padding' };
    case 'in-place':
      return { name: 'f16 stays in place' };
    case 'absmax':
      return { name: 'largest of x' };
    case 'quantise':
      return { name: 'x in 8 bits' };
    case 'lift':
      return { name: 'lifted window' };
    case 'fused':
      return { name: 'both in one pass' };
    case 'multiply':
      return { name: 'a window meets x' };
    case 'sum':
      return { name: 'sum of a row', event: 'sum' };
    case 'pays':
      return { name: PAYS[step.about] };
    case 'theorem':
      return step.example === 0 ? { name: 'why every group fits' } : { name: 'counterexample' };
  }
}

const PAYS = {
  gamma: 'rows grow',
  speed: 'what is left of 2×',
  bytes: 'bytes by pattern',
  window: 'bytes of this window',
} as const;

/** What a window of a group keeps, and whether it leaves something that it covers to the next one. */
function windowFacts(
  t: SlideSparseTrace,
  at: { readonly group: number; readonly window: number },
): { readonly kept: number; readonly passesOn: boolean } {
  const group = t.groups[at.group];
  const w = at.window - firstWindow(group, t.params);
  return {
    kept: group.windowOf.filter((by) => by === w).length,
    passesOn: group.columns.some((c, i) => group.windowOf[i] > w && c < w * STRIDE + WINDOW),
  };
}

function slideName(t: SlideSparseTrace, step: Extract<SlideSparseStep, { kind: 'slide' }>): StepName {
  const { kept, passesOn } = windowFacts(t, step);
  if (passesOn) return { name: 'window passes on', event: 'overflow' };
  return { name: kept === 0 ? 'empty window' : 'window' };
}
