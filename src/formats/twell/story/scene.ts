import type { Link, Panel, Scene, Tone } from '../../../core/story/scene.ts';
import { codeOf } from './code.ts';
import { narrate } from './narration.ts';
import { ellScene } from './scene-ell.ts';
import { backwardScene } from './scene-backward.ts';
import { gateScene } from './scene-gate.ts';
import { hybridScene } from './scene-hybrid.ts';
import { overflowScene } from './scene-overflow.ts';
import { publishedScene } from './scene-published.ts';
import { activationsPanel, FEW_ROWS, type Picture, type Place } from './scene-activations.ts';
import { wordScene } from './scene-word.ts';
import { cellsOf, type TwellStep, type TwellTrace } from './trace.ts';
import {
  cellName,
  curve,
  elementName,
  memoryPanels,
  type SlotLine,
  slotPanel,
} from '../../../core/story/scene-parts.ts';
import { countAt, entryAt } from '../layout.ts';
import { isPacked, nowPanel, packedPanel } from './scene-packed.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import { BYTE_CLASSES } from '../../../core/encoded/ledger.ts';
import { bitsText, countText, valueText } from '../../../core/story/words.ts';
import { barsPanel } from '../../../core/story/bars-panel.ts';
import { vectorPanels } from '../../../core/story/scene-vectors.ts';

type RowStep = Extract<TwellStep, { kind: 'row' }>;
type WalkStep = Extract<TwellStep, { kind: 'walk' | 'walked' }>;

/** Chapter 5, first part: y = h x, a token at a time. */
function rowScene(t: TwellTrace, { row }: RowStep, stepNumber: number): Picture {
  const reads = cellsOf(t.kept, row, 0, t.window.cols);
  const near = Math.floor((reads[0] ?? 0) / t.encoded.tileWidth);
  const place: Place = { row, tile: null, near, max: FEW_ROWS };
  return {
    panels: [
      activationsPanel(t, place),
      packedPanel(t, place, stepNumber),
      ...vectorPanels({
        x: t.x,
        reads,
        y: (r) => (r <= row ? t.sums[r] : null),
        rows: t.window.rows,
        writes: [row],
      }),
    ],
    links: [],
  };
}

/** Chapter 5, second part: one non-zero of one token meets a column of Wu and a row of Wd. */
function walkScene(t: TwellTrace, step: WalkStep, stepNumber: number): Picture {
  const { entries, row } = t.walk;
  const number = step.kind === 'walk' ? step.entry : entries.length - 1;
  const { element, tile, column } = entries[number];
  const place: Place = step.kind === 'walk' ? { row, tile, element, max: 1 } : { row, tile: null, near: tile, max: 1 };
  const about = step.kind === 'walk' ? step.about : 'walked';
  const links: readonly Link[] = step.kind === 'walk' && about === 'entry' ? [curve(`value ${element}`, 'Wu[0]')] : [];
  return {
    panels: [
      activationsPanel(t, place, (r, c) => (r === row && c === column ? { focus: true } : { focus: false })),
      packedPanel(t, place, stepNumber),
      blockPanel(t, number, about),
    ],
    links,
  };
}

/** Lines of the block that belong together, and the gap between those and the next, in lines. */
const PAIR = 2;
const ROOM = 0.35;

/**
 * The column of Wu and x, h and u, the row of Wd and y, each as a line of slots. Panel id 'block', without a title: the
 * curve comes from above.
 */
function blockPanel({ block, walk }: TwellTrace, number: number, about: 'entry' | 'up' | 'down' | 'walked'): Panel {
  const { width, x, up, down } = block;
  const { column, u, h, y } = walk.entries[number];
  const before = number > 0 ? walk.entries[number - 1].y : new Float64Array(width);
  const isAdded = about === 'down' || about === 'walked';
  const line = (
    array: string,
    tone: Tone,
    values: ArrayLike<number>,
    ...focusIn: readonly (typeof about)[]
  ): SlotLine => ({
    array,
    length: values.length,
    tone,
    text: (k) => valueText(values[k]),
    look: () => (focusIn.includes(about) ? { focus: true } : {}),
  });
  const panel = slotPanel({
    id: 'block',
    focus: 0,
    lines: [
      line('Wu', 'neutral', up.subarray(column * width, (column + 1) * width), 'up'),
      line('x', 'neutral', x, 'up'),
      line('h', 'values', [h], 'entry', 'down'),
      { ...line('u', 'format', [u], 'up', 'down'), present: () => about !== 'entry' },
      line('Wd', 'neutral', down.subarray(column * width, (column + 1) * width), 'down'),
      line('y', 'format', isAdded ? y : before, 'down'),
    ],
  });
  const apart = (at: number): number => at + ROOM * Math.floor(at / PAIR);
  return {
    ...panel,
    rows: apart(panel.rows - 1) + 1,
    rowLabels: (panel.rowLabels ?? []).map((label) => ({ ...label, at: apart(label.at) })),
    marks: panel.marks.map((mark) => ({ ...mark, y: apart(mark.y) })),
  };
}

