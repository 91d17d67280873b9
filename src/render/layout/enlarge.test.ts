import { expect, it } from 'vitest';
import { bandScene, sampleScene } from '../../../test/sample-scenes.ts';
import type { Panel, Scene } from '../../story/scene.ts';
import { estimateTextWidth } from '../text-measurer.ts';
import { enlarged } from './enlarge.ts';
import { layoutScene } from './layout.ts';

const TWO_FORMATS: Scene = {
  ...bandScene(),
  panels: bandScene().panels.map((panel, i): Panel => ({ ...panel, side: i % 2 === 0 ? 'a' : 'b' })),
  sides: { a: { title: 'MACKO' }, b: { title: 'CSR' } },
};

/** All values in an object that are not objects themselves, each with its path. */
function leavesOf(value: unknown, path = ''): readonly (readonly [path: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, path === '' ? key : `${path}.${key}`));
}

/** The least and greatest difference between a number of an enlarged picture and the number before times the zoom, by the path. */
const ROUNDING: readonly (readonly [path: RegExp, min: number, max: number])[] = [
  [/^height$/, 0, 0.999],
  [/font\.px$/, -0.499, 0],
  // Edges are at half px, so that marks that touch still touch: a width is the difference of two edges.
  [/^(panels|marks|tags)\.\d+\.[xy]$|grid\.(rows|columns)\.\d+\.[xy]$/, -0.25, 0.25],
  [/^(panels|marks|tags)\.\d+\.[wh]$|grid\.(rows|columns)\.\d+\.[wh]$/, -0.5, 0.5],
  [/unit[XY]$|adius$|^labels\.\d+\.[xy]$|^links\.\d+\.(start|curves)\./, -1e-9, 1e-9],
];

it.each([
  ['one format', sampleScene(5, 32, 6), 0.75],
  ['one format', sampleScene(5, 32, 6), 1.125],
  ['two formats', TWO_FORMATS, 2.375],
])('a picture of %s has every position, size and font multiplied, and all else unchanged', (_, scene, zoom) => {
  const before = layoutScene(scene, { width: 1200, stageHeight: 900, measure: estimateTextWidth, squeeze: false });
  expect(enlarged(before, 1, 1200)).toBe(before);
  const after = enlarged(before, zoom, 1300);
  const leaves = new Map(leavesOf({ ...after, width: null }));
  expect(after.width).toBe(1300);
  for (const [path, value] of leavesOf({ ...before, width: null })) {
    const enlargedValue = leaves.get(path);
    leaves.delete(path);
    const rule = ROUNDING.find(([paths]) => paths.test(path));
    if (!rule || typeof value !== 'number') expect([path, enlargedValue]).toEqual([path, value]);
    else {
      const [, min, max] = rule;
      const difference = Number(enlargedValue) - value * zoom;
      expect(difference >= min && difference <= max, `${path}: ${value} became ${String(enlargedValue)}`).toBe(true);
      // Fonts and edges, which are rounded, are multiples of half a px.
      if (min < -0.1) expect(Number.isInteger(2 * Number(enlargedValue)), path).toBe(true);
    }
  }
  expect([...leaves.keys()]).toEqual([]);
  // Painters compare fonts by identity.
  const fonts = after.marks.map((mark) => mark.font);
  expect(new Set(fonts).size).toBe(new Set(before.marks.map((mark) => mark.font)).size);
  expect([before.links.length > 0, before.tags.length > 0]).toEqual(scene.sides ? [false, true] : [true, false]);
});

it('marks that touch still touch after a picture is enlarged', () => {
  const before = layoutScene(sampleScene(5, 32, 6), { width: 817, stageHeight: 900, measure: estimateTextWidth });
  for (const zoom of [1.125, 1.33, 1.625]) {
    const { marks } = enlarged(before, zoom, 1300);
    const touching = before.marks.flatMap((a, i) =>
      before.marks.flatMap((b, j) => (Math.abs(a.x + a.w - b.x) < 1e-9 ? [[i, j] as const] : [])),
    );
    expect(touching.length).toBeGreaterThan(0);
    for (const [i, j] of touching) expect(marks[i].x + marks[i].w).toBeCloseTo(marks[j].x, 9);
  }
});
