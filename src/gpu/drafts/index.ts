export { type TracedPlan, type TraceOptions, withAccessTrace } from './access-trace.ts';
export { type DraftChange, draftSpec } from './draft-spec.ts';
export { withBudget } from './draft-plan.ts';
export type { LoopPosition } from './loop-budget.ts';
export { loopWork } from './program-limits.ts';
export { type CompileMessage, compileMessages } from './messages.ts';
export { type TrialBudget, type TrialMatrix, type TrialResult, tryKernel } from './trial.ts';
