import { type DrawingLayout, GUTTER, NARROW, WIDE, words } from '../../../../core/story/drawing.ts';
import type { Drawing, DrawnLink, DrawnMark } from '../../../../core/story/scene.ts';
import { counted, countText } from '../../../../core/story/words.ts';
import type { FirstPair, Facts } from './facts.ts';
import {
  type Area,
  columnNumber,
  drawingOf,
  type Drawn,
  fittingSize,
  type Grid,
  gridLabels,
  inWords,
  numbersCounter,
  weight,
} from './parts.ts';
import { matrixGrid, NARROW_GUTTER, pairGrid } from './matrix.ts';

/* Pictures of two rows that share columns: which two, how many columns leave them, and how. */

const never = (): boolean => false;

/** Frame 2: the two rows that share the most, and how many columns every two rows share. Pictures 0 to 2. */
export function firstPair(facts: Facts, layout: DrawingLayout, picture: number): Drawing {
  const { best, first } = facts;
  const [rowA, rowB] = first?.rows ?? best?.rows ?? [0, 1];
  const shared = facts.common(rowA, rowB);
  const grid = matrixGrid(facts, layout, shared);
  const marks: Drawn[] = pairGrid(facts, grid, [rowA, rowB], never).map((mark) => {
    // The one row slides over the other, so that what both have meets.
    const isOver = picture === 0 && facts.columns[rowB].some((col) => mark.id === `cell ${rowB},${col}`);
    return isOver ? { ...mark, y: (grid.place(rowA, 0).y + mark.y) / 2 } : mark;
  });
  marks.push(gridLabels(grid, [rowA, rowB]));
  if (picture > 0) {
    for (const col of shared.filter((column) => grid.cols.includes(column))) {
      for (const row of [rowA, rowB])
        marks.push({ id: `ring ${row},${col}`, shape: 'frame', tone: 'indices', ...grid.place(row, col) });
    }
  }
  const links: DrawnLink[] = [];
  if (picture > 1) marks.push(pairTable(facts, layout, grid, [rowA, rowB], links));
  return drawingOf(layout, [...marks, ...numbersCounter(facts, layout, facts.numbers.start, '')], links);
}

const IN_BOTH = 'columns in both rows';

/** How many columns every two of the rows share, and a line to that of the pair. */
function pairTable(
  facts: Facts,
  layout: DrawingLayout,
  grid: Grid,
  pair: readonly [number, number],
  links: DrawnLink[],
): readonly DrawnMark[] {
  const rows = grid.rows;
  const isWide = layout === 'wide';
  const count = Math.max(1, rows.length - 1);
  const top = grid.area.y + grid.area.h + (isWide ? 24 : 30);
  const left = isWide ? GUTTER + 48 : NARROW_GUTTER + 4;
  const pitch = isWide
    ? { x: Math.min(34, 272 / count), y: Math.min(14.5, (290 - top) / count) }
    : { x: Math.min(40, (NARROW.width - left) / count), y: Math.min(23, (390 - top) / count) };
  const marks: Drawn[] = [];
  const max = Math.max(1, facts.best?.columns.length ?? 1);
  rows.forEach((row, i) => {
    if (i < count && pitch.x > 26)
      marks.push(
        words(`table column ${row}`, { x: left + (i + 0.5) * pitch.x - 1, y: top - 17 }, `row ${row}`, {
          size: 9.5,
          align: 'middle',
        }),
      );
    if (i > 0 && pitch.y > 9)
      marks.push(
        words(`table row ${row}`, { x: left - 6, y: top + (i - 0.5) * pitch.y - 8 }, `row ${row}`, {
          size: 10,
          align: 'end',
        }),
      );
    rows.slice(0, i).forEach((other, j) => {
      const shared = facts.common(row, other).length;
      const place = { x: left + j * pitch.x, y: top + (i - 1) * pitch.y, w: pitch.x - 2, h: pitch.y - 2 };
      const isPair = pair.includes(row) && pair.includes(other);
      const size = fittingSize(place, 2);
      marks.push({
        id: `pair ${other},${row}`,
        shape: 'box',
        tone: 'indices',
        level: 0.75 * (shared / max) ** 3 + (isPair ? 0.25 : 0),
        label: `rows ${other} and ${row} share ${counted(shared, 'column')}`,
        ...place,
        ...(size !== null && { text: String(shared), size: Math.min(10.5, size) }),
        ...(isPair && { strong: true }),
      });
      if (isPair) marks.push({ id: 'pair outline', shape: 'frame', tone: 'ink', focus: true, ...place });
    });
  });
  const shared = facts.common(pair[0], pair[1]).length;
  const drawn = grid.cols.length < facts.cols ? 'columns in both; others not drawn' : 'columns in both';
  if (!isWide) {
    marks.push(
      words('shared by the pair', { x: 226, y: top - 6 }, String(shared), { size: 24, strong: true, tone: 'indices' }),
      words('what is shared', { x: 226, y: top + 24, w: 114 }, drawn, { tone: 'ink', size: 11 }),
    );
    return marks.flat();
  }
  // At the height of its place in the table, so that the line between them is straight.
  const cell = marks.flat().find(({ id }) => id === 'pair outline');
  const y = Math.min((cell?.y ?? top) + pitch.y / 2, 262);
  const notesY = y > top + 70 ? top - 4 : y + 40;
  marks.push(
    words('shared by the pair', { x: 396, y: y - 22 }, String(shared), { size: 30, strong: true, tone: 'indices' }),
    words('what is shared', { x: 446, y: y - 9 }, IN_BOTH, {
      tone: 'ink',
      size: 12.5,
    }),
    words('what the table is', { x: 396, y: notesY }, 'Columns in common, for every two rows.', {
      size: 11.5,
    }),
  );
  if (cell) links.push({ id: 'to the pair', from: cell.id, to: 'shared by the pair', kind: 'curve', tone: 'neutral' });
  return marks.flat();
}

