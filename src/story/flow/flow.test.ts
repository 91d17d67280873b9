import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish } from '../../core/job.ts';
import { layoutProblems, marksOf, spaceOf } from '../../../test/laid-out.ts';
import { cases } from '../../../test/scheduled.ts';
import type { Drawing } from '../scene.ts';
import type { DrawingSpace } from '../drawing-space.ts';
import { bars } from './bars.ts';
import type { Cell, Span } from './cell-marks.ts';
import { cells, type CellsStyle } from './cells.ts';
import { tightStack, fitting, note, row, since, stack, until } from './parts.ts';
import { drawPicture, fitSteps, type Picture } from './picture.ts';
import type { Part } from './layout-space.ts';
import { counterBar } from './counter-bar.ts';

/** Layout of story pictures: cells, bars, notes and arrows in the available space. */

const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);

/** The text size and the sizes of cells with which all pictures of a story, one in each frame, fit. */
const fitOf = (available: DrawingSpace, pictures: readonly Picture[]) =>
  finish(
    fitSteps(
      available,
      pictures.map((picture) => [picture]),
    ),
  );

/** Draws a picture in a state of its animation (by default after the last), in a story with these pictures. */
const drawn = (
  picture: Picture,
  available: DrawingSpace,
  state = 9,
  pictures: readonly Picture[] = [picture],
): Drawing => drawPicture(picture, available, fitOf(available, pictures), state);

/** The texts of the marks whose id begins with `prefix`. */
const texts = ({ marks }: Drawing, prefix: string): readonly string[] =>
  marks
    .filter(({ id }) => id.startsWith(prefix))
    .map(({ text, runs }) => text ?? runs?.map((run) => run.text).join('') ?? '');

/** A row of `count` cells, of which only those in `filled` have text. */
function cellsWith(
  count: number,
  filled: readonly number[],
  style: Partial<CellsStyle> = {},
  spans: readonly Span[] = [],
): Part {
  const cell = (i: number): Cell =>
    filled.includes(i) ? { id: `cell ${i}`, text: String(i % 100), tone: 'values' } : {};
  return cells({ count, axis: (i) => String(i), ...style }, [{ id: 'row', title: 'row 0', tone: 'ink', cell, spans }]);
}

/** A row of `count` cells that all have text. */
const numbered = (count: number, style: Partial<CellsStyle> = {}): Part => cellsWith(count, upTo(count), style);

/** A row of cells with another id than those above. */
const list = (count: number, id: string): Part =>
  cells({ count }, [{ id, title: id, cell: (i) => ({ text: String(i) }) }]);

/** The space of a wide window and of a phone, px. */
const WIDE = spaceOf(1000, 500);
const PHONE = spaceOf(358, 500);

