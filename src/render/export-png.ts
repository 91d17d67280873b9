import type { LaidOutScene } from './layout/laid-out.ts';
import { CanvasPainter } from './paint/canvas-painter.ts';
import type { Palette } from './paint/palette.ts';
import { spriteOf } from './paint/sprite.ts';
import { canvasMeasurer } from './text-measurer.ts';

/** Pixels per CSS px: sharp on paper and on current screens. */
const SCALE = 2;

/** A laid-out scene as a PNG of twice its size. Rejects if the browser cannot create a canvas of that size. */
export async function exportPng(scene: LaidOutScene, palette: Palette): Promise<Blob> {
  const canvas = new OffscreenCanvas(scene.width * SCALE, scene.height * SCALE);
  const ctx = canvas.getContext('2d', { alpha: false });
  if (!ctx) throw new Error(`PNG: found no room for ${canvas.width} × ${canvas.height} px, expected a smaller picture`);
  const painter = new CanvasPainter(palette, canvasMeasurer(ctx), SCALE);
  const sprites = scene.marks.map((mark) => spriteOf(mark, palette));
  ctx.scale(SCALE, SCALE);
  painter.background(ctx, scene);
  painter.dottedLinks(ctx, scene.links, 1);
  painter.marks(ctx, sprites);
  painter.otherLinks(ctx, scene.links, 1);
  painter.focus(ctx, sprites);
  return canvas.convertToBlob({ type: 'image/png' });
}
