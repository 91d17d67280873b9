import { SparseScopeError } from '../errors.ts';
import { countText } from '../text/words.ts';

/** The problem with a count above its bound: 'found 41 questions, expected at most 40'; null within the bound. */
export function excessProblem(found: number, max: number, what: string): string | null {
  return found <= max ? null : `found ${countText(found)} ${what}, expected at most ${countText(max)}`;
}

/** Throws an error of `kind` if more than `max` are found. `where`: the file or the link, and the position in it. */
export function checkBound(
  where: string,
  found: number,
  max: number,
  what: string,
  kind: new (message: string) => Error = SparseScopeError,
): void {
  const fault = excessProblem(found, max, what);
  if (fault !== null) throw new kind(`${where}: ${fault}`);
}
