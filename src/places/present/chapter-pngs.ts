import { zipSync } from 'fflate';
import { narrationText, type Scene } from '../../core/story/scene.ts';
import { exportPng } from '../../render/export-png.ts';
import { layoutScene } from '../../render/layout/layout.ts';
import { ON_STAGE, zoomOf } from '../../render/layout/zoom.ts';
import { Palette } from '../../render/paint/palette.ts';
import { canvasMeasurer } from '../../render/text-measurer.ts';
import { formatColor, type Theme } from '../../render/theme.ts';
import type { LoadedStory } from '../../state/index.ts';
import { sceneOf, scenesAlike } from '../../kit/stage/use-scene.ts';
import type { ChapterSteps } from './chapter.ts';

/** Layout size of the pictures, CSS px: the files have twice as many pixels. */
const ROOM = { width: 960, stageHeight: 600 };

/** Largest share of a frame spent on layout between two pictures. */
export interface PngJob {
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

/**
 * A chapter as numbered PNGs of equal size, and a text with their sentences, in an uncompressed zip. Rejects with the
 * reason of `signal`, and if the browser has no memory for a picture.
 */
export async function chapterPngs(
  loaded: LoadedStory,
  chapter: ChapterSteps,
  theme: Theme,
  { onProgress, signal }: PngJob,
): Promise<Blob> {
  const { format } = loaded.trace;
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) throw new Error('PNG: found no 2D context, expected one');
  const measure = canvasMeasurer(context);
  const palette = new Palette(theme, formatColor(theme, format));
  const options = {
    ...ROOM,
    measure,
    zoom: zoomOf(scenesAlike(loaded, chapter.steps[0]), { ...ROOM, measure }, ON_STAGE),
  };
  const scenes = chapter.steps.map((step) => sceneOf(loaded, step));
  const layouts = scenes.map((scene) => layoutScene(scene, options));
  // The same height for all, so that slides do not jump.
  const height = layouts.reduce((max, layout) => Math.max(max, layout.height), 0);
  const digits = Math.max(2, String(layouts.length).length);
  const files: Record<string, Uint8Array<ArrayBuffer>> = {};
  for (const [i, layout] of layouts.entries()) {
    const png = await exportPng({ ...layout, height }, palette);
    signal.throwIfAborted();
    files[`${format}-${chapter.id}-${String(i + 1).padStart(digits, '0')}.png`] = new Uint8Array(
      await png.arrayBuffer(),
    );
    onProgress(i + 1);
  }
  files[`${format}-${chapter.id}.txt`] = new TextEncoder().encode(sentences(scenes));
  return new Blob([zipSync(files, { level: 0 })], { type: 'application/zip' });
}

/** A line for each picture. */
function sentences(scenes: readonly Scene[]): string {
  return scenes.map((scene, i) => `${i + 1}. ${narrationText(scene)}\n`).join('');
}
