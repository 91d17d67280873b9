/** Pixels along an edge of an image. */
export const EDGE = 16;
const PEN_RADIUS = 0.8;

/**
 * The image with a stroke from (x0, y0) to (x1, y1), in pixels from the upper left corner: ink from 0 to 1 with a soft
 * edge, as in the training images. Never less ink than before. O(EDGE²).
 */
export function withStroke(pixels: Float32Array, x0: number, y0: number, x1: number, y1: number): Float32Array {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const length = dx * dx + dy * dy;
  return pixels.map((before, i) => {
    const px = (i % EDGE) + 0.5 - x0;
    const py = Math.floor(i / EDGE) + 0.5 - y0;
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length));
    const distance = Math.hypot(px - along * dx, py - along * dy);
    return Math.max(before, Math.min(1, Math.max(0, PEN_RADIUS + 0.5 - distance)));
  });
}

/** An empty image. */
export function emptyDrawing(): Float32Array {
  return new Float32Array(EDGE * EDGE);
}
