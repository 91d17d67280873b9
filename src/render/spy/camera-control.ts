import { select } from 'd3-selection';
import { zoom, type ZoomBehavior, zoomIdentity, type ZoomTransform } from 'd3-zoom';
import { ease } from '../paint/motion.ts';
import { type Camera, cameraAt, clamp, constrain, fittedCell, largestZoom, type Shape, type Size } from './viewport.ts';

/** Callbacks of a CameraControl. */
export interface CameraControlOptions {
  /** whether something else handles the pointer */
  readonly isBusy: () => boolean;
  /** the camera has moved */
  readonly onCamera: () => void;
  /** a flight (an animated movement) has begun: `advance` must be called in every animation frame */
  readonly onFlight: () => void;
}

const FLIGHT_MS = 260;
/** Relative difference to the smallest or largest zoom that counts as none. */
const ZOOM_TOLERANCE = 0.001;
/** A press that moves less than this is a click, px. */
const CLICK_DISTANCE = 4;

/** Moves the camera of a spy plot: by wheel, pinch and drag through d3-zoom, and by animated flights. */
export class CameraControl {
  readonly #canvas: HTMLCanvasElement;
  readonly #options: CameraControlOptions;
  readonly #zoom: ZoomBehavior<HTMLCanvasElement, unknown>;
  #shape: Shape | null = null;
  #plot: Size = { width: 1, height: 1 };
  #camera: Camera = { k: 1, x: 0, y: 0 };
  #flight: { readonly from: Camera; readonly to: Camera; readonly start: number } | null = null;

  constructor(canvas: HTMLCanvasElement, options: CameraControlOptions) {
    this.#canvas = canvas;
    this.#options = options;
    this.#zoom = zoom<HTMLCanvasElement, unknown>()
      .filter((event: MouseEvent | TouchEvent) => !options.isBusy() && this.#isGesture(event))
      .clickDistance(CLICK_DISTANCE)
      .on('zoom', (event: { transform: ZoomTransform; sourceEvent?: unknown }) => {
        if (event.sourceEvent) this.#flight = null;
        this.#camera = event.transform;
        options.onCamera();
      });
    this.#zoom.constrain((transform) => this.#constrained(transform));
    select(canvas).call(this.#zoom).on('dblclick.zoom', null);
  }

  get camera(): Camera {
    return this.#camera;
  }

  get flying(): boolean {
    return this.#flight !== null;
  }

  get canZoomIn(): boolean {
    return this.#camera.k < this.#largest * (1 - ZOOM_TOLERANCE);
  }

  get canZoomOut(): boolean {
    return this.#camera.k > 1 + ZOOM_TOLERANCE;
  }

  get #largest(): number {
    return this.#shape ? largestZoom(this.#shape, this.#plot) : 1;
  }

  /** Sets the matrix and the plot's size. `keep`: the cell that stays in the middle, equally large; null: fits all. */
  setSpace(shape: Shape | null, plot: Size, keep: { readonly col: number; readonly row: number } | null): void {
    const cell = this.#shape ? fittedCell(this.#shape, this.#plot) * this.#camera.k : 0;
    this.#shape = shape;
    this.#plot = plot;
    this.#flight = null;
    this.#zoom.extent([
      [0, 0],
      [plot.width, plot.height],
    ]);
    this.#zoom.scaleExtent([1, this.#largest]);
    if (!shape || !keep || !this.canZoomOut) {
      this.jumpTo({ k: 1, x: 0, y: 0 });
      return;
    }
    const k = clamp(cell / fittedCell(shape, plot), 1, this.#largest);
    this.jumpTo(cameraAt(k, keep.col, keep.row, shape, plot));
  }

  /** Zooms by a factor around a point of the plot, in a flight that continues one in progress. */
  zoomBy(factor: number, point: { readonly x: number; readonly y: number }, fly: boolean): void {
    const from = this.#flight?.to ?? this.#camera;
    const k = clamp(from.k * factor, 1, this.#largest);
    const ratio = k / from.k;
    const to = { k, x: point.x - (point.x - from.x) * ratio, y: point.y - (point.y - from.y) * ratio };
    this.goTo(to, fly);
  }

  goTo(camera: Camera, fly: boolean): void {
    if (!fly) {
      this.#flight = null;
      this.jumpTo(camera);
      return;
    }
    this.#flight = { from: this.#camera, to: this.#constrained(camera), start: performance.now() };
    this.#options.onFlight();
  }

  jumpTo(camera: Camera): void {
    const transform = this.#constrained(camera);
    select(this.#canvas).call((selection) => {
      this.#zoom.transform(selection, transform);
    });
  }

  /** Advances the flight: the zoom in equal ratios, around the fixed point of both views. */
  advance(time: number): void {
    const flight = this.#flight;
    if (!flight) return;
    const share = clamp((time - flight.start) / FLIGHT_MS, 0, 1);
    const { from, to } = flight;
    if (share === 1) {
      this.#flight = null;
      this.jumpTo(to);
      return;
    }
    const t = ease(share);
    const k = from.k * (to.k / from.k) ** t;
    const along = to.k === from.k ? t : (k - from.k) / (to.k - from.k);
    this.jumpTo({ k, x: from.x + (to.x - from.x) * along, y: from.y + (to.y - from.y) * along });
  }

  dispose(): void {
    select(this.#canvas).on('.zoom', null);
  }

  /** Whether an event moves the camera. One finger on a fitted matrix does not: it scrolls the page. */
  #isGesture(event: MouseEvent | TouchEvent): boolean {
    if ('touches' in event) return event.touches.length > 1 || this.canZoomOut;
    return event.type === 'wheel' || (!event.ctrlKey && event.button === 0);
  }

  #constrained(camera: Camera): ZoomTransform {
    if (!this.#shape) return zoomIdentity;
    const { k, x, y } = constrain(camera, this.#shape, this.#plot);
    return zoomIdentity.translate(x, y).scale(k);
  }
}
