import { describe, expect, it } from 'vitest';
import type { Drawing, DrawnMark, Scene } from '../../story/scene.ts';
import { exportSvg } from '../export-svg.ts';
import { Palette } from '../paint/palette.ts';
import { Motion } from '../paint/motion.ts';
import { arrowHeadPath } from '../paint/outlines.ts';
import { spriteOf } from '../paint/sprite.ts';
import { estimateTextWidth } from '../text-measurer.ts';
import { LIGHT } from '../theme.ts';
import { placeDrawing } from './drawing.ts';
import type { PlacedMark, LaidOutScene, PlacedPanel, Rect } from './laid-out.ts';
import { layoutScene } from './layout.ts';
import { MARGIN } from './metrics.ts';
import { zoomOf } from './zoom.ts';
import { joinScenes } from '../../story/joined-scene.ts';
import { sampleMatrix, sampleScene } from '../../../test/sample-scenes.ts';
import { labelRect } from './link-routes.ts';

const PALETTE = new Palette(LIGHT, '#227A60');

function box(id: string, x: number, y: number, more: Partial<DrawnMark> = {}): DrawnMark {
  return { id, shape: 'box', tone: 'values', x, y, w: 20, h: 10, ...more };
}

function placed(marks: readonly DrawnMark[], more: Partial<Drawing> = {}) {
  const options = { width: 200 + 2 * MARGIN, stageHeight: 1000, measure: estimateTextWidth };
  return placeDrawing({ width: 200, height: 100, marks, ...more }, options);
}

const found = (marks: readonly PlacedMark[], id: string): PlacedMark => {
  const mark = marks.find((mark) => mark.mark.id === id);
  if (!mark) throw new Error(`found no mark '${id}'`);
  return mark;
};

