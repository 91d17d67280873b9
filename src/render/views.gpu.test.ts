import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Mark } from '../story/scene.ts';
import { SceneView } from './scene-view.ts';
import { SpyView, type SpyHover, type SpyViewState } from './spy/spy-view.ts';
import type { Tile, TileRequest } from './spy/tile.ts';
import { sampleScene } from '../../test/sample-scenes.ts';
import { DARK, LIGHT } from './theme.ts';

const FORMAT_COLOR = '#449A8E';

let container: HTMLElement;

beforeEach(() => {
  container = document.createElement('div');
  container.style.cssText = 'width: 848px; height: 700px; overflow: auto; position: absolute; left: 0; top: 0';
  document.body.append(container);
});

afterEach(() => container.remove());

const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

/** Waits for animation frames until a condition is true; fails after 600 of them. */
async function frames(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 600 && !condition(); i++) await frame();
  expect(condition()).toBe(true);
}

/** '#RRGGBB' of a CSS px of a canvas. */
function pixel(canvas: HTMLCanvasElement, x: number, y: number): string {
  const ratio = canvas.width / canvas.clientWidth;
  const data = canvas.getContext('2d')?.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data;
  return `#${[...(data ?? [])]
    .slice(0, 3)
    .map((v) => v.toString(16).padStart(2, '0'))
    .join('')}`.toUpperCase();
}

/** Dispatches a pointer event at a position in px within an element. */
function pointer(target: HTMLElement, type: string, x: number, y: number, more: PointerEventInit = {}): void {
  const { left, top } = target.getBoundingClientRect();
  const init = { clientX: left + x, clientY: top + y, bubbles: true, isPrimary: true, pointerId: 1, ...more };
  target.dispatchEvent(new PointerEvent(type, init));
}

