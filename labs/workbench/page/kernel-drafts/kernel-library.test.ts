// The library of drafts (kernels that the user changes): versions, storage, runs, exercises and variants for races.

import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { memoryDrafts } from '../../test/memory-drafts.ts';
import { formats } from '../../../../src/formats/catalog.ts';
import type { DraftEvent, DraftRequest } from '../service/drafts/draft-types.ts';
import { storedDrafts } from '../../library/draft-store.ts';
import { EMPTY_SESSION } from '../../../../src/state/session/session-state.ts';
import { type Draft, versionNumber } from './draft.ts';
import { createKernelLibrary, type KernelLibrary, KERNEL_DRAFTS } from './kernel-library.ts';
import { mapOf, resultWords } from './draft-result.ts';
import { toggleVariant, variantOf } from './variants.ts';

const PATH = 'csr/spmv_scalar.wgsl';
const KERNEL = { kernel: 'csr/spmv_scalar', name: 'mine', params: {} };
const RUN = { sizes: {}, time: true, on: 'a matrix' };

interface TestLibrary {
  readonly library: KernelLibrary;
  readonly requests: DraftRequest[];
  /** the drafts in the store */
  readonly savedDrafts: Map<IDBValidKey, Draft>;
  draft(id: string): Draft;
}

/** A library whose engine sends `events` in every run. */
function newLibrary(
  events: readonly DraftEvent[] = [{ stage: 'ended', ok: true, sentence: 'It is right.' }],
): TestLibrary {
  const requests: DraftRequest[] = [];
  const storage = memoryDrafts<Draft>((entries) => storedDrafts(KERNEL_DRAFTS, entries));
  let ids = 0;
  let seconds = 0;
  const library = createKernelLibrary({
    session: { store: createStore(() => EMPTY_SESSION), isBusy: () => false },
    tryDraft(request, onEvent) {
      requests.push(request);
      const send = async (): Promise<void> => {
        for (const event of events) await onEvent(event);
      };
      return { done: send(), cancel() {} };
    },
    storage,
    newId: () => `id-${++ids}`,
    now: () => new Date(1e12 + 1000 * ++seconds),
  });
  const draft = (id: string): Draft => {
    const saved = library.find(id);
    if (!saved) throw new Error(`no draft ${id}`);
    return saved;
  };
  return { library, requests, savedDrafts: storage.saved, draft };
}

describe('createKernelLibrary', () => {
  it('saves a version of every text that is run, and none twice', async () => {
    const { library, requests, draft } = newLibrary();
    const id = library.begin(KERNEL);
    library.write(id, PATH, 'one');
    await library.run(id, RUN);
    await library.run(id, RUN);
    library.setOverride(id, 'WORKGROUP_SIZE', 128);
    expect(versionNumber(draft(id))).toBe(2);
    await library.run(id, RUN);
    expect(draft(id).versions.map(({ number, files, overrides }) => ({ number, files, overrides }))).toEqual([
      { number: 1, files: { [PATH]: 'one' }, overrides: {} },
      { number: 2, files: { [PATH]: 'one' }, overrides: { WORKGROUP_SIZE: 128 } },
    ]);
    expect(requests.map(({ kernel, files }) => ({ kernel, files }))).toEqual(
      Array.from({ length: 3 }, () => ({ kernel: KERNEL.kernel, files: { [PATH]: 'one' } })),
    );
    expect(draft(id).versions[1].result?.ended).toEqual({ ok: true, sentence: 'It is right.' });
  });

  it('saves the current text as a version when another version is restored', async () => {
    const { library, draft } = newLibrary();
    const id = library.begin(KERNEL);
    library.write(id, PATH, 'one');
    await library.run(id, RUN);
    library.write(id, PATH, 'two');
    library.restore(id, 1);
    expect(draft(id).files).toEqual({ [PATH]: 'one' });
    library.restore(id, null);
    expect([draft(id).files, draft(id).versions.map(({ files }) => files[PATH])]).toEqual([{}, ['one', 'two']]);
    library.restore(id, 2);
    expect(draft(id).files).toEqual({ [PATH]: 'two' });
  });

  it('stores the user’s drafts, and a draft from a link once it is run', async () => {
    const { library, savedDrafts, draft } = newLibrary();
    const other = library.adopt({ ...KERNEL, files: { [PATH]: 'strange' }, overrides: {} }, 'link');
    library.leave();
    expect([[...savedDrafts.keys()], draft(other).from]).toEqual([[], 'link']);
    await library.run(other, RUN);
    library.leave();
    expect(savedDrafts.get(other)?.from).toBe('here');

    const id = library.begin(KERNEL);
    const copy = library.duplicate(id) ?? '';
    library.rename(copy, 'another');
    library.leave();
    expect([...savedDrafts.values()].map(({ name }) => name)).toEqual(['mine', 'mine', 'another']);
    library.remove(copy);
    expect(savedDrafts.has(copy)).toBe(false);
    library.undoRemove();
    expect(draft(copy).name).toBe('another');
  });

  it('loads readable drafts, lists unreadable ones, and deletes them only on request', async () => {
    const { library, savedDrafts, draft } = newLibrary();
    const id = library.begin(KERNEL);
    library.leave();
    const other = newLibrary();
    other.savedDrafts.set(id, draft(id));
    other.savedDrafts.set('broken', { ...draft(id), id: 'broken', name: 'half', versions: [null] } as unknown as Draft);
    await other.library.load();
    expect(other.library.store.getState()).toMatchObject({
      loaded: true,
      drafts: [{ id }],
      unreadable: [{ key: 'broken', name: 'half' }],
    });
    expect(other.savedDrafts.size).toBe(2);
    other.library.removeUnreadable('broken');
    expect([other.library.store.getState().unreadable, [...other.savedDrafts.keys()], savedDrafts.size]).toEqual([
      [],
      [id],
      1,
    ]);
  });

  it('saves the result of a run that ended with a compiler error', async () => {
    const { library, draft } = newLibrary([
      { stage: 'compiled', ok: false, messages: [message(83)] },
      { stage: 'ended', ok: false, sentence: 'It does not compile.' },
    ]);
    const id = library.begin(KERNEL);
    await library.run(id, RUN);
    expect(resultWords(draft(id).versions[0].result)).toEqual({ text: 'does not compile, line 83', bad: true });
    expect(library.currentRun.getState()).toBeNull();
  });
});

