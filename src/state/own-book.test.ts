import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MODULE_BOUNDS } from '../core/bounds/bounds.ts';
import { createOwnBook, type OwnBook, type OwnDraft, type OwnStore } from './own-book.ts';

/** A store in memory; `refusal`: what saving rejects with. */
class Kept implements OwnStore {
  readonly saved = new Map<IDBValidKey, unknown>();
  saves = 0;
  refusal: Error | null = null;

  load(): Promise<readonly (readonly [IDBValidKey, unknown])[]> {
    return Promise.resolve([...this.saved]);
  }

  save(draft: OwnDraft): Promise<void> {
    this.saves++;
    if (this.refusal) return Promise.reject(this.refusal);
    this.saved.set(draft.name, structuredClone(draft));
    return Promise.resolve();
  }

  remove(name: string): Promise<void> {
    this.saved.delete(name);
    return Promise.resolve();
  }
}

let kept: Kept;
let book: OwnBook;

const opened = async (): Promise<OwnBook> => {
  let minute = 0;
  const made = createOwnBook(kept, () => new Date(Date.UTC(2026, 0, 1, 0, minute++)));
  await made.load();
  return made;
};
const draft = (name: string, of = book): OwnDraft | undefined =>
  of.store.getState().drafts.find((one) => one.name === name);
const texts = (name: string): readonly string[] => draft(name)?.versions.map(({ text }) => text) ?? [];

beforeEach(async () => {
  vi.useFakeTimers();
  kept = new Kept();
  book = await opened();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a name', () => {
  test('is the title in letters, digits and hyphens, and free', () => {
    const names = ['SELL-C-σ', 'Delta bytes!', 'σ', 'delta bytes', 'delta  bytes'].map((title) =>
      book.begin(title, ''),
    );
    expect(names).toEqual(['sell-c', 'delta-bytes', 'format', 'delta-bytes-2', 'delta-bytes-3']);
    expect(book.begin('a'.repeat(500), '')).toHaveLength(MODULE_BOUNDS.name);
  });

  test('is not that of the deleted one, which can be brought back', () => {
    const name = book.begin('COO', 'first');
    book.remove(name);
    expect(book.begin('COO', 'second')).toBe('coo-2');
    book.bringBack();
    expect(draft('coo')?.text).toBe('first');
    expect(book.store.getState().removed).toBe(null);
  });
});

describe('a version', () => {
  test('is kept once for each text, with what was known of it last', () => {
    const name = book.begin('COO', 'one');
    book.keep(name, 'laws not tried');
    book.keep(name, 'all laws');
    book.write(name, 'two');
    book.keep(name, '1 broken');
    expect(draft(name)?.versions).toMatchObject([
      { number: 1, text: 'one', note: 'all laws' },
      { number: 2, text: 'two', note: '1 broken' },
    ]);
  });

  test('comes back, and what it replaces becomes one', () => {
    const name = book.begin('COO', 'one');
    book.keep(name, '');
    book.write(name, 'two');
    book.restore(name, 1);
    expect([draft(name)?.text, texts(name)]).toEqual(['one', ['one', 'two']]);
    book.restore(name, 7);
    expect(draft(name)?.text).toBe('one');
    book.replace(name, 'solution');
    expect([draft(name)?.text, texts(name)]).toEqual(['solution', ['one', 'two']]);
  });

  test('goes when a thousand newer ones are there, and numbers go on', () => {
    const name = book.begin('COO', '');
    for (let i = 1; i <= MODULE_BOUNDS.versions + 2; i++) {
      book.write(name, `text ${i}`);
      book.keep(name, '');
    }
    const { versions } = draft(name) ?? { versions: [] };
    expect([versions.length, versions[0].number, versions.at(-1)?.number]).toEqual([
      MODULE_BOUNDS.versions,
      3,
      MODULE_BOUNDS.versions + 2,
    ]);
  });
});

describe('this browser', () => {
  test('keeps a draft once nobody types, and hands it back', async () => {
    const name = book.begin('COO', 'a');
    for (const text of ['ab', 'abc']) {
      vi.advanceTimersByTime(300);
      book.write(name, text);
    }
    expect(kept.saves).toBe(0);
    vi.advanceTimersByTime(500);
    expect(kept.saves).toBe(1);
    book.keep(name, 'all laws');
    expect(kept.saves).toBe(2);
    book.begin('later', 'x', '1');
    book.flush();
    const again = await opened();
    expect(again.store.getState().loaded).toBe(true);
    expect(draft(name, again)).toEqual(draft(name));
    expect(draft('later', again)?.exercise).toBe('1');
  });

  test('lists what changed last first, and what was begun before it was read', async () => {
    for (const title of ['a', 'b', 'c']) book.begin(title, title);
    book.write('a', 'changed');
    book.flush();
    const late = createOwnBook(kept, () => new Date());
    late.begin('c', 'new');
    await late.load();
    expect(late.store.getState().drafts.map(({ name, text }) => [name, text])).toEqual([
      ['c', 'new'],
      ['a', 'changed'],
      ['b', 'b'],
    ]);
  });

  test('may have stored anything: what is no draft is left out', async () => {
    book.begin('fine', 'x');
    book.flush();
    const fine = kept.saved.get('fine') as OwnDraft;
    const wrong: readonly (readonly [IDBValidKey, unknown])[] = [
      ['nothing', null],
      ['other', fine],
      [7, { ...fine, name: 7 }],
      ['Upper', { ...fine, name: 'Upper' }],
      ['long', { ...fine, name: 'long', text: 'x'.repeat(MODULE_BOUNDS.length + 1) }],
      ['versions', { ...fine, name: 'versions', versions: [{ number: 1, at: '', text: 7, note: '' }] }],
      ['exercise', { ...fine, name: 'exercise', exercise: 1 }],
    ];
    for (const [key, value] of wrong) kept.saved.set(key, value);
    expect((await opened()).store.getState().drafts).toEqual([fine]);
  });

  test('that cannot keep them says so, until it can', async () => {
    kept.refusal = new Error('The quota has been exceeded.');
    const name = book.begin('COO', 'a');
    book.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(book.store.getState().refusal).toBe(
      'This browser cannot keep formats (The quota has been exceeded): save them as files before you leave.',
    );
    expect(draft(name)?.text).toBe('a');
    kept.refusal = null;
    book.write(name, 'b');
    book.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(book.store.getState().refusal).toBe(null);
  });

  test('that cannot be read is no reason to wait', async () => {
    kept.load = () => Promise.reject(new Error('blocked'));
    const { loaded, refusal } = (await opened()).store.getState();
    expect([loaded, refusal]).toEqual([true, expect.stringContaining('(blocked)')]);
  });

  test('forgets a deleted draft, though it was about to be saved', () => {
    const name = book.begin('COO', 'a');
    book.remove(name);
    vi.advanceTimersByTime(1000);
    expect([...kept.saved.keys()]).toEqual([]);
  });
});
