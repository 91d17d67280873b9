import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { denseMatrix } from '../../src/core/matrix/index.ts';
import { galleryFilePath, loadGallery } from '../../src/io/gallery.ts';
import { GALLERY_PICTURES_PATH, parsePictures } from '../../src/io/gallery-pictures.ts';
import { readMatrix } from '../../src/io/read.ts';
import { pictureOf } from './pictures.ts';

const site = new URL('../../public/', import.meta.url);
const text = (path: string): string => readFileSync(new URL(path, site), 'utf8');

it('pictureOf stores the share of non-zeros of each pixel as a hexadecimal digit, on a square-root scale', () => {
  const cells = new Float32Array(64 * 128);
  cells.fill(1, 0, 4);
  cells[4] = 1;
  expect(pictureOf(denseMatrix(64, 128, cells))).toEqual({
    width: 32,
    height: 16,
    fullness: `84${'0'.repeat(32 * 16 - 2)}`,
  });
});

it('public/examples/pictures.json contains the current picture of every matrix of the gallery', async () => {
  const pictures = parsePictures(JSON.parse(text(GALLERY_PICTURES_PATH)));
  const gallery = await loadGallery((path) => Promise.resolve(text(path)));
  expect([...pictures.keys()]).toEqual(gallery.map(({ id }) => id));
  for (const entry of gallery) {
    const bytes = readFileSync(new URL(galleryFilePath(entry), site));
    const { matrix } = await readMatrix({ name: entry.file, bytes });
    expect(pictures.get(entry.id), entry.id).toEqual(pictureOf(matrix));
  }
});

it('parsePictures rejects a picture whose digits do not match its size', () => {
  expect(() => parsePictures({ arrow: { width: 2, height: 2, fullness: 'fff' } })).toThrow(
    'examples/pictures.json, arrow: found {"width":2,"height":2,"fullness":"fff"}, expected width, height and as many hexadecimal digits',
  );
});
