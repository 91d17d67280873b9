import type { ModuleDescription, Outcome } from '../../../own/parse-answers.ts';
import type { RoundTrip } from '../../../own/module-requests.ts';
import type { UserParams, MatrixMessage } from '../../../own/module-messages.ts';
import type { Sizes } from '../../../../../src/core/operations/operation.ts';

/** A custom format, with its author's kernel of y = A x. */
export interface UserKernelRequest {
  /** of the format: letters, digits and hyphens */
  readonly name: string;
  readonly description: ModuleDescription;
  readonly params: UserParams;
  /** the kernel in WGSL, without its bindings, which are generated */
  readonly text: string;
  /** constants that the user has set, by name */
  readonly overrides: Readonly<Record<string, number>>;
}

/** Asks to compile and verify a kernel, and to time it. */
export interface UserTrialRequest extends UserKernelRequest {
  /** whether a correct kernel is timed next to other formats; set only if the format passes all its tests (laws.ts) */
  readonly time: boolean;
  /** parameters of the other formats, by id */
  readonly otherParams: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** timed rounds; default 20 */
  readonly rounds?: number;
}

/** Asks which array elements the lanes of one workgroup touch. */
export interface UserMemoryRequest extends UserKernelRequest {
  /** index of the workgroup, row by row of the dispatch */
  readonly workgroup: number;
  readonly sizes?: Sizes;
}

/** Encodes and decodes a matrix with the user's code, in the page's sandbox. Never rejects: errors are outcomes. */
export type EncodeModuleOnPage = (matrix: MatrixMessage) => Promise<Outcome<RoundTrip>>;
