/** Extra height reserved for later steps of a story, px. */
const SPARE_HEIGHT = 96;
/** A canvas may have more rows of pixels than fit into its element: those at the bottom are clipped. */
const PIXELS_FROM_THE_TOP = 'object-fit: cover; object-position: left top';

/** Two stacked canvases: `resting` draws still marks on the lower, `overlay` moving marks on the upper. */
export class SceneCanvases {
  /** role="img" */
  readonly lower: HTMLCanvasElement;
  readonly resting: CanvasRenderingContext2D;
  readonly overlay: CanvasRenderingContext2D;
  readonly #stack: HTMLElement;

  constructor(container: HTMLElement) {
    const document = container.ownerDocument;
    this.#stack = document.createElement('div');
    this.#stack.style.position = 'relative';
    this.lower = document.createElement('canvas');
    this.lower.setAttribute('role', 'img');
    // Until the first drawing; then it is the narration.
    this.lower.setAttribute('aria-label', 'Picture, not drawn yet');
    this.lower.style.cssText = `display: block; touch-action: pan-x pan-y; ${PIXELS_FROM_THE_TOP}`;
    const upper = document.createElement('canvas');
    upper.ariaHidden = 'true';
    upper.style.cssText = `position: absolute; left: 0; top: 0; pointer-events: none; ${PIXELS_FROM_THE_TOP}`;
    this.#stack.append(this.lower, upper);
    container.append(this.#stack);
    this.resting = context2d(this.lower, { alpha: false });
    this.overlay = context2d(upper);
    // Without alpha, pixels are black until the first drawing, so the elements have no size until then.
    this.fitElements(0, 0);
  }

  /**
   * Resizes the canvases for a scene of this size in CSS px, with some reserve; a resized canvas is blank. Without
   * `mayShrink` most steps of a story resize nothing, which saves time: new pixels take longer than drawing a step.
   */
  fitPixels(width: number, height: number, pixelRatio: number, mayShrink: boolean): void {
    const pixelWidth = Math.round(width * pixelRatio);
    const minHeight = Math.round(height * pixelRatio);
    const maxHeight = Math.round((height + SPARE_HEIGHT) * pixelRatio);
    for (const { canvas } of [this.resting, this.overlay]) {
      if (canvas.width === pixelWidth && canvas.height >= minHeight && (canvas.height <= maxHeight || !mayShrink))
        continue;
      canvas.width = pixelWidth;
      canvas.height = maxHeight;
    }
  }

  /** Resizes the elements. To be called after drawing, which otherwise waits for a new layout to measure words. */
  fitElements(width: number, height: number): void {
    for (const { style } of [this.resting.canvas, this.overlay.canvas]) {
      style.width = `${width}px`;
      style.height = `${height}px`;
    }
  }

  remove(): void {
    this.#stack.remove();
  }
}

function context2d(canvas: HTMLCanvasElement, settings: CanvasRenderingContext2DSettings = {}) {
  const context = canvas.getContext('2d', settings);
  if (!context) throw new Error('canvas: found no 2D context, expected one; the page may contain too many canvases');
  return context;
}
