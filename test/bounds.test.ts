import { expect, test } from 'vitest';
import * as bounds from '../src/core/bounds/bounds.ts';
import { checkCellsShape } from '../src/core/cells/edited-cells.ts';
import { linkShapeProblem, readLinkCells } from '../src/core/cells/link-cells.ts';
import { decodeHash } from '../src/state/url.ts';
import { createProgress } from '../src/lessons/progress.ts';
import { readModelConfig } from '../src/theory/models/model-config.ts';
import { modelOfSizes } from '../src/theory/models/model-sizes.ts';
import { fakeApp } from './page.ts';

const { catalog } = fakeApp();

/** Whether `read` throws nothing. */
function accepts(read: () => void): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

const linkOf = (query: string) => decodeHash(`#2/watch?${query}`, catalog);
const config = { model_type: 'llama', hidden_size: 64, intermediate_size: 64, num_hidden_layers: 1, vocab_size: 9 };
const configOf = (fields: object, length = 0): void =>
  void readModelConfig(JSON.stringify({ ...config, num_attention_heads: 1, ...fields }).padEnd(length), 'config.json');
const sizesOf = (sizes: string, name = 'a') => modelOfSizes(`${sizes}:${name}`) !== null;

/** For each bound, what accepts a count up to it: each in one place that checks it. */
const READERS: Readonly<Record<string, Readonly<Record<string, readonly ((n: number) => boolean)[]>>>> = {
  LINK_BOUNDS: {
    value: [(n) => linkOf(`src=remote:${'a'.repeat(n - 'remote:'.length)}`).problems.length === 0],
  },
  REGION_BOUNDS: {
    rows: [(n) => bounds.isRegionShape(n, 1)],
    cells: [(n) => bounds.isRegionShape(1, n), (n) => bounds.isRegionShape(2, n / 2)],
  },
  EDITED_BOUNDS: {
    side: [(n) => accepts(() => checkCellsShape(n, 1)), (n) => accepts(() => checkCellsShape(1, n))],
    length: [(n) => linkOf(`own=0,0,1,4:${'0'.repeat(n - 11)}1:1`).document.edited !== null],
  },
  LINK_CELLS_BOUNDS: {
    length: [(n) => accepts(() => readLinkCells(`0:1.${'0'.repeat(n - 4)}`, 1, 1))],
    side: [(n) => linkShapeProblem(n, 1) === null, (n) => linkShapeProblem(1, n) === null],
    cells: [(n) => linkShapeProblem(1024, n / 1024) === null],
    name: [(n) => linkOf(`src=cells:0:1&shape=1x4&name=${'x'.repeat(n)}`).problems.length === 0],
  },
  MODEL_BOUNDS: {
    length: [(n) => accepts(() => configOf({}, n))],
    name: [(n) => sizesOf('64-64-1-1-1-64-9', 'x'.repeat(n))],
    size: [
      (n) => accepts(() => configOf({ vocab_size: n })),
      (n) => accepts(() => configOf({ head_dim: n })),
      (n) => sizesOf(`64-64-1-1-1-64-${n}`),
      (n) => sizesOf(`64-64-1-1-1-${n}-9`),
      (n) => sizesOf(`64-64-1-1-1-64-9-positions${n}`),
      (n) => sizesOf(`64-64-1-1-1-64-9-experts${n}x1x1x0x0`),
      (n) => sizesOf(`64-64-1-1-1-64-9-experts1x1x1x${n}x0`),
      (n) => sizesOf(`64-64-1-1-1-64-9-latent${n}x1x1x1`),
      (n) => sizesOf(`64-64-1-1-1-64-9-latent1x${n}x1x1`),
    ],
  },
  PROGRESS_BOUNDS: {
    entries: [
      (n) => {
        const lessons = Object.fromEntries(
          Array.from({ length: n }, (_, i) => [`l${i}`, { paragraph: 1, answers: {} }]),
        );
        const { store } = createProgress(() => ({ getItem: () => JSON.stringify(lessons), setItem: () => {} }));
        return Object.keys(store.getState()).length === n;
      },
    ],
  },
};

/** Bounds whose tests need more than a count. */
const TESTED_NEARBY = ['QUESTION_BOUNDS', 'REPORT_BOUNDS']; // src/lessons/question-set.test.ts, src/state/reports/report.test.ts

const groups = Object.entries(bounds).filter(([, group]) => typeof group === 'object');

test('every bound has a reader here, or its own tests', () => {
  const listed = groups.flatMap(([group, values]) => Object.keys(values).map((name) => [group, name] as const));
  const missing = listed.filter(([group, name]) => !TESTED_NEARBY.includes(group) && !READERS[group]?.[name]);
  expect(missing).toEqual([]);
});

test.each(
  groups.flatMap(([group, values]) =>
    Object.entries(values as Readonly<Record<string, number>>).flatMap(([name, bound]) =>
      (READERS[group]?.[name] ?? []).map((reads, i) => [`${group}.${name}`, i, bound, reads] as const),
    ),
  ),
)('%s, reader %i: accepts %i and not one more', (_name, _i, bound, reads) => {
  expect([reads(1 + bound), reads(bound)]).toEqual([false, true]);
});
