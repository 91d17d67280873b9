import type { Tone } from '../scene.ts';
import { bytesNumber, bytesText } from '../../core/text/words.ts';
import { type Bar, bars } from './bars.ts';
import { tightStack, ink, note } from './parts.ts';
import type { Part } from './layout-space.ts';

/** The bytes of one purpose, such as values, indices or padding. */
export interface CountedBytes {
  readonly tone: Tone;
  readonly bytes: number;
  readonly name: string;
}

/** The sum of the bytes of all purposes. */
export const totalOf = (parts: readonly CountedBytes[]): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);

/** A bar of the bytes that a format stores, compared with dense; at the same position in all pictures of a story. */
export function counterBar({
  title,
  parts,
  dense,
  text: message,
  isSoFar = false,
  under: lowerBar,
}: {
  readonly title: string;
  readonly parts: readonly CountedBytes[];
  readonly dense: number;
  /** the text below the bar */
  readonly text: string;
  /** later frames store more */
  readonly isSoFar?: boolean;
  /** a thin bar below, on the same scale */
  readonly under?: Bar['lowerBar'];
}): Part {
  const total = totalOf(parts);
  let end = 0;
  const filled = parts
    .filter(({ bytes }) => bytes > 0)
    .map(({ tone, bytes, name }) => ({
      to: (end += bytes),
      tone,
      text: `${name} ${shortBytes(bytes)}`,
      highlightNames: [`bytes ${tone}`],
    }));
  const denseText = dense < 1e6 ? `${bytesNumber(dense)} bytes` : bytesText(dense);
  const ofDense = {
    text: isSoFar ? ` byte${total === 1 ? '' : 's'} so far` : ` of ${denseText}`,
    tone: 'neutral',
  } as const;
  // Width for three digits: the full bar is equally long for 16 bytes and for some hundred.
  const digits = bytesNumber(dense).padStart(3, '0');
  const rest = dense > total ? [{ to: dense, tone: 'neutral', style: 'ghost' } as const] : [];
  return tightStack(
    bars(
      {
        id: 'counter',
        max: Math.max(dense, total, lowerBar?.to ?? 0),
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
          ...(lowerBar && { lowerBar }),
        },
      ],
    ),
    note('counter note', message, { size: 'small' }),
  );
}

const shortBytes = (bytes: number): string => (bytes < 1e6 ? `${bytesNumber(bytes)} B` : bytesText(bytes));