/** With more links than this the picture is unreadable. */
const MAX_LINKS = 8;

/** The arrays as bytes; words in halves, since a half is a column and a half a value. */
function tileMemory(t: TwellTrace, { row, tile }: Place, stepNumber: number): readonly Panel[] {
  const { encoded: e, params } = t;
  const tileRow = row * e.tiles + (tile ?? 0);
  const present = (element: number): boolean => isPacked(t, Math.floor(element / e.slots), stepNumber);
  const isEntry = (element: number): boolean => {
    const at = Math.floor(element / e.slots);
    return element >= entryAt(e, at, 0) && element < entryAt(e, at, countAt(e, at));
  };
  if (params.layout === 'packed') {
    const halves = new Uint16Array(e.words.buffer, e.words.byteOffset, e.words.length * 2);
    return memoryPanels([
      {
        array: 'half words',
        title: 'words',
        data: halves,
        tone: (half) => {
          const element = half >> 1;
          if (element % e.slots === 0) return 'metadata';
          return isEntry(element) ? (half % 2 === 0 ? 'indices' : 'values') : 'padding';
        },
        present: (half) => present(half >> 1),
        look: (half) => ({ about: [elementName('words', half >> 1)] }),
        focus: tileRow * e.slots * 2,
      },
    ]);
  }
  const focus = tileRow * e.slots;
  return memoryPanels([
    { array: 'values', data: e.values, tone: (i) => (isEntry(i) ? 'values' : 'padding'), present, focus },
    { array: 'indices', data: e.indices, tone: (i) => (isEntry(i) ? 'indices' : 'padding'), present, focus },
    { array: 'counts', data: e.counts, tone: 'metadata', present: (i) => isPacked(t, i, stepNumber), focus: tileRow },
  ]);
}

/** Chapter 2: a tile of one token moves to the left; or, at its end, all of a tile. */
function tilesScene(t: TwellTrace, place: Place & { readonly tile: number }, stepNumber: number): Picture {
  const { encoded: e } = t;
  const { row, tile } = place;
  const links: Link[] = [];
  if (!place.whole && (t.overflow?.byRow[row] ?? 0) === 0) {
    const first = entryAt(e, row * e.tiles + tile, 0);
    const columns = cellsOf(t.kept, row, tile * e.tileWidth, (tile + 1) * e.tileWidth);
    columns.slice(0, MAX_LINKS).forEach((column, i) => {
      const to = `now value ${first + i}`;
      links.push({ id: `pack ${i}`, from: cellName(row, column), to, kind: 'curve', tone: 'neutral' });
    });
  }
  return {
    panels: [
      activationsPanel(t, place),
      ...(e.rows > 0 ? [nowPanel(t, place, tile, stepNumber)] : []),
      packedPanel(t, place, stepNumber),
      ...tileMemory(t, place, stepNumber),
    ],
    links,
  };
}

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: TwellTrace, stepNumber: number): Scene {
  const step = stepNumber === 0 ? null : t.steps[stepNumber - 1].detail;
  const { panels, links } = picture(t, step, stepNumber);
  // Of large windows only a page is drawn: a link is left out if one of its ends is not drawn.
  const drawn = new Set(panels.flatMap((panel) => panel.marks.map((mark) => mark.id)));
  return {
    panels,
    links: links.filter((link) => drawn.has(link.from) && drawn.has(link.to)),
    narration: narrate(t, step),
    code: codeOf(step, t.params),
  };
}

