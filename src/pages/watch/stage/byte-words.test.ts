import { describe, expect, it } from 'vitest';
import { sampleMatrix } from '../../../../test/sample-scenes.ts';
import { formatsWithStories, traceOf } from '../../../../test/stories.ts';
import type { StoredArray } from '../../../story/stored-bytes.ts';
import { bitGroups, byteText, cellsText, namesOfByte, rangesText } from './byte-words.ts';

/** Two elements of 4 bits in each byte: 2, 5 | 1. */
const nibbles: StoredArray = {
  name: 'deltas',
  byteClass: 'indices',
  bytes: Uint8Array.of(0x52, 0x01),
  elementsOf: (byte) =>
    [0, 1]
      .map((k) => 2 * byte + k)
      .filter((index) => index < 3)
      .map((index) => ({
        name: `deltas[${index}]`,
        text: String([2, 5, 1][index]),
        bits: [4 * index, 4 * index + 4] as const,
        isPadding: index === 1,
        cells: index === 2 ? [] : [{ row: index, col: 3 }],
      })),
};

describe('the words about a byte', () => {
  it('name each number in it, with its cell in the matrix', () => {
    const corner = { row: 10, col: 20 };
    expect(byteText(nibbles, 0, corner)).toBe(
      'deltas[0] = 2, row 10, column 23; deltas[1] = 5, padding at row 11, column 23',
    );
    expect(byteText(nibbles, 1, corner)).toBe('deltas[2] = 1');
  });

  it('count cells where they are several, and give their rows', () => {
    const cells = [
      { row: 1, col: 0 },
      { row: 3, col: 2 },
    ];
    expect(cellsText(cells, { row: 1000, col: 0 })).toBe('2 cells of rows 1\u202f001 to 1\u202f003');
    expect(cellsText(cells.slice(0, 1), { row: 0, col: 5 })).toBe('row 1, column 5');
    expect(cellsText([], { row: 0, col: 5 })).toBe('');
  });

  it('show its bits, highest first, by number', () => {
    expect(bitGroups(nibbles, 0)).toEqual([
      { bits: '0101', name: 'deltas[1]' },
      { bits: '0010', name: 'deltas[0]' },
    ]);
    // The upper half of the last byte belongs to no number.
    expect(bitGroups(nibbles, 1)).toEqual([
      { bits: '0000', name: '' },
      { bits: '0001', name: 'deltas[2]' },
    ]);
  });

  it('highlight numbers of one side, and cells of both', () => {
    expect(namesOfByte(nibbles, 0, null)).toEqual(['deltas[0]', 'cell 0,3', 'deltas[1]', 'cell 1,3']);
    expect(namesOfByte(nibbles, 1, 'b')).toEqual(['b deltas[2]']);
  });

  it('join neighbours, and count what is too many to name', () => {
    expect(rangesText([3])).toBe('byte 3');
    expect(rangesText([0, 1, 2, 7])).toBe('bytes 0 to 2 and 7');
    expect(rangesText([0, 2, 4, 6, 8, 10])).toBe('bytes 0, 2, 4, 6 and 2 more');
  });

  it('exist for every byte of every format, with bits that make up the byte', async () => {
    for (const { format, story } of await formatsWithStories()) {
      const trace = traceOf(story, sampleMatrix(8, 16, 0.2, 3), {});
      for (const array of trace === null ? [] : (story.bytes?.(trace) ?? [])) {
        for (let byte = 0; byte < array.bytes.length; byte++) {
          const where = `${format.id}: ${array.name}, byte ${byte}`;
          expect(byteText(array, byte, { row: 0, col: 0 }), where).not.toBe('');
          const bits = bitGroups(array, byte).map((group) => group.bits);
          expect(Number.parseInt(bits.join(''), 2), where).toBe(array.bytes[byte]);
        }
      }
    }
  });
});
