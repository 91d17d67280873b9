import type { Fact } from '../../core/format.ts';
import { gammaOf, PUBLISHED_A100_SPEEDUPS } from '../../theory/sliding-windows.ts';
import type { SlideSparseEncoded } from './layout.ts';
import { patternName, storedShareOf } from './params.ts';

/** Facts about a SlideSparse matrix: cost and gain of its pattern, with the authors' measurements. O(1). */
export function facts(e: SlideSparseEncoded): readonly Fact[] {
  const pattern = patternName(e.halfGroup);
  const gamma = gammaOf(e.halfGroup);
  const share = storedShareOf(e);
  const filled = e.values.length === 0 ? 0 : e.nnz / e.values.length;
  const published = PUBLISHED_A100_SPEEDUPS.get(pattern);
  const list: Fact[] = [
    {
      label: 'slid columns per column',
      value: gamma.toFixed(2),
      note: `gamma: the windows of ${pattern} repeat columns. 2:4 running alpha times as fast as dense leaves alpha / gamma.`,
    },
    {
      label: 'speed by bytes',
      value: `${(1 / share).toFixed(2)}×`,
      note: 'The most that bytes can gain, for one vector.',
    },
    {
      label: 'kept slots in use',
      value: `${(100 * filled).toFixed(0)}\u202f%`,
      note: 'Two slots of every window are stored, zeros too.',
    },
  ];
  if (published !== undefined) {
    list.push({
      label: 'published speed',
      value: `${published.toFixed(2)}×`,
      note: 'On sparse tensor cores.',
      source: 'SlideSparse’s code: int8 GEMM, Qwen2.5-7B, M = 16384, A100',
    });
  }
  return list;
}
