import { zipSync } from 'fflate';
import { threadPace } from '../../core/pace.ts';
import { plainWords } from '../../core/text/words.ts';
import {
  exportPng,
  exportSvg,
  withFooter,
  withHeading,
  type LaidOutScene,
  layoutScene,
  ON_STAGE,
  zoomOf,
  Palette,
  canvasMeasurer,
  type TextMeasurer,
  formatColor,
  type Theme,
} from '../../render/index.ts';
import type { ExportedPicture } from './exported-pictures.ts';

/** Layout size of the pictures, CSS px. */
const LAYOUT_SIZE = { width: 960, stageHeight: 600 };

/** Theme of the pictures, and ids of the formats whose colours they use: format A, and format B if there is one. */
export interface PictureStyle {
  readonly theme: Theme;
  readonly format: string;
  readonly otherFormat: string | null;
}

/** The names of numbered pictures, and what each says below it. */
export interface NumberedFiles {
  /** the beginning of every name: 'csr-frames' */
  readonly base: string;
  /** the end of a picture's name, after its number; '' for none */
  nameOf(picture: ExportedPicture): string;
  footerOf(picture: ExportedPicture): readonly string[];
}

/** How an export reports its progress, and how it is cancelled. */
export interface FilesJob {
  readonly onProgress: (done: number) => void; // number of finished pictures
  readonly signal: AbortSignal;
}

/** Measures words as canvases draw them. Throws Error if the browser has no canvas. */
export function measurer(): TextMeasurer {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) throw new Error('Pictures: found no 2D context, expected one');
  return canvasMeasurer(context);
}

/** The colours of a picture. */
export function paletteOf({ theme, format, otherFormat }: PictureStyle): Palette {
  return new Palette(
    theme,
    formatColor(theme, format),
    otherFormat === null ? undefined : formatColor(theme, otherFormat),
  );
}

/** Lays out the scene of a picture, below its text. `size`: CSS px. */
export function laidOut(
  { scene, sizeGroup, ...heading }: Pick<ExportedPicture, 'scene' | 'sizeGroup' | 'words' | 'options' | 'answer'>,
  measure: TextMeasurer,
  size = LAYOUT_SIZE,
): LaidOutScene {
  const zoom = zoomOf(sizeGroup, { ...size, measure }, ON_STAGE);
  return withHeading(layoutScene(scene, { ...size, measure, zoom }), heading, measure);
}

/**
 * Numbered pictures of equal size, each between its text and its footer, and a file with all texts, in an uncompressed zip. PNGs
 * have 2 pixels per CSS px. Rejects with the reason of an aborted `signal`, or if memory for a picture is lacking.
 */
export async function pictureZip(
  kind: 'png' | 'svg',
  pictures: Iterable<ExportedPicture>,
  { base, nameOf, footerOf }: NumberedFiles,
  style: PictureStyle,
  { onProgress, signal }: FilesJob,
): Promise<Blob> {
  const measure = measurer();
  const palette = paletteOf(style);
  const all = [...pictures];
  const layouts: LaidOutScene[] = [];
  for (const picture of all) {
    layouts.push(laidOut(picture, measure));
    // Layouts of a long story take longer than a frame.
    await pause(signal);
  }
  // The same height for all, so that slides do not jump.
  const height = layouts.reduce((max, layout) => Math.max(max, layout.height), 0);
  const withFooters = layouts.map((layout, i) => withFooter({ ...layout, height }, footerOf(all[i]), measure));
  const pictureHeight = withFooters.reduce((max, layout) => Math.max(max, layout.height), 0);
  const digits = Math.max(2, String(layouts.length).length);
  const files: Record<string, Uint8Array<ArrayBuffer>> = {};
  for (const [i, picture] of all.entries()) {
    const layout = { ...withFooters[i], height: pictureHeight };
    const blob =
      kind === 'png'
        ? await exportPng(layout, palette)
        : new Blob([exportSvg(layout, { ...picture.scene, narration: picture.words }, palette, measure)]);
    await pause(signal);
    const words = nameOf(picture);
    files[`${base}-${String(i + 1).padStart(digits, '0')}${words === '' ? '' : `-${words}`}.${kind}`] = new Uint8Array(
      await blob.arrayBuffer(),
    );
    onProgress(i + 1);
  }
  files[`${base}.txt`] = new TextEncoder().encode(all.map((picture, i) => `${i + 1}. ${textOf(picture)}\n`).join(''));
  return new Blob([zipSync(files, { level: 0 })], { type: 'application/zip' });
}

/** The text of a picture; of a question also its options: 'How many? 2 / 3'. */
export function textOf({ words, options, answer }: Pick<ExportedPicture, 'words' | 'options' | 'answer'>): string {
  const text = plainWords(words);
  return options && answer === undefined ? `${text} ${options.join(' / ')}` : text;
}

/** Lets the page draw and respond; throws the reason of an aborted signal. */
export async function pause(signal: AbortSignal): Promise<void> {
  await threadPace.pause();
  signal.throwIfAborted();
}
