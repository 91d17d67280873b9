import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import { type LaidOutScene, CanvasPainter, Motion, type Palette, type Sprite, spriteOf } from '../../render/index.ts';
import type { ExportedPicture } from './exported-pictures.ts';
import { type FilesJob, laidOut, type PictureStyle, measurer, paletteOf, pause } from './picture-files.ts';

/** Layout size of a film, px. */
const LAYOUT_SIZE = { width: 800, stageHeight: 500 };
/** Time between two pictures of a movement, ms: GIFs count in hundredths of a second. */
const FRAME_MS = 80;
/** Colours of a picture, and the palette index of unchanged pixels, which are transparent. */
const COLOURS = 255;
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
    const stops = [...transition.map((step) => ({ ...step, restMs: 0 })), { scene, ms, restMs }];
    shots.push(
      stops.map((stop) => ({
        layout: laidOut({ ...picture, scene: stop.scene }, measure, LAYOUT_SIZE),
        ms: stop.ms,
        restMs: stop.restMs,
      })),
    );
    await pause(signal);
  }
  const height = shots.flat().reduce((max, { layout }) => Math.max(max, layout.height), 1);
  const film = new Film({ width: LAYOUT_SIZE.width, height }, palette, new CanvasPainter(palette, measure, 1));
  for (const [i, pictureShots] of shots.entries()) {
    for (const { layout, ms, restMs } of pictureShots) {
      const movement = film.movement(layout, ms);
      for (let at = FRAME_MS; movement !== null && at < ms; at += FRAME_MS) {
        film.show(layout, FRAME_MS, movement, at);
        await pause(signal);
      }
      film.show(layout, Math.max(restMs, FRAME_MS), null, 0);
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

  /** The movement from the current picture to `layout`; null for the first picture. */
  movement(layout: LaidOutScene, ms: number): Motion | null {
    const before = this.#sprites;
    const sprites = new Map(layout.marks.map((placed) => [placed.mark.id, spriteOf(placed, this.#palette)]));
    this.#sprites = sprites;
    return before && new Motion(before, sprites, this.#palette, ms);
  }

  /** Adds a picture: at rest, or `atMs` after the start of a movement. */
  show(layout: LaidOutScene, delay: number, motion: Motion | null, atMs: number): void {
    const { width, height } = this.#size;
    const context = this.#context;
    const painter = this.#painter;
    const moving = motion ? motion.sample(atMs) : [...(this.#sprites?.values() ?? [])];
    painter.background(context, { ...layout, height });
    painter.dottedLinks(context, layout.links, 1);
    if (motion) painter.marks(context, motion.resting);
    painter.marks(context, moving);
    painter.otherLinks(context, layout.links, motion ? atMs / motion.durationMs : 1);
    painter.focus(context, motion ? [...motion.resting, ...moving] : moving);
    this.#store(context.getImageData(0, 0, width, height).data, delay);
  }

  /** Writes a GIF frame of the pixels that differ from the previous one. */
  #store(pixels: Uint8ClampedArray, delay: number): void {
    const { width, height } = this.#size;
    const now = new Uint32Array(pixels.buffer.slice(0));
    const before = this.#previous;
    this.#previous = now;
    const changed: number[] = [];
    for (let i = 0; i < now.length; i++) if (before === null || now[i] !== before[i]) changed.push(i);
    const colours = new Uint32Array(changed.length || 1);
    for (const [k, i] of changed.entries()) colours[k] = now[i];
    const rgba = new Uint8ClampedArray(colours.buffer);
    const palette = quantize(rgba, COLOURS, { format: 'rgb565' });
    const indices = applyPalette(rgba, palette, 'rgb565');
    const index = new Uint8Array(width * height).fill(UNCHANGED);
    for (const [k, i] of changed.entries()) index[i] = indices[k];
    while (palette.length <= UNCHANGED) palette.push([0, 0, 0]);
    this.#gif.writeFrame(index, width, height, {
      palette,
      delay,
      ...(before && { transparent: true, transparentIndex: UNCHANGED }),
      dispose: 1,
    });
  }

  end(): Blob {
    this.#gif.finish();
    return new Blob([this.#gif.bytes().slice()], { type: 'image/gif' });
  }
}
