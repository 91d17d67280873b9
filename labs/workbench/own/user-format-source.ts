import type { Matrix } from '../../../src/core/matrix/index.ts';
import type { ModuleDescription, Outcome } from './parse-answers.ts';
import type { RoundTrip } from './module-requests.ts';
import type { UserParams } from './module-messages.ts';

/** A custom format: a user's JavaScript module, with the description that it returned. */
export interface UserFormatSource {
  /** of its draft: letters, digits and hyphens */
  readonly name: string;
  readonly text: string;
  readonly description: ModuleDescription;
  /**
   * A matrix encoded and decoded by the module, without waiting: in a sandbox it has to have run on the matrix before.
   * `recorded`: with the steps that the story shows.
   */
  readonly resultOf: (matrix: Matrix, params: UserParams, options: { recorded: boolean }) => Outcome<RoundTrip>;
}

/** The id of a custom format, which is also its name in an address. */
export function userFormatId(name: string): string {
  return `mine:${name}`;
}

/** Why a module has no result, in words. */
export function reasonOf(outcome: Exclude<Outcome<never>, { readonly kind: 'done' }>): string {
  if (outcome.kind === 'refused') return outcome.reason;
  return `${outcome.message}${outcome.line > 0 ? `, in line ${outcome.line}` : ''}`;
}

/** The reason if no result was requested for a matrix. */
export const NOT_RUN = 'the module was not run on this matrix';
