import { bitsOf, ledger, type LedgerEntry, type StorageLedger } from '../../core/encoded/ledger.ts';
import { baseBits, type EcCsrEncoded, setInfos } from './layout.ts';
import { deltasReason, valueBits } from './params.ts';
import type { Stated } from '../../core/story/stated.ts';

/** Bytes per array and class. Padding by cause: columns that bridge delta gaps, and tails that fill up the lanes. */
export function storage(e: EcCsrEncoded): StorageLedger {
  const bits = valueBits(e);
  const { gapColumns, gapValues, tailColumns, tailValues } = e.padding;
  const note = `${gapColumns} columns bridge gaps, ${tailColumns} fill lanes`;
  const usedDeltaBits = setInfos(e).reduce((sum, set) => sum + set.columns, 0) * e.deltaBits;
  const wordTails = e.deltaIndices.byteLength * 8 - usedDeltaBits;
  const entries: LedgerEntry[] = [
    {
      array: 'values',
      dtype: e.valueType,
      length: e.values.length,
      bytes: e.values.byteLength,
      bits: bitsOf('values', e.values.byteLength * 8, (gapValues + tailValues) * bits),
      note,
    },
    {
      array: 'deltaIndices',
      dtype: `${e.deltaBits}-bit in u32`,
      length: e.deltaIndices.length,
      bytes: e.deltaIndices.byteLength,
      bits: bitsOf('indices', e.deltaIndices.byteLength * 8, (gapColumns + tailColumns) * e.deltaBits + wordTails),
      note,
    },
    whole('baseIndices', `u${baseBits(e)}`, e.baseIndices, 'indices'),
    whole('rowIndices', 'u32', e.rowIndices, 'indices'),
    whole('blockPtr', 'u32', e.blockPtr, 'metadata'),
    whole('sets', 'u32', e.sets, 'metadata'),
  ];
  return ledger(entries, e.rows * e.cols * bits);
}

/** An array without padding. */
function whole(
  array: string,
  dtype: string,
  data: Uint16Array | Uint32Array,
  byteClass: 'indices' | 'metadata',
): LedgerEntry {
  return {
    array,
    dtype,
    length: data.length,
    bytes: data.byteLength,
    bits: bitsOf(byteClass, data.byteLength * 8),
  };
}

/** What decides the bytes: deltas, and the rows of the largest block that was found. O(sets). */
export function sizeReason(e: EcCsrEncoded): Stated {
  let granularity = 1;
  for (const set of setInfos(e)) if (set.blocks > 0) granularity = Math.max(granularity, set.granularity);
  return deltasReason(e.deltaBits, granularity);
}
