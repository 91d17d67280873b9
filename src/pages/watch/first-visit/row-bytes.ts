/* The bytes of the first screen's row in both formats, and which weights each byte belongs to. */

import { type ArraySlot, BYTE_MARK, GAP_MARK, type RowLayout } from './row-animation.ts';

/** A byte of the row in a format, as a box below its cells or slots. */
export interface RowByte {
  /** x and width in the picture, px */
  readonly x: number;
  readonly width: number;
  /** the first cell or slot with bits in it, and the one after the last */
  readonly from: number;
  readonly to: number;
}

/** The bytes of `count` numbers of `bits` bits each, below cells or slots in order. */
export function rowBytes({ pitch, cell }: RowLayout, count: number, bits: number): readonly RowByte[] {
  const at = (position: number, isEnd: boolean): number => {
    const index = isEnd && Number.isInteger(position) ? position - 1 : Math.floor(position);
    return index * pitch + (position - index) * cell;
  };
  return Array.from({ length: Math.ceil((count * bits) / 8) }, (_, byte) => {
    const [from, to] = [(8 * byte) / bits, Math.min(count, (8 * (byte + 1)) / bits)];
    const x = at(from, false);
    return { x, width: Math.max(1, at(to, true) - x - 1), from: Math.floor(from), to: Math.ceil(to) };
  });
}

/** The cells of the row and the slots of the array that light up with a byte or a cell. */
export interface Lit {
  readonly columns: ReadonlySet<number>;
  readonly slots: ReadonlySet<number>;
}

/** The cells and slots that light up with some columns; a stored zero lights the weight after it. */
export function litColumns(columns: readonly number[], slots: readonly ArraySlot[]): Lit {
  const own = new Set(columns);
  const slotsOf = slots.flatMap(({ entry }, i) => (own.has(entry.column) ? [i] : []));
  return { columns: own, slots: new Set(slotsOf) };
}

/** The cells and slots that light up with slots `from` to `to - 1`. */
export function litSlots({ from, to }: Pick<RowByte, 'from' | 'to'>, slots: readonly ArraySlot[]): Lit {
  const own = slots.slice(from, to);
  return {
    columns: new Set(own.map(({ entry }) => entry.column)),
    slots: new Set(own.map((_, i) => from + i)),
  };
}

/** Whether one of the cells or slots of a byte is among these. */
export function isLit({ from, to }: Pick<RowByte, 'from' | 'to'>, own: ReadonlySet<number> | undefined): boolean {
  for (let at = from; at < to; at++) if (own?.has(at)) return true;
  return false;
}

/** From the top of a slot to the bar of its number of empty columns, px. */
export function gapTop({ cell }: RowLayout): number {
  return cell + BYTE_MARK.space + BYTE_MARK.height + GAP_MARK.space;
}
