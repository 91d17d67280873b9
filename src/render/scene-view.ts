import type { Cell } from '../core/matrix/index.ts';
import type { Mark, Scene } from '../story/scene.ts';
import { cellAt, cellRect, markAt } from './pointed-mark.ts';
import { cellOfMark } from '../story/scene-parts.ts';
import type { PlacedLink, PlacedMark, Rect } from './layout/laid-out.ts';
import type { Caption } from './layout/heading.ts';
import type { ZoomLimits, zoomOf as ZoomOf } from './layout/zoom.ts';
import { CanvasPainter } from './paint/canvas-painter.ts';
import { Motion } from './paint/motion.ts';
import { Palette } from './paint/palette.ts';
import { isOutlined } from './paint/outlines.ts';
import type { Sprite } from './paint/sprite.ts';
import { SceneCanvases } from './scene-canvases.ts';
import { type ReadyScene, ScenePreparation, type SceneSetting } from './scene-preparation.ts';
import { aboveIn, stageSpace, scrollerOf, type StageSpace, watchPixelRatio } from './stage-space.ts';
import { canvasMeasurer, type TextMeasurer } from './text-measurer.ts';
import type { Theme } from './theme.ts';

/** Options of a SceneView. */
export interface SceneViewOptions {
  readonly theme: Theme;
  /** the colour of the format whose scenes are shown, from `formatColor` */
  readonly formatColor: string;
  /** the colour of the second format, in pictures of two formats */
  readonly againstColor?: string | undefined;
  /** true: every step appears at once, nothing moves */
  readonly reducedMotion: boolean;
  /** how far pictures are enlarged if there is space; default: `ON_STAGE` in layout/zoom.ts */
  readonly zoomLimits?: ZoomLimits | undefined;
  /** whether lines of cells and labels move closer together before rows are clipped; default: in pictures of two formats */
  readonly squeeze?: boolean | undefined;
  /** the mark under the pointer, null for none; called only when it changes */
  readonly onHover?: (mark: Mark | null) => void;
}

/** Computes the zoom of pictures; null until layout/zoom.ts is loaded, after the page's first code. */
let zoomOf: typeof ZoomOf | null = null;
// If it cannot be loaded, pictures have their usual size.
const zoomLoaded = import('./layout/zoom.ts').then(
  (module) => {
    ({ zoomOf } = module);
  },
  () => {},
);

/** Distance at which a finger still hits a mark, px; a mouse pointer is more exact. */
const TOUCH_REACH = 8;
const POINTER_REACH = 1.5;
/** Time budget per animation frame for preparing the next picture, ms; the last part may exceed it. */
const PREPARING_MS = 1.5;

/**
 * Draws scenes on a canvas inside `container` and animates what consecutive scenes share. The canvas is as wide as the
 * container and as high as the scene needs. A matrix has at most about 40 % of the visible height of the nearest
 * scrolling element (overflow-y: auto): the container or an ancestor, which should have scrollbar-gutter: stable.
 */
export class SceneView {
  /** role="img"; set its aria-label to the narration */
  readonly canvas: HTMLCanvasElement;
  readonly #container: HTMLElement;
  /** below: still marks, drawn once per scene; above: moving marks, links and outlines, drawn in every frame */
  readonly #canvases: SceneCanvases;
  readonly #options: SceneViewOptions;
  readonly #resizeObserver: ResizeObserver;
  readonly #listeners = new AbortController();
  #palette: Palette;
  #measure: TextMeasurer;
  #painter: CanvasPainter;
  #reducedMotion: boolean;
  /** the requested scene, even if there is no space to draw it */
  #scene: Scene | null = null;
  #shown: ReadyScene | null = null;
  /** `stageHeight`: of the visible part; `storyHeight`: of every picture of the story */
  #space: StageSpace = { width: 0, stageHeight: 0, storyHeight: 0, pixelRatio: 0 };
  /** the scenes that share the zoom of the requested scene */
  #sizeGroup: readonly Scene[] = [];
  /** layout options and palette, by zoom */
  readonly #settings = new Map<number, SceneSetting>();
  /** the zoom of each size group */
  #zooms = new WeakMap<readonly Scene[], number>();
  /** the preparation of the scene of a later step */
  #preparation: ScenePreparation | null = null;
  #motion: Motion | null = null;
  #motionStart = 0;
  /** the marks of the upper canvas, in motion or, after the last movement, at rest */
  #moving: readonly Sprite[] = [];
  /** the marks of the lower canvas that are outlined, on the upper canvas */
  #restingFocus: readonly Sprite[] = [];
  #previousLinks: ReadonlySet<string> = new Set();
  /** id of the requested animation frame; 0: none */
  #frame = 0;
  /** id of the animation frame in which a resize is handled */
  #resizing = 0;
  #pointer: { readonly x: number; readonly y: number; readonly reach: number } | null = null;
  #hovered: Mark | null = null;
  #highlight: readonly string[] | null = null;
  #cursor: Cell | null = null;
  /** the scene to export, if it is more than the canvas shows */
  #exportScene: Scene | null = null;

