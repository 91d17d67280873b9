import { WhyNotSmallest } from '../../../papers/twell/WhyNotSmallest.tsx';
import { bitsOf } from '../rows/stored-variants.ts';
import type { ComparedFormats } from '../rows/compare-row.ts';

/** The section 'why not the smallest?': why the smallest format is not the best for activations. */
export function SmallestDetails({ compared: { a, b, rows, summary } }: { readonly compared: ComparedFormats }) {
  const sizeOf = (format: string, withBestParams: boolean) => {
    const row = [a, b, ...rows].find(
      (each) => each?.format.id === format && each.state === 'known' && bitsOf(each.stored.params) === 16,
    );
    if (!row || row.bytes === null) return null;
    return (withBestParams ? row.bestParams : null) ?? { bytes: row.bytes, label: '' };
  };
  return <WhyNotSmallest summary={summary} sizeOf={sizeOf} />;
}
