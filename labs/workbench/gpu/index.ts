/** The lab's tools for a user's kernel on a GPU: compile, try with limited loops, and record its memory accesses. */
export { withAccessTrace } from './access-trace.ts';
export { draftSpec } from './draft-spec.ts';
export { withBudget } from './draft-plan.ts';
export type { LoopPosition } from './loop-budget.ts';
export { loopWork } from './program-bounds.ts';
export { compileMessages } from './compile-messages.ts';
export { type TrialBudget, type TrialMatrix, type TrialResult, tryKernel } from './trial.ts';
