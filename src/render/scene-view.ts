import type { Mark, Scene } from '../core/scene.ts';
import { exportPng } from './export-png.ts';
import { exportSvg } from './export-svg.ts';
import { HitIndex } from './hit-index.ts';
import { layoutScene } from './layout/layout.ts';
import type { LaidOutScene, PlacedMark } from './layout/laid-out.ts';
import { CanvasPainter, type Context2D } from './paint/canvas-painter.ts';
import { Motion } from './paint/motion.ts';
import { Palette } from './paint/palette.ts';
import { type Sprite, spriteOf } from './paint/sprite.ts';
import { canvasMeasurer, type TextMeasurer } from './text-measurer.ts';
import type { Theme } from './theme.ts';

export interface SceneViewOptions {
  readonly theme: Theme;
  /** the colour of the format whose scenes are shown, from `formatColor` */
  readonly formatColor: string;
  /** true: every step appears at once, nothing moves */
  readonly reducedMotion: boolean;
  /** the mark under the pointer, null when there is none; called only when it changes */
  readonly onHover?: (mark: Mark | null) => void;
  /** a mark was clicked or tapped */
  readonly onSelect?: (mark: Mark) => void;
}

/** Height that stands for the stage when the container does not scroll: share of the window's. */
const STAGE_SHARE_OF_WINDOW = 0.7;
/** A finger is less exact than a pointer, px. */
const TOUCH_REACH = 8;
const POINTER_REACH = 1.5;

/**
 * Draws scenes on a canvas inside `container` and moves what they share from one to the next.
 * The container should have a definite height, scroll (overflow: auto) and keep the room of its scrollbar
 * (scrollbar-gutter: stable): the canvas is as wide as the container and as high as the scene needs; a panel takes at
 * most about 40 % of the container's height.
 */
export class SceneView {
  /** role="img"; set its aria-label to the narration */
  readonly canvas: HTMLCanvasElement;
  readonly #container: HTMLElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #resting = new OffscreenCanvas(1, 1);
  readonly #restingContext: OffscreenCanvasRenderingContext2D;
  readonly #options: SceneViewOptions;
  readonly #resizeObserver: ResizeObserver;
  readonly #listeners = new AbortController();
  #palette: Palette;
  #measure: TextMeasurer;
  #painter: CanvasPainter;
  #reducedMotion: boolean;
  #scene: Scene | null = null;
  #layout: LaidOutScene | null = null;
  #room = { width: 0, stageHeight: 0, pixelRatio: 0 };
  #motion: Motion | null = null;
  #motionStart = 0;
  /** what is drawn on top of the resting marks, at rest or on its way */
  #moving: readonly Sprite[] = [];
  #linksWere: ReadonlySet<string> = new Set();
  #frame = 0;
  #hits: HitIndex | null = null;
  #byName: Map<string, PlacedMark[]> | null = null;
  #pointer: { readonly x: number; readonly y: number; readonly reach: number } | null = null;
  #hovered: Mark | null = null;
  #highlight: readonly string[] | null = null;

  constructor(container: HTMLElement, options: SceneViewOptions) {
    this.#container = container;
    this.#options = options;
    this.#reducedMotion = options.reducedMotion;
    this.canvas = container.ownerDocument.createElement('canvas');
    this.canvas.setAttribute('role', 'img');
    this.canvas.style.display = 'block';
    this.canvas.style.touchAction = 'pan-x pan-y';
    container.append(this.canvas);
    this.#context = context2d(this.canvas);
    this.#restingContext = context2d(this.#resting);
    this.#palette = new Palette(options.theme, options.formatColor);
    this.#measure = canvasMeasurer(this.#restingContext);
    this.#painter = new CanvasPainter(this.#palette, this.#measure, devicePixelRatio);
    this.#listen();
    this.#resizeObserver = new ResizeObserver(() => this.#onResize());
    this.#resizeObserver.observe(container);
  }

