import { useRef } from 'react';
import { largest } from '../../../core/number/statistics.ts';
import { listText } from '../../../core/story/words.ts';
import { CARD_GIGABYTES, smallestCard } from '../../../theory/models/model-bytes.ts';
import type { ModelShape } from '../../../theory/models/model-shape.ts';
import { ticksWithRoom } from '../../../kit/charts/tick-room.ts';
import { useWidth } from '../../../kit/browser/use-size.ts';
import type { ModelPageState } from './use-model.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { cssTextColorOf } from '../../../kit/format-color.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { gigabytes } from '../../../kit/words/weights.ts';

const LEFT = 64;
const RIGHT = 84;
const TOP = 22;
const BAR = 14;
const GAP = 10;
const HEIGHT = TOP + 2 * BAR + 2 * GAP + 4;

/** The weights against the memory of cards: dense, and as stored, by byte class. */
export function MemoryBars({ state }: { readonly state: ModelPageState }) {
  const { view, format, title } = state;
  const { dense, stored, values, beside, keptDense } = view.bytes;
  const frame = useRef<HTMLDivElement>(null);
  const width = Math.max(280, useWidth(frame));
  const shown = shownGigabytes(largest([dense, stored]));
  const x = (amount: number): number => LEFT + (amount / (shown * 1e9)) * (width - LEFT - RIGHT);
  const marks = CARD_GIGABYTES.filter((card) => card <= shown);
  const labelled = ticksWithRoom(
    marks,
    [smallestCard(stored) ?? 0, smallestCard(dense) ?? 0],
    (card) => x(card * 1e9),
    cardText,
  );
  const further = CARD_GIGABYTES.filter((card) => card > shown);
  const second = TOP + BAR + GAP;
  const parts = [
    { name: 'values', bytes: values, fill: 'var(--values)' },
    { name: 'indices, padding, scales', bytes: beside, fill: 'var(--indices)' },
    { name: keptName(view.model, view.storage.keepHead), bytes: keptDense, fill: 'var(--neutral)' },
  ].filter((part) => part.bytes > 0);
  const starts = parts.map((_, i) => parts.slice(0, i).reduce((sum, part) => sum + part.bytes, 0));
  const spoken = `Weights alone: dense ${gigabytes(dense)}, in ${title} ${gigabytes(stored)}. ${cardSentence(dense, stored)}`;
  return (
    <Section title="Memory" aside={cardSentence(dense, stored)} level={3}>
      <div ref={frame}>
        <svg className="plot model-memory" width={width} height={HEIGHT} role="img" aria-label={spoken}>
          {marks.map((card) => (
            <line key={card} className="plot-dotted" x1={x(card * 1e9)} x2={x(card * 1e9)} y1={TOP - 4} y2={HEIGHT} />
          ))}
          {labelled.map((card) => (
            <text key={card} x={x(card * 1e9)} y={TOP - 10} textAnchor="middle">
              {cardText(card)}
            </text>
          ))}
          {further.length > 0 && (
            <text x={width} y={TOP - 10} textAnchor="end">
              {further.join(', ')} →
            </text>
          )}
          <text className="plot-name" x={0} y={TOP + BAR / 2} dy="0.35em">
            dense
          </text>
          <rect className="model-memory-dense" x={LEFT} y={TOP} width={x(dense) - LEFT} height={BAR} />
          <text className="model-memory-total plot-halo" x={x(dense) + 8} y={TOP + BAR / 2} dy="0.35em">
            {gigabytes(dense)}
          </text>
          <text
            className="plot-name"
            style={{ fill: cssTextColorOf(format.id), fontWeight: 600 }}
            x={0}
            y={second + BAR / 2}
            dy="0.35em"
          >
            {title}
          </text>
          {parts.map((part, i) => (
            <rect
              key={part.name}
              style={{ fill: part.fill }}
              x={x(starts[i])}
              y={second}
              width={x(part.bytes) - LEFT}
              height={BAR}
            />
          ))}
          <text className="model-memory-total plot-halo" x={x(stored) + 8} y={second + BAR / 2} dy="0.35em">
            {gigabytes(stored)}
          </text>
        </svg>
      </div>
      <ul className="model-parts">
        {parts.map((part) => (
          <li key={part.name}>
            <Swatch color={part.fill} />
            {part.name} <span className="number">{gigabytes(part.bytes, false)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The matrices that stay dense, in words. */
function keptName({ tied, positions }: ModelShape, keepHead: boolean): string {
  const learned = positions > 0 ? ['positions'] : [];
  if (tied && keepHead) return `${['lm_head, which is the embedding', ...learned].join(', and ')}, kept dense`;
  return `${listText([...(keepHead ? ['lm_head'] : []), ...(tied ? [] : ['embedding']), ...learned])}, kept dense`;
}

function cardText(card: number): string {
  return `${card} GB`;
}

/** The range that includes the smallest card above the bytes, and the one after it. */
function shownGigabytes(bytes: number): number {
  const above = CARD_GIGABYTES.findIndex((card) => bytes < card * 1e9);
  if (above < 0) return (bytes / 1e9) * 1.05;
  return CARD_GIGABYTES[Math.min(CARD_GIGABYTES.length - 1, above + 1)] * 1.05;
}

/** The card that the weights alone need, and the one they needed dense. */
function cardSentence(dense: number, stored: number): string {
  const [before, after] = [smallestCard(dense), smallestCard(stored)];
  const one = (card: number | null): string => (card === null ? 'more than one card' : `a card of ${card} GB`);
  if (before === after) return `weights alone: ${one(after)} either way`;
  return `weights alone: ${one(after)} instead of ${before === null ? 'more than one' : `${before}`}`;
}
