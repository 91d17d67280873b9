import type { NamedArray } from '../../core/encoded/encoded.ts';
import type { Cell } from '../../core/matrix/index.ts';
import { elementName } from '../scene-parts.ts';
import type { StoredArray, StoredElement } from '../stored-bytes.ts';
import { paddingOf } from './padding.ts';
import { elementText } from './step-texts.ts';
import { type DeclaredTrace, cachedByRun } from './trace.ts';

/** The arrays of a declared format's encoded window, byte by byte; arrays without elements are left out. O(reads). */
export const storedBytes = cachedByRun((t): readonly StoredArray[] =>
  t.run.encoding.arrays.flatMap(({ array: { name, byteClass, type }, elements }, i): StoredArray[] => {
    const data = Reflect.get(t.encoded, name) as NamedArray;
    if (elements.length === 0 || data.byteLength === 0) return [];
    const elementAt = (index: number): StoredElement => ({
      name: elementName(name, index),
      text: elementText(t, [i, index]),
      bits: [index * type.bits, (index + 1) * type.bits],
      isPadding: paddingOf(t).has(`${i}/${index}`),
      cells: cellsOf(t, i, index),
    });
    return [
      {
        name,
        byteClass,
        bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
        elementsOf(byte) {
          const first = Math.floor((8 * byte) / type.bits);
          const end = Math.min(elements.length, Math.ceil((8 * (byte + 1)) / type.bits));
          return Array.from({ length: Math.max(0, end - first) }, (_, k) => elementAt(first + k));
        },
      },
    ];
  }),
);

/** The cells that an element belongs to: those that `decode` puts with it. */
function cellsOf(t: DeclaredTrace, array: number, index: number): readonly Cell[] {
  const { elementCells } = t;
  const calls = callsOf(t)[array]?.get(index);
  if (calls) {
    const cells = new Map<string, Cell>();
    for (const [from, to] of calls) {
      for (let call = from; call < to; call++) {
        const cell = elementCells.cellOf(call);
        cells.set(`${cell.row},${cell.col}`, cell);
      }
    }
    return [...cells.values()];
  }
  const region = elementCells.region([array, index]);
  if (region) {
    const [[top, bottom], [left, right]] = [region.rows, region.columns];
    return Array.from({ length: (bottom - top + 1) * (right - left + 1) }, (_, n) => ({
      row: top + Math.floor(n / (right - left + 1)),
      col: left + (n % (right - left + 1)),
    }));
  }
  const call = elementCells.firstPutCall(array, index);
  return call < 0 ? [] : [elementCells.cellOf(call)];
}

/** Calls [from, to) of `put`. */
type CallRange = readonly [from: number, to: number];

/**
 * By array of bookkeeping, such as row starts, and by element: the calls of `put` between reading the element and
 * reading the next one of this array. Elements that are read together, such as the start and the end of a row, have the
 * same calls; of single bits, which `decode` tests one after the other, the last one has them.
 */
const callsOf = cachedByRun((t): readonly (ReadonlyMap<number, readonly CallRange[]> | null)[] => {
  const { reads, puts, calls } = t.run.decoding;
  const end = (calls ?? puts).rows.length;
  const callsByArray = t.run.encoding.arrays.map(({ array: { byteClass } }) =>
    byteClass === 'metadata' && reads ? new Map<number, CallRange[]>() : null,
  );
  if (!reads) return callsByArray;
  /** by array: the elements read last, and the number of calls before */
  const latest = new Map<number, { elements: number[]; before: number }>();
  /** Assigns the calls since the last read to the elements read last, up to call `to`. */
  const close = (array: number, to: number): void => {
    const last = latest.get(array);
    if (!last || to === last.before) return;
    const isBit = t.run.encoding.arrays[array].array.type.bits === 1;
    for (const index of new Set(isBit ? last.elements.slice(-1) : last.elements)) {
      const ranges = callsByArray[array]?.get(index);
      if (ranges) ranges.push([last.before, to]);
      else callsByArray[array]?.set(index, [[last.before, to]]);
    }
  };
  for (let n = 0; n < reads.at.length; n++) {
    const [array, index, before] = [reads.array[n], reads.at[n], reads.before[n]];
    if (!callsByArray[array]) continue;
    const last = latest.get(array);
    if (last?.before === before) last.elements.push(index);
    else {
      close(array, before);
      latest.set(array, { elements: [index], before });
    }
  }
  for (const array of latest.keys()) close(array, end);
  return callsByArray;
});