describe('cells', () => {
  it('are on one line if they fit, else on lines of a round number of cells', () => {
    const lines = (count: number, available: DrawingSpace): number =>
      new Set(
        drawn({ body: numbered(count) }, available).marks.flatMap(({ id, y }) => (id.startsWith('cell') ? [y] : [])),
      ).size;
    expect([lines(32, WIDE), lines(32, PHONE), lines(40, PHONE)]).toEqual([1, 2, 2]);
  });

  it('have columns of the same width in every picture', () => {
    const widest = ['\u2212128'];
    const [a, b] = [cellsWith(32, [1], { widest }), numbered(32, { widest })].map((body) =>
      marksOf(drawn({ body }, WIDE)).get('cell 1'),
    );
    expect(b).toMatchObject({ x: a?.x, w: a?.w, size: a?.size });
  });

  it('are wider if their longest text has a minus, which must not touch the edge', () => {
    const listOf = (texts: readonly string[]): Part =>
      cells({ count: 32, hasWideGaps: true, lines: 2 }, [
        { id: 'row', cell: (i) => ({ text: texts[i % texts.length] }) },
      ]);
    const perLine = (texts: readonly string[]): number => {
      const { marks } = drawn({ body: listOf(texts) }, PHONE);
      return marks.filter(({ id, y }) => id.startsWith('row ') && y === marks[0].y).length;
    };
    expect([perLine(['115', '7']), perLine(['\u221215', '7']), perLine(['\u221215', '117'])]).toEqual([16, 12, 12]);
  });

  it('are counted as "more" instead of "empty" if they are not stored yet', () => {
    const cell = (i: number): Cell => (i < 4 ? { text: String(i) } : i < 40 ? {} : { style: 'ghost' });
    const drawing = drawn({ body: cells({ count: 100 }, [{ id: 'row', cell }]) }, PHONE);
    expect(texts(drawing, 'row left out')).toEqual(['36 empty', '60 more']);
  });

  it('that may grow are as large in each picture as its space allows, up to a maximum', () => {
    const growing = (id: string): Part =>
      cells({ count: 6, max: 3.6, grows: true }, [{ id, cell: (i) => ({ text: String(i) }) }]);
    const short = { body: growing('row') };
    const high = { body: stack(growing('row'), ...upTo(12).map((i) => numbered(24, { count: 24 + i }))) };
    /** The size of the first cell of each picture. */
    const sizes = (available: DrawingSpace, pictures: readonly Picture[]) =>
      pictures.map((picture) => {
        const { w, h } = drawn(picture, available, 0, pictures).marks[0];
        return { w: Math.round(w), h: Math.round(h) };
      });
    const em = 18;
    expect(sizes(WIDE, [short])).toEqual([{ w: 6.5 * em - 2, h: 4.5 * em }]);
    const [inShort] = sizes(WIDE, [short, high]);
    const [inHigh] = sizes(WIDE, [high]);
    expect(inShort.h).toBeGreaterThan(2 * inHigh.h);
    // On a phone the six cells are as wide as the stage, with gaps of 2 px.
    expect(sizes(PHONE, [short])[0].w).toBe(Math.round(358 / 6 - 2));
  });

  it('of rows above the body have the same size and position in all pictures with these rows', () => {
    const short = { above: numbered(32), body: note('short', 'A word.') };
    const long = { above: numbered(32), body: stack(...upTo(6).map((i) => list(40, `list ${i}`))) };
    const [a, b] = [short, long].map((picture) => marksOf(drawn(picture, WIDE, 0, [short, long])).get('cell 3'));
    expect(a).toEqual(b);
    const alone = marksOf(drawn(short, WIDE, 0, [short])).get('cell 3');
    expect(alone?.h).toBeGreaterThan(a?.h ?? 0);
  });

  it('of a small matrix are squares', () => {
    const picture = { body: numbered(4) };
    const fit = finish(fitSteps(WIDE, [[picture]], true));
    const { w, h } = drawPicture(picture, WIDE, fit, 0).marks.find(({ id }) => id === 'cell 0') ?? { w: 0, h: 1 };
    expect(w / h).toBeCloseTo(1, 1);
    expect(h).toBeGreaterThan(80);
  });

  it('and gaps become lower if the picture is too high with the smallest text', () => {
    const row = (id: string) => ({ id, title: id, cell: () => ({}) });
    const rows = Array.from({ length: 12 }, (_, i) => row(`row ${i}`));
    const picture = {
      above: cells({ count: 32, bare: true }, rows),
      body: stack(note('one', 'words'), note('two', 'words')),
    };
    const [high, low] = [600, 190].map((height) => drawn(picture, spaceOf(358, height)));
    const distance = (drawing: Drawing, from: string, to: string): number => {
      const marks = marksOf(drawing);
      return (marks.get(to)?.y ?? 0) - (marks.get(from)?.y ?? 0);
    };
    expect(marksOf(low).get('one')?.size).toBe(12);
    expect(distance(low, 'row 0 0', 'row 1 0')).toBeLessThan(distance(high, 'row 0 0', 'row 1 0'));
    expect(distance(low, 'one', 'two')).toBeLessThan(distance(high, 'one', 'two'));
    expect(low.height).toBeLessThanOrEqual(190);
    expect(layoutProblems(low, spaceOf(358, 190))).toEqual([]);
  });

  it('have the text of a bracket above them on each line, and of one below them once', () => {
    const spans = [{ id: 'long', from: 0, to: 32, text: 'row 7', above: true }];
    expect(texts(drawn({ body: cellsWith(32, upTo(32), {}, spans) }, PHONE), 'long words')).toEqual(['row 7', 'row 7']);
    const below = spans.map((span) => ({ ...span, above: false }));
    expect(texts(drawn({ body: cellsWith(32, upTo(32), {}, below) }, PHONE), 'long words')).toEqual(['row 7']);
  });

  it('that are empty and next to each other are replaced by their number, also below a bracket', () => {
    const span: Span = { id: 'long', from: 20, to: 398, text: '378', tone: 'indices' };
    const drawing = drawn({ body: cellsWith(400, [19, 398, 399], {}, [span]) }, WIDE);
    expect(texts(drawing, 'row left out')).toEqual(['19 empty', '378 empty']);
    expect(texts(drawing, 'axis')).toEqual(['19', '398', '399']);
    expect(texts(drawing, 'long words')).toEqual(['378']);
    expect(layoutProblems(drawing, WIDE)).toEqual([]);
  });

  it('far from the focus are replaced by their number if thousands have text', () => {
    const drawing = drawn({ body: numbered(4000, { focus: 2000 }) }, PHONE);
    const omitted = texts(drawing, 'row left out').map((text) => Number(text.replace(/\D/g, '')));
    expect(omitted).toHaveLength(2);
    expect(omitted.reduce((a, b) => a + b) + texts(drawing, 'cell').length).toBe(4000);
    expect(marksOf(drawing).has('cell 2000')).toBe(true);
    expect(layoutProblems(drawing, PHONE)).toEqual([]);
  });

  it('in groups have lines that end at the end of a group', () => {
    const available = spaceOf(230, 500);
    const cellsOnFirstLine = (style: Partial<CellsStyle>): number => {
      const { marks } = drawn({ body: numbered(32, style) }, available);
      const ys = marks.flatMap(({ id, y }) => (id.startsWith('cell') ? [y] : []));
      return ys.filter((y) => y === ys[0]).length;
    };
    expect(cellsOnFirstLine({})).toBe(12);
    expect(cellsOnFirstLine({ group: 8 })).toBe(8);
    expect(cellsOnFirstLine({ group: 4 })).toBe(12);
  });

  it('have the texts of spans next to each other, or below each other if the line is too short', () => {
    const spanOf = (from: number, to: number): Span => ({
      id: `span ${from}`,
      from,
      to,
      text: 'twelve columns',
      tone: 'indices',
    });
    const ys = (spans: readonly Span[]): number =>
      new Set(
        drawn({ body: cellsWith(32, [], {}, spans) }, WIDE).marks.flatMap(({ id, y }) =>
          id.endsWith('words') ? [y] : [],
        ),
      ).size;
    expect(ys([spanOf(0, 12), spanOf(12, 24)])).toBe(1);
    expect(ys([spanOf(0, 2), spanOf(2, 4)])).toBe(2);
  });

  it('have the text of a span on two lines at its longer part', () => {
    const drawing = drawn({ body: numberedWith({ id: 'span', from: 14, to: 32, text: 'eighteen' }) }, PHONE);
    const lines = drawing.marks.filter(({ id, shape }) => id.startsWith('span') && shape === 'bracket');
    expect(lines).toHaveLength(2);
    const words = marksOf(drawing).get('span words');
    expect(words?.y).toBeGreaterThan(lines[1].y);
  });
});

