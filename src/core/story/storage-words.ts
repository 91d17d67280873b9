import type { AnyValueType } from '../number/index.ts';
import type { Words } from './scene.ts';
import { BYTE_CLASSES, type StorageLedger } from '../encoded/ledger.ts';
import { bitsText, listText, say, strong } from './words.ts';

/** The size of a matrix in a format, class by class, compared with the dense matrix of the same value type. */
export function storageWords(ledger: StorageLedger, valueType: AnyValueType): readonly Words[] {
  const { totalBytes, totalBits, effectiveDensity } = ledger;
  const parts = BYTE_CLASSES.filter((c) => totalBits[c] > 0).map((c) => `${bitsText(totalBits[c])} of ${c}`);
  const byClass = parts.length > 1 ? `: ${listText(parts)}` : '';
  const total = strong(bitsText(totalBytes * 8));
  if (effectiveDensity === 0) return say`That is ${total}${byClass}.`;
  const dense = `what dense takes in ${valueType}`;
  if (effectiveDensity === 1) return say`That is ${total}${byClass}; ${strong('exactly')} ${dense}.`;
  return say`That is ${total}${byClass}; ${strong(effectiveDensity.toFixed(2))} times ${dense}.`;
}
