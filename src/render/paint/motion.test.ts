import { describe, expect, test } from 'vitest';
import type { Mark } from '../../story/scene.ts';
import type { PlacedMark } from '../layout/laid-out.ts';
import { DARK, LIGHT } from '../theme.ts';
import { ease, LEAVING_TEXT_MS, LONGEST_MS, Motion, SHORTEST_MS } from './motion.ts';
import { Palette } from './palette.ts';
import { focusOutlines } from './outlines.ts';
import { type Sprite, spriteOf } from './sprite.ts';

const palette = new Palette(LIGHT, '#449A8E');

function placed(id: string, x: number, y: number, more: Partial<Mark> = {}): PlacedMark {
  const mark: Mark = { id, shape: 'box', x: 0, y: 0, w: 1, h: 1, tone: 'values', ...more };
  return { mark, unit: 'slot', radius: 4, text: null, font: { face: 'mono', px: 12 }, x, y, w: 40, h: 28 };
}

const spritesOf = (...marks: readonly PlacedMark[]): Map<string, Sprite> =>
  new Map(marks.map((m) => [m.mark.id, spriteOf(m, palette)]));

test('the text of a dimmed mark has the colour of text, since the colour of the ground would be illegible', () => {
  for (const theme of [LIGHT, DARK]) {
    const palette = new Palette(theme, '#449A8E');
    expect(spriteOf(placed('full', 0, 0, { level: 1 }), palette).ink).toBe(theme.ground);
    expect(spriteOf(placed('full', 0, 0, { level: 1, state: 'dim' }), palette).ink).toBe(theme.text);
  }
});

describe('Motion', () => {
  test('does not move unchanged marks', () => {
    const motion = new Motion(spritesOf(placed('a', 0, 0)), spritesOf(placed('a', 0, 0)), palette);
    expect(motion.durationMs).toBe(0);
    expect(motion.resting.map((s) => s.placed.mark.id)).toEqual(['a']);
    expect(motion.sample(0)).toEqual([]);
  });

  test('moves a mark from its old position to its new one', () => {
    const motion = new Motion(spritesOf(placed('a', 0, 0)), spritesOf(placed('a', 100, 50)), palette);
    expect(motion.sample(0)[0]).toMatchObject({ x: 0, y: 0, alpha: 1 });
    const half = motion.sample(motion.durationMs / 2)[0];
    expect(half.x).toBeCloseTo(50, 5);
    expect(motion.sample(motion.durationMs)[0]).toMatchObject({ x: 100, y: 50, alpha: 1 });
  });

  test('lasts between 150 and 400 ms, longer for a longer way', () => {
    const near = new Motion(spritesOf(placed('a', 0, 0)), spritesOf(placed('a', 4, 0)), palette).durationMs;
    const far = new Motion(spritesOf(placed('a', 0, 0)), spritesOf(placed('a', 2000, 0)), palette).durationMs;
    expect(near).toBeGreaterThanOrEqual(SHORTEST_MS);
    expect(far).toBe(LONGEST_MS);
    expect(near).toBeLessThan(far);
  });

  test('lets a new mark come out of its origin, wherever that is', () => {
    const cell = placed('cell', 300, 20);
    const slot = placed('slot', 10, 200, { from: 'cell' });
    const motion = new Motion(spritesOf(cell), spritesOf(cell, slot), palette);
    expect(motion.sample(0)[0]).toMatchObject({ x: 300, y: 20, alpha: 1 });
    expect(motion.sample(1e4)[0]).toMatchObject({ x: 10, y: 200, alpha: 1 });
  });

  test('treats a filled slot as new: the mark moves in, the outline fades', () => {
    const cell = placed('cell', 300, 20);
    const empty = placed('slot', 10, 200, { state: 'ghost' });
    const full = placed('slot', 10, 200, { from: 'cell' });
    const [outline, mark] = new Motion(spritesOf(cell, empty), spritesOf(cell, full), palette).sample(0);
    expect(outline).toMatchObject({ x: 10, y: 200 });
    expect(outline.outline?.dashed).toBe(true);
    expect(mark).toMatchObject({ x: 300, y: 20 });
  });

  test('fades in marks without an origin, and fades out removed marks', () => {
    const motion = new Motion(spritesOf(placed('old', 0, 0)), spritesOf(placed('new', 50, 0)), palette);
    const start = motion.sample(0);
    expect(start.map((s) => [s.placed.mark.id, s.alpha])).toEqual([['old', 1]]);
    const middle = new Map(motion.sample(SHORTEST_MS / 2).map((s) => [s.placed.mark.id, s.alpha]));
    expect(middle.get('old')).toBeCloseTo(0.5, 5);
    expect(middle.get('new')).toBeCloseTo(0.5, 5);
    expect(motion.sample(SHORTEST_MS).map((s) => s.placed.mark.id)).toEqual(['new']);
  });

  test('removes a text within 100 ms, in a long movement as well', () => {
    const old = spritesOf(placed('old', 0, 0, { shape: 'text' }), placed('box', 0, 40));
    const motion = new Motion(old, spritesOf(placed('new', 50, 0, { shape: 'text' })), palette, 1200);
    const ids = (ms: number): readonly string[] => motion.sample(ms).map((s) => s.placed.mark.id);
    expect(ids(LEAVING_TEXT_MS / 2)).toContain('old');
    expect(ids(LEAVING_TEXT_MS)).toEqual(['new', 'box']);
  });

  test('can be interrupted: the next movement starts where this one is', () => {
    const first = new Motion(spritesOf(placed('a', 0, 0)), spritesOf(placed('a', 100, 0)), palette);
    const caught = first.sample(first.durationMs * 0.4)[0];
    const second = new Motion(new Map([['a', caught]]), spritesOf(placed('a', 0, 0)), palette);
    expect(second.sample(0)[0].x).toBeCloseTo(caught.x, 10);
    expect(second.sample(1e4)[0].x).toBe(0);
  });

  test('changes colour on the way', () => {
    const motion = new Motion(
      spritesOf(placed('a', 0, 0, { level: 0 })),
      spritesOf(placed('a', 0, 0, { level: 1 })),
      palette,
    );
    const [{ fill }] = motion.sample(motion.durationMs / 2);
    expect(fill).not.toBe(palette.fill('values', 0));
    expect(fill).not.toBe(palette.fill('values', 1));
  });

  test('eases from 0 to 1 without going back', () => {
    const values = Array.from({ length: 101 }, (_, i) => ease(i / 100));
    expect(values[0]).toBe(0);
    expect(values[100]).toBe(1);
    values.slice(1).forEach((v, i) => expect(v).toBeGreaterThanOrEqual(values[i]));
  });
});

describe('focusOutlines', () => {
  const byte = (id: string, x: number): PlacedMark => ({ ...placed(id, x, 0, { focus: true }), unit: 'byte', w: 8 });

  test('joins the bytes of one element', () => {
    const sprites = [byte('0', 0), byte('1', 9), byte('2', 40)].map((m) => spriteOf(m, palette));
    expect(focusOutlines(sprites).map((o) => [o.x, o.w])).toEqual([
      [-0.5, 18],
      [39.5, 9],
    ]);
  });

  test('omits what has no focus', () => expect(focusOutlines(spritesOf(placed('a', 0, 0)).values())).toEqual([]));
});
