import type { Progress, SharedData, Steps, Tasks } from './job.ts';

/**
 * A pure function that may run on another thread. Threads share no memory and no closures: the function is found by
 * name, and data that all inputs share is sent to a thread only once.
 *
 * @typeParam S a copy of the shared data: an object of typed arrays and numbers
 * @typeParam I one input, @typeParam O one output: values that can be sent in messages
 */
export interface TaskKind<S, I, O> {
  /** the format's id, a slash, and the name of the computation */
  readonly name: string;
  /** Receives ownership of the shared data and returns the function. */
  open(shared: S): (input: I) => O;
  /** Buffers of an output that are transferred to the requesting thread, not copied. Default: none. */
  transferred?(output: O): readonly ArrayBuffer[];
}

/** A kind of tasks with its types erased, as threads find it by name. */
// oxlint-disable-next-line typescript/no-explicit-any -- threads pass on values that they do not read
export type AnyTaskKind = TaskKind<any, any, any>;

/** Tasks of one kind that a long computation offers to other threads, and how it runs them without other threads. */
export interface TaskBatch<I, O> {
  readonly kind: string;
  readonly shared: SharedData;
  readonly inputs: readonly I[];
  /** the part of an input to post, and its buffers to transfer; default: all of it, and none */
  readonly send?: ((input: I) => { readonly input: unknown; readonly transfer: readonly ArrayBuffer[] }) | undefined;
  /** Computes the output that the kind computes from the same input and shared data. */
  inline(input: I): O;
  /** Progress of the long computation when `done` of the inputs have been computed. */
  progress(done: number): Progress;
}

/**
 * Offers the tasks to other threads, computes the missing outputs here, and returns all outputs in the order of their
 * inputs: the same for any number of threads.
 */
export function* runTasks<I, O>({ kind, shared, inputs, send, inline, progress }: TaskBatch<I, O>): Steps<O[]> {
  const outputs: (O | undefined)[] = inputs.map(() => undefined);
  const sent = send && { send: (input: unknown) => send(input as I) };
  const tasks: Tasks = { kind, shared, inputs, outputs, ...sent };
  // A single input is computed here.
  if (inputs.length > 1) yield { ...progress(0), tasks };
  const complete: O[] = [];
  for (const [i, input] of inputs.entries()) {
    const output = outputs[i];
    complete.push(output ?? inline(input));
    if (output === undefined) yield progress(i + 1);
  }
  return complete;
}
