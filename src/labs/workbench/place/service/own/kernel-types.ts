import type { ModuleDescription, Outcome } from '../../../own/parse-answers.ts';
import type { RoundTrip } from '../../../own/module-requests.ts';
import type { UserParams, MatrixMessage } from '../../../own/module-messages.ts';
import type { Sizes } from '../../../../../core/operations/operation.ts';

/** A person's format with that person's kernel. */
export interface UserKernelRequest {
  /** name of the format's draft: letters, digits and hyphens */
  readonly name: string;
  readonly description: ModuleDescription;
  readonly params: UserParams;
  /** text of the kernel's own file */
  readonly text: string;
  /** constants that the person has set, by name */
  readonly overrides: Readonly<Record<string, number>>;
}

/** A kernel to be tried. */
export interface UserTrialRequest extends UserKernelRequest {
  /** whether a correct kernel is raced (timed beside other formats); set only if the format keeps all laws (laws.ts) */
  readonly time: boolean;
  /** parameters of the formats in the race, by the id of the format */
  readonly others: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** rounds of the race; default 20 */
  readonly rounds?: number;
}

/** A kernel whose loads are recorded. */
export interface UserMemoryRequest extends UserKernelRequest {
  /** index of the workgroup, row by row of the dispatch */
  readonly workgroup: number;
  readonly sizes?: Sizes;
}

/** Encodes and decodes a matrix in the sandbox, by a module whose text the worker lacks. Errors are outcomes. */
export type EncodeModuleOnPage = (matrix: MatrixMessage) => Promise<Outcome<RoundTrip>>;
