import type { Mark, Panel } from '../../core/scene.ts';
import { counted } from '../../core/words.ts';
import type { EcCsrTrace } from './trace.ts';

const WIDTH = 100;
/** Bars that are drawn; the others are counted in the caption. */
const MOST_BARS = 20;

/** Work per lane group: stored values per block, as found, clipped, and in storage order. Panel id 'bars'. */
export function barsPanel(t: EcCsrTrace, stage: 'found' | 'clipped' | 'ordered'): Panel {
  const bars = stage === 'found' ? foundBars(t) : clippedBars(t);
  const ordered =
    stage === 'ordered' ? bars.toSorted((a, b) => b.granularity - a.granularity || b.work - a.work) : bars;
  const shown = ordered.slice(0, MOST_BARS);
  const most = Math.max(1, ...foundBars(t).map((b) => b.work), ...bars.map((b) => b.work));
  const marks = shown.flatMap(({ id, work, granularity, rows }, y): Mark[] => [
    {
      id: `bar ${id}`,
      shape: 'box',
      x: 0,
      y,
      w: Math.max(0.5, (work / most) * WIDTH * 0.8),
      h: 0.8,
      tone: 'format',
      level: 0.35 + 0.2 * Math.log2(granularity),
      label: `block of rows ${rows}: ${counted(work, 'stored value')}`,
    },
    {
      id: `work ${id}`,
      shape: 'text',
      x: (work / most) * WIDTH * 0.8 + 1,
      y,
      w: 20,
      h: 0.8,
      tone: 'neutral',
      text: String(work),
    },
  ]);
  const rest = ordered.length - shown.length;
  return {
    id: 'bars',
    title: 'stored values per block',
    caption: rest > 0 ? `${counted(rest, 'shorter or later block')} not drawn` : counted(ordered.length, 'block'),
    unit: 'bar',
    columns: WIDTH,
    rows: Math.max(1, shown.length),
    rowLabels: shown.map(({ rows }, y) => ({ at: y, text: rows })),
    marks,
  };
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
