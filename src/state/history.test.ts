import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MatrixSource } from '../engine/matrix/source-types.ts';
import {
  type AppDocument,
  baseOf,
  createDocumentStore,
  defaultDocument,
  choiceA,
  withFormatB,
  withBothShown,
  withFormat,
  withParam,
  withSource,
  withStep,
  withChoiceA,
  withSwapped,
  withTokens,
  withView,
  withWindow,
} from './document.ts';
import { bindHistory, type HistoryWindow } from './history.ts';
import { CATALOG } from '../../test/fake-engine.ts';
import { LEARN_FIELDS } from '../pages/learn/address.ts';
import { withPage } from './page-address.ts';
import { type DecodedHash, decodeHash, encodeHash } from './url.ts';

/** The session history of a fake window. */
function historyOf(page: FakeWindow) {
  return {
    get state(): unknown {
      return page.states[page.index];
    },
    pushState(data: unknown, _unused: '', url: string): void {
      page.calls++;
      page.entries = [...page.entries.slice(0, page.index + 1), url];
      page.states = [...page.states.slice(0, page.index + 1), structuredClone(data)];
      page.index++;
    },
    replaceState(data: unknown, _unused: '', url: string): void {
      page.calls++;
      page.entries[page.index] = url;
      page.states[page.index] = structuredClone(data);
    },
    back: (): void => page.go(-1),
    forward: (): void => page.go(1),
  };
}

/** A fake of a browser window: its session history, and timers that run when `settle` is called. */
class FakeWindow implements HistoryWindow {
  entries = [''];
  states: unknown[] = [null];
  index = 0;
  /** number of calls that write to the history, which browsers limit */
  calls = 0;
  listeners: readonly (readonly [type: string, listen: () => void])[] = [];
  readonly timers = new Map<number, () => void>();
  #lastTimer = 0;

  get location(): { hash: string } {
    return { hash: this.entries[this.index] };
  }

  readonly history = historyOf(this);

  addEventListener(type: 'popstate', listener: () => void): void {
    this.listeners = [...this.listeners, [type, listener]];
  }

  removeEventListener(type: 'popstate', listener: () => void): void {
    this.listeners = this.listeners.filter(([listenedType, listen]) => listenedType !== type || listen !== listener);
  }

