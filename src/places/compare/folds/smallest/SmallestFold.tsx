import { WhySmallest } from '../../../../papers/twell/WhySmallest.tsx';
import { bitsOf } from '../../rows/ways.ts';
import type { FoldProps } from '../fold.ts';

/** Why the smallest row is not the one to take for activations, with the bytes of the table. */
export function SmallestFold({ compared: { a, b, rows, summary } }: FoldProps) {
  const bytesOf = (format: string, atBest: boolean): number | null => {
    const row = [a, b, ...rows].find(
      (one) => one?.format.id === format && one.state === 'known' && bitsOf(one.stored.params) === 16,
    );
    return row ? ((atBest ? row.better?.bytes : null) ?? row.bytes) : null;
  };
  return <WhySmallest summary={summary} bytesOf={bytesOf} />;
}
