import type { Miniature, MiniatureStrip, SlotKind } from '../../../core/comparison/comparison.ts';
import { counted } from '../../../core/story/words.ts';

/** Width of a slot, and of the gap to the next; height of a bit; gap between two arrays. Pixels. */
const SLOT = 3;
const GAP = 1;
const PX_PER_BIT = 0.62;
const BETWEEN = 2;
const WIDTH = 30 * (SLOT + GAP);
const METADATA_AT = WIDTH + 6;

const CLASS: Readonly<Record<SlotKind, string>> = {
  value: 'mini-value',
  zero: 'mini-zero',
  index: 'mini-index',
  'no-index': 'mini-no-index',
  metadata: 'mini-metadata',
  padding: 'mini-padding',
};

export interface MiniatureViewProps {
  readonly miniature: Miniature;
  /** false: pale, only planned */
  readonly isHeld: boolean;
}

/** The start of the first row in memory: a bar for each slot, with its bits as the height. */
export function MiniatureView({ miniature, isHeld }: MiniatureViewProps) {
  const slots = miniature.filter((strip) => !isMetadata(strip));
  const metadata = miniature.filter(isMetadata);
  const heights = slots.map(heightOf);
  const tops = heights.map((_, i) => heights.slice(0, i).reduce((sum, high) => sum + high + BETWEEN, 0));
  const placed = slots.map((strip, i) => ({ strip, at: tops[i], height: heights[i] }));
  const end = placed.reduce((low, { at, height }) => Math.max(low, at + height), 0);
  const height = Math.max(32 * PX_PER_BIT, end);
  const width = METADATA_AT + metadata.length * (SLOT + 2);
  return (
    <svg
      className={isHeld ? 'mini' : 'mini mini--pale'}
      width={width}
      height={Math.ceil(height)}
      role="img"
      aria-label={spoken(miniature, isHeld)}
    >
      {placed.map(({ strip, at, height: high }) =>
        strip.slots.map((kind, i) => (
          // a slot is identified by its position
          <rect
            key={`${strip.array} ${i}`}
            className={CLASS[kind]}
            x={i * (SLOT + GAP)}
            y={at}
            width={SLOT}
            height={high}
          />
        )),
      )}
      {metadata.map((strip, i) => (
        <rect
          key={strip.array}
          className="mini-metadata"
          x={METADATA_AT + i * (SLOT + 2)}
          y={0}
          width={SLOT}
          height={heightOf(strip)}
        />
      ))}
    </svg>
  );
}

function heightOf({ bits }: MiniatureStrip): number {
  return Math.max(1.5, bits * PX_PER_BIT);
}

function isMetadata({ slots }: MiniatureStrip): boolean {
  return slots.length === 1 && slots[0] === 'metadata';
}

function spoken(miniature: Miniature, isHeld: boolean): string {
  const parts = miniature.map(({ array, bits, slots }) => {
    const padding = slots.filter((slot) => slot === 'padding').length;
    const of = padding > 0 ? `, ${padding} of them padding` : '';
    return `${array}: ${counted(slots.length, 'slot')} of ${counted(bits, 'bit')}${of}`;
  });
  return `The first row ${isHeld ? 'in memory' : 'as it would lie in memory'}. ${parts.join('; ')}.`;
}
