import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rejectionOf } from '../../test/io/rejections.ts';
import { toCsr } from '../core/matrix/index.ts';
import { galleryFilePath, loadGallery, parseGallery } from './gallery.ts';
import { readMatrix } from './read.ts';

const site = fileURLToPath(new URL('../../public/', import.meta.url));
const gallery = await loadGallery(async (path) => readFileSync(site + path, 'utf8'));

describe('the gallery that is shipped', () => {
  it('the gallery that is shipped has the files of its index and no others, in less than 2 MB', () => {
    const files = readdirSync(`${site}examples`);
    expect(new Set(files)).toEqual(new Set([...gallery.map((entry) => entry.file), 'index.json', 'pictures.json']));
    const bytes = files.reduce((sum, file) => sum + statSync(`${site}examples/${file}`).size, 0);
    expect(bytes).toBeLessThan(2e6);
  });

  it.each(gallery.map((entry) => [entry.id, entry] as const))(
    '%s matches its description in the index',
    async (_id, entry) => {
      const bytes = readFileSync(site + galleryFilePath(entry));
      const { matrix, notes } = await readMatrix({ name: entry.file, bytes });
      expect([matrix.rows, matrix.cols, matrix.nnz]).toEqual([entry.rows, entry.cols, entry.nnz]);
      expect(notes.filter((note) => !note.startsWith('A pattern'))).toEqual([]);
      expect(entry.about).toMatch(/^[A-Z].*\.$/);
      expect(entry.provenance).toMatch(/^[A-Z].*\.$/s);
    },
  );

  it('begins with the matrix of the first screen', () => {
    expect(gallery[0].id).toBe('digits-fc2-70');
    expect(gallery[0].nnz / (gallery[0].rows * gallery[0].cols)).toBeCloseTo(0.3, 3);
  });

  it('the gallery that is shipped has at most two non-zeros in every group of four of the 2:4 weights', async () => {
    const entry = gallery.find((e) => e.id === 'digits-fc2-2-4');
    const { matrix } = await readMatrix({ name: '', bytes: readFileSync(`${site}examples/${entry?.file ?? ''}`) });
    const { indptr, indices } = toCsr(matrix);
    const inGroup = new Uint8Array((matrix.rows * matrix.cols) / 4);
    for (let r = 0; r < matrix.rows; r++) {
      for (const c of indices.subarray(indptr[r], indptr[r + 1])) inGroup[(r * matrix.cols + c) >>> 2]++;
    }
    expect(Math.max(...inGroup)).toBe(2);
  });

  it("has the worked examples of MACKO's paper and of its authors' test", async () => {
    const columnsOf = async (id: string): Promise<number[][]> => {
      const entry = gallery.find((e) => e.id === id);
      const { matrix } = await readMatrix({ name: '', bytes: readFileSync(`${site}examples/${entry?.file ?? ''}`) });
      const { rows, indptr, indices } = toCsr(matrix);
      return Array.from({ length: rows }, (_, r) => [...indices.subarray(indptr[r], indptr[r + 1])]);
    };
    expect(await columnsOf('macko-fig-3')).toEqual([[1, 4, 11, 12]]);
    expect(await columnsOf('macko-authors-test')).toEqual([
      [0, 1, 8, 12, 29],
      [0, 1, 14, 19],
      [21],
      [5],
      [4, 5, 7, 13, 23, 26, 28, 29, 31],
    ]);
  });
});

describe('a broken index', () => {
  const entry = gallery[0];
  it('is reported in one sentence, as in the snapshot', async () => {
    const brokenIndexes: readonly unknown[] = [
      {},
      [7],
      [{ ...entry, id: 'A b' }],
      [{ ...entry, file: '../x' }],
      [{ ...entry, nnz: 1.5 }],
      [{ ...entry, about: '' }],
      [entry, entry],
    ];
    const texts = brokenIndexes.map((json) => `${rejectionOf(() => parseGallery(json))}\n`);
    await expect(texts.join('')).toMatchFileSnapshot('words/broken-gallery.txt');
  });

  it('a broken index that is not JSON is reported with its first characters', async () => {
    await expect(loadGallery(async () => '<!doctype html>')).rejects.toThrow(
      "examples/index.json: found '<!doctype html>', expected JSON",
    );
  });
});