/** Where the boxes of a question stand: in lines, groups not broken, as large as the room allows. */
function boxesInLines(
  count: number,
  group: number,
  room: { readonly w: number; readonly h: number },
): {
  readonly pitch: number;
  readonly line: number;
  readonly at: readonly { readonly x: number; readonly y: number }[];
} {
  for (let pitch = room.w > NARROW.width ? 42 : 38; ; pitch -= 2) {
    const gap = group > 1 ? pitch / 3 : 0;
    const line = pitch + (group > 1 ? 30 : 4);
    const perLine = Math.max(1, Math.floor((room.w - 8 + gap) / (group * pitch + gap)));
    const lineOf = (i: number): number => Math.floor(Math.floor(i / group) / perLine);
    const at = Array.from({ length: count }, (_, i) => ({
      x: 4 + (Math.floor(i / group) % perLine) * (group * pitch + gap) + (i % group) * pitch,
      y: 40 + lineOf(i) * line,
    }));
    const fits = group * pitch <= room.w - 8 && 40 + (lineOf(Math.max(0, count - 1)) + 1) * line <= room.h;
    if (fits || pitch <= 6) return { pitch, line, at };
  }
}

/** The first question: the columns that two rows share; after the answer as many as leave together. */
export function whatLeaves(facts: Facts, first: FirstPair, layout: DrawingLayout, picture: number): Drawing {
  const room = layout === 'wide' ? { w: WIDE.width, h: 300 } : { w: NARROW.width, h: 410 };
  const [a] = first.rows;
  const order = picture === 0 ? first.columns : [...first.taken, ...first.left];
  const group = picture === 0 ? 1 : Math.min(facts.min, first.columns.length);
  const { pitch, at } = boxesInLines(order.length, group, room);
  const height = Math.max(4, pitch - 8);
  const taken = first.taken.length;
  const marks: Drawn[] = order.map((col, i) =>
    columnNumber(
      facts,
      [a],
      col,
      { ...at[i], w: Math.max(2, pitch - 2), h: height },
      { focus: picture > 0 && i >= taken },
    ),
  );
  const below = (i: number): number => at[i].y + height + 5;
  if (picture === 0) {
    return drawingOf(layout, [...marks, words('what they are', { x: 4, y: below(order.length - 1) + 4 }, IN_BOTH)]);
  }
  for (let i = 0; i < taken; i += group) {
    const w = group * pitch - 2;
    marks.push({
      id: `group ${i}`,
      shape: 'frame',
      tone: 'indices',
      x: at[i].x - 2,
      y: at[i].y - 2,
      w: w + 4,
      h: height + 4,
    });
    if (pitch > 24)
      marks.push(
        words(`group leaves ${i}`, { x: at[i].x + w / 2, y: below(i) }, `${inWords(group)} leave`, {
          tone: 'indices',
          align: 'middle',
          size: 12,
        }),
      );
  }
  const { left } = first;
  if (left.length > 0) {
    const x = at[taken].x + (left.length * pitch) / 2 - 1;
    marks.push(
      words('stays', { x, y: below(taken) }, left.length === 1 ? 'stays' : 'stay', {
        tone: 'ink',
        strong: true,
        align: 'middle',
        size: 12,
      }),
    );
  }
  return drawingOf(layout, marks);
}

