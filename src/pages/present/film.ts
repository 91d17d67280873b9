import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import { type LaidOutScene, CanvasPainter, Motion, type Palette, type Sprite, spriteOf } from '../../render/index.ts';
import type { ExportedPicture } from './exported-pictures.ts';
import { type FilesJob, laidOut, type PictureStyle, measurer, paletteOf, pause } from './picture-files.ts';

/** Layout size of a film, px. */
const LAYOUT_SIZE = { width: 800, stageHeight: 500 };
/** Time between two pictures of a movement, ms: a multiple of 10, since GIFs count in hundredths of a second. */
const FRAME_MS = 80;
/** Maximum number of colours of a picture, and the palette index after them for unchanged pixels, which are transparent. */
const MAX_COLOURS = 255;
const UNCHANGED = 255;

/** A picture of the film, laid out, with the durations of the movement to this picture and of the rest on it. */
interface Shot {
  readonly layout: LaidOutScene;
  readonly ms: number;
  /** 0 for a picture of a transition */
  readonly restMs: number;
}

/** A story as an animated GIF, with time to read each text. Rejects with the reason of `signal` once aborted. */
export async function gifOf(
  pictures: Iterable<ExportedPicture>,
  style: PictureStyle,
  { onProgress, signal }: FilesJob,
): Promise<Blob> {
  const measure = measurer();
  const palette = paletteOf(style);
  const shots: Shot[][] = [];
  for (const picture of pictures) {
    const { transition, scene, ms, restMs } = picture;
    const steps = [...transition.map((moving) => ({ ...moving, restMs: 0 })), { scene, ms, restMs }];
    shots.push(
      steps.map((step) => ({
        layout: laidOut({ ...picture, scene: step.scene }, measure, LAYOUT_SIZE),
        ms: step.ms,
        restMs: step.restMs,
      })),
    );
    await pause(signal);
  }
  // All pictures are as high as the highest.
  const height = shots.flat().reduce((max, { layout }) => Math.max(max, layout.height), 1);
  const film = new Film({ width: LAYOUT_SIZE.width, height }, palette, new CanvasPainter(palette, measure, 1));
  for (const [i, pictureShots] of shots.entries()) {
    for (const { layout, ms, restMs } of pictureShots) {
      const movement = film.startMovement(layout, ms);
      for (let atMs = FRAME_MS; movement !== null && atMs < ms; atMs += FRAME_MS) {
        film.add(layout, FRAME_MS, { motion: movement, atMs });
        await pause(signal);
      }
      film.add(layout, Math.max(restMs, FRAME_MS), null);
      await pause(signal);
    }
    onProgress(i + 1);
  }
  return film.end();
}

/** A GIF that is being written, picture by picture. */
class Film {
  readonly #gif = GIFEncoder();
  readonly #size: { readonly width: number; readonly height: number };
  readonly #palette: Palette;
  readonly #painter: CanvasPainter;
  readonly #context: OffscreenCanvasRenderingContext2D;
  #sprites: ReadonlyMap<string, Sprite> | null = null;
  #previous: Uint32Array | null = null;

  constructor(size: { readonly width: number; readonly height: number }, palette: Palette, painter: CanvasPainter) {
    this.#size = size;
    this.#palette = palette;
    this.#painter = painter;
    const context = new OffscreenCanvas(size.width, size.height).getContext('2d', {
      alpha: false,
      willReadFrequently: true,
    });
    if (!context)
      throw new Error(`GIF: found no memory for ${size.width} × ${size.height} px, expected a smaller picture`);
    this.#context = context;
  }

  /** Returns the movement from the current picture to `layout`, which becomes current; null for the first picture. */
  startMovement(layout: LaidOutScene, ms: number): Motion | null {
    const before = this.#sprites;
    const sprites = new Map(layout.marks.map((placed) => [placed.mark.id, spriteOf(placed, this.#palette)]));
    this.#sprites = sprites;
    return before && new Motion(before, sprites, this.#palette, ms);
  }

  /** Adds a picture that is visible for `delayMs`: at rest, or `atMs` after the start of a movement. */
  add(
    layout: LaidOutScene,
    delayMs: number,
    movement: { readonly motion: Motion; readonly atMs: number } | null,
  ): void {
    const { width, height } = this.#size;
    const context = this.#context;
    const painter = this.#painter;
    const moving = movement ? movement.motion.sample(movement.atMs) : [...(this.#sprites?.values() ?? [])];
    painter.background(context, { ...layout, height });
    painter.dottedLinks(context, layout.links, 1);
    const resting = movement?.motion.resting ?? [];
    if (movement) painter.marks(context, resting);
    painter.marks(context, moving);
    painter.otherLinks(context, layout.links, movement ? movement.atMs / movement.motion.durationMs : 1);
    painter.focus(context, [...resting, ...moving]);
    this.#writeFrame(context.getImageData(0, 0, width, height).data, delayMs);
  }

  /** Writes a GIF frame of the pixels that differ from the previous one. */
  #writeFrame(data: Uint8ClampedArray, delayMs: number): void {
    const { width, height } = this.#size;
    const pixels = new Uint32Array(data.buffer.slice(0));
    const previous = this.#previous;
    this.#previous = pixels;
    const changed: number[] = [];
    for (let i = 0; i < pixels.length; i++) if (previous === null || pixels[i] !== previous[i]) changed.push(i);
    const changedPixels = new Uint32Array(changed.length || 1);
    for (const [k, i] of changed.entries()) changedPixels[k] = pixels[i];
    const rgba = new Uint8ClampedArray(changedPixels.buffer);
    const palette = quantize(rgba, MAX_COLOURS, { format: 'rgb565' });
    const indices = applyPalette(rgba, palette, 'rgb565');
    const frame = new Uint8Array(width * height).fill(UNCHANGED);
    for (const [k, i] of changed.entries()) frame[i] = indices[k];
    // The palette needs an entry for unchanged pixels; its colour is never seen.
    while (palette.length <= UNCHANGED) palette.push([0, 0, 0]);
    this.#gif.writeFrame(frame, width, height, {
      palette,
      delay: delayMs,
      ...(previous && { transparent: true, transparentIndex: UNCHANGED }),
      dispose: 1, // the next frame is drawn over this one
    });
  }

  end(): Blob {
    this.#gif.finish();
    return new Blob([this.#gif.bytes().slice()], { type: 'image/gif' });
  }
}
