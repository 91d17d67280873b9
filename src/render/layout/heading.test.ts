import { describe, expect, it, test } from 'vitest';
import type { TextMeasurer } from '../text-measurer.ts';
import { type Heading, withCaption, withFooter, withHeading } from './heading.ts';
import type { LaidOutScene, PlacedMark } from './laid-out.ts';
import { MARGIN } from './metrics.ts';

const layout: LaidOutScene = { width: 216, height: 50, panels: [], marks: [], labels: [], links: [], tags: [] };

/** Letters half as wide as their font is high, in bold three quarters of it, in the other typeface twice that. */
const measure: TextMeasurer = (text, { face, px, strong }) =>
  text.length * px * (strong ? 0.75 : 0.5) * (face === 'sans' ? 1 : 2);

const placementOf = ({ mark: { id }, x, y, w, h, text }: PlacedMark) => [id, x, y, w, h, text];
const textsOf = ({ marks }: LaidOutScene) => marks.map(({ text }) => text);

describe('a heading', () => {
  const layoutWithHeading = (heading: Heading, width = layout.width): LaidOutScene =>
    withHeading({ ...layout, width }, heading, measure);

  it('is text of which parts are bold, above the picture, whose height it adds to', () => {
    const { marks, height, width } = layoutWithHeading({ words: [{ text: 'ab ', strong: true }, { text: 'cd' }] });
    expect(marks.map(placementOf)).toEqual([
      ['heading', 8, 8, 54, expect.closeTo(33.6), 'ab '],
      ['heading 0.1', 62, 8, 24, expect.closeTo(33.6), 'cd'],
    ]);
    expect(marks.map(({ font }) => font)).toEqual([
      { face: 'sans', px: 24, strong: true },
      { face: 'sans', px: 24, strong: false },
    ]);
    for (const { mark } of marks) expect(mark).toMatchObject({ shape: 'text', tone: 'ink' });
    // The line, a gap of 16, and up to a whole px.
    expect([width, height]).toEqual([216, 50 + 50]);
  });

  it('is broken between words where the picture ends, even if that is narrower than its margins', () => {
    const words = [{ text: 'abcdefgh ijklmno' }];
    expect(textsOf(layoutWithHeading({ words }))).toEqual(['abcdefgh ijklmno']);
    expect(textsOf(layoutWithHeading({ words: [{ text: 'abcdefgh ijklmnop' }] }))).toEqual(['abcdefgh', 'ijklmnop']);
    expect(textsOf(layoutWithHeading({ words }, 10))).toEqual(['abcdefgh', 'ijklmno']);
    expect(layoutWithHeading({ words }, 10).height).toBe(50 + Math.ceil(2 * 33.6 + 16));
    expect(layoutWithHeading({ words: [] })).toEqual({ ...layout, height: 50 + 8 });
  });

  it('has the answers of a question side by side below it, of which the right one is filled', () => {
    const { marks, height } = layoutWithHeading({ words: [{ text: 'ab' }], options: ['Yes', 'Never'], answer: 1 });
    expect(marks.slice(1).map(placementOf)).toEqual([
      ['heading option 0', 8, 57.5, 76, 36, 'Yes'],
      ['heading option 1', 96, 57.5, 100, 36, 'Never'],
    ]);
    const style = { tone: 'ink', face: 'sans', size: 16, strong: true };
    expect(marks[1].mark).toMatchObject({ ...style, shape: 'frame' });
    expect(marks[1].mark.level).toBeUndefined();
    expect(marks[2].mark).toMatchObject({ ...style, shape: 'box', level: 1 });
    expect(height).toBe(50 + 102);
    const shapes = layoutWithHeading({ words: [], options: ['a', 'b'] }).marks.map(({ mark }) => mark.shape);
    expect(shapes).toEqual(['frame', 'frame']);
  });

  it('moves down all parts of the picture, and nothing sideways', () => {
    const rect = { x: 1, y: 2, w: 3, h: 4 };
    const font = { face: 'sans', px: 12, strong: false } as const;
    const mark = {
      mark: { id: 'm', shape: 'line', tone: 'ink', ...rect },
      unit: 'cell',
      radius: 0,
      text: null,
      font,
    } as const;
    const picture = (shift: number): LaidOutScene => ({
      ...layout,
      height: 50 + shift,
      panels: [
        {
          ...rect,
          y: 2 + shift,
          id: 'p',
          window: rect,
          unitX: 1,
          unitY: 1,
          grid: { columns: [rect], rows: [{ ...rect, y: 2 + shift }], firstRow: 5 },
          gridRadius: 0,
        },
      ],
      marks: [
        { ...rect, y: 2 + shift, ...mark },
        {
          ...rect,
          y: 2 + shift,
          ...mark,
          points: [
            [1, 2 + shift],
            [3, 4 + shift],
          ],
        },
      ],
      labels: [{ text: 'l', x: 1, y: 2 + shift, align: 'left', font, role: 'title' }],
      tags: [{ ...rect, y: 2 + shift, text: 'A', font, style: 'filled' }],
      links: [
        {
          id: 'l',
          kind: 'curve',
          tone: 'ink',
          start: [1, 2 + shift],
          curves: [[1, 2 + shift, 3, 4 + shift, 5, 6 + shift]],
        },
      ],
    });
    expect(withHeading(picture(0), { words: [] }, measure)).toStrictEqual(picture(8));
  });
});

