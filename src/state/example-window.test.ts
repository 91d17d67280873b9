import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsMatrix } from '../../test/matrices.ts';
import { sampleMatrix } from '../../test/sample-scenes.ts';
import { formatsWithStories } from '../../test/stories.ts';
import { defaultParams, stageParams } from '../core/format.ts';
import { denseMatrix, type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { Random } from '../core/number/random.ts';
import { exampleWindow, type UnusualAt } from './example-window.ts';
import { defaultWindow, windowProblem } from './window.ts';

const stories = await formatsWithStories();

/** `unusualAt` of a format on the stage. */
function unusualOf(id: string): UnusualAt {
  const { format, story } = stories.find((narrated) => narrated.format.id === id) ?? stories[0];
  const params = stageParams<object>(format.params, defaultParams(format.params));
  return (rows, cols) => story.unusualAt?.(rows, cols, params) ?? null;
}

/** A row whose gap from one column to the next is wider than 16. */
const WITH_GAP = [201, 202, 203, 221, 223];

/** Rows without gaps of more than 16 columns, but for one row. */
function withGapIn(row: number, rows = 20, cols = 512): Matrix {
  const ordinary = Array.from({ length: cols / 8 }, (_, i) => 8 * i);
  const before = ordinary.filter((column) => column < 201);
  const after = ordinary.filter((column) => column > 221);
  const wide = [...new Set([...before, ...WITH_GAP, ...after])].toSorted((x, y) => x - y);
  return columnsMatrix(
    cols,
    Array.from({ length: rows }, (_, r) => (r === row ? wide : ordinary)),
  );
}

const summaryOf = ({ rows, cols }: Matrix): { rows: number; cols: number } => ({ rows: Math.max(rows, 100), cols });

describe('tellingWindow', () => {
  const macko = unusualOf('macko');

  it('begins with the row that has three entries and then a gap that takes a padding', () => {
    const m = withGapIn(7);
    const window = exampleWindow(summaryOf(m), m, [macko]);
    expect(window).toMatchObject({ row: 7, rows: 5, cols: 32 });
    const inside = WITH_GAP.filter((column) => column >= window.col && column < window.col + 32);
    expect(inside).toEqual(WITH_GAP);
  });

  it('is the default window where nothing is unusual, or no format says what is', () => {
    const m = withGapIn(99);
    const summary = { ...summaryOf(m), firstEntry: { row: 3, col: 0 } };
    expect(exampleWindow(summary, m, [macko])).toEqual(defaultWindow(summary));
    expect(exampleWindow(summary, withGapIn(7), [])).toEqual(defaultWindow(summary));
  });

  it('rather shows what is unusual for both formats, else for the first', () => {
    const m = withGapIn(7);
    const inRow = (wanted: number): UnusualAt => {
      const buffer = rowBuffer(m.cols);
      m.readRow(wanted, buffer);
      return (_, cols) => cols;
    };
    const always = inRow(0);
    expect(exampleWindow(summaryOf(m), m, [always])).toMatchObject({ row: 0, col: 0 });
    expect(exampleWindow(summaryOf(m), m, [always, macko])).toMatchObject({ row: 7 });
    expect(exampleWindow(summaryOf(m), m, [macko, () => null])).toMatchObject({ row: 7 });
    expect(exampleWindow(summaryOf(m), m, [() => null, always])).toMatchObject({ row: 0, col: 0 });
  });

  it('shows a matrix of at most 5 × 32 cells whole', () => {
    const m = sampleMatrix(5, 32, 0.3);
    expect(exampleWindow(m, m, [macko])).toEqual({ row: 0, col: 0, rows: 5, cols: 32 });
  });

  it('is a window of any matrix, and the same one each time', () => {
    const all = stories.map(({ format }) => unusualOf(format.id));
    fc.assert(
      fc.property(
        fc.nat(70),
        fc.nat(90),
        fc.constantFrom(0, 0.1, 0.5, 1),
        fc.nat(1000),
        (rows, cols, density, seed) => {
          const m = sampleMatrix(rows, cols, density, seed);
          for (const unusual of [all, ...all.map((own) => [own])]) {
            const window = exampleWindow(m, m, unusual);
            expect(windowProblem(window, m)).toBeNull();
            expect(exampleWindow(m, m, unusual)).toEqual(window);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  // About 20 ms.
  it('is found in 64 × 14336 cells, half of them empty, by one look at each window at most', () => {
    const random = new Random(1);
    const [rows, cols] = [64, 14336];
    const m = denseMatrix(
      rows,
      cols,
      Float32Array.from({ length: rows * cols }, () => (random.uniform() < 0.5 ? 1 : 0)),
    );
    expect(exampleWindow({ rows: 4096, cols }, m, [macko])).toMatchObject({ rows: 5, cols: 32 });
    // Formats that never find anything have every window searched.
    const windows = (rows - 5 + 1) * ((cols - 32) / 8 + 1);
    for (const [name, own] of [
      ['MACKO', macko],
      ['EC-SpMV', unusualOf('ec-csr')],
    ] as const) {
      let looks = 0;
      const counted: UnusualAt = (bits, width) => {
        looks++;
        return own(bits, width);
      };
      exampleWindow({ rows: 4096, cols }, m, [counted, () => null]);
      expect(looks, `${name} and a format without anything unusual`).toBe(windows);
    }
  });
});
