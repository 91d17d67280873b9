import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scheduled } from '../../../test/scheduled.ts';
import type { Matrix } from '../../core/matrix/index.ts';
import { generate } from '../../generate/generate.ts';
import { extractionEffect } from './facts.ts';
import { ecCsr } from './index.ts';

// Computes the table of docs/formats/ec-csr.md again: size reductions against CSR with 32-bit indices, and shares of non-zeros in
// blocks.

const lines = readFileSync(new URL('../../../docs/formats/ec-csr.md', import.meta.url), 'utf8').split('\n');
const defaults = Object.fromEntries(Object.entries(ecCsr.params).map(([name, field]) => [name, field.default]));

/** The cells of a matrix, computed: 'with blocks', 'without' and 'non-zeros in blocks'. */
function computedCells(matrix: Matrix): readonly string[] {
  const reports = ['same-block', 'short-block'].map((remainder) =>
    extractionEffect(ecCsr.encode(matrix, { ...defaults, remainder } as Parameters<typeof ecCsr.encode>[1])),
  );
  const reductions = (which: 'withBlocks' | 'without'): string =>
    reports.map(({ totalBytes }) => (100 * (1 - totalBytes[which] / totalBytes.csr32)).toFixed(1)).join(' / ');
  const [largest] = reports[0].coverage
    .filter(({ granularity }) => granularity > 1)
    .toSorted((a, b) => b.share - a.share);
  const inBlocks = largest ? `${(100 * largest.share).toFixed(1)} % in ${largest.granularity} rows` : 'none';
  return [reductions('withBlocks'), reductions('without'), inBlocks];
}

/** The same cells as the table has them, in the line that begins with this description of the matrix. */
function printedCells(matrix: string): readonly string[] {
  const tableLine = lines.find((line) => line.startsWith(`| ${matrix}`)) ?? '';
  const cells = tableLine.split('|').map((cell) => cell.trim());
  return [cells[2], cells[3], cells[5]];
}

describe('the table of docs/formats/ec-csr.md', () => {
  it('agrees with the encoder on matrices of 2048 columns', () => {
    for (const [density, sparsity] of [
      [0.3, 70],
      [0.1, 90],
    ]) {
      const matrix = generate({ pattern: 'uniform', rows: 1024, cols: 2048, density, seed: 1 });
      expect(computedCells(matrix)).toEqual(printedCells(`uniform, 1024 × 2048, ${sparsity} % sparse`));
    }
  });

  scheduled(
    'encoding rows of 4096 columns and more in two ways needs many seconds',
    'the rows of 2048 columns of the same table',
    'agrees with the encoder on all other matrices of 1024 rows',
    () => {
      const uniform = (cols: number, density: number): Matrix =>
        generate({ pattern: 'uniform', rows: 1024, cols, density, seed: 1 });
      const blocks = (pattern: string): Matrix => generate({ pattern, rows: 1024, cols: 4096, density: 0.3, seed: 1 });
      expect(computedCells(uniform(2048, 0.2))).toEqual(printedCells('uniform, 1024 × 2048, 80 % sparse'));
      for (const [density, sparsity] of [
        [0.3, 70],
        [0.2, 80],
        [0.1, 90],
      ]) {
        expect(computedCells(uniform(11_008, density))).toEqual(
          printedCells(`uniform, 1024 × 11008, ${sparsity} % sparse`),
        );
      }
      expect(computedCells(blocks('shared-columns'))).toEqual(printedCells('shared columns, 1024 × 4096'));
      expect(computedCells(blocks('planted-blocks'))).toEqual(printedCells('planted blocks, 1024 × 4096'));
    },
  );
});
