import { type DrawingLayout, GUTTER, NARROW, sizeOf, words } from '../../../../core/story/drawing.ts';
import type { Drawing } from '../../../../core/story/scene.ts';
import { countText, listText } from '../../../../core/story/words.ts';
import type { Block } from '../../extract.ts';
import { type Facts, type Joined, joinedOf } from './facts.ts';
import {
  type Area,
  blockMarks,
  blockWidth,
  drawingOf,
  type Drawn,
  gridLabels,
  gridOf,
  hiddenNote,
  inWords,
  lines,
  numbersCounter,
  rowsText,
  shelved,
  weight,
} from './parts.ts';
import { allColumns, matrixGrid, pairGrid } from './matrix.ts';

/* Pictures of blocks of two and four rows: how they leave the matrix, and join. */

const BELOW = { wide: { x: 12, y: 172, w: 748, h: 118 }, narrow: { x: 0, y: 172, w: 340, h: 218 } } as const;

/** Advance of a letter of a title, points. */
const TITLE_ADVANCE = 6.5;

const SMALL = { wide: { x: 22.5, y: 15 }, narrow: { x: 24, y: 17 } } as const;

/** Blocks of two rows in the order in which they are taken out, that of the first pair first. */
function pairBlocks({ t, first }: Facts): readonly Block[] {
  const all = t.levels.length > 1 ? t.levels[1] : [];
  const own = new Set(first?.pair.blocks);
  return [...all.filter((_, i) => own.has(ownBlock(t, i))), ...all.filter((_, i) => !own.has(ownBlock(t, i)))];
}

const ownBlock = (t: Facts['t'], unit: number): Block =>
  t.pairs.filter(({ level }) => level === 0).flatMap(({ blocks }) => blocks)[unit];

/** How many pictures frame 4 has: the first block, the others in up to three goes, and the rings. */
export function pairGoes(facts: Facts): number {
  const first = facts.first?.pair.blocks.length ?? 0;
  return Math.min(3, pairBlocks(facts).length - first);
}

/** Frame 4: the other pairs do the same, and single weights are left over. */
export function otherPairs(facts: Facts, layout: DrawingLayout, picture: number): Drawing {
  const blocks = pairBlocks(facts);
  const first = facts.first?.pair.blocks.length ?? 0;
  const goes = pairGoes(facts);
  const count = picture === 0 ? first : picture >= goes ? blocks.length : first + picture;
  const out = new Map<number, Set<number>>();
  for (const { rows, columns } of blocks.slice(0, count)) {
    for (const row of rows) {
      const own = out.get(row) ?? new Set<number>();
      for (const col of columns) own.add(col);
      out.set(row, own);
    }
  }
  const singles = facts.t.extraction.sets[0].blocks;
  const grid = matrixGrid(facts, layout, [...new Set(singles.flatMap(({ columns }) => Array.from(columns)))]);
  const isEnd = picture > goes;
  const rings = new Set(singles.flatMap(({ rows, columns }) => Array.from(columns, (col) => `cell ${rows[0]},${col}`)));
  const marks: Drawn[] = pairGrid(facts, grid, grid.rows, (row, col) => out.get(row)?.has(col) === true).map((mark) =>
    isEnd && rings.has(mark.id) ? { ...mark, focus: true } : mark,
  );
  marks.push(gridLabels(grid));
  const area = { ...BELOW[layout], y: Math.max(BELOW[layout].y, grid.area.y + grid.area.h + 14) };
  const { placed, hidden } = shelved(
    blocks,
    { ...area, h: BELOW[layout].y + BELOW[layout].h - area.y },
    SMALL[layout],
    { behind: 24 },
  );
  for (const { block, x, y, unit } of placed.slice(0, count)) {
    marks.push(blockMarks(facts, block, { x, y, unit }));
    if (unit.y > 9)
      marks.push(
        words(
          `columns of ${block.rows[0]}, ${block.columns[0]}`,
          { x: x + blockWidth(block, unit) + 6, y: y + unit.y / 2 - 9 },
          countText(block.columns.length),
          {
            tone: 'indices',
            strong: true,
            size: 12,
          },
        ),
      );
  }
  if (picture >= goes) marks.push(hiddenNote(hidden, { x: layout === 'wide' ? 756 : 340, y: area.y - 14 }));
  const taken = blocks.slice(0, count).reduce((sum, { columns }) => sum + columns.length, 0);
  return drawingOf(layout, [
    ...marks,
    ...numbersCounter(facts, layout, facts.numbers.start - taken, isEnd ? listsNote(facts, layout, 0) : ''),
  ]);
}

