import { type DrawingLayout, words } from '../../../../core/story/drawing.ts';
import type { Drawing, DrawnMark } from '../../../../core/story/scene.ts';
import { counted, countText } from '../../../../core/story/words.ts';
import type { Block } from '../../extract.ts';
import type { PackedBlock } from '../../pack.ts';
import type { Facts, Joined, LeftBlock } from './facts.ts';
import {
  type Area,
  blockHeight,
  blockMarks,
  blockWidth,
  columnNumber,
  drawingOf,
  type Drawn,
  hiddenNote,
  inWords,
  lines,
  numbersCounter,
  rowsText,
  weight,
} from './parts.ts';

/* Pictures of the largest block, of columns that it leaves, and of all blocks in order. */

/** Frame 6: the largest block, whose rows keep one list. Pictures 0 to 2. */
export function largestBlock(facts: Facts, { block, halves }: Joined, layout: DrawingLayout, picture: number): Drawing {
  const isWide = layout === 'wide';
  const { rows, columns } = block;
  const left = isWide ? 120 : 48;
  const pitch = { x: Math.min(39, ((isWide ? 440 : 340) - left) / columns.length), y: Math.min(26, 196 / rows.length) };
  const top = isWide ? 40 : 46;
  const [all, cols] = [Array.from(rows), Array.from(columns)];
  const listH = Math.min(28, pitch.y + 4);
  const half = halves[0].rows.length;
  const place = (i: number, y: number, h: number): Area => ({
    x: left + i * pitch.x,
    y,
    w: Math.max(1, pitch.x - 2),
    h,
  });
  const rowY = (g: number): number => top + listH + 4 + g * pitch.y + (picture === 0 && g >= half ? listH + 4 : 0);
  const shrunk = picture === 0 ? { ...pitch, y: (200 - listH) / rows.length } : pitch;
  const yOf = (g: number): number =>
    picture === 0 ? top + listH + 4 + g * shrunk.y + (g >= half ? listH + 4 : 0) : rowY(g);
  const marks: Drawn[] = [];
  cols.forEach((col, i) => {
    for (const [g, row] of all.entries()) marks.push(weight(facts, row, col, place(i, yOf(g), shrunk.y - 2)));
    if (picture < 2) {
      const y = picture === 0 ? yOf(half) - listH - 2 : top;
      marks.push(columnNumber(facts, halves[1].rows, col, place(i, y, listH)));
    }
    marks.push(
      columnNumber(
        facts,
        picture === 0 ? halves[0].rows : rows,
        col,
        place(i, top, listH),
        picture > 0 ? { focus: true, strong: true } : {},
      ),
    );
    if (picture > 0) {
      for (let copy = 1; copy < all.length; copy++) {
        const at = { ...place(i, top - 4 - copy * 4, 2) };
        marks.push({
          id: `copy ${copy},${col}`,
          shape: 'box',
          tone: 'indices',
          level: 0.45,
          ...at,
          from: `number ${halves[1].rows[0]},${col}`,
        });
      }
    }
  });
  all.forEach((row, g) =>
    marks.push(
      words(`row of the block ${row}`, { x: left - 8, y: yOf(g) + shrunk.y / 2 - 10 }, `row ${row}`, {
        size: 11,
        align: 'end',
      }),
    ),
  );
  const saved = `column numbers, for ${counted(all.length * cols.length, 'weight')}`;
  if (picture > 0) {
    const copies = all.length - 1;
    marks.push(
      words(
        'copies',
        { x: left - 8, y: top - 12 - copies * 2 },
        isWide ? `${inWords(copies)} ${copies === 1 ? 'copy' : 'copies'}` : `${countText(copies)} more`,
        { size: 11, align: 'end' },
      ),
    );
    const [before, after] = [countText(all.length * cols.length), countText(cols.length)];
    if (isWide) {
      marks.push(
        words('before', { x: 470, y: 58 }, before, { size: 44, strong: true, tone: 'padding' }),
        arrow({ x: 470 + 27 * before.length + 10, y: 92, w: 36, h: 0 }),
        words('after', { x: 470 + 27 * before.length + 58, y: 50 }, after, { size: 56, strong: true, tone: 'indices' }),
        words('for', { x: 470, y: 134 }, saved, {
          tone: 'indices',
          strong: true,
          size: 14,
        }),
      );
    } else {
      const y = yOf(all.length) + 12;
      marks.push(
        words(
          'before',
          { x: 48, y },
          [
            { text: `${before}  `, tone: 'padding' },
            { text: `to ${after}`, tone: 'indices' },
          ],
          { size: 30, strong: true },
        ),
        words('for', { x: 48, y: y + 46 }, saved, {
          tone: 'indices',
          strong: true,
        }),
      );
    }
  }
  const level = facts.t.levels.length - 2;
  const kept = picture === 0 && level > 0 ? facts.numbers.levels[level - 1] : facts.numbers.levels[level];
  const note = picture === 0 ? '' : `${countText(facts.numbers.start)} at the start`;
  return drawingOf(layout, [...marks, numbersCounter(facts, layout, kept, note)]);
}

