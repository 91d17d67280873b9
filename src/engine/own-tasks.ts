import { oracleTasks } from '../core/bench/oracle-tasks.ts';
import type { AnyFormat } from '../core/format.ts';
import type { AnyTaskKind } from '../core/tasks.ts';
import { standInTasks } from '../generate/stand-in.ts';

/** What threads of the engine can do, besides what their formats bring. */
export function ownTasks(formats: readonly AnyFormat[]): readonly AnyTaskKind[] {
  return [oracleTasks(formats), standInTasks];
}
