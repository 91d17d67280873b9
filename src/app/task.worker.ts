// A further worker, which does tasks of long searches for the engine's worker.

import { oracleTasks } from '../core/bench/oracle-tasks.ts';
import { formats } from '../formats/registry.ts';
import { standInTasks } from '../generate/stand-in.ts';
import { taskServer, type ThreadMessage } from '../engine/task-threads.ts';

const kinds = [...formats.flatMap((format) => format.tasks ?? []), oracleTasks(formats), standInTasks];
const onTask = taskServer(kinds, (answer, transfer) => postMessage(answer, { transfer: [...transfer] }));
addEventListener('message', ({ data }: MessageEvent<ThreadMessage>) => onTask(data));