/** From what stood to what stands. */
function arrow({ x, y, w, h }: Area): DrawnMark {
  const end = x + w;
  const points = [
    [x, y],
    [end, y],
    [end - 6, y - 4],
    [end, y],
    [end - 6, y + 4],
  ] as const;
  return { id: 'becomes', shape: 'line', tone: 'ink', x, y, w, h, points, thickness: 1.5 };
}

/** The second question: columns that only some of the rows share; after the answer the block that they form. */
export function whereTo(
  facts: Facts,
  { block }: LeftBlock,
  largest: Block,
  layout: DrawingLayout,
  picture: number,
): Drawing {
  const isWide = layout === 'wide';
  const pitch = Math.min(isWide ? 40 : 38, (isWide ? 400 : 286) / block.columns.length);
  const others = Array.from(largest.rows).filter((row) => !block.rows.includes(row));
  const where = `in ${rowsText(block.rows)}; ${rowsText(others)} ${others.length === 1 ? 'has' : 'have'} nothing there`;
  const at = { x: picture === 0 ? 4 : 48, y: isWide ? 24 : 40 };
  if (picture === 0) {
    const marks = Array.from(block.columns, (col, i) =>
      columnNumber(facts, block.rows, col, { x: at.x + i * pitch, y: at.y, w: pitch - 2, h: 30 }),
    );
    const beside = isWide
      ? { x: at.x + block.columns.length * pitch + 14, y: at.y + 6 }
      : { x: 0, y: at.y + 46, w: 340 };
    return drawingOf(layout, [...marks, words('where', beside, where)]);
  }
  const unit = { x: pitch, y: Math.min(30, 150 / block.rows.length) };
  const text = `${rowsText(block.rows)}: ${inWords(block.columns.length)} ${block.columns.length === 1 ? 'column' : 'columns'}, ${counted(block.rows.length * block.columns.length, 'weight')}, one list`;
  const beside = isWide
    ? { x: at.x + blockWidth(block, unit) + 20, y: at.y + 0.5 * blockHeight(block, unit) - 10 }
    : { x: 0, y: at.y + blockHeight(block, unit) + 16 };
  return drawingOf(layout, [
    ...blockMarks(facts, block, { ...at, unit }, { hasFocus: true }),
    words('where', beside, text, { tone: 'ink' }),
  ]);
}

/** Frame 7: every block and its list, the largest first. Pictures 0 and 1. */
export function allBlocks(facts: Facts, left: LeftBlock | null, layout: DrawingLayout, picture: number): Drawing {
  const { t } = facts;
  const isWide = layout === 'wide';
  const area: Area = isWide ? { x: 0, y: 18, w: 690, h: 222 } : { x: 0, y: 18, w: 340, h: 330 };
  const isOwn = (block: PackedBlock): boolean =>
    left !== null &&
    block.rows.length === left.block.rows.length &&
    block.rows.every((row, i) => row === left.block.rows[i]) &&
    left.block.columns.includes(block.columns[0]);
  const { groups, unit, hidden } = grouped(t.sets, area, isWide);
  const marks: Drawn[] = [];
  for (const { set, x, blocks } of groups) {
    const { granularity, part } = t.sets[set];
    const isStrong = blocks.some(({ block }) => isOwn(block));
    const name = granularity === 1 ? '1 row each' : `${countText(granularity)} rows`;
    const y = blocks[0].y - 18;
    if (picture > 0 || isStrong)
      marks.push(
        words(`set ${set}`, { x, y }, part === 'all' ? name : `${name}, ${part}`, {
          size: 11.5,
          ...(isStrong && { strong: true, tone: 'ink' as const }),
        }),
      );
    for (const [b, { block, ...at }] of blocks.entries()) {
      const own = isOwn(block);
      if (picture === 0 && left !== null && !own) continue;
      marks.push(
        blockMarks(
          facts,
          block,
          { ...at, unit },
          {
            isPale: left !== null && !own,
            hasFocus: own && b === blocks.findIndex((one) => isOwn(one.block)),
            id: `${set}.${b}`,
          },
        ),
      );
    }
  }
  if (picture > 0) {
    marks.push(sums(facts, groups, layout));
    const starts = t.params.order === 'longest-first' ? 'The largest block starts first, so none ends late.' : null;
    marks.push(
      lines('place', isWide ? { x: 0, y: 241 } : { x: 0, y: 340, w: 340 }, [starts], {
        tone: 'ink',
        size: isWide ? 12.5 : 11.5,
      }),
    );
    marks.push(hiddenNote(hidden, { x: isWide ? 756 : 340, y: isWide ? 242 : 326 }));
  }
  const padding = t.encoded.padding.gapColumns + t.encoded.padding.tailColumns;
  const counts = t.infos.map(({ columns }) => countText(columns));
  const stored = t.infos.reduce((sum, { columns }) => sum + columns, 0);
  const note =
    padding > 0
      ? `${counted(padding, 'column')} of zeros (hatched)`
      : `${counts.join(' + ')}; ${countText(facts.numbers.start)} at the start`;
  return drawingOf(layout, [
    ...marks,
    ...numbersCounter(
      facts,
      layout,
      stored,
      isWide || padding > 0 ? note : `${countText(facts.numbers.start)} at the start`,
    ),
  ]);
}