describe('SceneView', () => {
  const make = (more: Partial<ConstructorParameters<typeof SceneView>[1]> = {}): SceneView =>
    new SceneView(container, { theme: LIGHT, formatColor: FORMAT_COLOR, reducedMotion: false, ...more });

  test('fills the width, draws at once, and is an image to a screen reader', async () => {
    const view = make();
    view.show(sampleScene(5, 32, 6), { animate: false });
    expect(view.canvas.getAttribute('role')).toBe('img');
    expect(view.canvas.clientWidth).toBe(container.clientWidth);
    expect(pixel(view.canvas, 2, 2)).toBe(LIGHT.ground);
    view.setTheme(DARK, FORMAT_COLOR);
    expect(pixel(view.canvas, 2, 2)).toBe(DARK.ground);
    view.dispose();
    expect(container.childElementCount).toBe(0);
  });

  test('draws a prepared step, complete or not, like an unprepared one', async () => {
    /** The picture of a step that was prepared in at most this many parts; 0: not prepared. */
    const pictureOf = (step: number, parts: number): string => {
      const view = make({ reducedMotion: true });
      view.show(sampleScene(5, 32, step - 1), { animate: false });
      const next = sampleScene(5, 32, step);
      if (parts > 0) view.prepare(next);
      for (let i = 1; i < parts && view.prepareMore(); i++);
      view.show(next, { animate: true });
      const picture = view.canvas.toDataURL();
      view.dispose();
      return picture;
    };
    const unprepared = pictureOf(6, 0);
    for (const parts of [1, 2, 20]) expect(pictureOf(6, parts) === unprepared).toBe(true);
    expect(pictureOf(5, 0) === unprepared).toBe(false);
  });

  test('drops the preparation when another scene is shown or the size changes', async () => {
    const view = make();
    view.show(sampleScene(5, 32, 5), { animate: false });
    view.prepare(sampleScene(5, 32, 6));
    view.show(sampleScene(5, 32, 9), { animate: true });
    expect(view.prepareMore()).toBe(false);
    expect(await view.toSvg()).toContain('<svg');
    const later = sampleScene(5, 32, 10);
    view.prepare(later);
    view.setTheme(DARK, FORMAT_COLOR);
    view.show(later, { animate: false });
    expect(pixel(view.canvas, 2, 2)).toBe(DARK.ground);
  });

  test('during a story the canvas keeps its pixel size, and its element gets the height of each scene', async () => {
    const view = make();
    view.show(sampleScene(5, 32, 6), { animate: false });
    const pixels = view.canvas.height;
    const firstHeight = view.canvas.clientHeight;
    for (const step of [7, 8, 9]) {
      view.show(sampleScene(5, 32, step), { animate: true });
      const height = Number(/ height="(\d+)"/.exec((await view.toSvg()) ?? '')?.[1]);
      expect(view.canvas.clientHeight).toBe(height);
      expect(view.canvas.height).toBe(pixels);
    }
    view.show(sampleScene(40, 32, 6), { animate: false });
    expect(view.canvas.clientHeight).toBeGreaterThan(firstHeight);
    expect(view.canvas.height).toBeGreaterThan(pixels);
  });

  test('reports the mark under the pointer once per mark', async () => {
    const hovered: (string | null)[] = [];
    const view = make({ onHover: (mark: Mark | null) => hovered.push(mark?.id ?? null) });
    view.show(sampleScene(5, 32, 6), { animate: false });
    const svg = (await view.toSvg()) ?? '';
    const slot = /<g><title>values\[1\]: [^<]*<\/title><rect x="([\d.]+)" y="([\d.]+)"/.exec(svg);
    if (!slot) throw new Error('found no slot values[1] in the SVG, expected one');
    const [x, y] = [Number(slot[1]) + 5, Number(slot[2]) + 5];
    pointer(view.canvas, 'pointermove', x, y);
    pointer(view.canvas, 'pointermove', x + 1, y);
    pointer(view.canvas, 'pointerleave', x, y);
    expect(hovered).toEqual(['values[1]', null]);
    view.dispose();
  });

  test('requests frames only while something moves, and may be interrupted', async () => {
    const original = window.requestAnimationFrame;
    let requestCount = 0;
    window.requestAnimationFrame = (callback) => {
      requestCount++;
      return original(callback);
    };
    try {
      const view = make();
      view.show(sampleScene(5, 32, 6), { animate: false });
      expect(requestCount).toBe(0);
      view.show(sampleScene(5, 32, 7), { animate: true });
      expect(requestCount).toBe(1);
      view.show(sampleScene(5, 32, 8), { animate: true });
      let idleFrames = 0;
      let before = requestCount;
      for (let i = 0; i < 600 && idleFrames < 5; i++) {
        await new Promise((resolve) => original(resolve));
        idleFrames = requestCount === before ? idleFrames + 1 : 0;
        before = requestCount;
      }
      expect(idleFrames).toBe(5);
      view.dispose();
    } finally {
      window.requestAnimationFrame = original;
    }
  });

  test('moves nothing if reduced motion is requested', async () => {
    const original = window.requestAnimationFrame;
    window.requestAnimationFrame = () => {
      throw new Error('found a request for a frame, expected none');
    };
    try {
      const view = make({ reducedMotion: true });
      view.show(sampleScene(5, 32, 6), { animate: true });
      view.show(sampleScene(5, 32, 7), { animate: true });
      view.dispose();
    } finally {
      window.requestAnimationFrame = original;
    }
  });

  test('exports what it shows as SVG that a parser accepts, and as PNG of twice the size', async () => {
    const view = make();
    expect(await view.toSvg()).toBeNull();
    expect(await view.toPng()).toBeNull();
    view.show(sampleScene(5, 32, 6), { animate: false });
    const parsed = new DOMParser().parseFromString((await view.toSvg()) ?? '', 'image/svg+xml');
    expect(parsed.querySelector('parsererror')).toBeNull();
    expect(parsed.documentElement.getAttribute('width')).toBe(String(container.clientWidth));
    const png = await view.toPng();
    if (!png) throw new Error('found no PNG, expected one');
    const image = await createImageBitmap(png);
    expect(image.width).toBe(2 * container.clientWidth);
    view.dispose();
  });

  test('follows the width of its container', async () => {
    const view = make();
    view.show(sampleScene(5, 32, 6), { animate: false });
    container.style.width = '390px';
    await frames(() => view.canvas.clientWidth === container.clientWidth);
    view.dispose();
  });
});

