// The library of the user's formats: names, versions, and storing.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { memoryDrafts } from '../test/memory-drafts.ts';
import { MODULE_BOUNDS } from '../theory/bounds.ts';
import { storedDrafts } from '../library/draft-store.ts';
import { createFormatLibrary, type FormatDraft, type FormatLibrary, FORMAT_DRAFTS } from './format-library.ts';

/** A store in memory that counts its saves. `rejection`: the error with which saving rejects; null if it succeeds. */
function newStore() {
  const inMemory = memoryDrafts<FormatDraft>((drafts) => storedDrafts(FORMAT_DRAFTS, drafts));
  const countingStore = {
    ...inMemory,
    saves: 0,
    rejection: null as Error | null,
    async save(draft: FormatDraft) {
      countingStore.saves++;
      if (countingStore.rejection) throw countingStore.rejection;
      await inMemory.save(draft);
    },
  };
  return countingStore;
}

let stored: ReturnType<typeof newStore>;
let library: FormatLibrary;

const openLibrary = async (): Promise<FormatLibrary> => {
  let minute = 0;
  const library = createFormatLibrary(stored, () => new Date(Date.UTC(2026, 0, 1, 0, minute++)));
  await library.load();
  return library;
};
const draft = (name: string, inLibrary = library): FormatDraft | undefined => inLibrary.find(name);
/** The texts of the versions of a format. */
const versionTexts = (name: string): readonly string[] => draft(name)?.versions.map(({ text }) => text) ?? [];

beforeEach(async () => {
  vi.useFakeTimers();
  stored = newStore();
  library = await openLibrary();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the name of a new format', () => {
  test('is the title in letters, digits and hyphens, changed until it is unused', () => {
    const names = ['SELL-C-σ', 'Delta bytes!', 'σ', 'delta bytes', 'delta  bytes'].map((title) =>
      library.begin(title, ''),
    );
    expect(names).toEqual(['sell-c', 'delta-bytes', 'format', 'delta-bytes-2', 'delta-bytes-3']);
    expect(library.begin('a'.repeat(500), '')).toHaveLength(MODULE_BOUNDS.name);
  });

  test('differs from the deleted one, which can be restored', () => {
    const name = library.begin('COO', 'first');
    library.remove(name);
    expect(library.begin('COO', 'second')).toBe('coo-2');
    library.undoRemove();
    expect([draft('coo')?.text, library.store.getState().removed]).toEqual(['first', null]);
  });

  test('is not one that another tab has used since this tab read the store', async () => {
    const other = await openLibrary();
    expect(await other.beginLoaded('COO', 'theirs')).toBe('coo');
    expect(await library.beginLoaded('COO', 'mine')).toBe('coo-2');
    vi.advanceTimersByTime(500);
    expect([...stored.saved.values()].map(({ id, text }) => [id, text])).toEqual([
      ['coo', 'theirs'],
      ['coo-2', 'mine'],
    ]);
    // An exercise has one answer, and what another tab wrote of it is found.
    expect(await other.beginLoaded('Task', 'start', '1')).toBe('task');
    other.write('task', { text: 'half an answer' });
    other.flush();
    expect(await library.beginLoaded('Task', 'start', '1')).toBe('task');
    expect(draft('task')?.text).toBe('half an answer');
  });

  test('is chosen even if the store cannot be read', async () => {
    vi.spyOn(stored, 'load').mockRejectedValue(new Error('blocked'));
    expect(await library.beginLoaded('COO', 'mine')).toBe('coo');
  });
});

describe('a version of a format', () => {
  test('is saved once for each text, with its latest results', () => {
    const name = library.begin('COO', 'one');
    library.keepVersion(name, 'laws not tried');
    library.keepVersion(name, 'all laws');
    library.write(name, { text: 'two' });
    library.keepVersion(name, '1 broken');
    expect(draft(name)?.versions).toMatchObject([
      { number: 1, text: 'one', note: 'all laws' },
      { number: 2, text: 'two', note: '1 broken' },
    ]);
  });

  test('can be restored, and the replaced text becomes a version', () => {
    const name = library.begin('COO', 'one');
    library.keepVersion(name, '');
    library.write(name, { text: 'two' });
    library.restore(name, 1);
    expect([draft(name)?.text, versionTexts(name)]).toEqual(['one', ['one', 'two']]);
    library.restore(name, 7);
    expect(draft(name)?.text).toBe('one');
    library.replace(name, { text: 'solution' });
    expect([draft(name)?.text, versionTexts(name)]).toEqual(['solution', ['one', 'two']]);
  });

  test('is removed after a thousand newer ones, and numbers continue', () => {
    const name = library.begin('COO', '');
    for (let i = 1; i <= MODULE_BOUNDS.versions + 2; i++) {
      library.write(name, { text: `text ${i}` });
      library.keepVersion(name, '');
    }
    const { versions } = draft(name) ?? { versions: [] };
    expect(versions).toHaveLength(MODULE_BOUNDS.versions);
    expect([versions[0].number, versions.at(-1)?.number]).toEqual([3, MODULE_BOUNDS.versions + 2]);
  });
});

