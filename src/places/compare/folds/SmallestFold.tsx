import { WhySmallest } from '../../../papers/twell/WhySmallest.tsx';
import { bitsOf } from '../rows/stored-variants.ts';
import type { ComparedFormats } from '../rows/compare-row.ts';

/** The fold 'why not the smallest?': why the smallest format is not the best for activations, with the bytes of the table. */
export function SmallestFold({ compared: { a, b, rows, summary } }: { readonly compared: ComparedFormats }) {
  const sizeOf = (format: string, atBest: boolean) => {
    const row = [a, b, ...rows].find(
      (one) => one?.format.id === format && one.state === 'known' && bitsOf(one.stored.params) === 16,
    );
    if (!row || row.bytes === null) return null;
    return (atBest ? row.bestParams : null) ?? { bytes: row.bytes, label: '' };
  };
  return <WhySmallest summary={summary} sizeOf={sizeOf} />;
}
