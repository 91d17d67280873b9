// The results of laws while a custom format is tested, and groups of concurrent requests.

import type { CsrMatrix } from '../../../src/core/matrix/index.ts';
import type { LawId } from './law-titles.ts';

/** A law, such as 'decode undoes encode', that a custom format (a module) breaks on a matrix; `why`: a message. */
export interface BrokenLaw {
  readonly law: LawId;
  readonly why: string;
  /** the line of the module that is to blame; 0 if unknown */
  readonly line: number;
}

/** The results for a law so far. */
export interface LawState {
  readonly id: LawId;
  readonly title: string;
  /** how many of the tried matrices, or elements, satisfy the law; 0 of 0 if the module reported nothing */
  readonly passed: number;
  readonly tried: number;
  /** the first matrix that breaks the law, shrunk as long as it still does; and how many smaller ones were tried */
  readonly broken:
    | (BrokenLaw & { readonly name: string; readonly matrix: CsrMatrix; readonly shrinkTries: number })
    | null;
}

/** Counts of one law during the tests. */
export class Tally {
  passed = 0;
  tried = 0;
  broken: LawState['broken'] = null;
}

/** Maximum concurrent requests. */
export const MAX_CONCURRENT = 100;
/** Maximum rows plus non-zeros of concurrent requests: the page compares their answers without a pause. */
const GROUP_SIZE = 8000;

/** Items in order, in groups of at most `max`, and of at most `GROUP_SIZE` unless a single one is larger. */
export function inGroups<T>(
  items: readonly T[],
  max: number,
  size: (item: T) => number = () => 0,
): readonly (readonly T[])[] {
  const groups: T[][] = [];
  let sizeRemaining = 0;
  for (const item of items) {
    const group = groups.at(-1);
    sizeRemaining -= size(item);
    if (group && group.length < max && sizeRemaining >= 0) group.push(item);
    else {
      groups.push([item]);
      sizeRemaining = GROUP_SIZE - size(item);
    }
  }
  return groups;
}