/** Frame 3: the columns that both rows have leave them, with one list. Pictures 0 to 3. */
export function takeOut(facts: Facts, first: FirstPair, layout: DrawingLayout, picture: number): Drawing {
  const [rowA, rowB] = first.rows;
  const isWide = layout === 'wide';
  const grid = matrixGrid(facts, layout, [...first.taken, ...first.left]);
  const isTaken = new Set(first.taken);
  const pair = [rowA, rowB];
  const isOut = picture > 0;
  const marks: Drawn[] = pairGrid(facts, grid, pair, (row, col) => isOut && pair.includes(row) && isTaken.has(col)).map(
    (mark) =>
      picture === 3 && pair.some((row) => first.left.some((col) => mark.id === `cell ${row},${col}`))
        ? { ...mark, focus: true }
        : mark,
  );
  marks.push(gridLabels(grid, pair));
  const below = grid.area.y + grid.area.h;
  const h = isWide ? 18 : 20;
  const listY = below + (isWide ? 36 : 44);
  const shown = first.taken.filter((col) => grid.cols.includes(col));
  const place = (col: number, line: number): Area => ({ ...grid.place(rowA, col), y: listY + line * (h + 2), h });
  const isMerged = picture > 1;
  for (const col of shown) {
    marks.push(columnNumber(facts, isMerged ? pair : [rowA], col, place(col, isMerged ? 0 : -0.9)));
    if (picture < 3) marks.push(columnNumber(facts, [rowB], col, place(col, 0)));
    if (isOut) {
      for (const [i, row] of pair.entries())
        marks.push(weight(facts, row, col, { ...place(col, i + 1), y: place(col, i + 1).y + 3 }));
      const x = grid.place(rowA, col).x + grid.place(rowA, col).w / 2;
      const from = grid.place(rowB, col).y + grid.pitch.y;
      const to = place(col, isMerged ? 0 : -0.9).y - 2;
      if (to > from)
        marks.push({
          id: `way ${col}`,
          shape: 'line',
          tone: 'indices',
          x,
          y: from,
          w: 0,
          h: to - from,
          points: [
            [x, from],
            [x, to],
          ],
        });
    }
  }
  const bottom = place(first.taken[0], 2).y + h + 3;
  if (isMerged && shown.length > 0) {
    const [left, right] = [grid.place(rowA, shown[0]), grid.place(rowA, shown[shown.length - 1])];
    marks.push(
      {
        id: 'frame of the block',
        shape: 'frame',
        tone: 'indices',
        x: left.x - 2,
        y: listY - 3,
        w: right.x + right.w - left.x + 4,
        h: bottom - listY + 6,
      },
      words('one list', { x: 0, y: listY + h / 2 - 9 }, isWide ? 'one list' : 'list', {
        size: 11,
        strong: true,
        tone: 'indices',
      }),
    );
  }
  if (isOut)
    pair.forEach((row, i) =>
      marks.push(words(`block row ${row}`, { x: 0, y: place(0, i + 1).y + h / 2 - 6 }, `row ${row}`, { size: 11 })),
    );
  const lists = `${countText(first.taken.length)} for both rows`;
  if (isMerged)
    marks.push(words('fewer', { x: isWide ? GUTTER : 0, y: bottom + 8 }, lists, { tone: 'indices', strong: true }));
  const isRemainder = first.left.length > 0 && first.left.length === first.columns.length % facts.min;
  const why = isRemainder ? `Columns leave ${inWords(facts.min)} at a time. ` : '';
  const dashed = `${picture === 3 ? why : ''}Dashed: left the matrix.`;
  const cut = shown.length < first.taken.length ? ` ${shown.length} of ${first.taken.length} columns drawn.` : '';
  if (isOut)
    marks.push(
      isWide
        ? words('dashed', { x: 704, y: bottom + 9 }, dashed, { align: 'end', size: 11.5 })
        : words('dashed', { x: 0, y: bottom + 26 }, `${dashed}${cut}`, { size: 11.5 }),
    );
  if (picture === 3 && first.left.length > 0 && grid.cols.includes(first.left[0])) {
    const at = grid.place(rowB, first.left[0]);
    marks.push(
      words(
        'stays',
        {
          x: Math.min(at.x + at.w / 2, grid.area.x + grid.area.w - 14),
          y: grid.place(rowB, first.left[0]).y + grid.pitch.y,
        },
        first.left.length === 1 ? 'stays' : 'stay',
        { tone: 'ink', strong: true, align: 'middle', size: 11.5 },
      ),
    );
  }
  const { start } = facts.numbers;
  return drawingOf(layout, [
    ...marks,
    ...(isMerged
      ? numbersCounter(
          facts,
          layout,
          facts.numbers.first,
          `${countText(start)} \u2212 ${countText(first.taken.length)}`,
        )
      : numbersCounter(facts, layout, start, '')),
  ]);
}
