import { oracleTasks } from '../core/bench/oracle-tasks.ts';
import type { AnyFormat } from '../core/format.ts';
import type { AnyTaskKind } from '../core/tasks.ts';
import { standInTasks } from '../generate/stand-in.ts';

/** Kinds of tasks of the engine's threads, besides those of the formats. */
export function ownTasks(formats: readonly AnyFormat[]): readonly AnyTaskKind[] {
  return [oracleTasks(formats), standInTasks];
}