describe('the store of formats', () => {
  test('saves a draft after a pause in typing, and loads it', async () => {
    const name = library.begin('COO', 'a');
    for (const text of ['ab', 'abc']) {
      vi.advanceTimersByTime(300);
      library.write(name, { text });
    }
    expect(stored.saves).toBe(0);
    vi.advanceTimersByTime(500);
    expect(stored.saves).toBe(1);
    library.keepVersion(name, 'all laws');
    expect(stored.saves).toBe(2);
    library.begin('later', 'x', '1');
    library.flush();
    const reopened = await openLibrary();
    expect([reopened.store.getState().loaded, draft(name, reopened)]).toEqual([true, draft(name)]);
    expect(draft('later', reopened)?.exercise).toBe('1');
  });

  test('saves pending changes when the page is left', async () => {
    const save = vi.spyOn(stored, 'save').mockReturnValue(new Promise(() => {}));
    const name = library.begin('COO', 'a');
    vi.advanceTimersByTime(500);
    expect(save).toHaveBeenCalledOnce();
    expect(stored.saved.size).toBe(0);
    library.leave();
    expect(stored.saved.get(name)?.text).toBe('a');
  });

  test('lists the latest changes first, and includes drafts begun before loading', async () => {
    for (const title of ['a', 'b', 'c']) library.begin(title, title);
    library.write('a', { text: 'changed' });
    library.flush();
    const lateLibrary = createFormatLibrary(stored, () => new Date());
    lateLibrary.begin('c', 'new');
    await lateLibrary.load();
    const listed = lateLibrary.store.getState().drafts.map(({ id, text }) => `${id}: ${text}`);
    expect(listed).toEqual(['c: new', 'a: changed', 'b: b']);
  });

  test('omits values that are not drafts', async () => {
    library.begin('fine', 'x');
    library.flush();
    const validDraft = stored.saved.get('fine') as FormatDraft;
    const invalidEntries: readonly (readonly [IDBValidKey, unknown])[] = [
      ['nothing', null],
      ['other', validDraft],
      [7, { ...validDraft, id: 7 }],
      ['Upper', { ...validDraft, id: 'Upper' }],
      ['long', { ...validDraft, id: 'long', text: 'x'.repeat(MODULE_BOUNDS.length + 1) }],
      ['versions', { ...validDraft, id: 'versions', versions: [{ number: 1, at: '', text: 7, note: '' }] }],
      ['exercise', { ...validDraft, id: 'exercise', exercise: 1 }],
    ];
    for (const [key, value] of invalidEntries) stored.saved.set(key, value as FormatDraft);
    expect((await openLibrary()).store.getState().drafts).toEqual([validDraft]);
  });

  test('reports that it cannot save, until saving works again', async () => {
    stored.rejection = new Error('The quota has been exceeded.');
    const name = library.begin('COO', 'a');
    library.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(library.store.getState().rejection).toBe(
      'This browser cannot save formats (it answered: The quota has been exceeded): save them as files.',
    );
    expect(draft(name)?.text).toBe('a');
    stored.rejection = null;
    library.write(name, { text: 'b' });
    library.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(library.store.getState().rejection).toBe(null);
  });

  test('reports loading as complete if it cannot be read', async () => {
    stored.load = () => Promise.reject(new Error('blocked'));
    const { loaded, rejection } = (await openLibrary()).store.getState();
    expect([loaded, rejection]).toEqual([true, expect.stringContaining('(it answered: blocked)')]);
  });

  test('does not save a deleted draft with pending changes', () => {
    const name = library.begin('COO', 'a');
    library.remove(name);
    vi.advanceTimersByTime(1000);
    expect([...stored.saved.keys()]).toEqual([]);
  });
});
