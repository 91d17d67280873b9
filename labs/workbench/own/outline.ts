import { withVisibleSigns } from '../../../src/core/errors.ts';
import type { ArrayDeclaration } from './module-messages.ts';

/** Facts about a format, read from the text of its module without running the module. */
export interface Outline {
  readonly title: string | null;
  /** as written: a type that depends on a parameter is 'u${bits} indices' */
  readonly arrays: readonly ArrayDeclaration[];
  readonly lines: number;
}

/** Characters that are read: far more than in a typical module. */
const MAX_CHARACTERS = 2 ** 16;
const MAX_ARRAYS = 16;

/**
 * The title and the arrays in the text of a module: after a link is opened, the page shows them before the user agrees
 * to run the module. They may be wrong or missing if the module computes them. O(characters).
 */
export function outlineOf(text: string): Outline {
  const head = text.slice(0, MAX_CHARACTERS);
  const title = /^export const title = (['"`])([^'"`\n]{1,60})\1/m.exec(head);
  const begin = /^export const arrays\b/m.exec(head);
  const textFromArrays = begin ? head.slice(begin.index + begin[0].length) : '';
  const end = textFromArrays.search(/^(?:export|const|let|function)\b/m);
  const declared = end < 0 ? textFromArrays : textFromArrays.slice(0, end);
  const arrays = [...declared.matchAll(/\b([A-Za-z_]\w{0,39}):\s*(['"`])([^'"`\n]{1,60})\2/g)];
  return {
    title: title ? withVisibleSigns(title[2]) : null,
    arrays: arrays.slice(0, MAX_ARRAYS).map(([, name, , declaration]) => [name, withVisibleSigns(declaration)]),
    lines: text.split('\n').length,
  };
}