  constructor(container: HTMLElement, options: SceneViewOptions) {
    this.#container = container;
    this.#options = options;
    this.#reducedMotion = options.reducedMotion;
    this.#canvases = new SceneCanvases(container);
    this.canvas = this.#canvases.lower;
    this.#palette = new Palette(options.theme, options.formatColor, options.againstColor);
    this.#measure = canvasMeasurer(this.#canvases.overlay);
    this.#painter = new CanvasPainter(this.#palette, this.#measure, devicePixelRatio);
    this.#listen();
    // The picture's height follows its width: in the same frame, browsers report that as a loop.
    this.#resizeObserver = new ResizeObserver(() => {
      cancelAnimationFrame(this.#resizing);
      this.#resizing = requestAnimationFrame(() => this.#onResize());
    });
    watchPixelRatio(() => this.#onResize(), this.#listeners.signal);
    // Elements around the container may change only their height, on a phone even after the first frame.
    const scroller = scrollerOf(container);
    for (const element of [container, container.parentElement, scroller, scroller && aboveIn(scroller)])
      if (element) this.#resizeObserver.observe(element);
    if (zoomOf === null) void zoomLoaded.then(() => this.#onZoom());
  }

  /**
   * Shows a scene. With `animate` it starts from the canvas's current content, even during a movement. All scenes of a
   * `sizeGroup` have one zoom (`zoomOf`), so that marks keep their size from step to step; pass the same list
   * each time. Without the list the zoom is 1. `ms`: duration of every movement.
   */
  show(
    scene: Scene,
    how: { readonly animate: boolean; readonly sizeGroup?: readonly Scene[]; readonly ms?: number },
  ): void {
    const animate = how.animate && !this.#reducedMotion && this.#shown !== null;
    const startSprites = animate ? this.#currentSprites() : new Map<string, Sprite>();
    this.#previousLinks = new Set(this.#shown?.layout.links.map((link) => link.id));
    this.#scene = scene;
    this.#sizeGroup = how.sizeGroup ?? [];
    this.#makeReady();
    if (!this.#shown) return;
    const motion = animate ? new Motion(startSprites, this.#shown.sprites, this.#palette, how.ms) : null;
    this.#motion = motion && motion.durationMs > 0 ? motion : null;
    this.#motionStart = performance.now();
    this.#moving = this.#motion?.sample(0) ?? [];
    this.#draw();
    // The first frame is drawn; a requested frame belongs to the previous movement.
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.#motion) this.#requestFrame();
    this.#updateHover();
  }

  /** Begins to prepare a scene that may be shown soon; `prepareMore` continues. Showing another scene discards this. */
  prepare(scene: Scene, sizeGroup: readonly Scene[] = []): void {
    const setting = this.#settingFor(sizeGroup);
    this.#preparation = setting && new ScenePreparation(scene, setting);
  }

  /** Continues what `prepare` began, for a fraction of a frame. True while there is more to do. */
  prepareMore(): boolean {
    const end = performance.now() + PREPARING_MS;
    while (this.#preparation?.advance() === true) if (performance.now() >= end) return true;
    return false;
  }

  setTheme(theme: Theme, formatColor: string, againstColor?: string): void {
    this.#palette = new Palette(theme, formatColor, againstColor);
    this.#settings.clear();
    this.#painter = new CanvasPainter(this.#palette, this.#measure, devicePixelRatio);
    this.#settle();
  }

  setReducedMotion(reducedMotion: boolean): void {
    this.#reducedMotion = reducedMotion;
    if (reducedMotion && this.#motion) this.#settle();
  }

  /** Outlines every mark with one of these keys in `highlightNames`; null: none. The keys of the hovered mark count, too. */
  setHighlight(keys: readonly string[] | null): void {
    this.#highlight = keys;
    this.#requestFrame();
  }

  /** Outlines a cell of the matrix window, with or without a mark; null: no cell. */
  setCursor(cell: Cell | null): void {
    this.#cursor = cell;
    this.#requestFrame();
  }

  /** The cell of the matrix window at a point of the page; null if none. `isTouch`: a finger, which is less exact. */
  cellAt(clientX: number, clientY: number, isTouch = false): Cell | null {
    if (!this.#shown) return null;
    const { left, top } = this.canvas.getBoundingClientRect();
    return cellAt(this.#shown.layout, clientX - left, clientY - top, isTouch ? TOUCH_REACH : POINTER_REACH);
  }

  /** The rectangle on the canvas of a cell of the matrix window; null if the picture does not show it. */
  positionOf(cell: Cell): Rect | null {
    return this.#shown && cellRect(this.#shown.layout, cell);
  }

  /** The first cell of the matrix window in the picture; null if it shows none. */
  firstCell(): Cell | null {
    if (!this.#shown) return null;
    const { marks, panels } = this.#shown.layout;
    for (const { mark } of marks) {
      const cell = cellOfMark(mark.id);
      if (cell) return cell;
    }
    const grid = panels.find((panel) => panel.grid.firstRow !== undefined);
    return grid ? { row: grid.grid.firstRow ?? 0, col: grid.window.x } : null;
  }

  /** Sets the scene to export if the canvas shows only a part of it; null: exports show the scene on the canvas. */
  setWhole(whole: Scene | null): void {
    this.#exportScene = whole;
  }

  /** The picture to export, with its caption. */
  async #captioned(captionOf?: (scene: Scene) => Caption): Promise<ReadyScene | null> {
    const ready = this.#exported();
    if (!ready || !captionOf) return ready;
    const { withCaption } = await import('./layout/heading.ts');
    return { ...ready, layout: withCaption(ready.layout, captionOf(ready.scene), this.#measure) };
  }

  /** The scene to export. */
  #exported(): ReadyScene | null {
    const setting = this.#exportScene && this.#settingFor([]);
    return this.#exportScene && setting ? new ScenePreparation(this.#exportScene, setting).finish() : this.#shown;
  }

  /**
   * The whole scene, or the one on the canvas, as a standalone SVG document; null before the first scene.
   *
   * @param captionOf the text around it; default: none
   */
  async toSvg(captionOf?: (scene: Scene) => Caption): Promise<string | null> {
    const shown = await this.#captioned(captionOf);
    if (!shown) return null;
    const { exportSvg } = await import('./export-svg.ts');
    return exportSvg(shown.layout, shown.scene, this.#palette, this.#measure);
  }

  /** The same as a PNG of twice its size. */
  async toPng(captionOf?: (scene: Scene) => Caption): Promise<Blob | null> {
    const shown = await this.#captioned(captionOf);
    if (!shown) return null;
    const { exportPng } = await import('./export-png.ts');
    return exportPng(shown.layout, this.#palette);
  }

  /** Removes the canvases and every listener. */
  dispose(): void {
    cancelAnimationFrame(this.#frame);
    cancelAnimationFrame(this.#resizing);
    this.#resizeObserver.disconnect();
    this.#listeners.abort();
    this.#canvases.remove();
  }

  #listen(): void {
    const { signal } = this.#listeners;
    const point = (event: PointerEvent): void => {
      const reach = event.pointerType === 'touch' ? TOUCH_REACH : POINTER_REACH;
      this.#pointer = { x: event.offsetX, y: event.offsetY, reach };
      this.#updateHover();
    };
    const leave = (): void => {
      this.#pointer = null;
      this.#updateHover();
    };
    this.canvas.addEventListener('pointermove', point, { signal });
    this.canvas.addEventListener('pointerdown', point, { signal });
    this.canvas.addEventListener(
      'pointerleave',
      // A lifted finger leaves, too, but the outlines of a touch stay until the next one.
      (event) => {
        if (event.pointerType !== 'touch') leave();
      },
      { signal },
    );
    this.canvas.addEventListener('pointercancel', leave, { signal });
    this.canvas.ownerDocument.fonts.addEventListener('loadingdone', () => this.#onFonts(), { signal });
  }

  /** Widths that were measured with a fallback font are wrong now. */
  #onFonts(): void {
    this.#measure = canvasMeasurer(this.#canvases.overlay);
    this.#painter = new CanvasPainter(this.#palette, this.#measure, devicePixelRatio);
    this.#forgetSizes();
    this.#settle();
  }

  #onResize(): void {
    const old = this.#space;
    this.#space = stageSpace(this.#container);
    const { width, stageHeight, storyHeight, pixelRatio } = this.#space;
    const hasSameHeight = stageHeight === old.stageHeight && storyHeight === old.storyHeight;
    if (width === old.width && hasSameHeight && pixelRatio === old.pixelRatio) return;
    if (pixelRatio !== old.pixelRatio) this.#painter = new CanvasPainter(this.#palette, this.#measure, pixelRatio);
    this.#forgetSizes();
    this.#settle();
  }

  /** Called when layout/zoom.ts has been loaded. */
  #onZoom(): void {
    if (this.#listeners.signal.aborted) return;
    this.#forgetSizes();
    if (this.#settingFor(this.#sizeGroup)?.zoom !== 1) this.#settle();
  }

  #forgetSizes(): void {
    this.#settings.clear();
    this.#zooms = new WeakMap();
  }

  /** Layout options and palette for this size group; null while the container has no width. */
  #settingFor(sizeGroup: readonly Scene[]): SceneSetting | null {
    if (this.#space.width === 0) this.#space = stageSpace(this.#container);
    const { width, stageHeight, storyHeight } = this.#space;
    if (width === 0) return null;
    const stage = { width, stageHeight, storyHeight, measure: this.#measure, squeeze: this.#options.squeeze };
    let zoom = this.#zooms.get(sizeGroup);
    if (zoom === undefined) {
      zoom = zoomOf?.(sizeGroup, stage, this.#options.zoomLimits) ?? 1;
      this.#zooms.set(sizeGroup, zoom);
    }
    let setting = this.#settings.get(zoom);
    if (setting === undefined) {
      setting = { ...stage, zoom, palette: this.#palette };
      this.#settings.set(zoom, setting);
    }
    return setting;
  }

  /** Lays the scene out again and shows it without movement. */
  #settle(): void {
    if (!this.#scene) return;
    this.#makeReady();
    this.#motion = null;
    this.#moving = [];
    this.#previousLinks = new Set(this.#shown?.layout.links.map((link) => link.id));
    this.#draw();
    this.#updateHover();
  }

  /** Lays the scene out, or uses the prepared layout. */
  #makeReady(): void {
    const setting = this.#settingFor(this.#sizeGroup);
    const preparation = this.#preparation;
    this.#preparation = null;
    if (!this.#scene || !setting) {
      this.#shown = null;
      return;
    }
    const isPrepared = preparation?.scene === this.#scene && preparation.setting === setting;
    this.#shown = (isPrepared ? preparation : new ScenePreparation(this.#scene, setting)).finish();
  }

  #spritesAtRest(): readonly Sprite[] {
    return this.#shown ? [...this.#shown.sprites.values()] : [];
  }

  /** Every mark as currently drawn, by id. */
  #currentSprites(): ReadonlyMap<string, Sprite> {
    if (!this.#motion) return this.#shown?.sprites ?? new Map<string, Sprite>();
    const sprites = new Map<string, Sprite>();
    for (const sprite of this.#motion.resting) sprites.set(sprite.placed.mark.id, sprite);
    const elapsed = performance.now() - this.#motionStart;
    for (const sprite of this.#motion.sample(elapsed)) sprites.set(sprite.placed.mark.id, sprite);
    return sprites;
  }

  /** Draws both canvases at once: a resized one is blank until then. */
  #draw(): void {
    if (!this.#shown) return;
    const { width, height } = this.#shown.layout;
    this.#canvases.fitPixels(width, height, this.#space.pixelRatio, this.#motion === null);
    this.#paintResting(this.#motion?.resting ?? this.#spritesAtRest());
    this.#paint(this.#motion ? 0 : 1);
    this.#canvases.fitElements(width, height);
  }

  /** Draws the marks that do not change during the movement, once. */
  #paintResting(sprites: readonly Sprite[]): void {
    if (!this.#shown) return;
    const { layout } = this.#shown;
    this.#restingFocus = sprites.filter(isOutlined);
    const ctx = this.#canvases.resting;
    ctx.setTransform(this.#space.pixelRatio, 0, 0, this.#space.pixelRatio, 0, 0);
    this.#painter.background(ctx, layout);
    this.#painter.dottedLinks(
      ctx,
      layout.links.filter((link) => this.#isOld(link)),
      1,
    );
    this.#painter.marks(ctx, sprites);
  }

  /** Whether a link existed before this movement; without a movement all count as old. */
  #isOld(link: PlacedLink): boolean {
    return this.#motion === null || this.#previousLinks.has(link.id);
  }

  #requestFrame(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame((time) => {
      this.#frame = 0;
      this.#onFrame(time);
    });
  }

  #onFrame(time: number): void {
    const elapsed = Math.max(0, time - this.#motionStart);
    if (this.#motion && elapsed < this.#motion.durationMs) this.#requestFrame();
    this.#moving = this.#motion?.sample(elapsed) ?? [];
    this.#paint(this.#motion ? Math.min(1, elapsed / this.#motion.durationMs) : 1);
  }

  /** Draws the upper canvas. `share`: progress of the movement; new links fade in with it. */
  #paint(share: number): void {
    const layout = this.#shown?.layout;
    if (!layout) return;
    const ctx = this.#canvases.overlay;
    ctx.setTransform(this.#space.pixelRatio, 0, 0, this.#space.pixelRatio, 0, 0);
    ctx.clearRect(0, 0, layout.width, layout.height);
    this.#painter.dottedLinks(
      ctx,
      layout.links.filter((link) => !this.#isOld(link)),
      share,
    );
    this.#painter.marks(ctx, this.#moving);
    this.#painter.otherLinks(ctx, layout.links, this.#motion ? share : 1);
    this.#painter.focus(ctx, this.#restingFocus);
    this.#painter.focus(ctx, this.#moving);
    this.#painter.highlight(ctx, this.#highlighted());
    const position = this.#cursor && cellRect(layout, this.#cursor);
    if (position) this.#painter.cursor(ctx, position);
  }

  /** The marks whose id or one of whose `highlightNames` is a key of the highlight or of the hovered mark. */
  #highlighted(): readonly PlacedMark[] {
    const keys = new Set([...(this.#highlight ?? []), ...(this.#hovered?.highlightNames ?? [])]);
    if (keys.size === 0) return [];
    return (
      this.#shown?.layout.marks.filter(
        ({ mark }) => keys.has(mark.id) || mark.highlightNames?.some((key) => keys.has(key)),
      ) ?? []
    );
  }

  #updateHover(): void {
    const [layout, pointer] = [this.#shown?.layout, this.#pointer];
    const mark = (layout && pointer && markAt(layout, pointer.x, pointer.y, pointer.reach)?.mark) ?? null;
    const previous = this.#hovered;
    this.#hovered = mark;
    if (mark?.id === previous?.id && mark?.label === previous?.label) return;
    this.#options.onHover?.(mark);
    this.#requestFrame();
  }
}
