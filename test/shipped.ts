import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Matrix } from '../src/core/matrix/index.ts';
import { galleryFilePath, type GalleryEntry, loadGallery } from '../src/io/gallery.ts';
import { readMatrix } from '../src/io/read.ts';

/** Cells of the largest that tests read. */
const LARGEST = 2 ** 20;

const site = fileURLToPath(new URL('../public/', import.meta.url));

/** Read once for all tests of a thread. */
let read: Promise<ReadonlyMap<GalleryEntry, Matrix>> | undefined;

async function readAll(): Promise<ReadonlyMap<GalleryEntry, Matrix>> {
  const found = new Map<GalleryEntry, Matrix>();
  for (const entry of await loadGallery(async (path) => readFileSync(site + path, 'utf8'))) {
    if (entry.rows * entry.cols > LARGEST) continue;
    const { matrix } = await readMatrix({ name: entry.file, bytes: readFileSync(site + galleryFilePath(entry)) });
    found.set(entry, matrix);
  }
  return found;
}

/** The matrices that come with the application, with up to `maxCells` cells each, by their entry of the gallery. */
export async function shippedMatrices(maxCells = LARGEST): Promise<ReadonlyMap<GalleryEntry, Matrix>> {
  read ??= readAll();
  return new Map([...(await read)].filter(([{ rows, cols }]) => rows * cols <= maxCells));
}