interface Group {
  readonly set: number;
  readonly x: number;
  readonly w: number;
  readonly blocks: readonly { readonly block: PackedBlock; readonly x: number; readonly y: number }[];
}

const MAX_CELLS = 1200;

/** The sets side by side, the blocks of each below each other, as large as the area allows. */
function grouped(
  sets: Facts['t']['sets'],
  area: Area,
  isWide: boolean,
): { readonly groups: readonly Group[]; readonly unit: { x: number; y: number }; readonly hidden: number } {
  let cells = 0;
  const few = sets.map(({ blocks }) =>
    blocks.filter(({ rows, columns }) => (cells += (rows.length + 1) * columns.length) <= MAX_CELLS),
  );
  const all = sets.reduce((sum, { blocks }) => sum + blocks.length, 0);
  let result = { groups: [] as Group[], unit: { x: 1, y: 1 }, hidden: all };
  for (const share of [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.12]) {
    const unit = { x: (isWide ? 21 : 19) * share, y: (isWide ? 21.5 : 17) * share };
    const label = unit.y >= 10 ? 44 : 6;
    const groups: Group[] = [];
    let [x, top, line] = [area.x, area.y, 0];
    let shown = 0;
    let hasRoom = true;
    for (const [set, blocks] of few.entries()) {
      if (blocks.length === 0) continue;
      const placed: { block: PackedBlock; x: number; y: number }[] = [];
      const limit = isWide ? area.y + area.h : Math.min(area.y + area.h, top + 190);
      const width = blocks.reduce((max, block) => Math.max(max, blockWidth(block, unit)), 0) + label;
      const full = blocks.reduce((sum, block) => sum + blockHeight(block, unit) + 5, 0);
      const columns = Math.max(1, Math.ceil(full / Math.max(1, limit - top)));
      if (!isWide && x > area.x && x + columns * (width + 8) > area.x + area.w)
        [x, top, line] = [area.x, top + line + 26, 0];
      let [left, y] = [x, top];
      for (const block of blocks) {
        const h = blockHeight(block, unit);
        if (y > top && y + h > Math.min(limit, area.y + area.h)) [left, y] = [left + width + 8, top];
        if (left + width > area.x + area.w + 0.5 || y + h > area.y + area.h + 0.5) {
          hasRoom = false;
          continue;
        }
        placed.push({ block, x: left + label, y });
        shown++;
        y += h + 5;
        line = Math.max(line, y - top);
      }
      if (placed.length > 0) groups.push({ set, x: x + label, w: left + width - x - label, blocks: placed });
      x = left + width + (isWide ? 26 : 14);
    }
    result = { groups: spread(groups, area, isWide), unit, hidden: all - shown };
    if (hasRoom) break;
  }
  return result;
}

/** The groups of one line with the rest of the width between them. */
function spread(groups: readonly Group[], area: Area, isWide: boolean): Group[] {
  const last = groups.at(-1);
  if (!isWide || !last) return [...groups];
  const free = Math.max(0, Math.min(70, (area.x + area.w - last.x - last.w) / groups.length));
  return groups.map((group, i) => ({
    ...group,
    x: group.x + i * free,
    blocks: group.blocks.map((block) => ({ ...block, x: block.x + i * free })),
  }));
}

/** Weights and column numbers of every set, and in all. */
function sums({ t }: Facts, groups: readonly Group[], layout: DrawingLayout): readonly DrawnMark[] {
  const total = (field: 'nnz' | 'columns'): number => t.infos.reduce((sum, info) => sum + info[field], 0);
  const kinds = [
    { field: 'nnz', name: 'weights', tone: 'values' },
    { field: 'columns', name: 'columns', tone: 'indices' },
  ] as const;
  if (layout === 'narrow')
    return kinds.map(({ field, name, tone }, i) =>
      words(
        `sum of ${name}`,
        { x: 0, y: 362 + i * 17 },
        `${name} ${t.infos.map((info) => countText(info[field])).join(' + ')} = ${countText(total(field))}`,
        { tone, size: 12 },
      ),
    );
  const isWhole = groups.length === t.infos.length;
  return kinds.flatMap(({ field, name, tone }, i) => {
    const y = 262 + i * 17;
    const look = { tone, size: 12.5 } as const;
    return [
      words(`sum of ${name}`, { x: 0, y }, name, { ...look, size: 11.5 }),
      ...(isWhole ? groups : []).map(({ set, x, w }, g) =>
        words(
          `${name} of set ${set}`,
          { x: Math.max(x + w / 2, 70), y },
          `${g > 0 ? '+   ' : ''}${countText(t.infos[set][field])}`,
          { ...look, strong: true, align: 'middle' },
        ),
      ),
      words(`all ${name}`, { x: 756, y }, `= ${countText(total(field))}`, { ...look, strong: true, align: 'end' }),
    ];
  });
}
