import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { finish, NO_JOB } from '../../../../src/core/job.ts';
import { type DenseMatrix, denseMatrix, type Matrix, rowBuffer } from '../../../../src/core/matrix/index.ts';
import { pruneToPatternSteps } from '../../../../src/core/matrix/prune-pattern.ts';
import { Random } from '../../../../src/core/number/random.ts';
import { pruneByMagnitude } from '../../../../src/generate/prune.ts';
import { fileSource } from '../../../../src/io/source.ts';
import { openSafetensors } from '../../../../src/io/tensors/safetensors.ts';
import { pruneToSpenseSteps } from './prune-spense.ts';

const spense = (m: DenseMatrix, density: number, scores = m): DenseMatrix =>
  finish(pruneToSpenseSteps(m, density, scores));

function randomMatrix(rows: number, cols: number, seed: number): DenseMatrix {
  const random = new Random(seed);
  return denseMatrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, () => random.normal()),
  );
}

describe('pruning to Spense', () => {
  it('prunes the group of columns that loses least, and keeps all weights of the other', () => {
    // In 2:4 the first group loses 1 + 4 in its one row, the second 1 + 1.
    const m = denseMatrix(1, 8, Float32Array.of(1, 2, 3, 4, 9, 1, 1, 9));
    expect([...spense(m, 0.75).data]).toEqual([1, 2, 3, 4, 9, 0, 0, 9]);
    // By scores the first group loses nothing.
    const scores = denseMatrix(1, 8, Float32Array.of(0, 0, 3, 4, 9, 1, 1, 9));
    expect([...spense(m, 0.75, scores).data]).toEqual([0, 0, 3, 4, 9, 1, 1, 9]);
  });

  it.each([0.5, 0.6, 0.75, 0.9, 1])('at density %d, each group of columns is 2:4 or whole', (density) => {
    const [rows, cols] = [6, 40];
    const m = randomMatrix(rows, cols, 3);
    const pruned = spense(m, density);
    let sparse = 0;
    for (let group = 0; group < cols / 4; group++) {
      const counts = Array.from({ length: rows }, (_, r) => {
        const start = r * cols + 4 * group;
        return pruned.data.subarray(start, start + 4).filter((cell) => cell !== 0).length;
      });
      expect([2, 4]).toContain(counts[0]);
      expect(new Set(counts).size).toBe(1);
      if (counts[0] === 2) sparse++;
    }
    expect(sparse).toBe(Math.round((2 * (1 - density) * cols) / 4));
    expect(pruned.data.every((cell, i) => cell === 0 || cell === m.data[i])).toBe(true);
  });

  it('rejects densities that it cannot have', () => {
    for (const density of [0.49, 1.01, Number.NaN])
      expect(() => spense(randomMatrix(2, 8, 1), density)).toThrow(
        `Spense: found a density of ${density}, expected one from 0.5 to 1`,
      );
  });
});

/** Sum of squares of all cells. */
function energy(m: Matrix): number {
  const buffer = rowBuffer(m.cols);
  let sum = 0;
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    for (let i = 0; i < n; i++) sum += buffer.values[i] ** 2;
  }
  return sum;
}

it('of the squared magnitude of tales, 2:4 loses 13.16 %, Spense 6.16, 6:8 1.88, and any quarter 0.80', async () => {
  const bytes = new Uint8Array(readFileSync('labs/language/public/models/tales/model.safetensors'));
  const container = await openSafetensors(fileSource({ name: 'model.safetensors', bytes }), NO_JOB);
  const kept = { all: 0, '2:4': 0, spense: 0, '6:8': 0, any: 0 };
  for (const { name, shape } of container.tensors) {
    if (shape.length !== 2 || name.includes('embed')) continue;
    const { matrix } = await container.read(name, NO_JOB);
    const cells = new Float32Array(matrix.rows * matrix.cols);
    const buffer = rowBuffer(matrix.cols);
    for (let r = 0; r < matrix.rows; r++) {
      const n = matrix.readRow(r, buffer);
      for (let i = 0; i < n; i++) cells[r * matrix.cols + buffer.columns[i]] = buffer.values[i];
    }
    const m = denseMatrix(matrix.rows, matrix.cols, cells);
    kept.all += energy(m);
    kept['2:4'] += energy(finish(pruneToPatternSteps(m, 2, 4)));
    kept.spense += energy(spense(m, 0.75));
    kept['6:8'] += energy(finish(pruneToPatternSteps(m, 6, 8)));
    kept.any += energy(pruneByMagnitude(m, 0.75));
  }
  const lost = ([, sum]: readonly [string, number]): string => (100 * (1 - sum / kept.all)).toFixed(2);
  expect(Object.entries(kept).slice(1).map(lost)).toEqual(['13.16', '6.16', '1.88', '0.80']);
});
