import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Mark, Panel, Scene, UnitKind } from '../../story/scene.ts';
import { bandScene, sampleScene } from '../../../test/sample-scenes.ts';
import { estimateTextWidth } from '../text-measurer.ts';
import type { LaidOutScene, Rect } from './laid-out.ts';
import { layoutScene, wrap } from './layout.ts';
import { labelRect } from './link-routes.ts';
import { windowStart } from './plan.ts';

const WIDTHS = [300, 390, 560, 800, 1100, 1600, 2000] as const;

const SCENES: Readonly<Record<string, Scene>> = {
  'a window of 5 × 32': sampleScene(5, 32, 6),
  'a window of 64 × 64': sampleScene(64, 64, 500),
  'a single cell': sampleScene(1, 1, 0),
  'one row of 64': sampleScene(1, 64, 3),
  'panels side by side': bandScene(),
};

const layout = (scene: Scene, width: number, stageHeight = 640): LaidOutScene =>
  layoutScene(scene, { width, stageHeight, measure: estimateTextWidth });

const overlap = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.w - 0.01 && b.x < a.x + a.w - 0.01 && a.y < b.y + b.h - 0.01 && b.y < a.y + a.h - 0.01;

function expectInside(inner: Rect, outer: Rect, name: string): void {
  expect(inner.x, `${name}: left`).toBeGreaterThanOrEqual(outer.x - 0.01);
  expect(inner.y, `${name}: top`).toBeGreaterThanOrEqual(outer.y - 0.01);
  expect(inner.x + inner.w, `${name}: right`).toBeLessThanOrEqual(outer.x + outer.w + 0.01);
  expect(inner.y + inner.h, `${name}: bottom`).toBeLessThanOrEqual(outer.y + outer.h + 0.01);
}

/** Invariants of every scene at every width. */
function expectSound(scene: Scene, laidOut: LaidOutScene): void {
  const picture = { x: 0, y: 0, w: laidOut.width, h: laidOut.height };
  const panelOf = new Map(scene.panels.flatMap((p) => p.marks.map((m) => [m.id, p.id] as const)));
  const panels = new Map(laidOut.panels.map((p) => [p.id, p]));
  for (const panel of laidOut.panels) expectInside(panel, picture, `panel ${panel.id}`);
  for (const placedMark of laidOut.marks) {
    const panel = panels.get(panelOf.get(placedMark.mark.id) ?? '');
    if (!panel) throw new Error(`mark ${placedMark.mark.id} has no panel`);
    expectInside(placedMark, panel, `mark ${placedMark.mark.id}`);
    expect(placedMark.w).toBeGreaterThanOrEqual(0);
  }
  laidOut.panels.forEach((a, i) => {
    for (const b of laidOut.panels.slice(i + 1)) expect(overlap(a, b), `panels ${a.id} and ${b.id}`).toBe(false);
  });
}