describe('a drawing', () => {
  it('a drawing has its marks and words inside a margin', () => {
    const { marks, width, height } = placed([box('a', 10, 20, { text: '0.4', size: 8 })]);
    expect([width, height]).toEqual([200 + 2 * MARGIN, 100 + 2 * MARGIN]);
    expect(found(marks, 'a')).toMatchObject({ x: MARGIN + 10, y: MARGIN + 20, w: 20, h: 10, text: '0.4' });
    expect(found(marks, 'a').font).toEqual({ face: 'mono', px: 8, strong: false });
  });

  it('breaks words with a width into lines, in several fonts', () => {
    const runs = [
      { text: 'Four bits end at ' },
      { text: '15', strong: true, tone: 'indices' as const },
      { text: ' here' },
    ];
    const mark: DrawnMark = { id: 't', shape: 'text', tone: 'neutral', x: 0, y: 0, w: 60, h: 0, runs, size: 10 };
    const { marks } = placed([mark]);
    const words = marks.filter((mark) => mark.mark.id.startsWith('t'));
    expect(words.map(({ text }) => text?.trim()).join(' ')).toBe('Four bits end at 15 here');
    expect(new Set(words.map(({ y }) => y)).size).toBeGreaterThan(1);
    for (const { x, w } of words) expect(x + w).toBeLessThanOrEqual(MARGIN + 60.5);
    expect(words.find(({ text }) => text?.trim() === '15')).toMatchObject({
      mark: { tone: 'indices' },
      font: { strong: true },
    });
    expect(new Set(words.map(({ mark: { id } }) => id)).size).toBe(words.length);
  });

  it('puts words at a point to its right, around it or to its left', () => {
    const markAligned = (align: 'start' | 'middle' | 'end'): PlacedMark =>
      found(placed([{ id: 't', shape: 'text', tone: 'ink', x: 50, y: 0, w: 0, h: 0, text: 'abcd', align }]).marks, 't');
    const point = MARGIN + 50;
    expect(markAligned('start').x).toBe(point);
    expect(markAligned('middle').x + markAligned('middle').w / 2).toBeCloseTo(point);
    expect(markAligned('end').x + markAligned('end').w).toBeCloseTo(point);
  });

  it('leads a link from edge to edge, downwards, upwards and sideways, to an arrow that points at its mark', () => {
    const marks = [box('a', 0, 0), box('b', 100, 50), box('c', 100, 0)];
    const link = (from: string, to: string) => {
      const links = [{ id: 'l', from, to, kind: 'curve' as const, tone: 'ink' as const, arrow: true }];
      const [way] = placed(marks, { links }).links;
      return { start: way.start, end: way.curves[0].slice(4), tip: arrowHeadPath(way).split('L')[1], arrow: way.arrow };
    };
    expect(link('a', 'b')).toMatchObject({
      start: [MARGIN + 10, MARGIN + 12],
      end: [MARGIN + 110, MARGIN + 45],
      arrow: true,
    });
    expect(link('b', 'a')).toMatchObject({ start: [MARGIN + 110, MARGIN + 48], end: [MARGIN + 10, MARGIN + 15] });
    expect(link('a', 'c')).toMatchObject({ start: [MARGIN + 22, MARGIN + 5], end: [MARGIN + 95, MARGIN + 5] });
    expect(link('a', 'b').tip).toBe(link('a', 'b').end.join(' '));
    expect(placed(marks, { links: [{ id: 'l', from: 'a', to: 'gone', kind: 'curve', tone: 'ink' }] }).links).toEqual(
      [],
    );
  });

  it('fills a scene that has one, without separate enlargement, and its SVG', () => {
    const points: [number, number][] = [
      [0, 0],
      [10, 20],
    ];
    const line: DrawnMark = { id: 'l', shape: 'line', tone: 'ink', x: 0, y: 0, w: 0, h: 0, points, thickness: 2 };
    const drawing: Drawing = {
      width: 200,
      height: 100,
      marks: [box('a', 0, 0), box('b', 100, 50, { tone: 'padding' }), line],
      links: [{ id: 'k', from: 'a', to: 'b', kind: 'curve', tone: 'danger', arrow: true, dashed: true }],
    };
    const scene = { panels: [], links: [], narration: [{ text: 'Said.' }], code: null, drawing };
    const options = { width: 200 + 2 * MARGIN, stageHeight: 1000, measure: estimateTextWidth };
    const layout = layoutScene(scene, options);
    expect(layout).toEqual(placeDrawing(drawing, options));
    expect(zoomOf([scene], options)).toBe(1);
    const svg = exportSvg(layout, scene, PALETTE, estimateTextWidth);
    expect(svg).toContain(`M${MARGIN} ${MARGIN}L${MARGIN + 10} ${MARGIN + 20}`);
    expect(svg).toContain('stroke-dasharray="3 3"');
    expect(svg).toContain('stroke-width="1.4"');
    expect(svg).toContain('<desc>Said.</desc>');
  });

  it('moves for the duration that its frame sets', () => {
    const sprites = (x: number) => {
      const [mark] = placed([box('a', x, 0)]).marks;
      return new Map([['a', spriteOf(mark, PALETTE)]]);
    };
    const motion = new Motion(sprites(0), sprites(50), PALETTE, 2000);
    expect(motion.durationMs).toBe(2000);
    expect(motion.sample(1000)[0].x).toBeCloseTo(MARGIN + 25);
    expect(new Motion(sprites(0), sprites(50), PALETTE).durationMs).toBeLessThan(500);
  });
});

/** Pictures of two formats. */

const narrated = (title: string, step: number) => ({ scene: sampleScene(5, 32, step), title, moved: true });

const joined = (step = 6): Scene =>
  joinScenes(sampleMatrix(5, 32, 0.3), narrated('MACKO', step), narrated('CSR', step + 2));

const layout = (width: number, stageHeight: number, scene = joined()): LaidOutScene =>
  layoutScene(scene, { width, stageHeight, measure: estimateTextWidth });

const sideOf = ({ panels }: LaidOutScene, side: 'a' | 'b'): readonly PlacedPanel[] =>
  panels.filter(({ id }) => id.startsWith(`${side} `));

const overlap = (a: Rect, b: Rect): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

