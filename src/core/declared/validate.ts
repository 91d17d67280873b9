import { type EncodedMatrix, namedArrays } from '../encoded/encoded.ts';
import { type Violation, Violations } from '../encoded/violations.ts';
import { lengthText } from './card.ts';
import {
  type AnyDeclaration,
  arraysOf,
  elementCount,
  isPacked,
  memoryBytes,
  type TypedDeclaration,
} from './declared-arrays.ts';
import { runDecode } from './decode.ts';

/* Derives `validate` and `rules` of a format from its declaration. */

/** The rule of each array as a text, in addition to its length and checksum; null: no rule. */
export function rulesOf(
  d: AnyDeclaration,
  arrays: readonly TypedDeclaration[],
): Readonly<Record<string, string | null>> {
  const derived = ({ name, role, offsetsInto, columns }: TypedDeclaration): string | null => {
    if (offsetsInto !== undefined) return `from 0 to the length of ${offsetsInto}, never descending`;
    if (columns) return `ascend in a row, below ${columns.below ?? 'cols'}`;
    const scaled = arrays.find(({ quantised }) => quantised?.scales === name);
    if (scaled) return `finite${scaled.quantised?.by === 'row' ? ', above 0' : ''}`;
    return d.check || role === 'values' || isOrderKnown(arrays)
      ? null
      : 'every cell is inside, and after the one before';
  };
  return Object.fromEntries(arrays.map((array) => [array.name, d.rules?.[array.name] ?? derived(array)]));
}

/** Whether column numbers are stored row by row, so that checking them checks the order of cells. */
function isOrderKnown(arrays: readonly TypedDeclaration[]): boolean {
  return arrays.some(({ columns }) => columns?.by !== undefined);
}

/** 'cheap' O(arrays): lengths. 'full' O(elements): also offsets, columns, scales, `check` or the cells, checksums. */
export function validate(d: AnyDeclaration, e: EncodedMatrix, level: 'cheap' | 'full'): readonly Violation[] {
  const v = new Violations();
  const arrays = arraysOf(d, e, e);
  const memory = namedArrays(e);
  const lengthOf = (name: string): number => elementCount(arrays.find((array) => array.name === name) ?? arrays[0], e);
  d.checkLengths?.(e, v);
  for (const array of v.found.length > 0 ? [] : arrays) {
    const { name, element } = array;
    const { length = 0, byteLength = 0 } = memory.get(name) ?? {};
    const elements = elementCount(array, e);
    const packedText = `${elements} of ${element.bits} bits`;
    if (isPacked(array)) v.expect(name, null, `bytes of ${name}`, byteLength, memoryBytes(array, elements), packedText);
    else v.expect(name, null, `length of ${name}`, length, elements, lengthText(array));
  }
  for (const { name, offsetsInto } of v.found.length > 0 ? [] : arrays) {
    if (offsetsInto === undefined) continue;
    const last = (memory.get(name)?.length ?? 0) - 1;
    const end = Number(memory.get(name)?.[last]);
    v.expect(offsetsInto, null, `length of ${offsetsInto}`, lengthOf(offsetsInto), end, `${name}[${last}]`);
  }
  if (level === 'cheap' || v.found.length > 0) return v.found;
  for (const { name, offsetsInto } of arrays)
    if (offsetsInto !== undefined)
      v.offsets(name, memory.get(name) as Uint32Array, lengthOf(offsetsInto), `length of ${offsetsInto}`);
  if (v.found.length > 0) return v.found;
  for (const { quantised } of arrays) if (quantised) v.scales(memory.get(quantised.scales) as Float32Array);
  const beforeColumns = v.found.length;
  for (const { name, columns } of arrays) {
    if (columns?.by === undefined) continue;
    const starts = memory.get(columns.by) as Uint32Array;
    for (let r = 0; r + 1 < starts.length && !v.full; r++) {
      const row = { row: r, start: starts[r], count: starts[r + 1] - starts[r], step: 1 };
      v.columns(name, memory.get(name) as Uint32Array, row, columns.below ?? e.cols);
    }
  }
  if (v.found.length === beforeColumns) {
    if (d.check) d.check(e, v);
    else if (!isOrderKnown(arrays)) checkCells(d, e, arrays, v);
  }
  v.unchanged(e);
  return v.found;
}

/** Thrown in the callback of `decode` to end `decode`. */
class DecodeStop extends Error {}

/** Adds a violation if `decode` puts a cell outside or out of order, or too many or too few cells. O(cells). */
function checkCells(d: AnyDeclaration, e: EncodedMatrix, arrays: readonly TypedDeclaration[], v: Violations): void {
  const { rows, cols } = e;
  const positionArray = arrays.find(({ role, offsetsInto }) => role !== 'values' && offsetsInto === undefined);
  const { name: array } = positionArray ?? arrays[0];
  const isAnyOrder = d.order === 'any';
  let [row, column, puts] = [0, -1, 0];
  const stop = (message: string): never => {
    v.add(array, null, `${array}: ${message}`);
    throw new DecodeStop();
  };
  try {
    runDecode(d, e, (r, c) => {
      const isAfter = r > row || (r === row && c > column);
      const isCell = r >>> 0 === r && c >>> 0 === c && r < rows && c < cols;
      if (!isCell || !(isAnyOrder || isAfter)) {
        stop(
          `decode puts row ${r}, column ${c} after row ${row}, column ${column}, expected a later cell of ${rows} × ${cols}`,
        );
      }
      [row, column] = [r, c];
      if (++puts > rows * cols) stop(`decode puts more than ${rows * cols} cells, expected at most one each`);
    });
  } catch (error) {
    if (!(error instanceof DecodeStop)) throw error;
  }
  if (v.found.length === 0 && puts < e.nnz) v.expect(array, null, 'cells that decode puts', puts, e.nnz, 'nnz');
}
