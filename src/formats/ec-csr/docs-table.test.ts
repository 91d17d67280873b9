import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scheduled } from '../../../test/scheduled.ts';
import { generate } from '../../generate/generate.ts';
import { ecCsr } from './index.ts';

/** The reductions against CSR with 32-bit indices that docs/formats/ec-csr.md prints, by encoding. */

const lines = readFileSync(new URL('../../../docs/formats/ec-csr.md', import.meta.url), 'utf8').split('\n');

/** Both columns of a row, 'with blocks' and 'without', as encoding gives them. */
function reductions(rows: number, cols: number, density: number): readonly string[] {
  const matrix = generate({ pattern: 'uniform', rows, cols, density, seed: 1 });
  const csr32 = matrix.nnz * 6 + (rows + 1) * 4;
  const defaults = Object.fromEntries(Object.entries(ecCsr.params).map(([name, field]) => [name, field.default]));
  return [8, 1].map((maxGranularity) =>
    ['same-block', 'short-block']
      .map((remainder) => {
        const params = { ...defaults, maxGranularity, remainder } as Parameters<typeof ecCsr.encode>[1];
        return (100 * (1 - ecCsr.storage(ecCsr.encode(matrix, params)).totalBytes / csr32)).toFixed(1);
      })
      .join(' / '),
  );
}

function printed(matrix: string): readonly string[] {
  const row = lines.find((line) => line.startsWith(`| uniform, ${matrix} sparse`)) ?? '';
  return row
    .split('|')
    .slice(2, 4)
    .map((cell) => cell.trim());
}

describe('the table of reductions in docs/formats/ec-csr.md', () => {
  it('has those of short rows', () => {
    expect(reductions(1024, 2048, 0.1)).toEqual(printed('1024 × 2048, 90 %'));
  });

  scheduled(
    'encoding rows of 11008 columns in four ways takes many seconds',
    'the row of 2048 columns of the same table',
    'has those of long rows',
    () => {
      expect(reductions(1024, 11_008, 0.3)).toEqual(printed('1024 × 11008, 70 %'));
      expect(reductions(1024, 11_008, 0.2)).toEqual(printed('1024 × 11008, 80 %'));
    },
  );
});