describe('a picture of two formats', () => {
  it.each([900, 1024, 1233, 1400, 1900])(
    'a picture of two formats has both in columns below the cells, at %i px',
    (width) => {
      const laidOut = layout(width, 500);
      const [a, b] = [sideOf(laidOut, 'a'), sideOf(laidOut, 'b')];
      const cells = laidOut.panels.find(({ id }) => id === 'matrix');
      if (!cells) throw new Error('found no cells');
      expect(a.length).toBe(b.length);
      for (const panel of [...a, ...b]) expect(panel.y).toBeGreaterThan(cells.y + cells.h);
      expect(Math.max(...a.map(({ x, w }) => x + w))).toBeLessThan(Math.min(...b.map(({ x }) => x)));
      expect(a.map(({ y }) => y)).toEqual(b.map(({ y }) => y));
      // Slots of both can be compared.
      expect(new Set([...a, ...b].filter(({ id }) => id.endsWith('entries')).map(({ unitX }) => unitX)).size).toBe(1);
      for (const { x, w } of laidOut.panels) expect(x + w).toBeLessThanOrEqual(laidOut.width);
    },
  );

  it.each([390, 640, 899])('a picture of two formats has A above B, and no line across A, at %i px', (width) => {
    const laidOut = layout(width, 700);
    const [a, b] = [sideOf(laidOut, 'a'), sideOf(laidOut, 'b')];
    expect(Math.max(...a.map(({ y, h }) => y + h))).toBeLessThan(Math.min(...b.map(({ y }) => y)));
    expect(laidOut.links.some(({ id }) => id.startsWith('a curve'))).toBe(true);
    expect(laidOut.links.some(({ id }) => id.startsWith('b curve'))).toBe(false);
  });

  it.each([390, 900, 1233, 1900])('names both, off every word, at %i px', (width) => {
    const { tags, labels, width: w, height: h } = layout(width, 500);
    expect(tags.map(({ text, style }) => `${text} ${style}`)).toEqual(['A filled', 'B outlined']);
    for (const tag of tags) {
      expect(tag.x >= 0 && tag.y >= 0 && tag.x + tag.w <= w && tag.y + tag.h <= h, tag.text).toBe(true);
      for (const label of labels) expect(overlap(tag, labelRect(label, estimateTextWidth)), label.text).toBe(false);
    }
    expect(labels.filter(({ tone }) => tone !== undefined).map(({ text, tone }) => `${text} ${tone}`)).toEqual([
      'MACKO format',
      'CSR against',
    ]);
  });

  it('moves lines closer together before it is higher than the stage, with every word as large as before', () => {
    const [high, low] = [layout(1233, 900), layout(1233, 400)];
    expect(high.height).toBeGreaterThan(400);
    expect(low.height).toBeLessThan(high.height);
    expect(low.height).toBeLessThanOrEqual(400);
    const words = ({ marks }: LaidOutScene) =>
      marks.flatMap(({ mark, text, font }) => (text ? `${mark.id} ${text} ${font.px}` : []));
    expect(words(low)).toEqual(words(high));
    expect(sideOf(low, 'a').map(({ window }) => window)).toEqual(sideOf(high, 'a').map(({ window }) => window));
  });

  it('a picture of two formats is as low as the lowest of its chapter has to be', () => {
    const stage = { width: 1233, stageHeight: 400, measure: estimateTextWidth };
    const zoom = zoomOf([joined(3), joined(8)], stage);
    expect(zoom).toBeLessThan(1);
    expect(zoomOf([joined(3), joined(8)], { ...stage, stageHeight: 900 })).toBeGreaterThanOrEqual(1);
  });

  it('keeps its size alone: a picture of one format is squeezed only on request', () => {
    const alone = { width: 1233, stageHeight: 300, measure: estimateTextWidth };
    const scene = sampleScene(5, 32, 6);
    expect(layoutScene(scene, { ...alone, squeeze: true }).height).toBeLessThan(layoutScene(scene, alone).height);
  });

  it('a picture of two formats is exported with names and colours of both', () => {
    const scene = joined();
    const palette = new Palette(LIGHT, '#117755', '#224488');
    const svg = exportSvg(layout(1233, 500), scene, palette, estimateTextWidth);
    expect(svg).toContain(`fill="${palette.tone('format').text}">MACKO</text>`);
    expect(svg).toContain(`fill="${palette.tone('against').text}">CSR</text>`);
    expect(palette.tone('format').text).not.toBe(palette.tone('against').text);
  });
});
