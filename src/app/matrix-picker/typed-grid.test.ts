import { describe, expect, it } from 'vitest';
import { LINK_CELLS_BOUNDS } from '../../core/bounds/bounds.ts';
import {
  emptyGrid,
  gridOfSource,
  gridProblem,
  gridText,
  MAX_TYPED_SIDE,
  readGrid,
  resizedGrid,
  sourceOfGrid,
  withPasted,
} from './typed-grid.ts';

describe('a typed text', () => {
  it.each([
    [
      '1 0 2; 0 3 0',
      [
        ['1', '', '2'],
        ['', '3', ''],
      ],
    ],
    [
      '1,0,2;0,3,0',
      [
        ['1', '', '2'],
        ['', '3', ''],
      ],
    ],
    [
      '1, 0, 2\n0, 3, 0,',
      [
        ['1', '', '2'],
        ['', '3', ''],
      ],
    ],
    [
      '1 0 2;\n0 3 0;',
      [
        ['1', '', '2'],
        ['', '3', ''],
      ],
    ],
    // A spreadsheet, with a decimal comma and an empty cell.
    [
      '0,5\t\t2\r\n\t-3\t1e-3\r\n',
      [
        ['0.5', '', '2'],
        ['', '-3', '0.001'],
      ],
    ],
    // CSV with semicolons.
    [
      '0,5;1\n2;3',
      [
        ['0.5', '1'],
        ['2', '3'],
      ],
    ],
    ['\u22121.5', [['-1.5']]],
  ])('%j is a grid', (text, grid) => {
    expect(readGrid(text)).toEqual(grid);
  });

  it.each([
    ['', "The text: found nothing, expected numbers such as '1 0 2; 0 3 0'."],
    ['1 x; 2 3', "Row 0, column 1: found 'x', expected a number in the range of f32."],
    ['1 2; 3 1e39', "Row 1, column 1: found '1e39', expected a number in the range of f32."],
    ['1 2; 3', 'Row 1: found 1 cell, expected 2 as in row 0.'],
    ['1;'.repeat(MAX_TYPED_SIDE + 1), 'The text: found 65 rows, expected at most 64; open a larger matrix as a file.'],
    [
      '1 '.repeat(MAX_TYPED_SIDE + 1),
      'The text: found 65 columns, expected at most 64; open a larger matrix as a file.',
    ],
    ['1 '.repeat(40_000), /^The text: found 80.000 characters, expected at most 65.536\.$/],
  ])('%.20j is rejected with a sentence', (text, message) => {
    expect(() => readGrid(text)).toThrow(message);
  });

  it('may have 64 rows and columns', () => {
    expect(readGrid(`${'1 '.repeat(MAX_TYPED_SIDE)}\n`.repeat(MAX_TYPED_SIDE))).toHaveLength(MAX_TYPED_SIDE);
  });
});

it('a grid is written as the text that is read', () => {
  const grid = readGrid('1 0 2; 0 -3 0.1');
  expect(gridText(grid)).toBe('1 0 2; 0 -3 0.1');
});

it('a pasted grid brings its shape into an empty one, and grows any other', () => {
  const pasted = [['1', '2']];
  expect(withPasted(emptyGrid(4, 8), 0, 0, pasted)).toEqual(pasted);
  expect(withPasted([['7']], 0, 1, pasted)).toEqual([['7', '1', '2']]);
  expect(
    withPasted(
      [
        ['7', '8'],
        ['9', ''],
      ],
      1,
      0,
      pasted,
    ),
  ).toEqual([
    ['7', '8'],
    ['1', '2'],
  ]);
  expect(() => withPasted([['7']], 0, MAX_TYPED_SIDE - 1, pasted)).toThrow(/found 65 columns/);
});

it('rows and columns are added and removed at the end', () => {
  expect(resizedGrid([['1', '2']], 2, 1)).toEqual([['1'], ['']]);
});

it('a source has the cells of the grid, and the grid those of the source', () => {
  const source = sourceOfGrid([
    ['1', '', ' 0 '],
    ['', '-0,5', ''],
  ]);
  expect(source).toEqual({ kind: 'cells', rows: 2, cols: 3, cells: '0:1,1:-0.5' });
  expect(gridOfSource(source)).toEqual([
    ['1', '', ''],
    ['', '-0.5', ''],
  ]);
  expect(gridOfSource({ ...source, cols: MAX_TYPED_SIDE + 1 })).toBeNull();
});

it('names the first cell that is no number', () => {
  expect(gridProblem([['1'], ['1.2.3']])).toEqual({
    row: 1,
    col: 0,
    text: "Row 1, column 0: found '1.2.3', expected a number in the range of f32.",
  });
  expect(gridProblem([['1'], ['']])).toBeNull();
});

it('a grid that a link cannot contain is rejected with a sentence', () => {
  const full = Array.from({ length: MAX_TYPED_SIDE }, () => Array.from({ length: MAX_TYPED_SIDE }, () => '0.12345'));
  expect(() => sourceOfGrid(full)).toThrow(`more than the ${LINK_CELLS_BOUNDS.length} characters`);
});