const numberedWith = (span: Span): Part => cellsWith(32, upTo(32), {}, [span]);

describe('bars', () => {
  const line = (id: string, to: number) => ({
    id,
    title: id,
    parts: [{ to, tone: 'format' as const, text: `${to} of it` }],
    after: `${to} \u00b5s`,
  });

  it('have one scale, and leave space for the text after the longest', () => {
    const drawing = drawn({ body: bars({ id: 'b', max: 100 }, [line('one', 100), line('two', 50)]) }, WIDE);
    const [one, two] = ['b one 0', 'b two 0'].map((id) => marksOf(drawing).get(id)?.w ?? 0);
    // Each bar is 1 px shorter than its length to scale, for the gap to the next part.
    expect((one + 1) / (two + 1)).toBeCloseTo(2);
    expect(layoutProblems(drawing, WIDE)).toEqual([]);
  });

  it('contain the texts of their parts, or have them below if a part is too narrow', () => {
    const drawing = drawn({ body: bars({ id: 'b', max: 100 }, [line('one', 100), line('two', 1)]) }, WIDE);
    expect(marksOf(drawing).get('b one 0')?.text).toBe('100 of it');
    expect(texts(drawing, 'b two 0 words')).toEqual(['1 of it']);
  });
});

describe('a story', () => {
  const above = numbered(32);
  const below = counterBar({
    title: 'bytes',
    parts: [{ tone: 'values', bytes: 8, name: 'weights' }],
    dense: 64,
    text: 'so far',
  });
  const pictures: readonly Picture[] = [
    { above, body: note('short', 'A word.'), below },
    { above, body: stack(list(16, 'a'), note('long', 'word '.repeat(60)), row(list(8, 'b'), list(8, 'c'))), below },
    {
      body: bars({ id: 'b', max: 1, isAlone: true }, [
        { id: 'x', title: 'a long title', parts: [{ to: 1, tone: 'ink' }] },
      ]),
    },
  ];

  it('has one text size, and the same positions of recurring marks, in all of its pictures', () => {
    for (const available of [WIDE, PHONE]) {
      const [a, b] = pictures.map((picture) => marksOf(drawn(picture, available, 9, pictures)));
      for (const id of ['cell 3', 'title row', 'axis row 0', 'counter title bytes', 'counter bytes 0'])
        expect(b.get(id), id).toEqual(a.get(id));
      expect(b.get('long')?.size).toBe(a.get('short')?.size);
    }
  });

  it('has the largest text size with which all of its pictures fit', () => {
    const em = (width: number, height: number): number => fitOf(spaceOf(width, height), pictures).em;
    expect(em(1000, 5000)).toBe(18);
    expect(em(1000, 150)).toBe(13);
    expect(em(1900, 5000)).toBe(29);
  });

  it('has pictures of different heights on paper, where the height is not limited', () => {
    const [short, long] = pictures.map((picture) => drawn(picture, spaceOf(358, Infinity), 9, pictures).height);
    expect(short).toBeLessThan(0.6 * long);
  });

  it('reserves the space of marks that appear later', () => {
    const body = tightStack(since(1, note('later', 'Later.')), note('now', 'Now.'));
    const [before, after] = [0, 1].map((state) => marksOf(drawn({ body }, WIDE, state)));
    expect([before.has('later'), after.has('later')]).toEqual([false, true]);
    expect(before.get('now')?.y).toBe(after.get('now')?.y);
  });

  it('draws the second part of `fitting` if the first does not fit', () => {
    const body = fitting(numbered(32, {}), note('instead', 'Instead.'));
    expect([WIDE, PHONE].map((available) => marksOf(drawn({ body }, available)).has('instead'))).toEqual([false, true]);
  });
});

