import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defaultParams, type EncodedMatrix, storyParams } from '../core/format.ts';
import { finish } from '../core/job.ts';
import { type Matrix, subMatrix } from '../core/matrix/index.ts';
import { galleryFilePath, loadGallery } from '../io/gallery.ts';
import { readMatrix } from '../io/read.ts';
import { extractSteps } from './ec-csr/extract.ts';
import { params as ecCsrParams } from './ec-csr/params.ts';
import { formats } from './registry.ts';

const site = fileURLToPath(new URL('../../public/', import.meta.url));
const gallery = await loadGallery(async (path) => readFileSync(site + path, 'utf8'));

async function open(id: string): Promise<Matrix> {
  const entry = gallery.find((e) => e.id === id);
  if (!entry) throw new Error(`the gallery has no ${id}`);
  return (await readMatrix({ name: entry.file, bytes: readFileSync(site + galleryFilePath(entry)) })).matrix;
}

describe.for(formats.map((format) => [format.id, format] as const))('%s', ([, format]) => {
  it('names as its best example a matrix of the gallery that it supports, and in which its target pattern occurs', async () => {
    const matrix = await open(format.bestExample.id);
    const params: object = defaultParams(format.params);
    expect(format.admits(matrix, params).ok).toBe(true);
    const encoded: EncodedMatrix = format.encode(matrix, params);
    expect(format.facts?.(encoded).filter((fact) => fact.isAbsence) ?? []).toEqual([]);
  });
});

it('the first window of planted-blocks contains EC-SpMV blocks of one, two, four and eight rows', async () => {
  const window = gallery.find((e) => e.id === 'planted-blocks')?.window;
  expect(window).toEqual({ row: 0, col: 0, rows: 16, cols: 32 });
  if (!window) return;
  const region = subMatrix(await open('planted-blocks'), window);
  const { sets } = finish(extractSteps(region, storyParams(ecCsrParams, defaultParams(ecCsrParams))));
  const sizes = sets.filter(({ blocks }) => blocks.length > 0).map(({ granularity }) => granularity);
  expect(sizes).toEqual([1, 2, 4, 8]);
});
