import { describe, expect, it } from 'vitest';
import { joinScenes } from '../../core/story/joined-scene.ts';
import type { Scene } from '../../core/story/scene.ts';
import { sampleMatrix, sampleScene } from '../../../test/sample-scenes.ts';
import { exportSvg } from '../export-svg.ts';
import { Palette } from '../paint/palette.ts';
import { estimateText } from '../text-measurer.ts';
import { LIGHT } from '../theme.ts';
import type { LaidOutScene, PlacedPanel, Rect } from './laid-out.ts';
import { layoutScene } from './layout.ts';
import { labelRect } from './link-routes.ts';
import { zoomOf } from './zoom.ts';

/** Pictures of two formats. */

const narrated = (title: string, step: number) => ({ scene: sampleScene(5, 32, step), title, moved: true });

function joined(step = 6): Scene {
  return joinScenes(sampleMatrix(5, 32, 0.3), narrated('MACKO', step), narrated('CSR', step + 2));
}

const layout = (width: number, stageHeight: number, scene = joined()): LaidOutScene =>
  layoutScene(scene, { width, stageHeight, measure: estimateText });

function sideOf({ panels }: LaidOutScene, side: 'a' | 'b'): readonly PlacedPanel[] {
  return panels.filter(({ id }) => id.startsWith(`${side} `));
}

const overlap = (a: Rect, b: Rect): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

describe('a picture of two formats', () => {
  it.each([900, 1024, 1233, 1400, 1900])('has both in columns below the cells, at %i px', (width) => {
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
  });

  it.each([390, 640, 899])('has A above B, and no line across A, at %i px', (width) => {
    const laidOut = layout(width, 700);
    const [a, b] = [sideOf(laidOut, 'a'), sideOf(laidOut, 'b')];
    expect(Math.max(...a.map(({ y, h }) => y + h))).toBeLessThan(Math.min(...b.map(({ y }) => y)));
    expect(laidOut.links.some(({ id }) => id.startsWith('a curve'))).toBe(true);
    expect(laidOut.links.some(({ id }) => id.startsWith('b curve'))).toBe(false);
  });

  it.each([390, 900, 1233, 1900])('names both, off every word, at %i px', (width) => {
    const { tags, labels, width: w, height: h } = layout(width, 500);
    expect(tags.map(({ text, look }) => `${text} ${look}`)).toEqual(['A filled', 'B outlined']);
    for (const tag of tags) {
      expect(tag.x >= 0 && tag.y >= 0 && tag.x + tag.w <= w && tag.y + tag.h <= h, tag.text).toBe(true);
      for (const label of labels) expect(overlap(tag, labelRect(label, estimateText)), label.text).toBe(false);
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

  it('is as low as the lowest of its chapter has to be', () => {
    const stage = { width: 1233, stageHeight: 400, measure: estimateText };
    const zoom = zoomOf([joined(3), joined(8)], stage);
    expect(zoom).toBeLessThan(1);
    expect(zoomOf([joined(3), joined(8)], { ...stage, stageHeight: 900 })).toBeGreaterThanOrEqual(1);
  });

  it('keeps its size alone: a picture of one format is squeezed only if asked', () => {
    const alone = { width: 1233, stageHeight: 300, measure: estimateText };
    const scene = sampleScene(5, 32, 6);
    expect(layoutScene(scene, { ...alone, squeeze: true }).height).toBeLessThan(layoutScene(scene, alone).height);
  });

  it('is exported with names and colours of both', () => {
    const scene = joined();
    const palette = new Palette(LIGHT, '#117755', '#224488');
    const svg = exportSvg(layout(1233, 500), scene, palette, estimateText);
    expect(svg).toContain(`fill="${palette.tone('format').text}">MACKO</text>`);
    expect(svg).toContain(`fill="${palette.tone('against').text}">CSR</text>`);
    expect(palette.tone('format').text).not.toBe(palette.tone('against').text);
  });
});
