import { cellText, counter, type DrawingLayout, GUTTER, polyline, sizeOf, words } from '../../../core/story/drawing.ts';
import type { Drawing, DrawnLink, DrawnMark } from '../../../core/story/scene.ts';
import { cellName } from '../../../core/story/scene-parts.ts';
import { countText, counted } from '../../../core/story/words.ts';
import { firedOf, type Subjects } from './script-find.ts';
import { cellLabel, fitted, gridCells, type Rect, tokenGrid, valuesOf } from './script-grid.ts';
import { rowLength, type TwellTrace } from './trace.ts';

/*
 * The work that is left, of a block of three products: gate in full, up and down for what fired.
 */

/** Inputs, and outputs, of the block whose work is counted: that of the recorded one, and of the paper's 1.5B model. */
const BLOCK_WIDTH = 2048;

/** Multiply-adds of the block for the tokens that fit. */
export function workOf(
  t: TwellTrace,
  { kept }: Subjects,
): { readonly each: number; readonly left: number; readonly fired: number; readonly numbers: number } {
  const numbers = kept.length * t.window.cols;
  const fired = firedOf(t, kept);
  return { each: numbers * BLOCK_WIDTH, left: fired * BLOCK_WIDTH, fired, numbers };
}

/** Work so far: gate is done, and of up and down `done` multiply-adds each. */
function workCounter(
  layout: DrawingLayout,
  each: number,
  done: { readonly gate: number; readonly others: number | null },
): readonly DrawnMark[] {
  const others = done.others ?? each;
  const isPale = done.others === null;
  const sum = done.gate + 2 * (done.others ?? 0);
  const part = (name: string, value: number, pale: boolean) => ({
    tone: 'format' as const,
    value,
    room: each,
    isPale: pale,
    label: `${name} ${countText(value)}${layout === 'wide' && isPale ? (pale ? ', to do' : ', done') : ''}`,
  });
  return counter(layout, {
    title: 'work',
    parts: [part('gate', done.gate, false), part('up', others, isPale), part('down', others, isPale)],
    of: 3 * each,
    number: countText(sum),
    unit: `of ${countText(3 * each)}`,
    note: done.others === null ? 'multiply-adds' : `multiply-adds: ${Math.round((100 * sum) / (3 * each))}\u202f%`,
  });
}

/** More cells than this are drawn as a bar a token. */
const MAX_BARS = 640;

/** What a product takes and gives. */
const PRODUCTS = { gate: 'gate, then ReLU', up: 'up, times gate', down: 'down, of both' };

/** Gate: 0 nothing is done, 1 it is. */
export function gateInFull(t: TwellTrace, subjects: Subjects, layout: DrawingLayout, picture: number): Drawing {
  const { width, height } = sizeOf(layout);
  const isWide = layout === 'wide';
  const { each, numbers } = workOf(t, subjects);
  const { kept } = subjects;
  const perToken = numbers <= MAX_BARS ? Math.max(1, t.window.cols) : 1;
  const marks: DrawnMark[] = [];
  const links: DrawnLink[] = [];
  const grids = (['gate', 'up', 'down'] as const).map((name, i) => {
    const at = isWide ? { x: i * 264, y: 26, w: 232, h: 106 } : { x: 70, y: 4 + i * 84, w: 270, h: 72 };
    return { name, at };
  });
  for (const [i, { name, at }] of grids.entries()) {
    const isDone = name === 'gate' && picture > 0;
    const pitch = perToken === 1 ? at.w : Math.min(40, at.w / perToken);
    const line = Math.min(22, at.h / Math.max(1, kept.length));
    for (const [r, row] of kept.entries())
      for (let c = 0; c < perToken; c++) {
        const place = {
          x: at.x + c * pitch,
          y: at.y + r * line,
          w: pitch - (pitch < 8 ? pitch * 0.2 : 2),
          h: line - (line < 8 ? line * 0.15 : 2),
        };
        const id = `${name} ${row},${c}`;
        marks.push(
          isDone
            ? { id, shape: 'box', tone: 'format', level: 1, ...place }
            : { id, shape: 'box', tone: 'format', level: 0, ...place },
        );
      }
    const said = isDone
      ? `all ${countText(numbers)}, done`
      : name === 'gate'
        ? `${countText(numbers)} to compute`
        : `${countText(numbers)} if dense`;
    const bottom = at.y + kept.length * line;
    marks.push(
      words(`name ${name}`, isWide ? { x: at.x, y: 0 } : { x: 0, y: at.y }, isWide ? PRODUCTS[name] : name, {
        size: 15,
        strong: true,
        tone: 'ink',
      }),
      words(`said ${name}`, isWide ? { x: at.x, y: bottom + 4 } : { x: 0, y: at.y + 20, w: 64 }, said, {
        size: isWide ? 13 : 11,
        ...(isDone ? { strong: true, tone: 'ink' } : {}),
      }),
    );
    if (isWide && i > 0) {
      const middle = at.y + (kept.length * line) / 2;
      const from = grids[i - 1].at.x + (perToken === 1 ? at.w : Math.min(40 * perToken, at.w));
      const tip = at.x - 8;
      marks.push(
        polyline(
          `arrow ${name}`,
          [
            [from + 5, middle],
            [tip, middle],
            [tip - 5, middle - 3],
            [tip, middle],
            [tip - 5, middle + 3],
          ],
          { tone: 'ink' },
        ),
      );
    }
  }
  const y = isWide ? 178 : 272;
  marks.push(
    words(
      'block',
      { x: 0, y, w: width },
      `A feed-forward block, ${countText(BLOCK_WIDTH)} wide: three equal products, ${countText((numbers / Math.max(1, kept.length * perToken)) * BLOCK_WIDTH)} multiply-adds a bar.`,
      { tone: 'ink', size: isWide ? 14 : 13 },
    ),
    words('why', { x: 0, y: y + (isWide ? 24 : 42), w: width }, 'Only gate shows who fired, so it skips nothing.', {
      size: isWide ? 14 : 13,
    }),
  );
  for (const mark of workCounter(layout, each, { gate: picture > 0 ? each : 0, others: null })) marks.push(mark);
  return { width, height, marks, links };
}

