/**
 * Paints values as cells of a picture `cols` wide, one px each, in the current text colour: transparent at 0 and below,
 * opaque at `most` and above. CSS scales it up.
 */
export function paintCells(canvas: HTMLCanvasElement, values: Float32Array, cols: number, most: number): void {
  const rows = Math.ceil(values.length / cols);
  canvas.width = cols;
  canvas.height = rows;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = getComputedStyle(canvas).color;
  values.forEach((value, i) => {
    if (!(value > 0)) return;
    context.globalAlpha = most > 0 ? Math.min(1, value / most) : 0;
    context.fillRect(i % cols, Math.floor(i / cols), 1, 1);
  });
}
