import { textChoice } from '../../../kit/browser/choices.ts';

/** Which kernels decode: a link carries the choice, and runs nothing. */
export const KERNEL_FIELDS = {
  /** id of a kernel of the sentence's format; '': the first that fits */
  kernel: textChoice(80),
  /** id of a format that computes whole feed-forward blocks; '': matrix by matrix */
  block: textChoice(40),
};
