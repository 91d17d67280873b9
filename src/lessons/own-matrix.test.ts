import { describe, expect, it } from 'vitest';
import { cellsText } from '../core/cells/edited-cells.ts';
import { readCells, readTyped, typedText } from './own-matrix.ts';

describe('a matrix of one’s own', () => {
  it('a matrix of one’s own is typed row by row, and is stored in links as its non-zeros', () => {
    const m = readTyped('1 0 0.5\n\n0, −2, 0\n0 0 0');
    expect([m.rows, m.cols, m.nnz]).toEqual([3, 3, 3]);
    expect(cellsText(m)).toBe('0:1;2:0.5,1:-2,');
    const again = readCells(cellsText(m), 3, 3);
    expect([...again.indptr, ...again.indices, ...again.data]).toEqual([...m.indptr, ...m.indices, ...m.data]);
    expect(typedText(again)).toBe('1 0 0.5\n0 -2 0\n0 0 0');
  });

  it('round-trips through its own link, for every f32', () => {
    const m = readTyped('1e21 3.4028234663852886e38 -1e-45 1.17549435e-38 123456789 0.1');
    const again = readCells(cellsText(m), 1, 6);
    expect([...again.indices]).toEqual([...m.indices]);
    for (const [i, value] of m.data.entries()) expect(Math.abs(again.data[i] / value - 1)).toBeLessThan(1e-3);
  });

  it.each([
    ['', 'found nothing'],
    ['1 2\n1', 'found 1 number in line 2, expected 2 as in line 1'],
    ['1 x', "found 'x' in line 1, expected a number"],
    ['1 1e39', "found '1e39' in line 1, expected a number in the range of f32"],
    ['1 1e-50', "found '1e-50' in line 1, expected a number in the range of f32"],
    ['1e999', "found '1e999' in line 1, expected a number"],
    [Array.from({ length: 65 }, () => '1').join('\n'), 'found 65 × 1, expected at most 64 × 64'],
  ])('rejects the typed matrix %j: %s', (text, message) => expect(() => readTyped(text)).toThrow(message));

  it.each([
    ['0:1', 2, 3, 'found 1 row, expected 2'],
    ['3:1', 1, 3, "found '3:1' in row 0, expected a column below 3"],
    ['1:1;1:2', 1, 3, "found '1:2' in row 0"],
    ['1:0', 1, 3, "found '1:0' in row 0"],
    ['1:1e39', 1, 3, "found '1:1e39' in row 0"],
    ['1:1e-50', 1, 3, "found '1:1e-50' in row 0"],
    ['0:1', 65, 1, 'found 65 × 1'],
    ['0:1', 2, 2049, 'found 2 × 2049'],
  ])('rejects the cells %j of a %i × %i matrix: %s', (text, rows, cols, message) => {
    expect(() => readCells(text, rows, cols)).toThrow(message);
  });
});
