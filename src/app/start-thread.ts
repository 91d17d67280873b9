import type { AnswerListener, TaskThread, ThreadAnswer } from '../engine/task-threads.ts';

/** Starts another worker, which runs tasks of the engine's. Called in a worker: those of today's browsers can start others. */
export function startThread(listener: AnswerListener): TaskThread {
  const worker = new Worker(new URL('./task.worker.ts', import.meta.url), { type: 'module', name: 'tasks' });
  const fail = (message: string): void => listener({ kind: 'failed', message });
  worker.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => listener(data);
  worker.onerror = (event) => {
    // Told here, it does not go on to the page, which would take it for the engine's own end.
    event.preventDefault();
    fail(event.message);
  };
  worker.onmessageerror = () => fail('an answer cannot be read');
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    end: () => worker.terminate(),
  };
}
