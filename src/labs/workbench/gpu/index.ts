export { withAccessTrace } from './access-trace.ts';
export { draftSpec } from './draft-spec.ts';
export { withBudget } from './draft-plan.ts';
export type { LoopPosition } from './loop-budget.ts';
export { loopWork } from './program-bounds.ts';
export { compileMessages } from './messages.ts';
export { type TrialBudget, type TrialMatrix, type TrialResult, tryKernel } from './trial.ts';
