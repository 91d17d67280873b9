import type { Description, Outcome } from '../../../own/answers.ts';
import type { Run } from '../../../own/asking.ts';
import type { OwnParams, SentMatrix } from '../../../own/messages.ts';
import type { Sizes } from '../../../../../core/operations/operation.ts';

/** A format of one's own with the kernel that its author wrote. */
export interface OwnKernelRequest {
  /** of the format's draft: letters, digits and hyphens */
  readonly name: string;
  readonly description: Description;
  readonly params: OwnParams;
  /** of the kernel's own file */
  readonly text: string;
  /** constants that the author set, by name */
  readonly overrides: Readonly<Record<string, number>>;
}

/** A kernel to be tried. */
export interface OwnTrialRequest extends OwnKernelRequest {
  /** whether one that is right is raced: only once all laws hold */
  readonly time: boolean;
  /** by the id of a format, for those that it is raced beside */
  readonly others: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** of the race; default 20 */
  readonly rounds?: number;
}

/** A kernel to be watched. */
export interface OwnMemoryRequest extends OwnKernelRequest {
  readonly workgroup: number;
  readonly sizes?: Sizes;
}

/**
 * Has a matrix encoded where modules run, and decoded again: the worker knows none of the text. Never rejects: what went
 * wrong is an outcome.
 */
export type EncodeModuleOnPage = (matrix: SentMatrix) => Promise<Outcome<Run>>;