  setTimeout(run: () => void): number {
    this.timers.set(++this.#lastTimer, run);
    return this.#lastTimer;
  }

  clearTimeout(timer: number): void {
    this.timers.delete(timer);
  }

  settle(): void {
    const due = [...this.timers.values()];
    this.timers.clear();
    for (const run of due) run();
  }

  /** Goes to another entry, if there is one. */
  go(delta: number): void {
    if (this.entries[this.index + delta] === undefined) return;
    this.index += delta;
    for (const [type, listen] of this.listeners) if (type === 'popstate') listen();
  }

  /** Navigates to an address, as if the user typed it. */
  goTo(hash: string): void {
    this.history.pushState(null, '', hash);
    this.go(0);
  }
}

const FIRST: AppDocument = { ...defaultDocument(CATALOG), window: { row: 0, col: 0, rows: 4, cols: 4 } };
const prunedToHalf = ({ source }: AppDocument): MatrixSource => ({
  kind: 'pruned',
  base: baseOf(source),
  pruning: { way: 'magnitude', density: 0.5 },
});
const hashOf = (doc: AppDocument): string => encodeHash(doc, CATALOG);

function bindFakeWindow(restore?: (decoded: DecodedHash) => Promise<void>, target = new FakeWindow(), first = FIRST) {
  const store = createDocumentStore(first);
  target.entries[target.index] = hashOf(first);
  const restoreDocument = restore ?? (async ({ document }: DecodedHash) => store.setState(document));
  const binding = bindHistory(store, CATALOG, () => new Set(), restoreDocument, target);
  return { target, store, binding };
}

/** Waits until the document of an address has been restored. */
async function afterRestore(): Promise<void> {
  for (let i = 0; i < 5; i++) await Promise.resolve();
}

const cells = (text: string): MatrixSource => ({ kind: 'cells', rows: 1, cols: 4, cells: text });
const TYPED: AppDocument = { ...FIRST, source: cells('0:1') };

/** Changes of the document by what the user chooses; `n` decides between two or more choices. */
const CHANGES: Readonly<Record<string, (doc: AppDocument, n: number) => AppDocument>> = {
  step: withStep,
  page: (doc, n) => withView(doc, ['watch', 'measure', 'learn'][n % 3]),
  'a lesson': (doc, n) => withPage(doc, LEARN_FIELDS, { lesson: ['', 'gaps'][n % 2] }),
  format: (doc, n) => withFormat(doc, ['csr', 'macko'][n % 2]),
  'a parameter of A': (doc, n) => withChoiceA(doc, { ...choiceA(doc), params: { repeat: 1 + (n % 3) } }),
  'a parameter of the other format': (doc, n) => withParam(doc, 'csr', 'repeat', 1 + (n % 3)),
  B: (doc, n) => withFormatB(doc, [null, { format: 'macko', params: { repeat: 1 + (n % 3) } }][n % 2]),
  'B next to A': (doc, n) => withBothShown(doc, n % 2 === 1 && doc.formatB !== null),
  'A and B exchanged': withSwapped,
  tokens: (doc, n) => withTokens(doc, 1 + n),
  device: (doc, n) => ({ ...doc, deviceChoice: ['', 'this'][n % 2] }),
  window: (doc, row) => withWindow(doc, { row, col: 0, rows: 4, cols: 4 }),
  pruning: (doc) => withSource(doc, prunedToHalf(doc), doc.window),
  'another matrix': (doc, n) => withSource(doc, { kind: 'example', id: ['wide', 'diagonal'][n % 2] }, doc.window),
  'cells of the matrix': (doc, n) => (doc.source.kind === 'cells' ? { ...doc, source: cells(`0:${2 + n}`) } : doc),
  'cells of the window': (doc, n) => ({ ...doc, edited: `0:${2 + n},,,` }),
  'the same again': (doc) => ({ ...doc, source: structuredClone(doc.source), formatB: structuredClone(doc.formatB) }),
};
const CELLS = ['cells of the matrix', 'cells of the window'];

const anyCommand = fc.oneof(
  { weight: 6, arbitrary: fc.record({ change: fc.constantFrom(...Object.keys(CHANGES)), n: fc.nat({ max: 5 }) }) },
  { weight: 5, arbitrary: fc.record({ change: fc.constantFrom(...CELLS), n: fc.nat({ max: 5 }) }) },
  { weight: 5, arbitrary: fc.constantFrom('back', 'forward', 'undo', 'redo', 'type') },
);

/** Each change with two values. */
const EACH_TWICE = Object.keys(CHANGES).flatMap((change) => [1, 2].map((n) => ({ change, n })));

describe('bindHistory', () => {
  it('every change is an entry, which back and forward restore, and undo and redo if it was one of cells', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCommand, { maxLength: 30 }), async (commands) => {
        const { target, store, binding } = bindFakeWindow(undefined, new FakeWindow(), TYPED);
        let entries = [{ hash: hashOf(TYPED), isCells: false }];
        let entryIndex = 0;
        const push = (hash: string, isCells: boolean): void => {
          entries = [...entries.slice(0, ++entryIndex), { hash, isCells }];
        };
        for (const command of commands) {
          if (typeof command === 'object') {
            const before = store.getState();
            const after = CHANGES[command.change](before, command.n);
            store.setState(after);
            target.settle();
            if (command.change === 'step') entries[entryIndex] = { ...entries[entryIndex], hash: hashOf(after) };
            else if (hashOf(after) !== entries[entryIndex].hash) push(hashOf(after), CELLS.includes(command.change));
          } else if (command === 'type') {
            const typedHash = hashOf(withTokens(FIRST, 100));
            push(typedHash, false);
            target.goTo(typedHash);
          } else if (command === 'undo') {
            expect(binding.undo()).toBe(entries[entryIndex].isCells);
            if (entries[entryIndex].isCells) entryIndex--;
          } else if (command === 'redo') {
            const isRedone = entries[entryIndex + 1]?.isCells ?? false;
            expect(binding.redo()).toBe(isRedone);
            if (isRedone) entryIndex++;
          } else {
            target.go(command === 'back' ? -1 : 1);
            entryIndex = Math.min(Math.max(entryIndex + (command === 'back' ? -1 : 1), 0), entries.length - 1);
          }
          await afterRestore();
          expect([target.entries, target.index]).toEqual([entries.map(({ hash }) => hash), entryIndex]);
          expect(hashOf(store.getState())).toBe(entries[entryIndex].hash);
        }
      }),
      { examples: [[EACH_TWICE]] },
    );
  });

  it('an entry of an earlier load of the page is undone, and one of another page is not', () => {
    const states = [
      [{ at: 1, isCellChange: true }, true],
      [{ at: 1, isCellChange: false }, false],
      [null, false],
      ['text', false],
      [{ isCellChange: true }, false],
      [{ at: '1', isCellChange: true }, false],
      [{ at: 1, isCellChange: 'yes' }, false],
    ] as const;
    for (const [state, isUndone] of states) {
      const target = new FakeWindow();
      target.history.pushState(state, '', '');
      const { binding } = bindFakeWindow(undefined, target);
      expect([state, binding.undo(), target.index]).toEqual([state, isUndone, isUndone ? 0 : 1]);
    }
  });

  it('writes no more often than needed, and leaves an empty address until something changes', () => {
    const target = new FakeWindow();
    const store = createDocumentStore(FIRST);
    bindHistory(
      store,
      CATALOG,
      () => new Set(),
      async () => {},
      target,
    );
    store.setState(withFormat(FIRST, 'csr'));
    expect(target.entries).toEqual(['', hashOf(withFormat(FIRST, 'csr'))]);
    for (let n = 0; n < 3; n++) store.setState({ ...store.getState() });
    expect(target.timers.size).toBe(1);
    target.settle();
    // The first entry gets its number, and a second one is added.
    expect(target.calls).toBe(2);
  });

  it('writes a pending step before a change of cells is undone', () => {
    const { target, store, binding } = bindFakeWindow(undefined, new FakeWindow(), TYPED);
    const editedDocument = { ...TYPED, source: cells('0:2') };
    store.setState(editedDocument);
    store.setState(withStep(editedDocument, 3));
    expect(binding.undo()).toBe(true);
    expect(target.entries).toEqual([hashOf(TYPED), hashOf(withStep(editedDocument, 3))]);
  });

  it.each(['settle', 'dispose'] as const)('%s leaves an address that is being restored', (action) => {
    const { target, store, binding } = bindFakeWindow(() => new Promise(() => {}));
    store.setState(withFormat(FIRST, 'csr'));
    target.go(-1);
    const { calls } = target;
    if (action === 'settle') target.settle();
    else binding.dispose();
    expect([target.location.hash, target.calls]).toEqual([hashOf(FIRST), calls]);
  });

  it('writes a step that is pending before it leaves for another entry', () => {
    const { target, store } = bindFakeWindow();
    store.setState(withStep(FIRST, 3));
    store.setState(withView(store.getState(), 'measure'));
    expect(target.entries[0]).toBe(hashOf(withStep(FIRST, 3)));
    expect(target.entries).toHaveLength(2);
  });

  it('makes an entry for each page, however quickly one follows the other', () => {
    const { target, store } = bindFakeWindow();
    for (const view of ['measure', 'learn']) store.setState(withView(store.getState(), view));
    target.settle();
    expect(target.entries).toEqual(['watch', 'measure', 'learn'].map((view) => hashOf(withView(FIRST, view))));
  });

  it('makes a burst of changes one undo step', () => {
    const { target, store } = bindFakeWindow();
    for (let row = 2; row < 50; row++) store.setState(withWindow(store.getState(), { row, col: 0, rows: 4, cols: 4 }));
    target.settle();
    expect(target.entries).toEqual([hashOf(FIRST), hashOf(store.getState())]);
    store.setState(withParam(store.getState(), 'macko', 'repeat', 2));
    expect(target.entries).toHaveLength(3);
  });

  it('makes no entry for the first window, which was not chosen', () => {
    const { target, store } = bindFakeWindow();
    store.setState({ ...FIRST, window: null });
    target.settle();
    const { length } = target.entries;
    store.setState(FIRST);
    target.settle();
    expect(target.entries).toHaveLength(length);
    expect(target.location.hash).toBe(hashOf(FIRST));
  });

  it('returns to the address of the visible document if a document could not be restored', async () => {
    for (const restore of [async () => {}, async () => Promise.reject(new Error('no such file'))]) {
      const { target } = bindFakeWindow(restore);
      target.goTo('#2/watch?src=example:wide');
      await afterRestore();
      expect(target.location.hash).toBe(hashOf(FIRST));
    }
  });

  it('does not write over an address that changes while another one is being restored', async () => {
    let end = (): void => {};
    const { target } = bindFakeWindow(() => new Promise((resolve) => (end = resolve)));
    const nextHash = hashOf(withFormat(FIRST, 'csr'));
    target.goTo(hashOf(withFormat(FIRST, 'ell')));
    // The browser has the new address before it notifies the page.
    target.history.pushState(null, '', nextHash);
    end();
    await afterRestore();
    expect(target.location.hash).toBe(nextHash);
  });

  it('writes nothing over an address that is still being restored when the one before it has been', async () => {
    const ends: (() => void)[] = [];
    const { target } = bindFakeWindow(() => new Promise((resolve) => void ends.push(resolve)));
    const nextHash = hashOf(withFormat(FIRST, 'csr'));
    target.goTo(hashOf(withFormat(FIRST, 'ell')));
    target.goTo(nextHash);
    ends[0]();
    await afterRestore();
    expect(target.location.hash).toBe(nextHash);
  });

  it('reports an address of another version, and returns to the address of the visible document', async () => {
    const rejectedHashes: DecodedHash[] = [];
    const { target, store } = bindFakeWindow(async (decoded) => {
      rejectedHashes.push(decoded);
    });
    const visibleDocument = withTokens(withFormat(FIRST, 'csr'), 4);
    store.setState(visibleDocument);
    target.settle();
    target.goTo('#9/watch?a=macko&moment=3');
    await afterRestore();
    expect(rejectedHashes.map(({ isRefused, problems }) => [isRefused, problems])).toEqual([
      [true, ["Link: found version '9', expected 2; it is not opened."]],
    ]);
    expect([store.getState(), target.location.hash]).toEqual([visibleDocument, hashOf(visibleDocument)]);
  });

  it('reports what was wrong with a typed address, and writes the corrected address', async () => {
    const problems: string[] = [];
    const { target, store } = bindFakeWindow(async (decoded) => {
      problems.push(...decoded.problems);
      store.setState({ ...decoded.document, window: FIRST.window });
    });
    target.goTo('#2/watch?a=coo');
    await afterRestore();
    expect(problems).toEqual(["Link, a: found 'coo', expected one of csr, macko; 'macko' is shown."]);
    expect(target.location.hash).toBe(hashOf(FIRST));
    expect(decodeHash(target.location.hash, CATALOG).problems).toEqual([]);
  });

  it('writes pending changes when it ends, and nothing after', () => {
    const { target, store, binding } = bindFakeWindow();
    store.setState(withStep(FIRST, 2));
    binding.dispose();
    expect([target.location.hash, target.listeners, target.timers.size]).toEqual([hashOf(withStep(FIRST, 2)), [], 0]);
    store.setState(withView(FIRST, 'measure'));
    target.settle();
    expect(target.entries).toEqual([hashOf(withStep(FIRST, 2))]);
  });
});

