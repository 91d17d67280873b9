import { describe, expect, it } from 'vitest';
import { sampleMatrix } from '../../../test/sample-scenes.ts';
import { formatsWithStories, traceOf } from '../../../test/stories.ts';
import { defaultParams, type EncodedMatrix, namedArrays } from '../../core/format.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import type { StoredArray, StoredElement } from '../../story/stored-bytes.ts';
import type { Trace } from '../../story/trace.ts';

// Checks the mapping from bytes to cells of every listed format: changing a byte changes the cell that the page names.

const formats = await formatsWithStories();
const windows = [sampleMatrix(5, 32, 0.3, 2), sampleMatrix(8, 16, 0.1, 5), sampleMatrix(3, 7, 1, 9)];

/** The values of all cells, row by row. */
function cellsOf(m: Matrix): Float32Array {
  const cells = new Float32Array(m.rows * m.cols);
  const buffer = rowBuffer(m.cols);
  for (let row = 0; row < m.rows; row++) {
    const n = m.readRow(row, buffer);
    for (let i = 0; i < n; i++) cells[row * m.cols + buffer.columns[i]] = buffer.values[i];
  }
  return cells;
}

/** An element of an array, with the first of its bytes. */
function* elementsOf(array: StoredArray): Generator<readonly [byte: number, StoredElement]> {
  const seen = new Set<string>();
  for (let byte = 0; byte < array.bytes.length; byte++) {
    for (const element of array.elementsOf(byte)) {
      if (seen.has(element.name)) continue;
      seen.add(element.name);
      yield [byte, element];
    }
  }
}

describe.each(formats)('the bytes of $format.id', ({ format, story }) => {
  const traces = windows.flatMap((m): Trace[] => {
    const trace = traceOf(story, m, defaultParams(format.params));
    return trace === null ? [] : [trace];
  });

  it('are those of its arrays', () => {
    expect(traces).not.toHaveLength(0);
    for (const trace of traces) {
      const arrays = namedArrays(trace.encoded as EncodedMatrix);
      for (const { name, bytes } of story.bytes?.(trace) ?? []) {
        const { buffer, byteOffset, byteLength } = arrays.get(name) ?? new Uint8Array(0);
        expect(bytes).toEqual(new Uint8Array(buffer, byteOffset, byteLength));
      }
      const total = (story.bytes?.(trace) ?? []).reduce((sum, { bytes }) => sum + bytes.length, 0);
      expect(total).toBe([...arrays.values()].reduce((sum, { byteLength }) => sum + byteLength, 0));
    }
  });

  it('name every weight of the window', () => {
    for (const trace of traces) {
      const values = (story.bytes?.(trace) ?? []).filter(({ byteClass }) => byteClass === 'values');
      const named = new Set(
        values.flatMap((array) =>
          [...elementsOf(array)].flatMap(([, { cells }]) => cells.map(({ row, col }) => row * trace.window.cols + col)),
        ),
      );
      const decoded = cellsOf(format.decode(trace.encoded));
      const missing = [...decoded.keys()].filter((cell) => decoded[cell] !== 0 && !named.has(cell));
      expect(missing).toEqual([]);
    }
  });

  it('change no cell but those that they name', () => {
    for (const trace of traces) {
      const encoded = trace.encoded as EncodedMatrix;
      const before = cellsOf(format.decode(encoded));
      for (const array of story.bytes?.(trace) ?? []) {
        // Words of several numbers also contain positions of cells: any bit may move a cell.
        const isOfWords = [...elementsOf(array)].some(([, { text }]) => text.includes('·'));
        if (array.byteClass !== 'values' || isOfWords) continue;
        for (const [, { name, bits, cells, isPadding }] of elementsOf(array)) {
          // Other numbers in padding would be cells that the format does not have.
          if (isPadding) continue;
          const byte = Math.floor(bits[0] / 8);
          const lowestBit = 1 << (bits[0] % 8);
          array.bytes[byte] ^= lowestBit;
          const after = cellsOf(format.decode(encoded));
          array.bytes[byte] ^= lowestBit;
          const changed = [...after.keys()].filter((cell) => !Object.is(after[cell], before[cell]));
          const positions = cells.map(({ row, col }) => row * trace.window.cols + col);
          const others = changed.filter((cell) => !positions.includes(cell));
          expect(others, name).toEqual([]);
        }
      }
    }
  });
});
