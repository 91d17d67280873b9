import { oracleTasks } from '../core/bench/oracle-tasks.ts';
import type { AnyFormat } from '../core/format.ts';
import type { AnyTaskKind } from '../core/tasks.ts';
import { randomWeightsTasks } from '../generate/random-weights.ts';

/** The kinds of tasks that helper threads of the engine can run, besides those that formats define. */
export function engineTasks(formats: readonly AnyFormat[]): readonly AnyTaskKind[] {
  return [oracleTasks(formats), randomWeightsTasks];
}
