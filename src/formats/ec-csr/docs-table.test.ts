import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scheduled } from '../../../test/scheduled.ts';
import type { Matrix } from '../../core/matrix/index.ts';
import { generate } from '../../generate/generate.ts';
import { extractionEffect } from './facts.ts';
import { ecCsr } from './index.ts';

/** Computes the table of docs/formats/ec-csr.md again: size reductions against CSR with 32-bit indices, and shares of non-zeros in blocks. */

const lines = readFileSync(new URL('../../../docs/formats/ec-csr.md', import.meta.url), 'utf8').split('\n');
const defaults = Object.fromEntries(Object.entries(ecCsr.params).map(([name, field]) => [name, field.default]));

/** The cells that are computed: 'with blocks', 'without' and 'non-zeros in blocks'. */
function cellsOf(matrix: Matrix): readonly string[] {
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

function printed(matrix: string): readonly string[] {
  const row = lines.find((line) => line.startsWith(`| ${matrix}`)) ?? '';
  const cells = row.split('|').map((cell) => cell.trim());
  return [cells[2], cells[3], cells[5]];
}

describe('the table of docs/formats/ec-csr.md', () => {
  it('the table of docs/formats/ec-csr.md has short rows in agreement with the encoder', () => {
    for (const [density, sparsity] of [
      [0.3, 70],
      [0.1, 90],
    ]) {
      const matrix = generate({ pattern: 'uniform', rows: 1024, cols: 2048, density, seed: 1 });
      expect(cellsOf(matrix)).toEqual(printed(`uniform, 1024 × 2048, ${sparsity} % sparse`));
    }
  });

  scheduled(
    'encoding rows of 4096 columns and more in two ways needs many seconds',
    'the rows of 2048 columns of the same table',
    'has all other rows of a thousand in agreement with the encoder',
    () => {
      const uniform = (cols: number, density: number): Matrix =>
        generate({ pattern: 'uniform', rows: 1024, cols, density, seed: 1 });
      const blocks = (pattern: string): Matrix => generate({ pattern, rows: 1024, cols: 4096, density: 0.3, seed: 1 });
      expect(cellsOf(uniform(2048, 0.2))).toEqual(printed('uniform, 1024 × 2048, 80 % sparse'));
      for (const [density, sparsity] of [
        [0.3, 70],
        [0.2, 80],
        [0.1, 90],
      ]) {
        expect(cellsOf(uniform(11_008, density))).toEqual(printed(`uniform, 1024 × 11008, ${sparsity} % sparse`));
      }
      expect(cellsOf(blocks('shared-columns'))).toEqual(printed('shared columns, 1024 × 4096'));
      expect(cellsOf(blocks('planted-blocks'))).toEqual(printed('planted blocks, 1024 × 4096'));
    },
  );
});