describe('SpyView', () => {
  const matrix = { rows: 512, cols: 512, absMax: 1 };

  /** Returns tiles of a matrix whose cells are 0 and 1 like the squares of a chess board; adds each request to `requests`. */
  function provider(requests: TileRequest[]): (request: TileRequest) => Promise<Tile> {
    return async (request) => {
      requests.push(request);
      const { region, width, height } = request;
      const perBucket = region.cols > width ? Math.ceil(region.cols / width) : 1;
      const kind = perBucket === 1 ? 'cells' : 'density';
      const buckets = Float32Array.from({ length: width * height }, (_, i) =>
        kind === 'density' ? 0.5 : (region.row + Math.floor(i / width) + region.col + (i % width)) % 2,
      );
      return { region, width, height, rowsPerBucket: perBucket, colsPerBucket: perBucket, kind, buckets };
    };
  }

  function make(requests: TileRequest[], more: Partial<ConstructorParameters<typeof SpyView>[1]> = {}): SpyView {
    return new SpyView(container, {
      theme: LIGHT,
      formatColor: FORMAT_COLOR,
      reducedMotion: true,
      provider: provider(requests),
      maxWindow: { rows: 64, cols: 64 },
      ...more,
    });
  }

  test('requests one tile of the whole matrix, and cells when they are large enough', async () => {
    const requests: TileRequest[] = [];
    let state: SpyViewState | null = null;
    const view = make(requests, { onView: (v) => (state = v) });
    view.setMatrix({ ...matrix, rows: 4096, cols: 4096 });
    await frames(() => requests.length === 1);
    expect(requests[0].region).toEqual({ row: 0, col: 0, rows: 4096, cols: 4096 });
    for (let i = 0; i < 5; i++) await frame();
    expect(requests.length).toBe(1);
    for (let i = 0; i < 9; i++) view.zoomIn();
    await frames(() => state?.kind === 'cells');
    const { region, width, height } = requests[requests.length - 1];
    expect([width, height]).toEqual([region.cols, region.rows]);
    view.dispose();
  });

  test('reports row, column and value under the pointer', async () => {
    const seen: (SpyHover | null)[] = [];
    const view = make([], { onHover: (hover) => seen.push(hover) });
    view.setMatrix({ rows: 2, cols: 2, absMax: 1 });
    await frame();
    const { clientWidth: w, clientHeight: h } = view.canvas;
    pointer(view.canvas, 'pointermove', w / 2 - 20, h / 2 - 30);
    pointer(view.canvas, 'pointermove', w / 2 + 20, h / 2 - 30);
    pointer(view.canvas, 'pointermove', 1, 1);
    expect(seen.map((s) => s && [s.row, s.col, s.value, s.kind])).toEqual([
      [0, 0, 0, 'cells'],
      [0, 1, 1, 'cells'],
      null,
    ]);
    view.dispose();
  });

  test('picks a window by shift and drag, and does not pan meanwhile', async () => {
    const picked: { rows: number; cols: number }[] = [];
    let viewChanges = 0;
    const view = make([], { onPickWindow: (region) => picked.push(region), onView: () => viewChanges++ });
    view.setMatrix(matrix);
    await frame();
    for (let i = 0; i < 5; i++) view.zoomIn();
    await frame();
    const before = viewChanges;
    pointer(view.canvas, 'pointerdown', 100, 100, { shiftKey: true, button: 0 });
    pointer(view.canvas, 'pointermove', 240, 170, { shiftKey: true });
    pointer(view.canvas, 'pointerup', 240, 170, { shiftKey: true });
    expect(picked.length).toBe(1);
    expect(picked[0].cols).toBeGreaterThan(picked[0].rows);
    expect(viewChanges).toBe(before);
    view.dispose();
  });

  test('notes that cells are not square when a matrix would be too thin to see', async () => {
    const notes: (string | null)[] = [];
    const view = make([], { onNote: (note) => notes.push(note) });
    view.setMatrix({ rows: 1, cols: 100_000, absMax: 1 });
    expect(notes[0]).toMatch(/^cells are drawn [\d,]+ times taller than wide/);
    view.setMatrix(matrix);
    expect(notes[1]).toBeNull();
    view.dispose();
  });
});
