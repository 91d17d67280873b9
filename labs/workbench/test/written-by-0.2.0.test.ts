import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { denseMatrix } from '../../../src/core/matrix/index.ts';
import { createExerciseProgress } from '../exercises/exercise-progress.ts';
import { inflatedText } from '../library/deflated-text.ts';
import { encodeAndDecode, requestDescription } from '../own/module-requests.ts';
import { WORKBENCH_FIELDS } from '../page/address.ts';
import { draftCode, draftOfCode, draftText, parseDraft } from '../page/kernel-drafts/draft-file.ts';
import { KERNEL_DRAFTS } from '../page/kernel-drafts/kernel-library.ts';
import { FORMAT_DRAFTS } from '../provider/format-library.ts';
import { MODULE_BOUNDS } from '../theory/bounds.ts';
import { decodeHash, encodeHash, pageState } from '../../../src/state/index.ts';
import { storedEntries, storedInBrowser, unreadNames, written, writtenText } from '../../../test/compat/written.ts';
import { CATALOG } from '../../../test/offers.ts';
import { localRunners, setupOf } from './own-runner.ts';

// This lab reads the drafts, formats, links and progress that version 0.2.0 wrote. test/compat tests all other files.

/**
 * Returns the names that a reader ignores, without the names of parameters, files and constants, which users choose.
 */
const unread = (stored: unknown, isTaken: (value: unknown) => boolean): readonly string[] =>
  unreadNames(stored, isTaken).filter((name) => !/(?:^|\.)(?:params|files|start|overrides)\./.test(name));

test.each(storedEntries('kernel-drafts'))('the draft %s of a kernel is read with its runs', (key, stored) => {
  expect(KERNEL_DRAFTS.checked(key, stored)).toEqual(stored);
  expect(unread(stored, (value) => isDeepStrictEqual(KERNEL_DRAFTS.checked(key, value), value))).toEqual([]);
});

test.each([...storedEntries('formats'), ...storedEntries('kernels')])(
  'the stored format or kernel %s of a user is read',
  (key, stored) => {
    expect(FORMAT_DRAFTS.checked(key, stored)).toEqual(stored);
    expect(unread(stored, (value) => isDeepStrictEqual(FORMAT_DRAFTS.checked(key, value), value))).toEqual([]);
  },
);

test('the stored drafts include correct, wrong and timed runs', () => {
  const text = JSON.stringify(storedEntries('kernel-drafts'));
  for (const name of ['wrong', 'first', 'rows', 'vsOriginal', 'exercise', 'start'])
    expect(text).toContain(`"${name}":`);
});

test('progress in exercises is read', () => {
  const { localStorage } = storedInBrowser();
  const progress = createExerciseProgress(() => ({ getItem: (key) => localStorage[key] ?? null, setItem: () => {} }));
  expect(progress.store.getState()).toEqual(JSON.parse(localStorage['sparsescope.exercises']));
});

test('a link with a draft is read, and the draft is written as the same link', async () => {
  const hash = writtenText('draft-link.txt');
  const { document, problems } = decodeHash(hash, CATALOG);
  expect([problems, encodeHash(document, CATALOG)]).toEqual([[], hash]);
  const draft = await draftOfCode(pageState(document, WORKBENCH_FIELDS).code);
  expect(draft).toMatchObject({ kernel: 'csr/spmv_scalar', overrides: { WORKGROUP_SIZE: 128 } });
  expect(draft.params).toEqual({ valueType: 'f16', indexBits: 32 });
  expect(draft.files['csr/spmv_scalar.wgsl']).toMatch(/^\/\/ mine /);
  expect(parseDraft('draft.wgsl', draftText(draft))).toEqual(draft);
  expect(await draftOfCode(await draftCode(draft))).toEqual(draft);
});

test('a link with a part of a kernel is read, and encodes to the same link', () => {
  const { links } = written('links.json') as { readonly links: { readonly code: readonly string[] } };
  const ofParts = links.code.filter((hash) => hash.includes('&part='));
  expect(ofParts).toHaveLength(1);
  for (const hash of ofParts) {
    const { document, problems } = decodeHash(hash, CATALOG);
    expect([problems, pageState(document, WORKBENCH_FIELDS).part, encodeHash(document, CATALOG)]).toEqual([
      [],
      'memory',
      hash,
    ]);
  }
});

test('a link with a format is read and contains the module’s text', async () => {
  const hash = writtenText('own-format-link.txt');
  const { document, problems } = decodeHash(hash, CATALOG);
  expect([problems, encodeHash(document, CATALOG)]).toEqual([[], hash]);
  const { module } = pageState(document, WORKBENCH_FIELDS);
  const text = await inflatedText('The format in the link', module, {
    code: MODULE_BOUNDS.length,
    length: MODULE_BOUNDS.length,
  });
  expect(text.trimEnd()).toBe(writtenText('own-format.txt').trimEnd());
});

test('a user’s module that was written for version 0.2.0 encodes and decodes a matrix', async () => {
  const runners = localRunners(writtenText('own-format.txt'));
  const description = await requestDescription(runners);
  expect(description).toMatchObject({ kind: 'done', result: { title: 'delta bytes' } });
  const cells = new Float32Array(40);
  cells.set([1, 0, 2], 0);
  cells.set([3], 39);
  const setup = await setupOf(runners, { bits: 4 });
  expect(setup.params).toEqual({ bits: 4 });
  const outcome = await encodeAndDecode(runners, setup, denseMatrix(1, 40, cells), true);
  expect(outcome.kind).toBe('done');
  if (outcome.kind !== 'done') return;
  expect(outcome.result.encoding.arrays.map(({ array, elements }) => [array.name, [...elements]])).toEqual([
    ['values', [1, 2, 0, 0, 3].map((value) => expect.closeTo(value) as number)],
    ['gaps', [0, 1, 15, 15, 4]],
    ['starts', [0, 5]],
  ]);
});

test('a module can use every member that docs/own-formats.md names', async () => {
  const runners = localRunners(writtenText('own-format-members.txt'));
  const cells = new Float32Array(24);
  cells[20] = 7;
  const outcome = await encodeAndDecode(runners, await setupOf(runners, { bits: 4 }), denseMatrix(1, 24, cells), true);
  expect(outcome).toEqual({ kind: 'refused', reason: 'found 24 columns, expected at most 16' });
  const accepted = await encodeAndDecode(runners, await setupOf(runners), denseMatrix(1, 24, cells), true);
  expect(accepted.kind).toBe('done');
  if (accepted.kind !== 'done') return;
  const { encoding } = accepted.result;
  expect(encoding.arrays.map(({ array, elements }) => [array.name, [...elements]])).toEqual([
    ['values', [7]],
    ['facts', [1, 8, 1, 1, 1, 7, 9]],
    ['starts', [1]],
  ]);
  expect(JSON.stringify(encoding)).toContain('Column 20.');
});
