import { declaredLength } from '../../src/core/declared/card.ts';
import { arraysOf, type TypedDeclaration } from '../../src/core/declared/derive.ts';
import { declarationOf } from '../../src/core/declared/declarations.ts';
import { sharesBytes } from '../../src/core/declared/element-type.ts';
import type { AnyFormat } from '../../src/core/format.ts';
import { allParams } from '../arbitraries.ts';

/** What tests expect of the padding of a format that declares nothing unusual about it. */

const SHAPE = { rows: 3, cols: 33 };

/** The arrays of a declared format, with all parameters; none of another one. */
function arraysIn(format: AnyFormat): readonly TypedDeclaration[] {
  const declared = declarationOf(format);
  return declared ? allParams(format).flatMap((params) => arraysOf(declared, params, SHAPE)) : [];
}

/**
 * The ledger's name for the fill elements of each array in which all elements but the non-zeros fill. null for a format
 * that was not declared, that counts its padding itself, or whose elements share bytes: it needs a separate oracle.
 */
export function plainPadding(format: AnyFormat): Readonly<Record<string, string>> | null {
  const arrays = arraysIn(format);
  if (arrays.length === 0) return null;
  const found: Record<string, string> = {};
  for (const { name, padding, element } of arrays) {
    if (sharesBytes(element)) return null;
    if (!padding) continue;
    if (!('says' in padding) || typeof padding.says !== 'string' || padding.count) return null;
    found[name] = padding.says;
  }
  return found;
}

/** Whether its bytes are known only once a matrix is encoded. */
export function hasOpenLengths(format: AnyFormat): boolean {
  const counts = { ...SHAPE, nnz: 9, gaps: [], rowCounts: [] };
  return arraysIn(format).some((array) => declaredLength(array, counts) === null);
}
