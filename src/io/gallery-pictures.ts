import { ReadError } from '../core/errors.ts';

// Small pictures of the example matrices.

/** Path of the gallery's pictures, from the root of the site. */
export const GALLERY_PICTURES_PATH = 'examples/pictures.json';

/** Pixels of a picture's longer side. */
export const PICTURE_EDGE = 32;

/** Where the non-zeros of a matrix are: row by row, a hexadecimal digit for the density of each pixel's cells. */
export interface GalleryPicture {
  readonly width: number;
  readonly height: number;
  /** width x height digits */
  readonly fullness: string;
}

/** The pictures by the ids of their examples. Throws ReadError that names the example, with what was found. */
export function parsePictures(json: unknown): ReadonlyMap<string, GalleryPicture> {
  if (typeof json !== 'object' || json === null) {
    throw new ReadError(`${GALLERY_PICTURES_PATH}: found no pictures`);
  }
  return new Map(Object.entries(json).map(([id, value]: [string, unknown]) => [id, parsePicture(id, value)]));
}

function parsePicture(id: string, value: unknown): GalleryPicture {
  const fields = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const [width, height, fullness]: unknown[] = ['width', 'height', 'fullness'].map((name) => fields.get(name));
  const isSide = (side: unknown): side is number => Number.isInteger(side) && Number(side) > 0;
  if (isSide(width) && isSide(height) && typeof fullness === 'string' && /^[0-9a-f]*$/.test(fullness)) {
    if (fullness.length === width * height) return { width, height, fullness };
  }
  throw new ReadError(
    `${GALLERY_PICTURES_PATH}, ${id}: found ${JSON.stringify(value).slice(0, 40)}, expected width, height and as many hexadecimal digits`,
  );
}
