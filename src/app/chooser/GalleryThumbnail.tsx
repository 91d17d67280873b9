import type { GalleryPicture } from '../../io/gallery-pictures.ts';
import { shadePaths } from '../../kit/matrix/shade-paths.ts';

/** The picture of a gallery entry: darker where more cells are non-zero. It is decoration, since its words say the same. */
export function GalleryThumbnail({ picture }: { readonly picture: GalleryPicture | undefined }) {
  if (!picture) return <span className="gallery-picture self-center" />;
  const { width, height, fullness } = picture;
  // In the colour of its surroundings.
  return (
    <svg className="gallery-picture self-center" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {shadePaths(width, height, (i) => Number.parseInt(fullness[i], 16)).map(({ shade, path }) => (
        <path key={shade} d={path} fillOpacity={shade / 15} />
      ))}
    </svg>
  );
}
