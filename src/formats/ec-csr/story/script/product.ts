import { counter, type DrawingLayout, GUTTER, NARROW, words } from '../../../../core/story/drawing.ts';
import type { Drawing, DrawnLink } from '../../../../core/story/scene.ts';
import { capitalised, countText } from '../../../../core/story/words.ts';
import { valueAt } from '../../layout.ts';
import type { Facts } from './facts.ts';
import { drawingOf, type Drawn, fillingZero, gridOf, inWords, weight } from './parts.ts';
import { allColumns, xMarks, yMark } from './matrix.ts';
import { segmentColumns, segmentsOf } from '../trace.ts';

/* Pictures of the product: what is fetched, and for how many rows. */

/** What the first step of the product fetches, and what it multiplies. */
export function fetched({ t }: Facts) {
  const [info] = t.infos;
  const segment = segmentsOf(t.encoded, info, 0)[0];
  const columns = segmentColumns(t.encoded, info, 0, segment);
  const rest = t.sets[0].blocks[0].columns.length - columns.length;
  return {
    columns,
    segment,
    rest,
    rows: Array.from(t.sets[0].blocks[0].rows),
    products: columns.length * info.granularity,
  };
}

const FETCHES_SHOWN = { wide: 6, narrow: 4 } as const;

/** Frame 9: x is fetched, and serves every row of the block. Pictures 0 to 2. */
export function fetchedOnce(facts: Facts, layout: DrawingLayout, picture: number): Drawing {
  const { t } = facts;
  const isWide = layout === 'wide';
  const { columns, rest, rows, segment, products } = fetched(facts);
  const shown = columns.slice(0, FETCHES_SHOWN[layout]);
  const wanted = [...new Set(shown.map(({ column }) => column))];
  const cols = isWide ? allColumns(facts) : wanted;
  const grid = gridOf([0], cols, isWide ? { x: GUTTER, y: 16, w: 640, h: 20 } : { x: 48, y: 16, w: 236, h: 24 }, 24);
  const xs = xMarks(facts, cols, (col) => ({ ...grid.place(0, col), h: isWide ? 18 : 22 }));
  const marks: Drawn[] = xs.map((mark, i) => (wanted.includes(cols[i]) ? { ...mark, focus: true } : mark));
  marks.push(words('x', { x: 0, y: 14 }, 'x', { strong: true, tone: 'ink' }));
  for (const col of cols) {
    const isMarked = wanted.includes(col);
    if (!isMarked && (!isWide || cols.length > 34)) continue;
    const at = grid.place(0, col);
    marks.push(
      words(`x column ${col}`, { x: at.x + at.w / 2, y: 0 }, String(col), {
        size: 8.5,
        face: 'mono',
        align: 'middle',
        ...(isMarked && { strong: true, tone: 'ink' as const }),
      }),
    );
  }
  const top = isWide ? 102 : 112;
  const pitch = { x: isWide ? 58 : 56, y: Math.min(isWide ? 20.5 : 24, (isWide ? 172 : 196) / rows.length) };
  const left = isWide ? 150 : 48;
  const links: DrawnLink[] = [];
  let gap = 0;
  const xOf: number[] = [];
  shown.forEach(({ lane }, i) => {
    if (i > 0 && lane !== shown[i - 1].lane) gap += isWide ? 18 : 6;
    xOf.push(left + i * pitch.x + gap);
  });
  const bottom = top + rows.length * pitch.y;
  for (const lane of new Set(shown.map((one) => one.lane))) {
    const own = xOf.filter((_, i) => shown[i].lane === lane);
    marks.push(
      words(`lane ${lane}`, { x: (own[0] + own[own.length - 1] + pitch.x - 10) / 2, y: bottom + 13 }, `lane ${lane}`, {
        size: 10.5,
        strong: true,
        tone: 'ink',
        align: 'middle',
      }),
    );
  }
  const { valuesAt, granularity } = t.infos[0];
  const sums = rows.map((_, g) =>
    columns.reduce(
      (all, { column, place }) => all + valueAt(t.encoded, valuesAt + place * granularity + g) * t.x[column],
      0,
    ),
  );
  const used = new Set<number>();
  shown.forEach(({ column, place }, i) => {
    const isZero = rows.every((_, g) => valueAt(t.encoded, valuesAt + place * granularity + g) === 0);
    const isCopy = used.has(column) || isZero;
    if (!isZero) used.add(column);
    const at = { x: xOf[i], w: pitch.x - 10, h: pitch.y - 2 };
    rows.forEach((row, g) => {
      const y = top + g * pitch.y;
      marks.push(isCopy ? fillingZero(`zero ${i}.${g}`, row, { ...at, y }) : weight(facts, row, column, { ...at, y }));
    });
    marks.push(
      words(`column ${i}`, { x: at.x + at.w / 2, y: bottom }, `column ${column}`, {
        size: 10.5,
        tone: 'indices',
        align: 'middle',
      }),
    );
    if (picture > 0) {
      const text = `\u00d7 ${String(t.x[column]).replace('-', '\u2212')}`;
      marks.push({
        id: `fetch ${i}`,
        shape: 'text',
        tone: 'ink',
        strong: true,
        size: isWide ? 13 : 12,
        face: 'mono',
        text,
        align: 'middle',
        x: at.x,
        y: top - 24,
        w: at.w,
        h: 0,
        from: `x ${column}`,
      });
      links.push({
        id: `to fetch ${i}`,
        from: `x ${column}`,
        to: `fetch ${i}`,
        kind: 'curve',
        tone: 'neutral',
        arrow: true,
      });
    }
  });
  const yX = (xOf[xOf.length - 1] ?? left) + pitch.x + (isWide ? 18 : 2);
  const yW = isWide ? 58 : NARROW.width - yX;
  rows.forEach((row, g) => {
    const y = top + g * pitch.y;
    if (pitch.y > 9)
      marks.push(
        words(`row of y ${row}`, { x: left - 8, y: y + pitch.y / 2 - 9 }, `row ${row}`, { size: 10.5, align: 'end' }),
      );
    if (picture > 1 && yW > 20) {
      marks.push(yMark(facts, row, { x: yX, y, w: yW, h: pitch.y - 3 }, { value: sums[g] }));
    }
  });
  if (picture > 1 && yW > 20)
    marks.push(
      words('y so far', { x: yX + yW / 2, y: top - 20 }, 'y so far', {
        size: 11,
        strong: true,
        tone: 'ink',
        align: 'middle',
      }),
    );
  const follow = restText(rest, segment.width);
  const says = { x: Math.max(yX + yW + 28, 520), y: top + 4 };
  if (picture > 0 && isWide && says.x < 620)
    marks.push(
      words('fetches', says, [{ text: countText(columns.length), strong: true, tone: 'ink' }], { size: 28 }),
      words(
        'fetches of',
        { x: says.x + 7 + 17 * String(columns.length).length, y: says.y + 17 },
        columns.length === 1 ? 'fetch of x' : 'fetches of x',
      ),
      picture > 1
        ? [
            words(
              'products',
              { x: says.x, y: says.y + 44 },
              [{ text: countText(products), strong: true, tone: 'ink' }],
              { size: 28 },
            ),
            words('products of', { x: says.x + 7 + 17 * String(products).length, y: says.y + 61 }, 'multiplications'),
            ...(rest > 0
              ? [words('follow', { x: says.x, y: says.y + 92, w: 756 - says.x }, follow, { size: 11.5 })]
              : []),
            words('what x is', { x: says.x, y: says.y + 156 }, 'x: the numbers to multiply by', { size: 11.5 }),
          ]
        : [],
    );
  if (picture > 1 && !isWide && rest > 0)
    marks.push(words('follow', { x: 0, y: bottom + 34, w: 340 }, follow, { size: 11.5 }));
  const isFetched = picture > 0;
  const count = counter(layout, {
    title: 'fetches',
    parts: [{ tone: 'ink', value: isFetched ? columns.length : 0 }],
    of: products,
    ofText: `row by row: ${countText(products)}`,
    number: countText(isFetched ? columns.length : 0),
    unit: `of ${countText(products)} fetches of x`,
    ...(shown.length < columns.length && { note: `${shown.length} of ${columns.length} drawn` }),
  });
  return drawingOf(layout, [...marks, ...count], links);
}

function restText(rest: number, width: number): string {
  return `${capitalised(inWords(rest))} more ${rest === 1 ? 'column follows' : 'columns follow'}: each lane takes ${inWords(width)} at a time.`;
}
