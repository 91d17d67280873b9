import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bandScene, sampleScene } from '../../../test/sample-scenes.ts';
import type { Drawing, Panel, Scene } from '../../story/scene.ts';
import { estimateTextWidth } from '../text-measurer.ts';
import type { LaidOutScene } from './laid-out.ts';
import { layoutScene, planToFit } from './layout.ts';
import { MIN_ZOOM } from './metrics.ts';
import { ON_SCREEN, ON_STAGE, zoomOf } from './zoom.ts';

const STEP = 0.125;
const { panels } = sampleScene(5, 32, 6);
const slots = (count: number, text: string): Panel => ({
  id: 'slots',
  unit: 'slot',
  columns: count,
  rows: 1,
  marks: Array.from({ length: count }, (_, x) => ({
    id: `${x}`,
    shape: 'box',
    x,
    y: 0,
    w: 1,
    h: 1,
    tone: 'values',
    text,
  })),
});
const bars: Panel = { ...slots(3, ''), id: 'bars', unit: 'bar' };
/** Scenes with and without a matrix, with bars, and with words that hardly fit. */
const SCENES: readonly Scene[] = [
  sampleScene(5, 32, 6),
  sampleScene(64, 64, 500),
  sampleScene(1, 1, 0),
  sampleScene(12, 8, 9),
  bandScene(),
  { ...sampleScene(5, 32, 6), links: [], panels: panels.filter(({ unit }) => unit !== 'cell') },
  { ...bandScene(), panels: [slots(4, '0.5'), { ...bars, marks: [] }] },
  { ...bandScene(), panels: [slots(32, '\u22121.25')] },
  sampleScene(2, 150, 9),
];
const stages = fc.record({
  width: fc.integer({ min: 560, max: 2200 }),
  stageHeight: fc.integer({ min: 250, max: 1400 }),
});
type Stage = { readonly width: number; readonly stageHeight: number };
const pictureOf = (scene: Scene, stage: Stage, zoom: number): LaidOutScene =>
  layoutScene(scene, { ...stage, measure: estimateTextWidth, zoom });

/** Height at a zoom, before rows are clipped. `layoutScene` itself takes a smaller zoom if that is too high. */
const heightOf = (scene: Scene, stage: Stage, zoom: number): number =>
  zoom * planToFit(scene, { ...stage, measure: estimateTextWidth, zoom }).uncutHeight;

const largestCell = ({ panels }: LaidOutScene, scene: Scene): number =>
  Math.max(
    0,
    ...panels.flatMap(({ id, unitX }) => (scene.panels.find((p) => p.id === id)?.unit === 'cell' ? [unitX] : [])),
  );

/** Number of marks and labels whose words are omitted or shortened. */
const countCutTexts = ({ marks, labels }: LaidOutScene): number =>
  marks.filter(({ mark, text }) => mark.text !== undefined && mark.state !== 'ghost' && text !== mark.text).length +
  labels.filter(({ text }) => text.endsWith('…')).length;

/** Whether a picture at a zoom is within all limits. */
function isAllowed(scene: Scene, stage: Stage, zoom: number, limits: typeof ON_STAGE): boolean {
  const [usualPicture, zoomedPicture] = [pictureOf(scene, stage, 1), pictureOf(scene, stage, zoom)];
  const showsEnough = zoomedPicture.panels.every(({ id, window }, i) => {
    const usualWindow = usualPicture.panels[i].window;
    const { unit, columns = 0 } = scene.panels.find((panel) => panel.id === id) ?? {};
    const minShare = unit !== 'cell' && usualWindow.w < columns ? limits.minRegion : 1;
    return window.w >= usualWindow.w * minShare && window.h >= usualWindow.h;
  });
  return (
    heightOf(scene, stage, zoom) <= 0.96 * stage.stageHeight &&
    largestCell(zoomedPicture, scene) <= limits.largestCell &&
    showsEnough &&
    new Set(zoomedPicture.panels.map(({ y }) => y)).size === new Set(usualPicture.panels.map(({ y }) => y)).size &&
    countCutTexts(zoomedPicture) <= countCutTexts(usualPicture)
  );
}

/** Share of the stage's height, or of its width by matrices or else arrays. */
function filledShare(scene: Scene, stage: Stage, zoom: number): number {
  const { panels } = pictureOf(scene, stage, zoom);
  const unitOf = (id: string) => scene.panels.find((panel) => panel.id === id)?.unit;
  const cells = panels.filter(({ id }) => unitOf(id) === 'cell');
  const ends = (cells.length > 0 ? cells : panels.filter(({ id }) => unitOf(id) !== 'bar')).map(({ x, w }) => x + w);
  return Math.max(
    heightOf(scene, stage, zoom) / stage.stageHeight,
    (Math.max(0, ...ends) - 8 * zoom) / (stage.width - 16),
  );
}