/** The question of how much work is left: 0 before, 1 after the answer. */
export function whatIsLeft(t: TwellTrace, subjects: Subjects, layout: DrawingLayout, picture: number): Drawing {
  const { width, height } = sizeOf(layout);
  const isWide = layout === 'wide';
  const { each, fired, numbers } = workOf(t, subjects);
  const grid = tokenGrid(layout, t, subjects.kept, { y: 0, height: isWide ? 200 : 210, hasHeading: true, maxCell: 26 });
  const marks: DrawnMark[] = [...grid.labels, ...gridCells(t, grid, { zeros: 'blank', isPlain: true })];
  const x = isWide ? GUTTER : 0;
  const y = grid.bottom + 14;
  marks.push(words('gate said', { x, y, w: width - x }, 'Gate was a third.'));
  if (picture > 0) {
    const share = (part: number): string => `${((100 * part) / (3 * each)).toFixed(1)}\u202f%`;
    marks.push(
      words(
        'sum',
        { x, y: y + (isWide ? 26 : 42), w: width - x },
        [
          { text: `${share(each)} + ${share(2 * fired * BLOCK_WIDTH)} = ` },
          { text: share(each + 2 * fired * BLOCK_WIDTH), strong: true, tone: 'ink' },
          ...(isWide ? [{ text: `: gate, then up and down for ${countText(fired)} of ${countText(numbers)}` }] : []),
        ],
        { size: 14 },
      ),
    );
  }
  return { width, height, marks };
}

const KEPT = ' Skipped weights stay stored: work is saved, not space.';

/** Up and down: `opened` of what fired is read; `isCounted`: the counter has shrunk. */
export function onlyWhatFired(
  t: TwellTrace,
  subjects: Subjects,
  layout: DrawingLayout,
  { opened, isCounted }: { readonly opened: number; readonly isCounted: boolean },
): Drawing {
  const { width, height } = sizeOf(layout);
  const isWide = layout === 'wide';
  const { each, left, fired, numbers } = workOf(t, subjects);
  const grid = tokenGrid(layout, t, subjects.kept, {
    y: 0,
    height: isWide ? 236 : 328,
    hasHeading: true,
    maxCell: 42,
    more: (row) => `${countText(rowLength(t.window, row))} of ${countText(t.window.cols)}`,
  });
  const marks: DrawnMark[] = [...grid.labels];
  const blanks = gridCells(t, grid, { zeros: 'blank', isPlain: true });
  const isHalved = grid.isNumbered;
  let read = 0;
  const open = new Map<string, DrawnMark[]>();
  for (const row of subjects.kept) {
    for (const [col, value] of valuesOf(t, row)) {
      const rect = grid.cell(row, col);
      const isOpen = read < opened;
      read++;
      const label = cellLabel(row, col, value);
      const about = [cellName(row, col)];
      const half = (rect.h - 1) / 2;
      const upper: Rect = isHalved ? { ...rect, h: half } : rect;
      open.set(cellName(row, col), [
        {
          id: cellName(row, col),
          shape: 'box',
          tone: 'values',
          level: isOpen ? 1 : 0.15,
          ...(isOpen ? upper : rect),
          ...(isHalved ? fitted(cellText(value, rect.w), rect.w, 10) : {}),
          label: `${label}; read from up`,
          about,
        },
        ...(isOpen && isHalved
          ? [
              {
                id: `down ${row},${col}`,
                shape: 'box' as const,
                tone: 'values' as const,
                level: 1,
                ...rect,
                y: rect.y + half + 1,
                h: half,
                label: `${label}; read from down`,
                about,
                from: cellName(row, col),
              },
            ]
          : []),
      ]);
    }
  }
  for (const blank of blanks) for (const mark of open.get(blank.id) ?? [blank]) marks.push(mark);
  const x = isWide ? GUTTER : 0;
  const width1 = isWide ? 0 : width;
  const reads = opened < fired ? '' : `${counted(fired, 'read')}, ${countText(numbers - fired)} skipped. `;
  const y = grid.bottom + (isWide ? 8 : 6);
  for (const mark of [
    words(
      'reads',
      { x, y, w: width1 },
      [
        { text: reads, strong: true, tone: 'ink' },
        {
          text: isHalved
            ? `A read: ${countText(BLOCK_WIDTH)} weights of up (above), ${countText(BLOCK_WIDTH)} of down (below).`
            : `A read: ${countText(BLOCK_WIDTH)} weights of up and ${countText(BLOCK_WIDTH)} of down.`,
        },
        ...(opened < fired || isWide ? [] : [{ text: KEPT }]),
      ],
      { size: isWide ? 13 : 12 },
    ),
    ...(opened < fired || !isWide ? [] : [words('kept', { x, y: y + 19 }, KEPT.trim(), { size: 13 })]),
    ...workCounter(layout, each, { gate: each, others: isCounted ? left : null }),
  ])
    marks.push(mark);
  return { width, height, marks };
}
