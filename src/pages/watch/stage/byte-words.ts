/* Texts on a byte in the strip of bytes, and the names of the marks that it highlights. */

import { spanText } from '../../../core/cut.ts';
import { counted, countText, listText } from '../../../core/text/words.ts';
import { cellName } from '../../../story/scene-parts.ts';
import type { StoredArray, StoredElement } from '../../../story/stored-bytes.ts';

/** The corner of the window (the part of a matrix in a story) in its matrix. */
export interface Corner {
  readonly row: number;
  readonly col: number;
}

type Cells = StoredElement['cells'];

/** 'row 464, column 262', '5 cells of row 464', '12 cells of rows 464 to 467'; '' for no cells. */
export function cellsText(cells: Cells, { row, col }: Corner): string {
  const [first] = cells;
  if (cells.length === 0) return '';
  if (cells.length === 1) return `row ${countText(row + first.row)}, column ${countText(col + first.col)}`;
  const [top, bottom] = cells.reduce(
    ([a, b], cell) => [Math.min(a, cell.row), Math.max(b, cell.row)],
    [first.row, first.row],
  );
  return `${counted(cells.length, 'cell')} of ${spanText('row', row + top, bottom - top + 1)}`;
}

/** 'values[2] = 0.13, row 464, column 262'; the numbers of all elements in the byte, lowest bits first. */
export function byteText({ bytes, elementsOf }: StoredArray, byte: number, corner: Corner): string {
  const elements = elementsOf(byte);
  if (elements.length === 0) return `${countText(bytes[byte])}: fills up the word`;
  if (elements.length > MAX_NAMED) {
    const cells = elements.flatMap((element) => element.cells);
    const [from, to] = [elements[0].name, elements[elements.length - 1].name];
    return [`${from} to ${to}`, cellsText(cells, corner)].filter((text) => text !== '').join(', ');
  }
  return elements.map((element) => elementWords(element, corner)).join('; ');
}

/** Elements of a byte that are named one by one: more are bits. */
const MAX_NAMED = 4;

function elementWords({ name, text, isPadding, cells }: StoredElement, corner: Corner): string {
  const cellText = cellsText(cells, corner);
  const place = !isPadding ? cellText : cellText === '' ? 'padding' : `padding at ${cellText}`;
  return place === '' ? `${name} = ${text}` : `${name} = ${text}, ${place}`;
}

/** The bits of a byte, highest first, in groups by element, with the element's name: '' for bits that only fill up the word. */
export function bitGroups(
  array: StoredArray,
  byte: number,
): readonly { readonly bits: string; readonly name: string }[] {
  const byteBits = array.bytes[byte].toString(2).padStart(8, '0');
  const groups: { bits: string; name: string }[] = [];
  let high = 0;
  for (const { name, bits } of array.elementsOf(byte)) {
    const [from, to] = [Math.max(0, bits[0] - 8 * byte), Math.min(8, bits[1] - 8 * byte)];
    groups.unshift({ bits: byteBits.slice(8 - to, 8 - from), name });
    high = to;
  }
  return high < 8 ? [{ bits: byteBits.slice(0, 8 - high), name: '' }, ...groups] : groups;
}

/**
 * The names that are highlighted with a byte: its elements and their cells. `side`: in a picture of two formats, the names of
 * elements begin with it.
 */
export function namesOfByte(array: StoredArray, byte: number, side: 'a' | 'b' | null): readonly string[] {
  const names = new Set<string>();
  for (const { name, cells } of array.elementsOf(byte)) {
    names.add(side === null ? name : `${side} ${name}`);
    for (const { row, col } of cells) names.add(cellName(row, col));
  }
  return [...names];
}

/** Bytes as ranges: 'bytes 4 to 5 and 9'. */
export function rangesText(bytes: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const byte of bytes) {
    const last = ranges.at(-1);
    if (last && byte === last[1] + 1) last[1] = byte;
    else ranges.push([byte, byte]);
  }
  const more = ranges.length - MAX_NAMED;
  const named = ranges.slice(0, MAX_NAMED).map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`));
  return `${bytes.length === 1 ? 'byte' : 'bytes'} ${listText(more > 0 ? [...named, `${more} more`] : named)}`;
}