it.each([
  ['stage', ON_STAGE],
  ['screen', ON_SCREEN],
  ['stage a little', { ...ON_SCREEN, max: 1.25, maxOfWords: 1.125 }],
  ['stage with small cells', { max: 6, maxOfWords: 6, largestCell: 30, minRegion: 0.9 }],
])('a picture is enlarged until it fills the %s, as far as nothing of it is cut', (_, limits) => {
  const property = fc.property(
    fc.nat(SCENES.length - 1),
    stages,
    fc.boolean(),
    (sceneIndex, anyStage, isAlmostFull) => {
      const scene = SCENES[sceneIndex];
      // One step more would be too high.
      const stageHeight = Math.round(heightOf(scene, anyStage, 1) / 0.857);
      const stage = isAlmostFull ? { ...anyStage, stageHeight } : anyStage;
      const zoom = zoomOf([scene], { ...stage, measure: estimateTextWidth }, limits);
      expect(Number.isInteger((zoom - 1) / STEP)).toBe(true);
      const max = largestCell(pictureOf(scene, stage, 1), scene) > 0 ? limits.max : limits.maxOfWords;
      expect(zoom >= 1 && zoom <= max).toBe(true);
      for (let smallerZoom = 1 + STEP; smallerZoom <= zoom; smallerZoom += STEP) {
        expect(isAllowed(scene, stage, smallerZoom, limits)).toBe(true);
        expect(filledShare(scene, stage, smallerZoom - STEP)).toBeLessThan(0.87);
      }
      const isFull = filledShare(scene, stage, zoom) >= 0.85;
      expect(isFull || zoom + STEP > max || !isAllowed(scene, stage, zoom + STEP, limits)).toBe(true);
    },
  );
  fc.assert(property, { numRuns: 150 });
});

it('pictures of a group have the zoom of the median, or the smallest below 1', () => {
  const stage = { width: 1400, stageHeight: 700, measure: estimateTextWidth };
  const zoom = (...scenes: readonly Scene[]): number => zoomOf(scenes, stage, ON_SCREEN);
  const singleZooms = SCENES.map((scene) => zoom(scene));
  expect(new Set(singleZooms).size).toBeGreaterThan(2);
  for (const [a, b, c] of [
    [0, 1, 2],
    [3, 4, 5],
    [2, 0, 4],
  ]) {
    const sortedZooms = [singleZooms[a], singleZooms[b], singleZooms[c]].toSorted((x, y) => x - y);
    expect(zoom(SCENES[a], SCENES[b], SCENES[c])).toBe(sortedZooms[1]);
    expect(zoom(SCENES[a], SCENES[b])).toBe(Math.min(singleZooms[a], singleZooms[b]));
  }
  const heights = Array.from({ length: 40 }, (_, i) => 140 + 10 * i);
  const mixedHeight = heights.find((stageHeight) => {
    const lowStage = { ...stage, stageHeight, squeeze: true };
    return zoomOf([SCENES[0]], lowStage) < 1 && zoomOf([SCENES[2]], lowStage) > zoomOf([SCENES[0]], lowStage);
  });
  const lowStage = { ...stage, stageHeight: mixedHeight ?? 0, squeeze: true };
  expect(zoomOf([SCENES[2], SCENES[0], SCENES[2]], lowStage)).toBe(zoomOf([SCENES[0]], lowStage));
});

it('a picture that may be squeezed is squeezed until it fits', () => {
  const zooms = Array.from({ length: 40 }, (_, i) => {
    const stage = { width: 1100, stageHeight: 140 + 10 * i, measure: estimateTextWidth, squeeze: true };
    const zoom = zoomOf([SCENES[0]], stage);
    const fits = (testedZoom: number): boolean =>
      planToFit(SCENES[0], { ...stage, zoom: testedZoom }).uncutHeight <= stage.stageHeight;
    if (zoom < 1) expect([fits(zoom + STEP), fits(zoom) || zoom === MIN_ZOOM]).toEqual([false, true]);
    else expect(fits(1)).toBe(true);
    return zoom;
  });
  expect(new Set(zooms.filter((zoom) => zoom < 1)).size).toBe((1 - MIN_ZOOM) / STEP);
  expect(zooms).toEqual(zooms.toSorted((x, y) => x - y));
});

it('drawings, narrow stages and no scenes have zoom 1', () => {
  const drawing = { ...SCENES[0], drawing: {} as Drawing };
  const wideStage = { width: 2000, stageHeight: 1200, measure: estimateTextWidth };
  expect(zoomOf([SCENES[0]], wideStage)).toBeGreaterThan(1);
  expect([zoomOf([], wideStage), zoomOf([SCENES[0], drawing], wideStage)]).toEqual([1, 1]);
  const zoomAtWidth = (width: number) => zoomOf([SCENES[2]], { width, stageHeight: 1200, measure: estimateTextWidth });
  expect([zoomAtWidth(559), zoomAtWidth(560) > 1]).toEqual([1, true]);
});