function picture(t: TwellTrace, step: TwellStep | null, stepNumber: number): Picture {
  switch (step?.kind) {
    case undefined:
      return ellScene(t, null);
    case 'ell':
      return ellScene(t, step.about);
    case 'gate':
      return gateScene(t, step);
    case 'pack':
    case 'refuse':
      return tilesScene(t, step, stepNumber);
    case 'empty':
      return tilesScene(t, step, stepNumber);
    case 'tile':
      return tilesScene(t, { row: Math.max(0, t.window.rows - 1), tile: step.tile, whole: true }, stepNumber);
    case 'nothing':
      return { panels: [activationsPanel(t, { row: 0, tile: null })], links: [] };
    case 'word':
      return wordScene(t, step.about, stepNumber);
    case 'overflow':
      return overflowScene(t, step.about);
    case 'published':
      return publishedScene(t, step.beyond);
    case 'row':
      return rowScene(t, step, stepNumber);
    case 'walk':
    case 'walked':
      return walkScene(t, step, stepNumber);
    case 'route':
    case 'routed':
    case 'transpose':
      return hybridScene(t, step);
    case 'backward':
      return backwardScene(t, step);
    case 'skipped':
      return { panels: [skippedPanel(t, step.about)], links: [] };
  }
}

type About = Extract<TwellStep, { kind: 'skipped' }>['about'];

/** Chapter 7: what is not computed and not stored. */
function skippedPanel(t: TwellTrace, about: About): Panel {
  switch (about) {
    case 'adds':
      return addsPanel(t);
    case 'bytes':
      return bytesPanel(t);
    case 'limit':
      return limitPanel(t);
  }
}

/** Multiply-adds per input or output of the block, K of them each, for all tokens, including those that do not fit. */
function addsPanel({ window: { rows, cols, nnz } }: TwellTrace): Panel {
  const cells = rows * cols;
  const line = (id: string, label: string, value: number, isSparse: boolean) => ({
    id,
    label,
    strong: isSparse,
    parts: [{ value, tone: isSparse ? ('format' as const) : ('neutral' as const) }],
    words: countText(value),
  });
  return barsPanel({
    id: 'adds',
    title: 'multiply-adds',
    caption: 'per input or output of the block',
    bars: [
      line('gate', 'gate', cells, false),
      line('dense up', 'up, dense', cells, false),
      line('sparse up', 'up, TwELL', nnz, true),
      line('dense down', 'down, dense', cells, false),
      line('sparse down', 'down, TwELL', nnz, true),
    ],
  });
}

/** The window's bytes by class, below those of dense. */
function bytesPanel({ kept, ledger, encoded }: TwellTrace): Panel {
  const dense = (kept.rows * kept.cols * VALUE_BITS[encoded.valueType]) / 8;
  return barsPanel({
    id: 'bytes',
    title: 'bytes of this window',
    caption: `${valueText(ledger.effectiveDensity)} of dense ${encoded.valueType}`,
    bars: [
      { id: 'dense', label: 'dense', parts: [{ value: dense, tone: 'neutral' }], words: `${countText(dense)} B` },
      {
        id: 'stored',
        label: 'TwELL',
        strong: true,
        parts: BYTE_CLASSES.map((byteClass) => ({
          value: ledger.totalBits[byteClass] / 8,
          tone: byteClass,
          label: `${byteClass}: ${bitsText(ledger.totalBits[byteClass])}`,
        })),
        words: `${countText(ledger.totalBytes)} B`,
      },
    ],
  });
}

/** The upper bound on the gain of skipping, by density: three GEMMs against one and two walks. */
function limitPanel({ window: { rows, cols, nnz } }: TwellTrace): Panel {
  const density = rows * cols === 0 ? 0 : nnz / (rows * cols);
  const speed = (d: number): number => 3 / (1 + 2 * d);
  const line = (id: string, label: string, d: number, isThis: boolean) => ({
    id,
    label,
    strong: isThis,
    parts: [{ value: speed(d), tone: isThis ? ('format' as const) : ('neutral' as const) }],
    words: `${speed(d).toFixed(2)}×`,
  });
  return barsPanel({
    id: 'limit',
    title: 'at most so many times as fast',
    caption: 'by multiply-adds; N = 5\u202f632',
    bars: [
      line('none', 'no non-zero', 0, false),
      line('mean 30', '30 per token', 30 / 5632, false),
      line('mean 400', '400 per token', 400 / 5632, false),
      line('mean 911', '911 per token', 911 / 5632, false),
      line('here', 'this window', density, true),
      line('all', 'all', 1, false),
    ],
  });
}
