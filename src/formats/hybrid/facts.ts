import { magnitudeFact, perRowFact } from '../../theory/activation-facts.ts';
import type { Fact } from '../../core/format.ts';
import { bf16Table } from '../../core/number/index.ts';
import { countText, counted } from '../../core/text/words.ts';
import { tailNonZeros, type HybridEncoded } from './layout.ts';

/** Facts on a hybrid matrix: rows in the tail (too long for their slots), non-zeros per row, magnitudes. O(values). */
export function facts(e: HybridEncoded): readonly Fact[] {
  const { rows, cols, nnz, slots, counts, tailUsed, tailCapacity } = e;
  if (rows === 0 || cols === 0) return [];
  let longest = 0;
  for (let r = 0; r < rows; r++) if (counts[r] > counts[longest]) longest = r;
  return [
    {
      label: 'rows in the tail',
      value: `${countText(tailUsed)} of ${countText(rows)}`,
      note: `With more than ${counted(slots, 'non-zero')}: ${nnz === 0 ? 0 : Math.round((100 * tailNonZeros(e)) / nnz)}\u202f% of all non-zeros. The tail has ${counted(tailCapacity, 'row')}.`,
    },
    perRowFact(nnz / rows, { row: longest, count: counts[longest] }),
    magnitudeFact(sumOfMagnitudes(e) / rows, cols),
  ];
}

/** Sum of |value| over all slots and cells of the tail; slots and cells without a non-zero are 0. */
function sumOfMagnitudes({ values, tail }: HybridEncoded): number {
  const table = bf16Table();
  let sum = 0;
  for (const bits of values) sum += Math.abs(table[bits]);
  for (const bits of tail) sum += Math.abs(table[bits]);
  return sum;
}
