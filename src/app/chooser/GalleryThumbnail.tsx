import type { GalleryPicture } from '../../io/gallery-pictures.ts';

/** The picture of a gallery entry: darker where more of the cells are non-zero. Says nothing that its words do not. */
export function GalleryThumbnail({ picture }: { readonly picture: GalleryPicture | undefined }) {
  if (!picture) return <span className="gallery-picture" />;
  const { width, height } = picture;
  return (
    <svg className="gallery-picture" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {pathsOf(picture).map(({ shade, path }) => (
        <path key={shade} d={path} fillOpacity={shade / 15} />
      ))}
    </svg>
  );
}

/** One path per shade, of runs of pixels, so that a picture is a few elements and takes the colour of its surroundings. */
function pathsOf({ width, height, fullness }: GalleryPicture): readonly { shade: number; path: string }[] {
  const paths = new Map<string, string>();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width;) {
      const digit = fullness[y * width + x];
      let end = x + 1;
      while (end < width && fullness[y * width + end] === digit) end++;
      if (digit !== '0') paths.set(digit, `${paths.get(digit) ?? ''}M${x} ${y}h${end - x}v1H${x}z`);
      x = end;
    }
  }
  return [...paths].map(([digit, path]) => ({ shade: Number.parseInt(digit, 16), path }));
}
