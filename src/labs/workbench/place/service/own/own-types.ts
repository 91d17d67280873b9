import type { Description, Outcome } from '../../../own/answers.ts';
import type { Run } from '../../../own/asking.ts';
import type { OwnParams, SentMatrix } from '../../../own/messages.ts';
import type { Sizes } from '../../../../../core/operations/operation.ts';

/** A person's format with its author's kernel. */
export interface UserKernelRequest {
  /** of the format's draft: letters, digits and hyphens */
  readonly name: string;
  readonly description: Description;
  readonly params: OwnParams;
  /** of the kernel's own file */
  readonly text: string;
  /** constants that the author has set, by name */
  readonly overrides: Readonly<Record<string, number>>;
}

/** A kernel to be tried. */
export interface UserTrialRequest extends UserKernelRequest {
  /** whether a correct one is raced: only if all laws hold */
  readonly time: boolean;
  /** parameters of the formats in the race, by the id of the format */
  readonly others: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** of the race; default 20 */
  readonly rounds?: number;
}

/** A kernel whose loads are recorded. */
export interface UserMemoryRequest extends UserKernelRequest {
  readonly workgroup: number;
  readonly sizes?: Sizes;
}

/**
 * Encodes a matrix with a module in the sandbox, and decodes it again: the worker does not have its text. Never rejects: errors
 * are outcomes.
 */
export type EncodeModuleOnPage = (matrix: SentMatrix) => Promise<Outcome<Run>>;
