/** A small picture as SVG path data, a path per shade. `shadeAt`: the shade of a pixel, by row-major index; 0: none. */
export function shadePaths(
  width: number,
  height: number,
  shadeAt: (pixel: number) => number,
): readonly { readonly shade: number; readonly path: string }[] {
  const paths = new Map<number, string>();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width;) {
      const shade = shadeAt(y * width + x);
      let end = x + 1;
      while (end < width && shadeAt(y * width + end) === shade) end++;
      if (shade > 0) paths.set(shade, `${paths.get(shade) ?? ''}M${x} ${y}h${end - x}v1H${x}z`);
      x = end;
    }
  }
  return [...paths].map(([shade, path]) => ({ shade, path }));
}
