import { oracleTasks } from '../core/bench/oracle-tasks.ts';
import type { AnyFormat } from '../core/format.ts';
import type { AnyTaskKind } from '../core/tasks.ts';
import { standInTasks } from '../generate/stand-in.ts';

/** Kinds of tasks that the engine's further threads run, besides those of the formats. */
export function engineTasks(formats: readonly AnyFormat[]): readonly AnyTaskKind[] {
  return [oracleTasks(formats), standInTasks];
}
