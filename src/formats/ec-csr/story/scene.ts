import { box, frame, note } from '../../../core/story/marks.ts';
import { type MarkLook, matrixPanel } from '../../../core/story/scene-parts.ts';
import type { Label, Link, Mark, Panel, Scene } from '../../../core/story/scene.ts';
import { codeOf } from './code.ts';
import { narrate } from './narration.ts';
import { extractedBlock, laidOutScene } from './scene-blocks.ts';
import { levelsPanel, overlapPanel } from './scene-levels.ts';
import { multiplyScene } from './scene-multiply.ts';
import type { BarsStage, EcCsrStep, EcCsrTrace, Pair } from './trace.ts';
import { largest } from '../../../core/number/statistics.ts';
import { counted } from '../../../core/story/words.ts';
import type { Block } from '../extract.ts';
import { blockName, type PackedSet } from '../pack.ts';

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
function barsPanel(t: EcCsrTrace, stage: BarsStage): Panel {
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

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: EcCsrTrace, stepNumber: number): Scene {
  const step = stepNumber === 0 ? null : t.steps[stepNumber - 1].detail;
  const { panels, links } = picture(t, step, stepNumber);
  // Of large windows only a page is drawn: a link is left out if one of its ends is not drawn.
  const drawn = new Set(panels.flatMap((panel) => panel.marks.map((mark) => mark.id)));
  const whole = links.filter((link) => drawn.has(link.from) && drawn.has(link.to));
  return { panels, links: whole, narration: narrate(t, step), code: codeOf(t, step) };
}

interface Picture {
  readonly panels: readonly Panel[];
  readonly links: readonly Link[];
}

function picture(t: EcCsrTrace, step: EcCsrStep | null, stepNumber: number): Picture {
  switch (step?.kind) {
    case 'bars':
      return { panels: [barsPanel(t, step.stage)], links: [] };
    case 'lanes':
    case 'memory':
    case 'sets':
      return laidOutScene(t, step, stepNumber);
    case 'gather':
    case 'partials':
    case 'row':
      return multiplyScene(t, step);
    default:
      return extractionScene(t, step ?? null, stepNumber);
  }
}

/** Left: the shared columns. Right: the cells. Below: the extracted block, and the tree of levels. */
function extractionScene(t: EcCsrTrace, step: EcCsrStep | null, stepNumber: number): Picture {
  const pair = step?.kind === 'match' || step?.kind === 'extract' ? t.pairs[step.pair] : null;
  const level = pair?.level ?? (step && 'level' in step ? step.level : 0);
  const rows = pair ? rowsOf(t, pair) : [];
  const panels: Panel[] = [
    overlapPanel(t, level, pair, stepNumber),
    { ...matrixOf(t, pair, rows, stepNumber), band: 1 },
  ];
  const links: Link[] = [];
  if (step?.kind === 'extract' && pair) {
    const extracted = extractedBlock(t, pair.blocks[0]);
    panels.push(extracted.panel);
    for (const link of extracted.links) links.push(link);
  }
  panels.push(levelsPanel(t, stepNumber, pair));
  return { panels, links };
}

function rowsOf(t: EcCsrTrace, { level, unit, partner }: Pair): readonly number[] {
  return [...t.levels[level][unit].rows, ...t.levels[level][partner].rows];
}

/** The cells: shared ones of the pair in the format's colour; extracted ones are pale. */
function matrixOf(t: EcCsrTrace, pair: Pair | null, rows: readonly number[], stepNumber: number): Panel {
  const shared = new Set(pair?.shared);
  const inPair = new Set(rows);
  const look = (row: number, col: number, ordinal: number): MarkLook => {
    if (inPair.has(row) && shared.has(col)) return { tone: 'format', level: 1 };
    const left = t.leftAt[ordinal];
    return left > 0 && left <= stepNumber ? { state: 'dim' } : {};
  };
  const frames = runsOf(rows).map(({ first, count }): Mark =>
    frame(`rows ${first}`, 0, first, Math.max(1, t.window.cols), count, {
      focus: true,
      label: count === 1 ? `row ${first}` : `rows ${first} to ${first + count - 1}`,
    }),
  );
  return matrixPanel(t.window, { row: rows[0] ?? 0, look, overlay: frames });
}

/** Neighbouring rows as one, so that their frames do not touch. */
function runsOf(rows: readonly number[]): readonly { readonly first: number; readonly count: number }[] {
  const runs: { first: number; count: number }[] = [];
  for (const row of rows.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last.first + last.count === row) last.count++;
    else runs.push({ first: row, count: 1 });
  }
  return runs;
}
