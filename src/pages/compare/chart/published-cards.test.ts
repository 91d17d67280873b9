import { describe, expect, it } from 'vitest';
import { published as csr } from '../../../formats/csr/published.ts';
import { published as ecCsr } from '../../../formats/ec-csr/published.ts';
import { published as macko } from '../../../formats/macko/published.ts';
import { publishedNotes } from './published-cards.ts';

describe('published sizes next to the curves', () => {
  it('names the source of the squares once, and the width of CSR’s indices', () => {
    const onCard = [...macko, ...csr].filter(({ quantity, device }) => quantity === 'speed' && device === 'RTX 4090');
    expect(publishedNotes(onCard)).toEqual([
      'Squares: MACKO and cuSPARSE’s CSR with 32-bit indices, RTX 4090. Published by V. Macko and V. Boža, MACKO, 2025, arxiv.org/abs/2511.13061, benchmark data: the median speed over cuBLAS of 31 shapes of language models.',
    ]);
    expect(publishedNotes(ecCsr)).toEqual([
      'Squares: EC-SpMV with 8-bit deltas and EC-SpMV with 4-bit deltas. Published by J. Lin and others, 2025, arxiv.org/abs/2507.12205, section 8.2, from reductions against CSR with 32-bit indices.',
    ]);
    expect(publishedNotes([])).toEqual([]);
  });

  it('every published figure of CSR, or against CSR, states the width of its indices', () => {
    for (const figures of [...csr, ...ecCsr])
      expect(`${figures.title} ${figures.source}`).toMatch(/\b(16|32)-bit indices/);
  });

  it('reductions of EC-SpMV against CSR with 32-bit indices equal section 8.2, converted to dense', () => {
    // A non-zero takes 6 bytes in CSR with 32-bit indices and f16, a cell of dense 2: CSR is 3 d of dense.
    const reductions = ecCsr.map(({ points }) =>
      points.map(({ density, value }) => Number((100 * (1 - value / (3 * density))).toFixed(1))).join(' '),
    );
    expect(reductions).toEqual(['45.8 49.9 52', '41.3 53.5 55.4']);
  });
});
