// Reads the matrices of the gallery in public/ for tests.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Matrix, subMatrix } from '../src/core/matrix/index.ts';
import { galleryFilePath, type GalleryEntry, loadGallery } from '../src/io/gallery.ts';
import { readMatrix } from '../src/io/read.ts';
import { defaultWindow } from '../src/state/window.ts';

/** Most cells of a matrix that tests read. */
const LARGEST = 2 ** 20;

const site = fileURLToPath(new URL('../public/', import.meta.url));

/** Read once for all tests of a thread. */
let allMatrices: Promise<ReadonlyMap<GalleryEntry, Matrix>> | undefined;

async function readAll(): Promise<ReadonlyMap<GalleryEntry, Matrix>> {
  const matrices = new Map<GalleryEntry, Matrix>();
  for (const entry of await loadGallery(async (path) => readFileSync(site + path, 'utf8'))) {
    if (entry.rows * entry.cols > LARGEST) continue;
    const { matrix } = await readMatrix({ name: entry.file, bytes: readFileSync(site + galleryFilePath(entry)) });
    matrices.set(entry, matrix);
  }
  return matrices;
}

/** The window of an example that the page shows first. */
export async function firstVisitMatrix(id: string): Promise<Matrix> {
  const gallery = await loadGallery(async (path) => readFileSync(site + path, 'utf8'));
  const entry = gallery.find((candidate) => candidate.id === id);
  if (!entry) throw new Error(`the gallery has no ${id}`);
  const { matrix } = await readMatrix({ name: entry.file, bytes: readFileSync(site + galleryFilePath(entry)) });
  return subMatrix(matrix, entry.window ?? defaultWindow(matrix));
}

/** The matrices that come with the application, with up to `maxCells` cells each, by their entry of the gallery. */
export async function shippedMatrices(maxCells = LARGEST): Promise<ReadonlyMap<GalleryEntry, Matrix>> {
  allMatrices ??= readAll();
  return new Map([...(await allMatrices)].filter(([{ rows, cols }]) => rows * cols <= maxCells));
}