describe('layoutScene', () => {
  for (const [name, scene] of Object.entries(SCENES)) {
    test.each(WIDTHS)(`keeps the labels of ${name} inside the picture and off the marks, at %i px`, (width) => {
      const laidOut = layout(scene, width);
      for (const label of laidOut.labels) {
        const rect = labelRect(label, estimateTextWidth);
        expectInside(rect, { x: 0, y: 0, w: width, h: laidOut.height }, `label '${label.text}'`);
        for (const panel of laidOut.panels)
          expect(overlap(rect, panel) && !isBetweenRows(rect, laidOut), label.text).toBe(false);
      }
    });
  }

  test('keeps panels apart and marks inside their panels, for any scene at any width', () => {
    fc.assert(
      fc.property(
        fc.oneof(scenes, fc.constantFrom(...Object.values(SCENES))),
        fc.integer({ min: 300, max: 2000 }),
        fc.integer({ min: 200, max: 1400 }),
        (scene, width, stage) => {
          expectSound(scene, layout(scene, width, stage));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('keeps the focus of a clipped panel in view', () => {
    fc.assert(
      fc.property(scenes, fc.integer({ min: 300, max: 900 }), (scene, width) => {
        const laidOut = layout(scene, width, 400);
        scene.panels.forEach((panel) => {
          const placedPanel = laidOut.panels.find((p) => p.id === panel.id);
          if (!placedPanel || !panel.focus) return;
          expect(panel.focus.x).toBeGreaterThanOrEqual(placedPanel.window.x);
          expect(panel.focus.x).toBeLessThan(placedPanel.window.x + placedPanel.window.w);
          expect(panel.focus.y).toBeGreaterThanOrEqual(placedPanel.window.y);
          expect(panel.focus.y).toBeLessThan(placedPanel.window.y + placedPanel.window.h);
        });
      }),
      { numRuns: 200 },
    );
  });

  test('shows how much of a clipped panel is hidden', () => {
    const [matrix, entries] = layout(SCENES['a window of 64 × 64'], 390).panels;
    expect(matrix.window.w).toBeLessThan(64);
    const texts = layout(SCENES['a window of 64 × 64'], 390).labels.map((l) => l.text);
    const hiddenColumns = 64 - matrix.window.x - matrix.window.w;
    expect(texts).toContain(`…${hiddenColumns}`);
    expect(texts).toContain(`${entries.window.x}…`);
  });

  test('draws cells 24 px wide when they fit, and never less than 7', () => {
    for (const width of WIDTHS) {
      const { unitX } = layout(SCENES['a window of 5 × 32'], width).panels[0];
      expect(unitX).toBeGreaterThanOrEqual(7);
      expect(unitX).toBeLessThanOrEqual(24);
    }
    expect(layout(SCENES['a window of 5 × 32'], 1100).panels[0].unitX).toBe(24);
  });

  test('shows that rows are hidden above and below', () => {
    const scene = SCENES['a window of 64 × 64'];
    const [matrix, ...otherPanels] = scene.panels;
    const matrixWithFocus = { ...matrix, focus: { x: 0, y: 12 } };
    const texts = layout({ ...scene, panels: [matrixWithFocus, ...otherPanels] }, 1100, 400).labels.map((l) => l.text);
    expect(texts).toContain('… more rows above');
    expect(texts).toContain('… more rows below');
  });

  test('shows fewer rows of a tall panel when the scene is higher than the stage', () => {
    const scene = SCENES['a window of 64 × 64'];
    const onTallStage = layout(scene, 1100, 900);
    const onLowStage = layout(scene, 1100, 600);
    expect(onTallStage.height).toBeLessThanOrEqual(900);
    expect(onLowStage.height).toBeLessThanOrEqual(600);
    expect(onLowStage.panels[0].window.h).toBeLessThan(onTallStage.panels[0].window.h);
  });

  test('limits a panel to about 40 % of the stage', () => {
    const stage = 640;
    const [matrix] = layout(SCENES['a window of 64 × 64'], 1100, stage).panels;
    expect(matrix.window.h * matrix.unitY).toBeLessThanOrEqual(stage * 0.4 + 1);
  });

  test('keeps measures below a matrix in view when its rows are clipped', () => {
    const laidOut = layout(SCENES['a window of 64 × 64'], 1100, 400);
    expect(laidOut.panels[0].window.h).toBeLessThan(24);
    expect(laidOut.marks.some((m) => m.mark.id === 'gap')).toBe(true);
  });

  test('aligns the slots of different panels', () => {
    const scene = sampleScene(5, 32, 6);
    const [, entries] = scene.panels;
    const secondPanel: Panel = { ...entries, id: 'second', columns: 4, marks: [], focus: { x: 0, y: 0 } };
    const laidOut = layout({ ...scene, panels: [entries, secondPanel] }, 1100);
    expect(laidOut.panels[1].x).toBe(laidOut.panels[0].x);
    expect(laidOut.panels[1].unitX).toBe(laidOut.panels[0].unitX);
  });

  test('aligns the columns of cells, for any row numbers', () => {
    const rows = (id: string, first: number): Panel => ({
      id,
      unit: 'cell',
      columns: 32,
      rows: 3,
      grid: { rows: 3 },
      rowLabels: [0, 1, 2].map((index) => ({ at: index, text: String(first + index) })),
      marks: [],
    });
    for (const width of WIDTHS) {
      const { panels } = layout(
        { panels: [rows('few', 0), rows('many', 98)], links: [], narration: [], code: null },
        width,
      );
      expect([panels[1].x, panels[1].unitX]).toEqual([panels[0].x, panels[0].unitX]);
    }
  });

  test('writes text only where it fits', () => {
    for (const width of WIDTHS) {
      for (const { text, font, w, mark } of layout(SCENES['a window of 5 × 32'], width).marks) {
        if (text !== null && mark.shape === 'box') expect(estimateTextWidth(text, font)).toBeLessThanOrEqual(w);
      }
    }
  });

  test('writes the numbers of one line of slots in one size', () => {
    for (const width of WIDTHS) {
      const slots = layout(SCENES['a window of 5 × 32'], width).marks.filter(
        (m) => m.unit === 'slot' && m.mark.w === 1,
      );
      const sizes = new Set(slots.flatMap((m) => (m.text === null ? [] : [m.font.px])));
      expect(sizes.size).toBeLessThanOrEqual(1);
    }
  });

  test('puts panels of a band side by side, and below each other if they would be too small', () => {
    const widePanels = layout(bandScene(), 1100).panels;
    expect(widePanels[1].y).toBe(widePanels[0].y);
    const narrowPanels = layout(bandScene(), 300).panels;
    expect(narrowPanels[1].y).toBeGreaterThan(narrowPanels[0].y + narrowPanels[0].h);
  });

  const slotsOf = (id: string, texts: readonly string[], band?: number): Panel => ({
    id,
    unit: 'slot',
    columns: texts.length,
    rows: 1,
    ...(band === undefined ? {} : { band }),
    marks: texts.map((text, x) => ({ id: `${id} ${x}`, shape: 'box', x, y: 0, w: 1, h: 1, tone: 'values', text })),
  });
  const layoutOf = (panels: readonly Panel[], width: number): LaidOutScene =>
    layout({ panels, links: [], narration: [], code: null }, width);
  const textsIn = ({ marks }: LaidOutScene): readonly (string | null)[] => marks.map(({ text }) => text);

  test.each([320, 1100])('aligns slots below each other, for any row labels, %i px wide', (width) => {
    const words = ['row 0', 'row 4', 'row 1', 'row 2'];
    const gathered = { ...slotsOf('gathered', ['1', '2']), rowLabels: [{ at: 0, text: 'x' }] };
    const products = {
      ...slotsOf('products', ['3', '4']),
      rows: 4,
      rowLabels: words.map((text, rowIndex) => ({ at: rowIndex, text })),
    };
    const lefts = layoutOf([gathered, products], width).marks.map(({ x }) => x);
    expect(lefts.slice(0, 2)).toEqual(lefts.slice(2));
  });

  test('makes slots of a band as wide as their words if they are below each other', () => {
    const shortTexts = Array.from({ length: 20 }, (_, i) => String(i));
    const wideTexts = Array.from({ length: 10 }, () => '\u22121.25');
    const [singlePanel, firstOfBand, secondOfBand] = [
      slotsOf('alone', shortTexts),
      slotsOf('first', wideTexts, 1),
      slotsOf('second', wideTexts, 1),
    ];
    const laidOut = layoutOf([singlePanel, firstOfBand, secondOfBand], 390);
    expect(laidOut.panels[2].y).toBeGreaterThan(laidOut.panels[1].y);
    expect(textsIn(laidOut)).not.toContain(null);
    expect(new Set(laidOut.panels.map(({ unitX }) => unitX)).size).toBe(1);
    // A wide picture has the panels of the band side by side.
    const wideLayout = layoutOf([singlePanel, firstOfBand, secondOfBand], 1600);
    expect(wideLayout.panels[2].y).toBe(wideLayout.panels[1].y);
  });

  test('uses a smaller font in slots instead of cutting text', () => {
    const texts = Array.from({ length: 8 }, () => '\u22121.25');
    const laidOut = layoutOf(
      [
        slotsOf('eight', texts),
        slotsOf(
          'many',
          Array.from({ length: 32 }, () => '0.5'),
        ),
      ],
      345,
    );
    expect(laidOut.panels.map(({ window }) => window.w)).toEqual([8, expect.any(Number)]);
    expect(laidOut.panels[1].window.w).toBeLessThan(32);
    expect(textsIn(laidOut)).not.toContain(null);
    // If not even the smallest words fit, they keep their size.
    const narrowLayout = layoutOf([slotsOf('twelve', [...texts, ...texts.slice(4)])], 345);
    expect(narrowLayout.panels[0].window.w).toBeLessThan(12);
    expect(narrowLayout.marks.every(({ text, font }) => text !== null && font.px === 12)).toBe(true);
  });

  test('moves a window in steps, so that the picture does not move with every step of the focus', () => {
    const starts = Array.from({ length: 200 }, (_, focus) => windowStart(200, focus, 30));
    const changes = starts.filter((start, i) => i > 0 && start !== starts[i - 1]).length;
    expect(changes).toBeLessThanOrEqual(20);
    starts.forEach((start, focus) => expect(focus - start).toBeGreaterThanOrEqual(0));
    starts.forEach((start, focus) => expect(focus - start).toBeLessThan(30));
  });
});

describe('links', () => {
  test.each(WIDTHS)('run from mark to mark without crossing a title or a row label, at %i px', (width) => {
    const laidOut = layout(SCENES['a window of 5 × 32'], width);
    const curve = laidOut.links.find((l) => l.id === 'curve');
    const slot = laidOut.marks.find((m) => m.mark.id === 'values[6]');
    if (!curve || !slot) throw new Error('found no curve or no slot, expected both');
    const end = curve.curves[curve.curves.length - 1];
    expect(end[4]).toBeGreaterThanOrEqual(slot.x);
    expect(end[4]).toBeLessThanOrEqual(slot.x + slot.w);
    expect(end[5]).toBeCloseTo(slot.y - 2, 5);
    const words = laidOut.labels.filter((l) => l.role !== 'quiet').map((l) => labelRect(l, estimateTextWidth));
    for (const [x, y] of points(curve)) {
      for (const r of words) expect(x > r.x && x < r.x + r.w && y > r.y && y < r.y + r.h).toBe(false);
    }
  });

  test('to marks out of view are omitted', () => {
    const scene = SCENES['a window of 64 × 64'];
    const link = { id: 'far', from: 'gap', to: 'values[460]', kind: 'curve', tone: 'neutral' } as const;
    const laidOut = layout({ ...scene, links: [link] }, 390);
    expect(laidOut.links).toEqual([]);
  });

  test('stay inside the picture', () => {
    for (const width of WIDTHS) {
      for (const link of layout(SCENES['a window of 64 × 64'], width).links) {
        for (const [x] of points(link)) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(width);
        }
      }
    }
  });
});

describe('wrap', () => {
  test('keeps every word, and lines within the width unless a word is longer', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(words, fc.integer({ min: 10, max: 300 }), (list, width) => {
        const font = { face: 'sans', px: 12 } as const;
        const lines = wrap(list.join(' '), width, font, estimateTextWidth);
        expect(lines.join(' ')).toBe(list.join(' '));
        for (const line of lines)
          if (line.includes(' ')) expect(estimateTextWidth(line, font)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

/** Row labels on narrow screens are between the rows of their panel, where no mark is. */
const isBetweenRows = (rect: Rect, laidOut: LaidOutScene): boolean =>
  laidOut.marks.every((m) => m.mark.shape !== 'box' || !overlap(rect, m));

function points(link: LaidOutScene['links'][number]): (readonly [number, number])[] {
  const result: (readonly [number, number])[] = [];
  let [x0, y0] = link.start;
  for (const [x1, y1, x2, y2, x3, y3] of link.curves) {
    for (let i = 0; i <= 20; i++) {
      const t = i / 20;
      const u = 1 - t;
      const cubic = (a: number, b: number, c: number, d: number): number =>
        a * u ** 3 + 3 * b * u * u * t + 3 * c * u * t * t + d * t ** 3;
      result.push([cubic(x0, x1, x2, x3), cubic(y0, y1, y2, y3)]);
    }
    [x0, y0] = [x3, y3];
  }
  return result;
}

const units = fc.constantFrom<UnitKind>('cell', 'slot', 'byte', 'bar');
const shapes = fc.constantFrom<Mark['shape']>('box', 'bracket', 'frame', 'line', 'text');

function panelArbitrary(id: string): fc.Arbitrary<Panel> {
  return fc
    .record({
      unit: units,
      columns: fc.integer({ min: 1, max: 120 }),
      rows: fc.integer({ min: 1, max: 70 }),
      labels: fc.constantFrom('none', 'short', 'long'),
      title: fc.boolean(),
      grid: fc.boolean(),
      band: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
      focus: fc.record({ x: fc.nat(119), y: fc.nat(69) }),
      spots: fc.array(fc.record({ shape: shapes, x: fc.nat(119), y: fc.nat(69), w: fc.nat(3), h: fc.nat(2) }), {
        maxLength: 12,
      }),
    })
    .map(({ unit, columns, rows, labels, title, grid, band, focus, spots }) => ({
      id,
      unit,
      columns,
      rows,
      ...(title ? { title: `panel ${id}`, caption: 'some words about it' } : {}),
      ...(grid ? { grid: { rows } } : {}),
      ...(band === undefined ? {} : { band }),
      ...(labels === 'none' ? {} : { rowLabels: [{ at: 0, text: labels === 'short' ? '0' : 'a longer name' }] }),
      columnLabels: [{ at: 0, text: '0' }],
      focus: { x: Math.min(focus.x, columns - 1), y: Math.min(focus.y, rows - 1) },
      marks: spots
        .filter((s) => s.x + s.w <= columns && s.y + s.h <= rows)
        .map((s, i): Mark => ({ ...s, id: `${id} ${i}`, tone: 'values', text: '0.5' })),
    }));
}

const scenes: fc.Arbitrary<Scene> = fc
  .integer({ min: 1, max: 4 })
  .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => panelArbitrary(`p${i}`))))
  .map((panels) => ({ panels, links: [], narration: [], code: null }));
