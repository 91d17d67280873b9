// A thread that helps the engine's worker with parts of long work: encoding, checking kernels, drawing random weights.

import { engineTasks } from '../engine/engine-tasks.ts';
import { formats } from '../formats/registry.ts';
import { taskServer, type ThreadMessage } from '../engine/task-threads.ts';

const kinds = [...formats.flatMap((format) => format.tasks ?? []), ...engineTasks(formats)];
const onTask = taskServer(kinds, (answer, transfer) => postMessage(answer, { transfer: [...transfer] }));
addEventListener('message', ({ data }: MessageEvent<ThreadMessage>) => onTask(data));