function message(line: number): Extract<DraftEvent, { stage: 'compiled' }>['messages'][number] {
  return { severity: 'error', text: 'type mismatch', file: PATH, line, column: 1, length: 0 };
}

describe('mapOf(wrong)', () => {
  it.each([1, 96, 8192, 8193, 1_000_003])('locates the wrong outputs among %d', (outputs) => {
    const wrong = new Uint8Array(outputs);
    wrong[outputs - 1] = 1;
    const { each, points } = mapOf(wrong);
    expect(points.length).toBe(Math.ceil(outputs / each));
    expect(points.length).toBeLessThanOrEqual(8192);
    expect(points.indexOf(1)).toBe(points.length - 1);
  });
});

describe('an answer to an exercise', () => {
  const EXERCISE = { kernel: 'csr/scratch', name: 'An exercise', params: {}, exercise: '1' };
  const FILE = 'csr/scratch.wgsl';

  it('begins with the exercise’s text, can return to it, and is stored once it is changed', () => {
    const { library, savedDrafts, draft } = newLibrary();
    const id = library.answer({ ...EXERCISE, start: { [FILE]: 'gap' } });
    expect(library.answer({ ...EXERCISE, start: { [FILE]: 'gap' } })).toBe(id);
    library.leave();
    expect(savedDrafts.size).toBe(0);
    library.write(id, FILE, 'mine');
    library.replace(id, { files: { [FILE]: 'solution' }, overrides: {} });
    expect(draft(id)).toMatchObject({ files: { [FILE]: 'solution' }, versions: [{ files: { [FILE]: 'mine' } }] });
    library.restore(id, null);
    expect(draft(id).files).toEqual({ [FILE]: 'gap' });
    library.leave();
    expect(savedDrafts.get(id)).toMatchObject({ exercise: '1', start: { [FILE]: 'gap' } });
  });

  it('can be raced as a variant once one of its versions was correct', async () => {
    const { library, draft } = newLibrary();
    const id = library.answer({ ...EXERCISE, start: { [FILE]: 'gap' } });
    expect(variantOf(draft(id), 1, formats)).toBeNull();
    await library.run(id, RUN);
    const variant = variantOf(draft(id), 1, formats);
    expect(variant).toMatchObject({ format: 'csr', operation: 'spmv', mark: { name: 'An exercise', version: 1 } });
    const store = createStore(() => EMPTY_SESSION);
    if (variant) toggleVariant({ store }, variant);
    expect(store.getState().variants).toEqual([variant]);
    if (variant) toggleVariant({ store }, variant);
    expect(store.getState().variants).toEqual([]);
  });
});
