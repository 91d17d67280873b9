import type { Matrix } from '../../../core/matrix/index.ts';
import type { Description, Outcome } from './answers.ts';
import type { Run } from './asking.ts';
import type { OwnParams } from './messages.ts';

/** A format that a person wrote as a JavaScript module, with the description that running it gave. */
export interface UserFormatSource {
  /** of its draft: letters, digits and hyphens */
  readonly name: string;
  readonly text: string;
  readonly description: Description;
  /**
   * The result for a matrix, which was requested earlier if modules run in a sandbox, since nothing here waits. `recorded`:
   * with a recording for its story, for windows.
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

/** The reason for a matrix without a request. */
export const NOT_RUN = 'the module was not run on this matrix';
