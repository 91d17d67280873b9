import type { Job, SharedData, Tasks } from '../core/job.ts';
import type { AnyTaskKind } from '../core/tasks.ts';
import type { Threads } from './worker-pace.ts';

// Web workers that help the engine's worker: they run independent tasks of a job, each with a copy of its data.

/** Maximum number of bytes for copies of shared data, of all threads together. */
const MAX_COPIES_BYTES = 2 ** 29;

/** Tasks posted to a thread at a time: one that it runs, and the next. */
const TASKS_AT_ONCE = 2;

/** Idle threads end after this time; much sooner if their copies are large, since these use memory. */
const IDLE_MS = 10_000;
const IDLE_MS_OF_LARGE = 1000;
const LARGE_BYTES = 2 ** 24;

/** How often the job is checked for a cancel. */
const CANCEL_POLL_MS = 20;

/** A message to a thread. Messages arrive in order. */
export type ThreadMessage =
  /** the kind of the runs that follow, and a copy of the data that the thread may keep */
  | { readonly kind: 'open'; readonly task: string; readonly shared: Readonly<Record<string, unknown>> }
  | { readonly kind: 'run'; readonly index: number; readonly input: unknown };

/** A thread's answer to a run, and to any message that throws. */
export type ThreadAnswer =
  | { readonly kind: 'done'; readonly index: number; readonly output: unknown }
  | { readonly kind: 'failed'; readonly message: string };

/** A thread that runs tasks. */
export interface TaskThread {
  post(message: ThreadMessage, transfer: readonly ArrayBuffer[]): void;
  /** Ends the thread at once, also in the middle of a task. */
  end(): void;
}

/** Receives a thread's answers; a thread that cannot be loaded or dies answers 'failed'. */
export type AnswerListener = (answer: ThreadAnswer) => void;

export interface TaskThreadsOptions {
  /** maximum number of threads */
  readonly max: number;
  start(listener: AnswerListener): TaskThread;
  /** Idle threads end after this time. Default: by the size of their copies of the data. */
  readonly idleMs?: number;
}

/** A thread, and the data of which it has a copy. */
interface StartedThread {
  readonly thread: TaskThread;
  /** null before the first tasks */
  opened: SharedData | null;
}

/** Threads that run tasks: started if two or more can work, then reused; ended when long tasks are cancelled. */
export class TaskThreads implements Threads {
  readonly #options: TaskThreadsOptions;
  #started: StartedThread[] = [];
  #isBusy = false;
  #hasFailed = false;
  #idle: ReturnType<typeof setTimeout> | undefined;
  /** tasks that were posted to threads, of all calls together */
  #posted = 0;
  #onAnswer: (from: StartedThread, answer: ThreadAnswer) => void = () => {};

  constructor(options: TaskThreadsOptions) {
    this.#options = options;
  }

  /** Threads that are running now. */
  get count(): number {
    return this.#started.length;
  }

  /**
   * Runs the tasks and fills `outputs`. Runs none if there are tasks or memory for only one thread, while an earlier
   * call runs, or after a failure; runs only some if a thread fails or the job is cancelled.
   */
  async perform(tasks: Tasks, job: Job): Promise<void> {
    const byMemory = Math.floor(MAX_COPIES_BYTES / Math.max(1, tasks.shared.bytes));
    const count = Math.min(this.#options.max, tasks.inputs.length, byMemory);
    if (count < 2 || this.#isBusy || this.#hasFailed) return;
    this.#isBusy = true;
    clearTimeout(this.#idle);
    try {
      while (this.#started.length < count) this.#start();
      await this.#run(tasks, job, this.#started.slice(0, count));
    } catch {
      // No thread can be started: the caller runs the remaining tasks.
      this.#hasFailed = true;
    } finally {
      this.#isBusy = false;
      if (this.#hasFailed || (job.cancelled && !tasks.short)) this.end();
      else this.#idle = setTimeout(() => this.end(), this.#options.idleMs ?? idleMsOf(tasks.shared));
    }
  }

  /** Ends all threads; the next tasks start new ones. */
  end(): void {
    clearTimeout(this.#idle);
    for (const { thread } of this.#started) thread.end();
    this.#started = [];
  }

  #start(): void {
    const listener: AnswerListener = (answer) => this.#onAnswer(started, answer);
    const started: StartedThread = { thread: this.#options.start(listener), opened: null };
    this.#started.push(started);
  }

  #run(
    { kind, shared, inputs, send, outputs, onOutput }: Tasks,
    job: Job,
    threads: readonly StartedThread[],
  ): Promise<void> {
    // Answers to tasks of an earlier, cancelled call may still arrive; they have lower numbers.
    const first = this.#posted;
    this.#posted += inputs.length;
    return new Promise((resolve) => {
      let next = 0;
      let missing = inputs.length;
      const poll = setInterval(() => {
        if (job.cancelled) finish();
      }, CANCEL_POLL_MS);
      const finish = (hasFailed = false): void => {
        this.#hasFailed ||= hasFailed;
        clearInterval(poll);
        this.#onAnswer = () => {};
        resolve();
      };
      const postNext = (to: StartedThread): void => {
        if (next === inputs.length) return;
        const { input, transfer } = send?.(inputs[next]) ?? { input: inputs[next], transfer: [] };
        to.thread.post({ kind: 'run', index: first + next, input }, transfer);
        next++;
      };
      this.#onAnswer = (from, answer) => {
        if (answer.kind === 'failed') return finish(true);
        if (answer.index < first) return;
        outputs[answer.index - first] = answer.output;
        onOutput?.(answer.index - first);
        missing--;
        if (missing === 0) return finish();
        try {
          postNext(from);
        } catch {
          finish(true);
        }
      };
      try {
        for (const to of threads) {
          if (to.opened === shared) continue;
          const copy = shared.copy();
          to.thread.post({ kind: 'open', task: kind, shared: copy }, buffersOf(copy));
          to.opened = shared;
        }
        for (let task = 0; task < TASKS_AT_ONCE; task++) threads.forEach(postNext);
      } catch {
        // No memory for a copy.
        finish(true);
      }
    });
  }
}

/** The time after which a thread with a copy of this data ends, if it is idle. */
function idleMsOf({ bytes }: SharedData): number {
  return bytes > LARGE_BYTES ? IDLE_MS_OF_LARGE : IDLE_MS;
}

/** The buffers of an object's arrays, to be transferred. */
function buffersOf(data: Readonly<Record<string, unknown>>): readonly ArrayBuffer[] {
  return Object.values(data).flatMap((value) =>
    ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
}

/** The handler of messages in a thread: runs tasks of these kinds and answers. */
export function taskServer(
  kinds: readonly AnyTaskKind[],
  answer: (answer: ThreadAnswer, transfer: readonly ArrayBuffer[]) => void,
): (message: ThreadMessage) => void {
  let run: ((input: unknown) => unknown) | null = null;
  let transferred: AnyTaskKind['transferred'];
  return (message) => {
    try {
      if (message.kind === 'open') {
        const kind = kinds.find(({ name }) => name === message.task);
        if (!kind) throw new RangeError(`task: found '${message.task}', expected one that a format has`);
        // Frees the data of the kind before, which may be large.
        run = null;
        run = kind.open(message.shared);
        transferred = kind.transferred?.bind(kind);
      } else {
        if (!run) throw new RangeError(`task ${message.index}: found an unknown kind of task`);
        const output = run(message.input);
        answer({ kind: 'done', index: message.index, output }, transferred?.(output) ?? []);
      }
    } catch (error) {
      answer({ kind: 'failed', message: String(error) }, []);
    }
  };
}