describe('arrows', () => {
  const arrow = (spans: readonly Span[]): Drawing =>
    drawn(
      {
        above: cellsWith(32, [5, 21], {}, spans),
        body: cells({ count: 4 }, [{ id: 'list', cell: (i) => ({ id: `to ${i}`, text: '7' }) }]),
        arrows: [{ from: 'cell 21', to: 'to 0' }],
      },
      WIDE,
    );

  it('lead around text', () => {
    const spans: Span[] = [{ id: 'near', from: 6, to: 21, text: 'fifteen columns that are empty' }];
    for (const drawing of [arrow([]), arrow(spans)]) {
      expect(drawing.links).toHaveLength(1);
      expect(layoutProblems(drawing, WIDE)).toEqual([]);
    }
  });

  it('are omitted if there is no path around text', () => {
    const wall: Span[] = [{ id: 'wall', from: 18, to: 26, text: 'below all of the cell' }];
    expect(arrow(wall).links).toEqual([]);
  });
});

it('pictures with random parts have no layout problems in random spaces', () => {
  const words = fc
    .array(fc.constantFrom('a', 'word', 'columns', '\u221215', 'of the weights'), { minLength: 1, maxLength: 9 })
    .map((all) => all.join(' '));
  const cellsPart = fc
    .record({
      count: fc.integer({ min: 1, max: 130 }),
      value: fc.constantFrom(1, -15, 12_345),
      every: fc.integer({ min: 1, max: 20 }),
      hasWideGaps: fc.boolean(),
    })
    .chain(({ count, value, every, hasWideGaps }) =>
      fc
        .array(fc.tuple(fc.nat({ max: count - 1 }), fc.integer({ min: 1, max: 30 }), words), { maxLength: 3 })
        .map((spans) =>
          cells({ count, hasWideGaps, axis: (i) => String(i) }, [
            {
              id: 'row',
              title: 'row 0',
              cell: (i) =>
                i % every === 0
                  ? { id: `cell ${i}`, text: String(value), style: i % 2 === 0 ? 'lit' : 'plain', tone: 'values' }
                  : {},
              spans: spans.map(([from, length, message], i) => ({
                id: `span ${i}`,
                from,
                to: Math.min(count, from + length),
                text: message.slice(0, 30),
              })),
            },
          ]),
        ),
    );
  const barsPart = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 900 }), words), { minLength: 1, maxLength: 4 })
    .map((lines) =>
      bars(
        { id: 'bars', max: 1000, isAlone: true },
        lines.map(([to, message], i) => ({
          id: `${i}`,
          title: `bar ${i}`,
          parts: [{ to, tone: 'format' as const }],
          after: message.slice(0, 20),
        })),
      ),
    );
  fc.assert(
    fc.property(
      cellsPart,
      barsPart,
      words,
      fc.integer({ min: 304, max: 1904 }),
      fc.integer({ min: 200, max: 1000 }),
      (above, chart, message, width, height) => {
        const available = spaceOf(width, height);
        const below = counterBar({
          title: 'bytes',
          parts: [{ tone: 'values', bytes: message.length, name: 'weights' }],
          dense: 90,
          text: message,
        });
        expect(
          layoutProblems(drawn({ above, body: stack(note('note', message), chart), below }, available), available),
        ).toEqual([]);
      },
    ),
    { numRuns: cases(60, 1500) },
  );
});

