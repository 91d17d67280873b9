import type { Matrix } from '../../../core/matrix/index.ts';
import type { Description, Outcome } from './answers.ts';
import type { Run } from './asking.ts';
import type { OwnParams } from './messages.ts';

/** A module and what it says of itself. */
export interface OwnSource {
  /** of its draft: letters, digits and hyphens */
  readonly name: string;
  readonly text: string;
  readonly description: Description;
  /**
   * What came of a matrix. Where modules run in a sandbox it was asked for before: nothing here waits. `recorded`: as a
   * story needs it.
   */
  readonly runOf: (matrix: Matrix, params: OwnParams, recorded: boolean) => Outcome<Run>;
}

/** Its id, and its name in an address. */
export function ownId(name: string): string {
  return `mine:${name}`;
}

/** Why there is no result, as a sentence. */
export function reasonOf(outcome: Exclude<Outcome<never>, { readonly kind: 'done' }>): string {
  if (outcome.kind === 'refused') return outcome.reason;
  return `${outcome.message}${outcome.line > 0 ? `, in line ${outcome.line}` : ''}`;
}

/** What is said of a matrix that a module was not asked about. */
export const NOT_RUN = 'the module was not run on this matrix';
