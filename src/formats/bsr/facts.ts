import type { Fact } from '../../core/format.ts';
import { countText } from '../../core/text/words.ts';
import type { BsrEncoded } from './layout.ts';
import { blocksAlong } from './params.ts';

/** Facts of a BSR matrix for the page: how many blocks are stored, and how full they are. O(1). */
export function facts({ rows, cols, nnz, blockSize, indices }: BsrEncoded): readonly Fact[] {
  const blocks = indices.length;
  const all = blocksAlong(rows, blockSize) * blocksAlong(cols, blockSize);
  if (blocks === 0) return [];
  const cells = blocks * blockSize ** 2;
  return [
    { label: 'blocks stored', value: percent(blocks / all), note: `${countText(blocks)} of ${countText(all)}.` },
    {
      label: 'fill of a block',
      value: percent(nnz / cells),
      note:
        nnz === cells ? 'No zeros are stored.' : `${(nnz / blocks).toFixed(1)} of ${blockSize ** 2} cells on average.`,
    },
  ];
}

/** A share in three significant digits: '12.3 %'. */
function percent(share: number): string {
  const value = 100 * share;
  return `${value >= 99.95 || value === 0 ? value.toFixed(0) : value.toPrecision(3)}\u202f%`;
}
