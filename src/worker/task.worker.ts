import { formats } from '../formats/registry.ts';
import { taskServer, type ThreadMessage } from './task-threads.ts';

const kinds = formats.flatMap((format) => format.tasks ?? []);
const hear = taskServer(kinds, (answer) => postMessage(answer));
addEventListener('message', ({ data }: MessageEvent<ThreadMessage>) => hear(data));