  /** Shows a scene; with `animate`, from what is on the canvas now, whether or not an earlier movement has ended. */
  show(scene: Scene, how: { readonly animate: boolean }): void {
    const animate = how.animate && !this.#reducedMotion && this.#layout !== null;
    const now = animate ? this.#currentSprites() : new Map<string, Sprite>();
    this.#linksWere = new Set(this.#layout?.links.map((link) => link.id));
    this.#scene = scene;
    this.#relayout();
    if (!this.#layout) return;
    const motion = animate ? new Motion(now, this.#layout.marks, this.#palette) : null;
    this.#motion = motion && motion.durationMs > 0 ? motion : null;
    this.#motionStart = performance.now();
    this.#moving = this.#motion?.sample(0) ?? [];
    this.#paintResting(this.#motion?.resting ?? this.#spritesAtRest());
    // At once: a canvas that has changed its size is blank until it is drawn.
    this.#paint(this.#motion ? 0 : 1);
    if (this.#motion) this.#requestFrame();
    this.#updateHover();
  }

  setTheme(theme: Theme, formatColor: string): void {
    this.#palette = new Palette(theme, formatColor);
    this.#painter = new CanvasPainter(this.#palette, this.#measure, devicePixelRatio);
    this.#settle();
  }

  setReducedMotion(reducedMotion: boolean): void {
    this.#reducedMotion = reducedMotion;
    if (reducedMotion && this.#motion) this.#settle();
  }

  /** Outlines every mark that is about one of `keys`; null ends it. The hovered mark's own keys come on top. */
  setHighlight(keys: readonly string[] | null): void {
    this.#highlight = keys;
    this.#requestFrame();
  }

  /** The scene on the canvas as a standalone SVG document; null before the first scene. */
  toSvg(): string | null {
    return this.#layout && this.#scene ? exportSvg(this.#layout, this.#scene, this.#palette, this.#measure) : null;
  }

  /** The scene on the canvas as a PNG of twice its size; null before the first scene. */
  async toPng(): Promise<Blob | null> {
    return this.#layout ? exportPng(this.#layout, this.#palette) : null;
  }

  /** Removes the canvas and every listener. */
  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#resizeObserver.disconnect();
    this.#listeners.abort();
    this.canvas.remove();
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
      // A finger that is lifted leaves; what it touched stays, until it touches elsewhere.
      (event) => {
        if (event.pointerType !== 'touch') leave();
      },
      { signal },
    );
    this.canvas.addEventListener('pointercancel', leave, { signal });
    this.canvas.addEventListener(
      'click',
      (event) => {
        const mark = this.#markAt(event.offsetX, event.offsetY, TOUCH_REACH / 2);
        if (mark) this.#options.onSelect?.(mark);
      },
      { signal },
    );
    this.canvas.ownerDocument.fonts.addEventListener('loadingdone', () => this.#onFonts(), { signal });
  }

  /** Widths that were measured with a fallback face are wrong now. */
  #onFonts(): void {
    this.#measure = canvasMeasurer(this.#restingContext);
    this.#painter = new CanvasPainter(this.#palette, this.#measure, devicePixelRatio);
    this.#settle();
  }

  #onResize(): void {
    const { width, stageHeight, pixelRatio } = this.#measureRoom();
    const old = this.#room;
    if (width === old.width && stageHeight === old.stageHeight && pixelRatio === old.pixelRatio) return;
    if (pixelRatio !== old.pixelRatio) this.#painter = new CanvasPainter(this.#palette, this.#measure, pixelRatio);
    this.#settle();
  }

  #measureRoom(): { width: number; stageHeight: number; pixelRatio: number } {
    const scrolls = /auto|scroll/.test(getComputedStyle(this.#container).overflowY);
    return {
      width: this.#container.clientWidth,
      stageHeight: scrolls ? this.#container.clientHeight : Math.round(innerHeight * STAGE_SHARE_OF_WINDOW),
      pixelRatio: devicePixelRatio,
    };
  }

  /** Lays the scene out again and shows it without movement. */
  #settle(): void {
    if (!this.#scene) return;
    this.#relayout();
    this.#motion = null;
    this.#moving = [];
    this.#linksWere = new Set(this.#layout?.links.map((link) => link.id));
    this.#paintResting(this.#spritesAtRest());
    this.#paint(1);
    this.#updateHover();
  }

  #relayout(): void {
    this.#room = this.#measureRoom();
    const { width, stageHeight, pixelRatio } = this.#room;
    if (!this.#scene || width === 0) {
      this.#layout = null;
      return;
    }
    this.#layout = layoutScene(this.#scene, { width, stageHeight, measure: this.#measure });
    this.#hits = null;
    this.#byName = null;
    const { height } = this.#layout;
    const [w, h] = [Math.round(width * pixelRatio), Math.round(height * pixelRatio)];
    if (this.canvas.width === w && this.canvas.height === h) return;
    for (const canvas of [this.canvas, this.#resting]) {
      canvas.width = w;
      canvas.height = h;
    }
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }

  #spritesAtRest(): readonly Sprite[] {
    return this.#layout?.marks.map((m) => spriteOf(m, this.#palette)) ?? [];
  }

  /** Every mark as it is on the canvas now, by id. */
  #currentSprites(): Map<string, Sprite> {
    const sprites = new Map<string, Sprite>();
    const resting = this.#motion?.resting ?? this.#spritesAtRest();
    for (const sprite of resting) sprites.set(sprite.placed.mark.id, sprite);
    if (this.#motion) {
      const elapsed = performance.now() - this.#motionStart;
      for (const sprite of this.#motion.sample(elapsed)) sprites.set(sprite.placed.mark.id, sprite);
    }
    return sprites;
  }

  /** Draws once what does not change during the movement. */
  #paintResting(sprites: readonly Sprite[]): void {
    if (!this.#layout) return;
    const ctx = this.#restingContext;
    ctx.setTransform(this.#room.pixelRatio, 0, 0, this.#room.pixelRatio, 0, 0);
    this.#painter.background(ctx, this.#layout);
    const kept = this.#layout.links.filter((link) => this.#linksWere.has(link.id) || !this.#motion);
    this.#painter.guides(ctx, kept, 1);
    this.#painter.marks(ctx, sprites);
  }

  #requestFrame(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame((time) => {
      this.#frame = 0;
      this.#onFrame(time);
    });
  }

  #onFrame(time: number): void {
    if (this.#motion) {
      const elapsed = Math.max(0, time - this.#motionStart);
      this.#moving = this.#motion.sample(elapsed);
      if (elapsed >= this.#motion.durationMs) {
        // From here on the moved marks are drawn with the others.
        this.#motion = null;
        this.#moving = [];
        this.#paintResting(this.#spritesAtRest());
      } else {
        this.#requestFrame();
      }
      this.#paint(this.#motion ? elapsed / this.#motion.durationMs : 1);
    } else {
      this.#paint(1);
    }
  }

  /** `share` of the movement that is over: links that are new fade in with it. */
  #paint(share: number): void {
    const layout = this.#layout;
    if (!layout) return;
    const ctx = this.#context;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(this.#resting, 0, 0);
    ctx.setTransform(this.#room.pixelRatio, 0, 0, this.#room.pixelRatio, 0, 0);
    const fresh = layout.links.filter((link) => !this.#linksWere.has(link.id));
    if (this.#motion) this.#painter.guides(ctx, fresh, share);
    this.#painter.marks(ctx, this.#moving);
    const curvesAlpha = this.#motion ? share : 1;
    this.#painter.curves(ctx, layout.links, curvesAlpha);
    this.#painter.focus(ctx, this.#motion?.resting ?? this.#focusAtRest());
    this.#painter.focus(ctx, this.#moving);
    this.#painter.highlight(ctx, this.#highlighted());
  }

  #focusAtRest(): readonly Sprite[] {
    const marks = this.#layout?.marks.filter((m) => m.mark.focus === true) ?? [];
    return marks.map((m) => spriteOf(m, this.#palette));
  }

  #highlighted(): ReadonlySet<PlacedMark> {
    const found = new Set<PlacedMark>();
    const keys = [...(this.#highlight ?? []), ...(this.#hovered?.about ?? [])];
    if (keys.length === 0) return found;
    const byName = this.#marksByName();
    for (const key of keys) for (const mark of byName.get(key) ?? []) found.add(mark);
    return found;
  }

  #marksByName(): Map<string, PlacedMark[]> {
    if (this.#byName) return this.#byName;
    const byName = new Map<string, PlacedMark[]>();
    for (const placed of this.#layout?.marks ?? []) {
      for (const name of placed.mark.about ?? []) {
        const marks = byName.get(name);
        if (marks) marks.push(placed);
        else byName.set(name, [placed]);
      }
    }
    this.#byName = byName;
    return byName;
  }

  #markAt(x: number, y: number, reach: number): Mark | null {
    if (!this.#layout) return null;
    this.#hits ??= new HitIndex(this.#layout.marks, this.#layout.width, this.#layout.height);
    return this.#hits.at(x, y, reach)?.mark ?? null;
  }

  #updateHover(): void {
    const mark = this.#pointer ? this.#markAt(this.#pointer.x, this.#pointer.y, this.#pointer.reach) : null;
    const before = this.#hovered;
    this.#hovered = mark;
    if (mark?.id === before?.id && mark?.label === before?.label) return;
    this.#options.onHover?.(mark);
    this.#requestFrame();
  }
}

function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D;
function context2d(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D;
function context2d(canvas: HTMLCanvasElement | OffscreenCanvas): Context2D {
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('canvas: found no 2D context, expected one; the page may hold too many canvases');
  return context;
}