describe('a footer', () => {
  const layoutWithFooter = (lines: readonly string[], width = layout.width): LaidOutScene =>
    withFooter({ ...layout, width }, lines, measure);

  it('is lines of small text below the picture, with a margin', () => {
    const { marks, height, width } = layoutWithFooter(['ab', 'c']);
    expect(marks.map(placementOf)).toEqual([
      ['footer 0', 8, expect.closeTo(MARGIN + 50 + 0.6), 12, expect.closeTo(16.8), 'ab'],
      ['footer 1', 8, expect.closeTo(MARGIN + 68 + 0.6), 6, expect.closeTo(16.8), 'c'],
    ]);
    expect(marks[0].font).toEqual({ face: 'sans', px: 12, strong: false });
    expect(marks[0].mark).toMatchObject({ shape: 'text', tone: 'ink' });
    expect([width, height]).toEqual([216, 50 + 2 * 18 + MARGIN]);
    expect(layoutWithFooter([])).toEqual(layout);
    expect(layoutWithFooter([''])).toEqual(layout);
  });

  it('is broken between letters where the picture ends, never inside a letter of two code units', () => {
    const address = 'https://example.org/#2/'.padEnd(34, 'x');
    expect(textsOf(layoutWithFooter([address, 'b'], 214))).toEqual([address.slice(0, 33), 'x', 'b']);
    expect(textsOf(layoutWithFooter([address], 213))).toEqual([address.slice(0, 32), 'xx']);
    expect(textsOf(layoutWithFooter([address], 220))).toEqual([address]);
    expect(textsOf(layoutWithFooter(['\u{1f600}'.repeat(17)], 213))).toEqual(['\u{1f600}'.repeat(16), '\u{1f600}']);
    expect(textsOf(layoutWithFooter(['abc'], 10))).toEqual(['a', 'b', 'c']);
    expect(layoutWithFooter(['abc'], 10).height).toBe(50 + 3 * 18 + MARGIN);
  });
});

test('a caption is the heading, the picture and the footer, from top to bottom', () => {
  const caption = { words: [{ text: 'ab' }], options: ['Yes'], answer: 0, footer: ['my.mtx'] };
  const { marks, height } = withCaption(layout, caption, measure);
  expect(marks.map(({ mark }) => mark.id)).toEqual(['heading', 'heading option 0', 'footer 0']);
  expect(marks[1].mark.shape).toBe('box');
  expect(marks[2].y).toBeCloseTo(MARGIN + 50 + 102 + 0.6);
  expect(height).toBe(50 + 102 + 18 + MARGIN);
});
