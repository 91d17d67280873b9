import type { Tone } from '../scene.ts';
import { bytesNumber, bytesText } from '../words.ts';
import { bars } from './bars.ts';
import { close, ink, note } from './parts.ts';
import type { Part } from './room.ts';

/** The bytes of one purpose: values, indices, padding. */
export interface CountedBytes {
  readonly tone: Tone;
  readonly bytes: number;
  readonly name: string;
}

export const totalOf = (parts: readonly CountedBytes[]): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);

/** The bar of stored bytes against the bytes of dense, which stands in one place in all pictures of a story. */
export function counterBar({
  title,
  parts,
  dense,
  said,
  isSoFar = false,
}: {
  readonly title: string;
  readonly parts: readonly CountedBytes[];
  readonly dense: number;
  /** the sentence below the bar */
  readonly said: string;
  /** more of the same will be stored */
  readonly isSoFar?: boolean;
}): Part {
  const total = totalOf(parts);
  let end = 0;
  const filled = parts
    .filter(({ bytes }) => bytes > 0)
    .map(({ tone, bytes, name }) => ({ to: (end += bytes), tone, said: `${name} ${shortBytes(bytes)}` }));
  const all = dense < 1e6 ? `${bytesNumber(dense)} bytes` : bytesText(dense);
  const ofDense = { text: isSoFar ? ' bytes so far' : ` of ${all}`, tone: 'neutral' } as const;
  // Room for three digits: the bar is as long for a group of 16 bytes as for a row of some hundred.
  const digits = bytesNumber(dense).padStart(3, '0');
  const rest = dense > total ? [{ to: dense, tone: 'neutral', look: 'ghost' } as const] : [];
  return close(
    bars(
      {
        id: 'counter',
        max: Math.max(dense, total),
        height: 1.1,
        widest: [ink(`${digits}.5`), { text: ` of ${digits} bytes` }],
      },
      [
        {
          id: 'bytes',
          title,
          strong: true,
          parts: [...filled, ...rest],
          after: [{ text: total < 1e6 ? bytesNumber(total) : bytesText(total), strong: true }, ofDense],
        },
      ],
    ),
    note('counter note', said, { size: 'small' }),
  );
}

const shortBytes = (bytes: number): string => (bytes < 1e6 ? `${bytesNumber(bytes)} B` : bytesText(bytes));
