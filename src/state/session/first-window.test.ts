import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../../test/fake-engine.ts';
import { columnsMatrix, uniformMatrix } from '../../../test/matrices.ts';
import { formatsWithStories } from '../../../test/stories.ts';
import { defaultParams, storyParams, storyExample } from '../../core/format.ts';
import { CancelledError } from '../../core/errors.ts';
import { finish } from '../../core/job.ts';
import { type Matrix, subMatrix } from '../../core/matrix/index.ts';
import { surveySteps } from '../../story/step-kind.ts';
import type { Watch } from '../../engine/bridge/service.ts';
import { highlightSteps } from '../../engine/matrix/highlights.ts';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import { galleryFilePath, loadGallery } from '../../io/gallery.ts';
import { readMatrix } from '../../io/read.ts';
import { type AppDocument, defaultDocument } from '../document.ts';
import { defaultWindow, windowProblem } from '../window.ts';
import { firstWindow, nextHighlight, withFittingWindow } from './first-window.ts';

const site = fileURLToPath(new URL('../../../public/', import.meta.url));
const gallery = await loadGallery(async (path) => readFileSync(site + path, 'utf8'));
const everyStory = await formatsWithStories();
const formats = everyStory.map(({ format }) => format);

/** Kinds of steps that a story has only in special cases, not for every non-zero. */
const UNUSUAL = new Set(['padding', 'clip', 'refusal', 'overflow', 'differs']);

async function open(file: string): Promise<Matrix> {
  return (await readMatrix({ name: file, bytes: readFileSync(site + galleryFilePath({ file })) })).matrix;
}

type Context = Parameters<typeof withFittingWindow>[0];

/** A context and a summary for choosing the first window of a matrix. `searches`: how often a position was searched. */
function looking(matrix: Matrix, id = 'other') {
  let searches = 0;
  const catalog = { ...CATALOG, examples: gallery.map((entry) => ({ ...entry, title: entry.name, url: entry.file })) };
  const context = {
    catalog,
    formats,
    matrix: {
      highlight: async (_: unknown, id: string, params: object, after: number | null) => {
        searches++;
        const find = everyStory.find(({ format }) => format.id === id)?.format.highlight;
        return { generation: 1, cut: finish(highlightSteps(matrix, find, params, after)) };
      },
    },
    store: { setState: () => {} },
  } as unknown as Context;
  const summary = {
    generation: 1,
    source: { kind: 'example', id },
    rows: matrix.rows,
    cols: matrix.cols,
    firstEntry: { row: 0, col: 0 },
  } as unknown as MatrixSummary;
  return { context, summary, searches: () => searches };
}

const documentOf = (a: string, b: string | null): AppDocument => ({
  ...defaultDocument({ ...CATALOG, formats }),
  format: a,
  formatB: b === null ? null : { format: b, params: defaultDocument({ ...CATALOG, formats }).params[b] },
});