/** Lists that a counter's note names one by one. */
const MAX_LISTS = { wide: 5, narrow: 2 } as const;

/** '12 + 12 + 12 + 8 in lists, 8 single': the column numbers after a level. */
function listsNote({ t, numbers }: Facts, layout: DrawingLayout, level: number): string {
  const single = t.extraction.sets[0].blocks.reduce((sum, { columns }) => sum + columns.length, 0);
  const lists = [
    ...(t.levels.at(level + 1) ?? []),
    ...t.extraction.sets.slice(1, level + 1).flatMap(({ blocks }) => blocks),
  ].map(({ columns }) => countText(columns.length));
  const inLists = numbers.levels[level] - single;
  const text = lists.length > MAX_LISTS[layout] ? countText(inLists) : lists.join(' + ');
  return single === 0 ? `${text} in lists` : `${text} in lists, ${countText(single)} single`;
}

/** How the halves of the largest block were made. */
export function foursOf({ t }: Facts, { pair, block }: Joined): readonly Joined[] {
  const { level } = pair;
  const made = [pair.unit, pair.partner].map((unit) => joinedOf(t, level, unit));
  return made.filter((one) => one.block.rows.every((row) => block.rows.includes(row)));
}

/** Frame 5: pairs as the rows of a smaller matrix; two and two become blocks of four rows. Pictures 0 to 3. */
export function pairsPair(facts: Facts, largest: Joined, layout: DrawingLayout, picture: number): Drawing {
  const fours = foursOf(facts, largest);
  const isWide = layout === 'wide';
  const halves = fours.flatMap((four) => four.halves);
  const columns = isWide
    ? allColumns(facts)
    : [...new Set(halves.flatMap((half) => Array.from(half.columns)))].toSorted((a, b) => a - b);
  const area: Area = isWide ? { x: GUTTER, y: 14, w: 640, h: 126 } : { x: 56, y: 14, w: NARROW.width - 56, h: 126 };
  const rows = halves.flatMap((_, i) => [2 * i, 2 * i + 1]);
  const grid = gridOf(rows, columns, { ...area, h: area.h - 18 }, 14);
  const marks: Drawn[] = [];
  const moved = fours.slice(0, Math.min(picture, 2)).flatMap(({ block }) => [block]);
  const isMoved = (half: Block, col: number): boolean =>
    moved.some(({ rows: own, columns: taken }) => half.rows.every((row) => own.includes(row)) && taken.includes(col));
  const leftOf = (half: Block): readonly number[] => {
    const four = fours.find(({ halves: own }) => own.includes(half));
    return Array.from(half.columns).filter((col) => four && !four.block.columns.includes(col));
  };
  halves.forEach((half, i) => {
    const gap = 6 * i;
    for (const [g, row] of Array.from(half.rows).slice(0, 2).entries()) {
      for (const col of columns) {
        const place = grid.place(2 * i + g, col);
        const at = { ...place, y: place.y + gap, h: place.h + (g === 0 ? 1 : 0) };
        if (!half.columns.includes(col)) {
          marks.push({ id: `empty ${row},${col}`, shape: 'box', tone: 'neutral', ...at });
        } else {
          const isAside = picture > 2 && leftOf(half).includes(col);
          const stays = !isMoved(half, col) && !isAside;
          const pale = isAside ? {} : { state: 'dim' as const, level: 0.1 };
          const look = stays ? {} : { id: `left ${row},${col}`, ...pale };
          marks.push(weight(facts, row, col, at, look));
        }
      }
    }
    if (picture > 2) {
      for (const col of leftOf(half)) {
        const at = grid.place(2 * i, col);
        marks.push({
          id: `only ${half.rows[0]},${col}`,
          shape: 'frame',
          tone: 'ink',
          focus: true,
          x: at.x - 1,
          y: at.y + gap - 1,
          w: at.w + 2,
          h: 2 * grid.pitch.y,
        });
      }
    }
    const labelY = grid.place(2 * i, columns[0]).y + gap + grid.pitch.y - 9;
    marks.push(
      words(`unit ${i}`, { x: 0, y: labelY }, rowsText(half.rows).replace(' and ', ' '), {
        size: 11,
        strong: true,
        tone: 'ink',
      }),
    );
  });
  const ticks = isWide ? columns.filter((col) => col % 4 === 0 || col === columns[columns.length - 1]) : columns;
  for (const col of ticks) {
    const at = grid.place(0, col);
    if (isWide || grid.pitch.x > 15)
      marks.push(
        words(`column ${col}`, { x: at.x + at.w / 2, y: 0 }, String(col), {
          size: isWide ? 9.5 : 8.5,
          face: 'mono',
          align: 'middle',
        }),
      );
  }
  const leftBlocks = halves.flatMap((half): Block[] => {
    const left = leftOf(half);
    return left.length === 0 ? [] : [{ rows: half.rows, columns: Uint32Array.from(left) }];
  });
  const below = { wide: { x: 12, y: 160, w: 748, h: 106 }, narrow: { x: 2, y: 152, w: 334, h: 206 } }[layout];
  const { placed } = shelved([...fours.map(({ block }) => block), ...leftBlocks], below, SMALL[layout], { above: 20 });
  placed.forEach(({ block, x, y, unit }, i) => {
    const isFour = i < fours.length;
    if (isFour ? picture <= i : picture < 3) return;
    marks.push(blockMarks(facts, block, { x, y, unit }, isFour ? {} : { id: 'aside', hasFocus: i === fours.length }));
    const text = isFour
      ? `one list of ${countText(block.columns.length)}: ${inWords(block.rows.length)} rows`
      : `only ${rowsText(block.rows)}`;
    const start = Math.min(x, sizeOf(layout).width - text.length * TITLE_ADVANCE);
    marks.push(
      words(`title ${i}`, { x: start, y: y - 21 }, text, {
        size: 11.5,
        strong: true,
        tone: isFour ? 'indices' : 'ink',
      }),
    );
  });
  if (picture > 2) {
    const texts = [fewerLists(halves, fours, leftBlocks), whyLeft(facts, halves)].filter((text) => text !== null);
    marks.push(
      isWide
        ? lines('why', { x: 0, y: 272 }, [texts.join(' ')], { size: 11.5 })
        : lines('why', { x: 0, y: 358, w: 340 }, texts, { size: 10.5 }, 15),
    );
    const drawn = halves.map(({ rows: own }) => own[0]);
    const hidden = facts.t.extraction.sets[1].blocks.filter(({ rows: own }) => !drawn.includes(own[0]));
    marks.push(
      hiddenNote(
        hidden.length + facts.t.levels[2].length - fours.length,
        isWide ? { x: 756, y: 272 } : { x: 340, y: 388 },
      ),
    );
  }
  const four = facts.t.levels[2].length;
  const kept =
    picture === 0 || four > fours.length
      ? facts.numbers.levels[0]
      : facts.numbers.levels[0] - moved.reduce((sum, { columns: taken }) => sum + taken.length, 0);
  const isEnd = picture > 1;
  return drawingOf(layout, [
    ...marks,
    ...numbersCounter(
      facts,
      layout,
      isEnd ? facts.numbers.levels[1] : kept,
      picture === 1 ? '' : listsNote(facts, layout, isEnd ? 1 : 0),
    ),
  ]);
}

/** 'Lists of 12, 12, 12 and 8 become 12, 8 and 4.' */
function fewerLists(halves: readonly Block[], fours: readonly Joined[], left: readonly Block[]): string {
  const sizes = (blocks: readonly Block[]): string => listText(blocks.map(({ columns }) => countText(columns.length)));
  return `Lists of ${sizes(halves)} become ${sizes([...fours.map(({ block }) => block), ...left])}.`;
}

/** Why a column of frame 3 stayed: the rows that were to join lack it. */
function whyLeft({ first, columns }: Facts, halves: readonly Block[]): string | null {
  if (!first || first.left.length === 0) return null;
  const own = halves.findIndex(({ rows }) => first.rows.every((row) => rows.includes(row)));
  if (own < 0) return null;
  const partner = halves[own % 2 === 0 ? own + 1 : own - 1];
  const lacked = first.left.find((col) => partner.rows.every((row) => !columns[row].includes(col)));
  if (lacked === undefined) return null;
  return `Column ${lacked} stayed: ${rowsText(partner.rows)} lack it.`;
}
