import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../../test/fake-engine.ts';
import { columnsMatrix } from '../../../test/matrices.ts';
import { formatsWithStories } from '../../../test/stories.ts';
import { defaultParams, stageParams, storyExample } from '../../core/format.ts';
import { type Matrix, subMatrix } from '../../core/matrix/index.ts';
import { surveySteps } from '../../core/story/step-kind.ts';
import type { MatrixSummary, WindowCells } from '../../engine/matrix/types.ts';
import { galleryFilePath, loadGallery } from '../../io/gallery.ts';
import { readMatrix } from '../../io/read.ts';
import { type AppDocument, defaultDocument } from '../document.ts';
import { createStories } from '../stories.ts';
import { defaultWindow, windowProblem } from '../window.ts';
import { firstWindow, withFittingWindow } from './first-window.ts';

const site = fileURLToPath(new URL('../../../public/', import.meta.url));
const gallery = await loadGallery(async (path) => readFileSync(site + path, 'utf8'));
const everyStory = await formatsWithStories();
const formats = everyStory.map(({ format }) => format);

/** What one of the formats does not do for every non-zero. */
const UNUSUAL = new Set(['padding', 'clip', 'refusal', 'overflow', 'differs']);

async function open(file: string): Promise<Matrix> {
  return (await readMatrix({ name: file, bytes: readFileSync(site + galleryFilePath({ file })) })).matrix;
}

type Context = Parameters<typeof withFittingWindow>[0];

/** What is needed to look at a matrix for the first time. `reads` counts how often its cells were asked for. */
function looking(matrix: Matrix, id = 'other') {
  let reads = 0;
  const catalog = { ...CATALOG, examples: gallery.map((entry) => ({ ...entry, title: entry.name, url: entry.file })) };
  const cells = (region: Parameters<Context['matrix']['window']>[1]): WindowCells => {
    reads++;
    const { rows, cols, indptr, indices, data } = subMatrix(matrix, region);
    return { generation: 1, rows, cols, indptr, indices, data };
  };
  const context = {
    catalog,
    formats,
    stories: createStories(formats),
    matrix: { window: async (_: unknown, region: Parameters<typeof cells>[0]) => cells(region) },
    store: { setState: () => {} },
  } as unknown as Context;
  const summary = {
    generation: 1,
    source: { kind: 'example', id },
    rows: matrix.rows,
    cols: matrix.cols,
    firstEntry: { row: 0, col: 0 },
  } as unknown as MatrixSummary;
  return { context, summary, reads: () => reads };
}

const documentOf = (a: string, b: string | null): AppDocument => ({
  ...defaultDocument({ ...CATALOG, formats }),
  format: a,
  against: b === null ? null : { format: b, params: defaultDocument({ ...CATALOG, formats }).params[b] },
});

describe('the first window', () => {
  it.for(gallery.map((entry) => [entry.id, entry] as const))(
    'of %s is named by it or by the format it is of, or shows something unusual of a format where there is any',
    async ([id, entry]) => {
      const matrix = await open(entry.file);
      const { context, summary } = looking(matrix, id);
      for (const { format, story } of everyStory) {
        const window = await firstWindow(context, summary, documentOf(format.id, 'dense'));
        expect(windowProblem(window, summary)).toBeNull();
        const isBest = format.shownBestOn.id === id || storyExample(format).id === id;
        const named = (isBest && format.shownBestOn.window) || entry.window;
        if (named) expect(window).toEqual(named);
        if ((named && !isBest) || !story.unusualAt) continue;
        const params = stageParams<object>(format.params, defaultParams(format.params));
        const cells = subMatrix(matrix, window);
        if (!named) {
          expect(window.rows * window.cols).toBeLessThanOrEqual(5 * 32);
          const first = Uint32Array.from({ length: window.rows }, (_, row) => bitsOf(cells, row));
          const usual = defaultWindow(summary);
          const isDefault = window.row === usual.row && window.col === usual.col;
          // Where nothing is found it is the usual one; else its story has what was looked for.
          if (isDefault || story.unusualAt(first, window.cols, params) === null) {
            expect(isDefault, format.id).toBe(true);
            continue;
          }
        }
        if (!story.admits(cells, params).ok && story.tracesRefused?.(cells, params) !== true) continue;
        const steps = surveySteps({ story, trace: story.trace(cells, params) });
        expect(
          steps.some(({ kind }) => UNUSUAL.has(kind.event ?? '')),
          format.id,
        ).toBe(true);
      }
    },
  );

  it('is the usual one where an old address names none: its step is of that', async () => {
    const { context, summary, reads } = looking(await open(gallery[1].file));
    const old = await withFittingWindow(context, { ...documentOf('macko', null), step: 7 }, summary);
    expect(old).toMatchObject({ window: defaultWindow(summary), step: 7 });
    expect(reads()).toBe(0);
  });

  it('is the usual one where the cells cannot be read', async () => {
    const { context, summary } = looking(await open(gallery[1].file));
    const broken = {
      ...context,
      matrix: { ...context.matrix, window: () => Promise.reject(new Error('no engine')) },
    } as Context;
    expect(await firstWindow(broken, summary, documentOf('macko', 'dense'))).toEqual(defaultWindow(summary));
  });

  it('is the usual one where the cells are those of another matrix, opened before or after', async () => {
    // A gap that takes a padding is in row 40 alone.
    const ordinary = Array.from({ length: 12 }, (_, i) => 8 * i);
    const wide = [0, 1, 2, 20, 24, 32, 40, 48, 56, 64, 72, 80, 88];
    const { context, summary } = looking(
      columnsMatrix(
        96,
        Array.from({ length: 100 }, (_, r) => (r === 40 ? wide : ordinary)),
      ),
    );
    const windowOf = (generation: number) => {
      const window: Context['matrix']['window'] = async (job, region) => ({
        ...(await context.matrix.window(job, region)),
        generation,
      });
      return firstWindow({ ...context, matrix: { ...context.matrix, window } }, summary, documentOf('macko', 'dense'));
    };
    expect((await windowOf(summary.generation)).row).toBe(40);
    for (const other of [-1, 1]) expect(await windowOf(summary.generation + other)).toEqual(defaultWindow(summary));
  });
});

function bitsOf(cells: ReturnType<typeof subMatrix>, row: number): number {
  let bits = 0;
  for (let i = cells.indptr[row]; i < cells.indptr[row + 1]; i++) bits |= 1 << cells.indices[i];
  return bits;
}
