import type { Inline } from '../../../src/lessons/lesson.ts';

/** An exercise: a kernel that a reader completes, with its task, hints and solution. */
export interface Exercise {
  /** its number in the address: '1' of `#2/code/exercise/1` */
  readonly id: string;
  readonly title: string;
  /** in a few words, below the title */
  readonly summary: string;
  /** the kernel to be written: '<format>/scratch' */
  readonly kernel: string;
  /** parameters of its format, as in an address */
  readonly params: Readonly<Record<string, string>>;
  /** address of the matrix that the goal refers to */
  readonly matrix: string;
  /** share of the GPU's read speed to reach, from 0 to 1 */
  readonly goal: number;
  /** a WebGPU feature that it requires; '' for none */
  readonly needs: string;
  /** what is still missing, shown when the starting text is run unchanged */
  readonly unfinished: string;
  /** paragraphs */
  readonly task: readonly (readonly Inline[])[];
  /** revealed one by one */
  readonly hints: readonly (readonly (readonly Inline[])[])[];
  /** paragraphs shown with the solution */
  readonly aboutSolution: readonly (readonly Inline[])[];
  /** incomplete WGSL: it compiles, with incorrect results */
  readonly start: string;
  /** correct WGSL */
  readonly solution: string;
}

const PATH_PREFIX = 'exercise/';

/** Returns 'exercise/1', which replaces the id of a kernel in an address. */
export function exercisePath(id: string): string {
  return PATH_PREFIX + id;
}

/** Returns the id of the exercise in an `exercisePath`; null for the id of a kernel. */
export function exerciseIdOf(kernel: string): string | null {
  return kernel.startsWith(PATH_PREFIX) ? kernel.slice(PATH_PREFIX.length) : null;
}
