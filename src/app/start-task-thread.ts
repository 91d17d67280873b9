import type { AnswerListener, TaskThread, ThreadAnswer } from '../engine/task-threads.ts';

/** Starts a web worker that runs tasks (parts of a long job) for the engine, whose own worker calls this. */
export function startTaskThread(listener: AnswerListener): TaskThread {
  const worker = new Worker(new URL('./task.worker.ts', import.meta.url), { type: 'module', name: 'tasks' });
  const fail = (message: string): void => listener({ kind: 'failed', message });
  worker.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => listener(data);
  worker.onerror = (event) => {
    // Otherwise the page would receive the error and restart the engine.
    event.preventDefault();
    fail(event.message);
  };
  worker.onmessageerror = () => fail('an answer cannot be read');
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    end: () => worker.terminate(),
  };
}
