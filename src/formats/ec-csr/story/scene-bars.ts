import { box, note } from '../../../core/story/marks.ts';
import { largest } from '../../../core/number/statistics.ts';
import type { Label, Mark, Panel } from '../../../core/story/scene.ts';
import { counted } from '../../../core/story/words.ts';
import type { Block } from '../extract.ts';
import { blockName, type PackedSet } from '../pack.ts';
import type { BarsStage, EcCsrTrace } from './trace.ts';

/** Extent of the panel: all bars share its width, and the largest bar has its height minus a line for the numbers. */
const WIDTH = 100;
const HEIGHT = 8;
/** Room at the left for half of the word over the first bar. */
const LEFT = 5;
/** Maximum width of a bar, for few blocks. */
const WIDEST_BAR = 8;
/** Most bars with their number written above. */
const MAX_NUMBERS = 24;

/** Work per lane group: a bar per block, as high as its stored values; as found, clipped, and in storage order. */
export function barsPanel(t: EcCsrTrace, stage: BarsStage): Panel {
  const found = foundBars(t);
  const stored = storedBars(t);
  // Before they are ordered, the stored blocks are in the order of their rows, so that ordering them is visible.
  const clipped = stored.toSorted((a, b) => a.firstRow - b.firstRow);
  const shown = { found, clipped, ordered: stored }[stage];
  // The same scale in all three steps, so that clipping shows.
  const all = [...found, ...stored].map((b) => b.work);
  const max = largest(all, 1);
  const pitch = Math.min(WIDEST_BAR, (WIDTH - LEFT) / Math.max(1, shown.length));
  const marks = shown.flatMap(({ id, work, granularity, part, rows }, i): Mark[] => {
    const height = (work / max) * (HEIGHT - 1);
    const [x, y, w] = [LEFT + i * pitch, HEIGHT - height, pitch * 0.85];
    const label = `${blockName(part)} of ${rows}: ${counted(work, 'stored value')}`;
    const level = (part === 'short' ? 0.2 : 0.35) + 0.2 * Math.log2(granularity);
    const bar = box(`bar ${id}`, x, y, { w, h: height, tone: 'format', level, label });
    if (shown.length > MAX_NUMBERS) return [bar];
    return [bar, note(`work ${id}`, x, y - 1, pitch, String(work))];
  });
  const works = shown.map((b) => b.work);
  const maxShown = largest(works, 0);
  return {
    id: 'bars',
    title: 'stored values per block',
    caption: `${counted(shown.length, 'block')}, the largest with ${counted(maxShown, 'value')}`,
    unit: 'bar',
    columns: WIDTH,
    rows: HEIGHT,
    ...(stage !== 'clipped' && { columnLabels: setLabels(shown, pitch) }),
    marks,
  };
}

/** Over the middle of the blocks of each set, which are adjacent; before there are sets, of each granularity. */
function setLabels(shown: readonly Bar[], pitch: number): Label[] {
  const cut = new Set(shown.filter(({ part }) => part === 'short').map(({ granularity }) => granularity));
  const names = shown.map(({ granularity, part }) =>
    cut.has(granularity) ? `${counted(granularity, 'row')}, ${part}` : counted(granularity, 'row'),
  );
  return [...new Set(names)].map((text) => {
    const middle = (names.indexOf(text) + names.lastIndexOf(text)) / 2;
    return { at: LEFT + (middle + 0.4) * pitch, text, strong: true };
  });
}

interface Bar {
  readonly id: string;
  readonly granularity: number;
  readonly part: PackedSet['part'];
  readonly work: number;
  readonly rows: string;
  readonly firstRow: number;
}

function foundBars(t: EcCsrTrace): Bar[] {
  return t.extraction.sets
    .flatMap(({ granularity, blocks }) =>
      blocks.map((block, i) => barOf(`found ${granularity}.${i}`, granularity, 'all', block)),
    )
    .toReversed();
}

/** In the order of storage. */
function storedBars(t: EcCsrTrace): Bar[] {
  return t.sets.flatMap(({ granularity, part, blocks }, set) =>
    blocks.map((block, i) => barOf(`stored ${set}.${i}`, granularity, part, block)),
  );
}

function barOf(id: string, granularity: number, part: PackedSet['part'], { rows, columns }: Block): Bar {
  return { id, granularity, part, work: columns.length * granularity, rows: rowsText(rows), firstRow: rows[0] };
}

function rowsText(rows: Uint32Array): string {
  return rows.length === 1 ? `row ${rows[0]}` : `rows ${rows.join('+')}`;
}
