import type { Label, Mark, Panel } from '../../core/scene.ts';
import { counted } from '../../core/words.ts';
import type { EcCsrTrace } from './trace.ts';

/** Extent of the panel: all bars share its width, and the largest one has its height but a line for the numbers. */
const WIDTH = 100;
const HEIGHT = 8;
/** Room at the left for half of the word over the first bar. */
const LEFT = 5;
/** Of few blocks every bar stays narrow. */
const WIDEST_BAR = 8;
/** Up to so many bars have their number written above. */
const MOST_NUMBERS = 24;

/** Work per lane group: a bar per block as high as its stored values, as found, clipped, and in storage order. */
export function barsPanel(t: EcCsrTrace, stage: 'found' | 'clipped' | 'ordered'): Panel {
  const bars = stage === 'found' ? foundBars(t) : clippedBars(t);
  const shown = stage === 'ordered' ? bars.toSorted((a, b) => b.granularity - a.granularity || b.work - a.work) : bars;
  // The same scale in all three steps, so that clipping shows.
  const most = Math.max(1, ...foundBars(t).map((b) => b.work), ...bars.map((b) => b.work));
  const pitch = Math.min(WIDEST_BAR, (WIDTH - LEFT) / Math.max(1, shown.length));
  const marks = shown.flatMap(({ id, work, granularity, rows }, i): Mark[] => {
    const height = (work / most) * (HEIGHT - 1);
    const [x, y, w] = [LEFT + i * pitch, HEIGHT - height, pitch * 0.85];
    const label = `block of ${rows}: ${counted(work, 'stored value')}`;
    const level = 0.35 + 0.2 * Math.log2(granularity);
    const bar: Mark = { id: `bar ${id}`, shape: 'box', x, y, w, h: height, tone: 'format', level, label };
    if (shown.length > MOST_NUMBERS) return [bar];
    const number = { x, y: y - 1, w: pitch, h: 1, tone: 'neutral', text: String(work) } as const;
    return [bar, { id: `work ${id}`, shape: 'text', ...number }];
  });
  const largest = Math.max(0, ...shown.map((b) => b.work));
  return {
    id: 'bars',
    title: 'stored values per block',
    caption: `${counted(shown.length, 'block')}, the largest with ${counted(largest, 'value')}`,
    unit: 'bar',
    columns: WIDTH,
    rows: HEIGHT,
    ...(stage !== 'clipped' && { columnLabels: granularityLabels(shown, pitch) }),
    marks,
  };
}

/** Over the middle of the blocks of each granularity, which stand together. */
function granularityLabels(shown: readonly Bar[], pitch: number): Label[] {
  const granularities = [...new Set(shown.map((bar) => bar.granularity))];
  return granularities.map((granularity) => {
    const first = shown.findIndex((bar) => bar.granularity === granularity);
    const last = shown.findLastIndex((bar) => bar.granularity === granularity);
    return { at: LEFT + ((first + last) / 2 + 0.4) * pitch, text: counted(granularity, 'row'), strong: true };
  });
}

interface Bar {
  readonly id: string;
  readonly granularity: number;
  readonly work: number;
  readonly rows: string;
}

function foundBars(t: EcCsrTrace): Bar[] {
  return t.extraction.sets
    .flatMap(({ granularity, blocks }) =>
      blocks.map(({ rows, columns }, i) => ({
        id: `found ${granularity}.${i}`,
        granularity,
        work: columns.length * granularity,
        rows: rowsText(rows),
      })),
    )
    .toReversed();
}

/** The stored blocks in the order of their rows, so that ordering them is a step of its own. */
function clippedBars(t: EcCsrTrace): Bar[] {
  return t.sets
    .flatMap(({ granularity, blocks }, set) =>
      blocks.map(({ rows, columns }, i) => ({
        id: `stored ${set}.${i}`,
        granularity,
        work: columns.length * granularity,
        rows: rowsText(rows),
        first: rows[0],
      })),
    )
    .toSorted((a, b) => a.first - b.first);
}

function rowsText(rows: Uint32Array): string {
  return rows.length === 1 ? `row ${rows[0]}` : `rows ${rows.join('+')}`;
}
