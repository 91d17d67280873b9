import { declaredLength } from '../../src/core/declared/card.ts';
import { arraysOf, type TypedDeclaration } from '../../src/core/declared/declared-arrays.ts';
import { declarationOf } from '../../src/core/declared/declarations.ts';
import { sharesBytes } from '../../src/core/declared/element-type.ts';
import type { AnyFormat } from '../../src/core/format.ts';
import { allParams } from '../arbitraries.ts';

// The padding that a declared format must report in its byte ledger, unless it counts its padding itself.

/** Any shape: arrays are declared alike for all. */
const SHAPE = { rows: 3, cols: 33 };

/** Returns the arrays of a declared format with all parameters; an empty list for a format that was not declared. */
function arraysIn(format: AnyFormat): readonly TypedDeclaration[] {
  const declared = declarationOf(format);
  return declared ? allParams(format).flatMap((params) => arraysOf(declared, params, SHAPE)) : [];
}

/**
 * Returns the ledger's name for the padding of each array whose elements are all either non-zeros or padding. null for a
 * format that was not declared, that counts its padding itself, or whose elements share bytes: it needs a separate check.
 */
export function plainPadding(format: AnyFormat): Readonly<Record<string, string>> | null {
  const arrays = arraysIn(format);
  if (arrays.length === 0) return null;
  const names: Record<string, string> = {};
  for (const { name, padding, element } of arrays) {
    if (sharesBytes(element)) return null;
    if (!padding) continue;
    if (!('says' in padding) || typeof padding.says !== 'string' || padding.count) return null;
    names[name] = padding.says;
  }
  return names;
}

/** Returns whether the sizes of the format's arrays are known only once a matrix is encoded. */
export function hasOpenLengths(format: AnyFormat): boolean {
  const counts = { ...SHAPE, nnz: 9, gaps: [], rowCounts: [], longest: 3 };
  return arraysIn(format).some((array) => declaredLength(array, counts) === null);
}
