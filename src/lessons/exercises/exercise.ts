import type { Inline } from '../lesson.ts';

/** A kernel to be written, from a text with gaps on. */
export interface Exercise {
  /** its number in the address: '1' of `#1/kernels/exercise/1` */
  readonly id: string;
  readonly title: string;
  /** in a few words, below the title */
  readonly about: string;
  /** the kernel that is written: '<format>/scratch' */
  readonly kernel: string;
  /** parameters of its format, as an address has them */
  readonly params: Readonly<Record<string, string>>;
  /** address of the matrix on which the goal is meant */
  readonly matrix: string;
  /** share of the read speed that is to be reached, from 0 to 1 */
  readonly goal: number;
  /** a WebGPU feature that it cannot do without; '' for none */
  readonly needs: string;
  /** what is still missing, said when the text that it starts with is run as it is */
  readonly unfinished: string;
  /** paragraphs */
  readonly task: readonly (readonly Inline[])[];
  /** to be shown one by one */
  readonly hints: readonly (readonly (readonly Inline[])[])[];
  readonly aboutSolution: readonly (readonly Inline[])[];
  /** WGSL with gaps: it compiles, and is wrong */
  readonly start: string;
  /** WGSL that is right */
  readonly solution: string;
}

/** What stands before the number of an exercise where the address has the id of a kernel. */
const PLACE = 'exercise/';

/** Where an exercise is, among the kernels. */
export function exercisePlace(id: string): string {
  return PLACE + id;
}

/** The number of the exercise that an address asks for among the kernels; null where it asks for none. */
export function exerciseAt(kernel: string): string | null {
  return kernel.startsWith(PLACE) ? kernel.slice(PLACE.length) : null;
}
