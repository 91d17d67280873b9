import { bitsOf, ledger, type LedgerEntry, type StorageLedger } from '../../core/encoded/ledger.ts';
import { baseBits, type EcCsrEncoded, setInfos } from './layout.ts';
import { deltasReason, valueBits } from './params.ts';
import { counted, listText } from '../../core/story/words.ts';
import type { Stated } from '../../core/story/stated.ts';

/** Bytes per array and class. Padding by cause: columns that bridge delta gaps, and tails that fill up the lanes. */
export function storage(e: EcCsrEncoded): StorageLedger {
  const bits = valueBits(e);
  const { gapColumns, gapValues, tailColumns, tailValues } = e.padding;
  const causes = [
    ...(gapColumns > 0 ? [`${counted(gapColumns, 'column')} ${gapColumns === 1 ? 'bridges' : 'bridge'} gaps`] : []),
    ...(tailColumns > 0 ? [`${counted(tailColumns, 'column')} ${tailColumns === 1 ? 'fills' : 'fill'} lanes`] : []),
  ];
  const noteOf = (reasons: readonly string[]): { note?: string } =>
    reasons.length > 0 ? { note: listText(reasons) } : {};
  const usedDeltaBits = setInfos(e).reduce((sum, set) => sum + set.columns, 0) * e.deltaBits;
  const wordTails = e.deltaIndices.byteLength * 8 - usedDeltaBits;
  const entries: LedgerEntry[] = [
    {
      array: 'values',
      dtype: e.valueType,
      length: e.values.length,
      bytes: e.values.byteLength,
      bits: bitsOf('values', e.values.byteLength * 8, (gapValues + tailValues) * bits),
      ...noteOf(causes),
    },
    {
      array: 'deltaIndices',
      dtype: `${e.deltaBits}-bit in u32`,
      length: e.deltaIndices.length,
      bytes: e.deltaIndices.byteLength,
      bits: bitsOf('indices', e.deltaIndices.byteLength * 8, (gapColumns + tailColumns) * e.deltaBits + wordTails),
      ...noteOf(wordTails > 0 ? [...causes, 'a tail fills the last word of a set'] : causes),
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