it('a change is redone after it was undone to an entry that the user entered, and not after another address was entered', async () => {
  const { target, store, binding } = bindFakeWindow();
  const edit = (text: string): void => {
    store.setState({ ...FIRST, edited: text });
    target.settle();
  };
  for (const enter of [() => {}, () => target.goTo(hashOf(withTokens(FIRST, 8)))]) {
    enter();
    await afterRestore();
    edit('0:2,,,');
    edit('0:3,,,');
    for (let i = 0; i < 2; i++) {
      expect(binding.undo()).toBe(true);
      await afterRestore();
    }
    expect([binding.undo(), binding.redo()]).toEqual([false, true]);
    await afterRestore();
    expect(store.getState().edited).toBe('0:2,,,');
  }
  // A new address removes the changes that could be redone.
  target.goTo(hashOf(FIRST));
  await afterRestore();
  expect(binding.redo()).toBe(false);
});

it('undoes the change of a cell that follows the opening of its matrix at once', async () => {
  const { store, binding } = bindFakeWindow();
  store.setState({ ...FIRST, source: cells('0:1') });
  store.setState({ ...FIRST, source: cells('0:2') });
  expect(binding.undo()).toBe(true);
  await afterRestore();
  expect(store.getState().source).toEqual(cells('0:1'));
});

it('undo while another document is restored leaves the address that is being restored', () => {
  const { target, store, binding } = bindFakeWindow(() => new Promise<void>(() => {}));
  store.setState({ ...FIRST, tokens: 8 });
  target.settle();
  const entriesBefore = [...target.entries];
  target.go(-1);
  expect([binding.undo(), binding.redo()]).toEqual([false, false]);
  // The store still has the document of the newer entry.
  expect(target.entries).toEqual(entriesBefore);
  binding.dispose();
});