describe('the first window', () => {
  it.for(gallery.map((entry) => [entry.id, entry] as const))(
    'the first window of %s is that of the example or of the format, else shows a special case of the format, if the matrix has one',
    async ([id, entry]) => {
      const matrix = await open(entry.file);
      const { context, summary } = looking(matrix, id);
      for (const { format, story } of everyStory) {
        const window = await firstWindow(context, summary, documentOf(format.id, 'dense'));
        expect(windowProblem(window, summary)).toBeNull();
        const isBest = format.bestExample.id === id || storyExample(format).id === id;
        const named = (isBest && format.bestExample.window) || entry.window;
        if (named) expect(window).toEqual(named);
        const { highlight } = format;
        if ((named && !isBest) || !highlight) continue;
        const params = storyParams<object>(format.params, defaultParams(format.params));
        const cells = subMatrix(matrix, window);
        if (!named) {
          const best = finish(highlightSteps(matrix, highlight, params, null));
          const isWhole = summary.rows <= 5 && summary.cols <= 32;
          expect(window).toEqual((!isWhole && best?.region) || defaultWindow(summary));
          if (isWhole || !best?.hasCase) continue;
        }
        if (!story.admits(cells, params).ok && story.tracesRejected?.(cells, params) !== true) continue;
        const steps = surveySteps({ story, trace: story.trace(cells, params) });
        const isUnusual = steps.some(({ kind }) => UNUSUAL.has(kind.event ?? ''));
        expect(isUnusual, format.id).toBe(true);
      }
    },
  );

  it('the first window is the default window for an old address without a window, since its step counts from there', async () => {
    const { context, summary, searches } = looking(await open(gallery[1].file));
    const old = await withFittingWindow(context, { ...documentOf('macko', null), frame: null, step: 7 }, summary);
    expect(old).toMatchObject({ window: defaultWindow(summary), step: 7 });
    expect(searches()).toBe(0);
  });

  it('the first window is the default window if the search fails', async () => {
    const { context, summary } = looking(await open(gallery[1].file));
    const broken = {
      ...context,
      matrix: { ...context.matrix, highlight: () => Promise.reject(new Error('no engine')) },
    } as Context;
    expect(await firstWindow(broken, summary, documentOf('macko', 'dense'))).toEqual(defaultWindow(summary));
  });

  it('the first window is searched once for each format of a matrix', async () => {
    const { context, summary, searches } = looking(uniformMatrix(100, 96, 0.1, 1), 'none');
    const first = await firstWindow(context, summary, documentOf('macko', null));
    const searched = searches();
    expect([searched, await firstWindow(context, summary, documentOf('macko', null))]).toEqual([1, first]);
    expect(searches()).toBe(searched);
    await firstWindow(context, summary, documentOf('csr', null));
    expect(searches()).toBe(searched + 1);
    await firstWindow(context, { ...summary, generation: 2 }, documentOf('macko', null));
    expect(searches()).toBe(searched + 2);
  });

  it('the first window is searched with progress for an address that names none, in its opening or by itself', async () => {
    const { context, summary } = looking(uniformMatrix(100, 96, 0.1, 1), 'none');
    const progress = { what: 'looking', done: 1, total: 2 };
    const states: unknown[] = [];
    const highlight = async (watch: Watch): Promise<unknown> => {
      watch.onProgress?.(progress);
      return { generation: 1, cut: null };
    };
    const make = (): Context =>
      ({
        ...context,
        matrix: { ...context.matrix, highlight },
        store: { setState: (state: unknown) => states.push(state) },
      }) as unknown as Context;
    const seen: unknown[] = [];
    const onProgress = (progress: unknown): void => void seen.push(progress);
    const doc = { ...documentOf('macko', null), window: null };
    const opened = await withFittingWindow(make(), doc, summary, { onProgress });
    expect([opened.window, seen, states]).toEqual([defaultWindow(summary), [progress], []]);
    await withFittingWindow(make(), doc, summary);
    expect([seen, states]).toEqual([[progress], [{ seeking: progress }, { seeking: null }]]);
  });

  it('the first window is searched with progress by nextHighlight, and a later search ends the one before', async () => {
    const { context, summary } = looking(uniformMatrix(100, 96, 0.1, 1), 'none');
    const doc = { ...documentOf('macko', null), window: { row: 0, col: 0, rows: 4, cols: 32 } };
    const watches: Watch[] = [];
    const states: unknown[] = [];
    const highlight = (watch: Watch): Promise<never> => {
      watches.push(watch);
      watch.onProgress?.({ what: 'looking', done: watches.length, total: 2 });
      return new Promise((_, reject) => {
        watch.signal?.addEventListener('abort', () => reject(new CancelledError()));
      });
    };
    const failed: unknown[] = [];
    const seeking = {
      ...context,
      matrix: { ...context.matrix, highlight },
      document: { getState: () => doc },
      store: { getState: () => ({ summary }), setState: (state: unknown) => states.push(state) },
      failOf: async (_: number, error: unknown) => void failed.push(error),
    } as unknown as Parameters<typeof nextHighlight>[0];
    const before = nextHighlight(seeking);
    void nextHighlight(seeking);
    await before;
    expect(watches.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
    // The progress of the later search is visible until it ends.
    expect(states).toEqual([1, 2].map((done) => ({ seeking: { what: 'looking', done, total: 2 } })));
    watches[0].onProgress?.({ what: 'looking', done: 2, total: 2 });
    expect(states).toHaveLength(2);
    expect(failed).toEqual([]);
  });

  it('the first window is the default window if the found position is of another matrix, opened before or after', async () => {
    // Only row 40 has a gap that needs padding.
    const ordinary = Array.from({ length: 12 }, (_, i) => 8 * i);
    const wide = [0, 1, 2, 20, 24, 32, 40, 48, 56, 64, 72, 80, 88];
    const rows = Array.from({ length: 100 }, (_, r) => (r === 40 ? wide : ordinary));
    const { context, summary } = looking(columnsMatrix(96, rows));
    const windowOf = (generation: number) => {
      const highlight: Context['matrix']['highlight'] = async (...requests) => ({
        ...(await context.matrix.highlight(...requests)),
        generation,
      });
      return firstWindow(
        { ...context, matrix: { ...context.matrix, highlight } },
        summary,
        documentOf('macko', 'dense'),
      );
    };
    expect((await windowOf(summary.generation)).row).toBe(40);
    for (const other of [-1, 1]) expect(await windowOf(summary.generation + other)).toEqual(defaultWindow(summary));
  });
});
