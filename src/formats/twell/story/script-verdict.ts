import { type DrawingLayout, sizeOf, verdictBars, words } from '../../../core/story/drawing.ts';
import type { FrameContext, RecordedMatrix, RecordedTime } from '../../../core/story/frames.ts';
import { bytesBars } from '../../../core/story/plain-verdict.ts';
import type { Drawing, DrawnMark } from '../../../core/story/scene.ts';
import { fact, type Stated, stated } from '../../../core/story/stated.ts';
import { countText } from '../../../core/story/words.ts';
import { WHOLE_MODELS } from '../published.ts';
import type { TwellTrace } from './trace.ts';

/*
 * The last frame: what was measured on the device whose speeds are shown, beside what the paper printed.
 */

/** The recorded block of which the fewest neurons fire. */
interface RecordedBlock {
  readonly block: RecordedMatrix;
  readonly time: RecordedTime;
}

function recordedBlock({ recorded }: FrameContext): RecordedBlock | null {
  let best: RecordedBlock | null = null;
  for (const block of recorded?.matrices ?? []) {
    const { format: time, operation, density } = block;
    if (operation === 'forward' && time && (!best || density < best.block.density)) best = { block, time };
  }
  return best;
}

const published = () => fact('whole models', (WHOLE_MODELS.min + WHOLE_MODELS.max) / 2, 1);

export function verdict(context: FrameContext): Stated {
  const found = recordedBlock(context);
  if (!found)
    return stated`Not timed on this device. Whole models with tensor cores: about *${published()}* times as fast.`;
  const speed = fact('recorded speed', found.time.timesDense, 2);
  if (found.time.timesDense < 1)
    return stated`Without tensor cores it loses, *${speed}* times; whole models with them about *${published()}*.`;
  return stated`Without tensor cores *${speed}* times as fast as dense; whole models with them about *${published()}*.`;
}

/** What differs between the upper and the lower bar. */
const TABLE = [
  ['tensor cores', 'none', 'yes: they multiply blocks at once'],
  ['what is timed', 'one feed-forward block', 'a whole model: other parts gain nothing'],
] as const;

/** 0 the axis, 1 the first bar, 2 the second, 3 what differs. */
export function verdictPicture(t: TwellTrace, context: FrameContext, picture: number): Drawing {
  const { layout } = context;
  const { width, height } = sizeOf(layout);
  const found = recordedBlock(context);
  const marks = found ? speeds(found, layout, picture) : sizes(t, context, picture);
  const isWide = layout === 'wide';
  const small: string[] = [];
  if (found && context.recorded) {
    const { rows, cols, density, date } = found.block;
    small.push(
      `${context.recorded.device}, timed ${date}: ${countText(rows)} tokens, ${countText(density * cols)} of ${countText(cols)} neurons fire.`,
    );
  }
  small.push('The paper: NVIDIA H100.');
  marks.push(words('source', { x: 0, y: isWide ? 318 : 430, w: width }, small.join(' '), { size: isWide ? 12 : 11 }));
  return { width, height, marks };
}

function rangeText(): string {
  return `${WHOLE_MODELS.min.toFixed(2)} to ${WHOLE_MODELS.max.toFixed(2)}`;
}

const WHY = 'Tensor cores make dense faster: skipping gains less.';

/** Two bars on one axis, and the table of what differs. */
function speeds({ time }: RecordedBlock, layout: DrawingLayout, picture: number): DrawnMark[] {
  const isWide = layout === 'wide';
  const { width } = sizeOf(layout);
  const y = 30;
  const ours = picture >= 1;
  const theirs = picture >= 2;
  const marks: DrawnMark[] = [
    ...verdictBars(
      layout,
      [
        {
          id: 'ours',
          title: 'without tensor cores',
          value: ours ? time.timesDense : 0,
          text: ours ? time.timesDense.toFixed(2) : '',
          ...(ours && { more: 'times as fast' }),
          look: 'format',
        },
        {
          id: 'theirs',
          title: 'with tensor cores',
          value: theirs ? WHOLE_MODELS.min : 0,
          text: theirs ? rangeText() : '',
          ...(theirs && { more: 'times as fast' }),
          look: 'format',
        },
      ],
      { y, max: Math.max(3, time.timesDense), share: 1, mark: { value: 1, text: 'dense' } },
    ),
  ];
  if (picture < 3) return marks;
  const top = isWide ? 138 : 178;
  const columns = isWide ? [0, 150, 380] : [0, 88, 190];
  const heads = ['what differs', 'upper bar, measured here', 'lower bar, published'];
  const pitch = isWide ? 30 : 52;
  const size = isWide ? 13 : 11.5;
  for (const [i, cells] of [heads, ...TABLE].entries()) {
    const y = i === 0 ? top : top + (isWide ? 28 : 42) + (i - 1) * pitch;
    if (i > 0) marks.push({ id: `rule ${i}`, shape: 'line', tone: 'neutral', x: 0, y: y - 6, w: width, h: 0 });
    for (const [c, text] of cells.entries()) {
      const w = (columns[c + 1] ?? width) - columns[c] - (c < 2 ? 8 : 0);
      const isValue = i > 0 && c > 0;
      const look = { size, tone: isValue ? ('ink' as const) : ('neutral' as const), strong: i === 1 && c > 0 };
      marks.push(words(`cell ${i},${c}`, { x: columns[c], y, w }, text, look));
    }
  }
  marks.push(words('why', { x: 0, y: isWide ? 238 : 318, w: width }, WHY, { tone: 'ink', strong: true }));
  return marks;
}

/** Bytes, where no time was recorded: of the whole matrix if it is known, else of the window. */
function sizes(t: TwellTrace, { layout, whole }: FrameContext, picture: number): DrawnMark[] {
  const isWide = layout === 'wide';
  const { width } = sizeOf(layout);
  const { rows, cols } = whole ?? t.window;
  const stored = (whole?.ledger ?? t.ledger).totalBytes;
  const marks = [...bytesBars(layout, { title: 'TwELL', dense: rows * cols * 2, stored }, picture / 3)];
  if (picture < 3) return marks;
  const top = isWide ? 150 : 190;
  marks.push(
    words('published', { x: 0, y: top, w: width }, [
      { text: `${rangeText()} times`, strong: true, tone: 'ink' },
      { text: ' as fast as dense: whole models in the paper, with tensor cores.' },
    ]),
    words('why', { x: 0, y: top + (isWide ? 30 : 48), w: width }, WHY, { tone: 'ink', strong: true }),
  );
  return marks;
}