describe('groups of cells', () => {
  it('are not broken by the ends of lines, and a line has at most `whole` of them', () => {
    const groups = numbered(56, { group: 8, groupsPerLine: 4, max: 1, lines: 4 });
    const rows = (available: DrawingSpace): readonly number[] => {
      const ys = drawn({ body: groups }, available).marks.flatMap(({ id, y }) => (id.startsWith('cell') ? [y] : []));
      return [...new Set(ys)].map((y) => ys.filter((item) => item === y).length);
    };
    expect(rows(WIDE)).toEqual([32, 24]);
    expect(rows(PHONE)).toEqual([16, 16, 16, 8]);
  });

  it('begin where the longest title in `besides` ends, on a phone, too', () => {
    const x = (others: readonly string[]): number | undefined =>
      marksOf(drawn({ body: numbered(8, { besides: others }) }, PHONE)).get('cell 0')?.x;
    expect(x(['window 10'])).toBe(9 * 0.54 * 11.5 + 6);
    expect(x([])).toBeLessThan(9 * 0.54 * 11.5);
  });
});

it('`until` replaces a part by another in a space that is large enough for both', () => {
  const long = note('long', 'word '.repeat(60));
  const body = tightStack(until(1, note('short', 'A word.'), long), note('now', 'Now.'));
  const [before, after] = [0, 1].map((state) => marksOf(drawn({ body }, WIDE, state)));
  expect([before.has('short'), before.has('long')]).toEqual([true, false]);
  expect([after.has('short'), after.has('long')]).toEqual([false, true]);
  expect(before.get('now')?.y).toBe(after.get('now')?.y);
});
