import { lengthProblem } from '../allocate.ts';
import { type Support, checkValues } from '../encoded/admission.ts';
import type { Matrix } from '../matrix/index.ts';
import { declaredLength, resolved, valueTypeOf } from './card.ts';
import { fieldsOf } from './word-fields.ts';
import type { SlotOf } from '../number/index.ts';
import { type Params, type AnyDeclaration, type TypedDeclaration, arraysOf, isUsed } from './declared-arrays.ts';

// Derives `admits` from a declaration: whether a format supports a matrix, and otherwise the reason.

/** The reason for rejecting a matrix. */
type Rejected = Support & { ok: false };

/**
 * Returns why a format rejects a matrix, as far as its shape and the declared check `refuses` can tell; null if they find no
 * reason. Cheap.
 */
export function shapeRejection(d: AnyDeclaration, m: Matrix, p: object): Rejected | null {
  const arrays = arraysOf(d, p, m);
  const tooManyColumns = columnRejection(arrays, m.cols);
  if (tooManyColumns) return tooManyColumns;
  // If several arrays are too long, the reason names the longest.
  const bytesIn = (array: TypedDeclaration): number => (declaredLength(array, m) ?? 0) * (array.element.bits / 8);
  const [longest] = arrays.toSorted((a, b) => bytesIn(b) - bytesIn(a));
  const reason = lengthProblem(longest.name, bytesIn(longest), 1);
  if (reason) return { ok: false, reason, remedy: d.shorter ?? 'Choose a part of the matrix.' };
  const rejected = d.refuses?.(m, resolved(d.params, p as Params, m));
  return rejected ? { ok: false, ...rejected } : null;
}

/** Returns why column numbers do not fit the types of their arrays and fields; null if they fit. */
export function columnRejection(arrays: readonly TypedDeclaration[], cols: number): Rejected | null {
  for (const array of arrays) {
    const { name, element, columns } = array;
    const columnCount = columns?.below ?? cols;
    /** bits of each field, and of the array itself, that stores column numbers */
    const columnTypes = (isUsed(array) ? fieldsOf(array) : []).flatMap(
      ({ name: field, type: { bits }, columns: column }) =>
        column ? [{ bits, what: `the ${bits} bits of a ${field}`, remedy: column.remedy }] : [],
    );
    if (columns) {
      const { remedy = 'Choose 32 index bits.' } = columns;
      columnTypes.push({ bits: element.bits, what: `${element.bits}-bit indices`, remedy });
    }
    const tooNarrow = columnTypes.find(({ bits }) => columnCount > 2 ** bits);
    if (!tooNarrow) continue;
    const reason = `${name}: found ${columnCount} columns, expected at most ${2 ** tooNarrow.bits} for ${tooNarrow.what}`;
    return { ok: false, reason, remedy: tooNarrow.remedy };
  }
  return null;
}

/** Returns why a matrix does not fit its arrays, from the declared check `overflows`, which reads all of it; null if it fits. */
export function overflowRejection(d: AnyDeclaration, m: Matrix, p: object): Rejected | null {
  const overflow = d.overflows?.(m, resolved(d.params, p as Params, m));
  return overflow ? { ok: false, ...overflow } : null;
}

/**
 * Whether a format supports a matrix: checks its shape and `refuses`, then `overflows`, then whether its values are
 * representable. O(rows * cols) at worst.
 */
export function admits(d: AnyDeclaration, m: Matrix, p: object): Support {
  const arrays = arraysOf(d, p, m);
  let nonZeros = 0;
  // Quantised elements share a scale with their neighbours. By default, non-zeros are stored in the order of the matrix.
  const inOrder: SlotOf = () => nonZeros++;
  const slotOf = arrays.find(({ quantised }) => quantised?.slots)?.quantised?.slots?.() ?? inOrder;
  return (
    shapeRejection(d, m, p) ??
    overflowRejection(d, m, p) ??
    checkValues(m, valueTypeOf(arrays), supportsF32(d.params), slotOf)
  );
}

/** Whether f32 is an option of any parameter, regardless of the parameter's name. */
function supportsF32(params: AnyDeclaration['params']): boolean {
  return Object.values(params).some(
    (field) => field.kind === 'choice' && field.options.some(({ value }) => value === 'f32'),
  );
}
