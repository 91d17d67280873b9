import { describe, expect, it } from 'vitest';
import type { MatrixSource } from '../engine/matrix/source-types.ts';
import {
  type AppDocument,
  baseOf,
  createDocumentStore,
  defaultDocument,
  type DocumentStore,
  choiceA,
  withAgainst,
  withFormat,
  withParam,
  withStep,
  withChoiceA,
  withSwapped,
  withTokens,
  withView,
  withWindow,
} from './document.ts';
import { bindHistory, type HistoryWindow } from './history.ts';
import { CATALOG } from '../../test/fake-engine.ts';
import { type DecodedHash, decodeHash, encodeHash } from './url.ts';

/** The history of such a window. */
function historyOf(page: FakeWindow) {
  return {
    get state(): unknown {
      return page.states[page.index];
    },
    pushState(data: unknown, _unused: '', url: string): void {
      page.entries = [...page.entries.slice(0, page.index + 1), url];
      page.states = [...page.states.slice(0, page.index + 1), data];
      page.index++;
    },
    replaceState(data: unknown, _unused: '', url: string): void {
      page.entries[page.index] = url;
      page.states[page.index] = data;
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
  readonly #listeners = new Set<() => void>();
  readonly #timers = new Map<number, () => void>();
  #lastTimer = 0;

  get location(): { hash: string } {
    return { hash: this.entries[this.index] };
  }

  readonly history = historyOf(this);

  addEventListener(_type: 'popstate', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'popstate', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  setTimeout(run: () => void): number {
    this.#timers.set(++this.#lastTimer, run);
    return this.#lastTimer;
  }

  clearTimeout(timer: number): void {
    this.#timers.delete(timer);
  }

  settle(): void {
    const due = [...this.#timers.values()];
    this.#timers.clear();
    for (const run of due) run();
  }

  go(delta: number): void {
    this.index += delta;
    for (const listener of this.#listeners) listener();
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

function bound(restore?: (decoded: DecodedHash) => Promise<void>): {
  target: FakeWindow;
  store: DocumentStore;
  binding: ReturnType<typeof bindHistory>;
} {
  const target = new FakeWindow();
  const store = createDocumentStore(FIRST);
  target.entries[0] = hashOf(FIRST);
  const restoreIt = restore ?? (async ({ document }: DecodedHash) => store.setState(document));
  const binding = bindHistory(store, CATALOG, () => new Set(), restoreIt, target);
  return { target, store, binding };
}

/** Waits until the document of an address has been restored. */
async function afterRestore(): Promise<void> {
  for (let i = 0; i < 5; i++) await Promise.resolve();
}

describe('bindHistory', () => {
  it('replaces the entry when only the step changes, once the step stays the same for a while', () => {
    const { target, store } = bound();
    for (const step of [1, 2, 3]) store.setState(withStep(store.getState(), step));
    expect(target.entries).toEqual([hashOf(FIRST)]);
    target.settle();
    expect(target.entries).toEqual([hashOf(withStep(FIRST, 3))]);
  });

  it('writes a step that is pending before it leaves for another entry', () => {
    const { target, store } = bound();
    store.setState(withStep(FIRST, 3));
    store.setState(withView(store.getState(), 'measure'));
    expect(target.entries[0]).toBe(hashOf(withStep(FIRST, 3)));
    expect(target.entries).toHaveLength(2);
  });

  it('makes an entry for each page, however quickly one follows the other', () => {
    const { target, store } = bound();
    for (const view of ['measure', 'learn']) store.setState(withView(store.getState(), view));
    target.settle();
    expect(target.entries).toEqual(['watch', 'measure', 'learn'].map((view) => hashOf(withView(FIRST, view))));
  });

  it.each<[string, (doc: AppDocument, at: number) => AppDocument]>([
    ['window', (doc, row) => withWindow(doc, { row, col: 0, rows: 4, cols: 4 })],
    ['tokens', withTokens],
  ])('makes a burst of changes one undo step: %s', (_, change) => {
    const { target, store } = bound();
    for (let offset = 2; offset < 50; offset++) store.setState(change(store.getState(), offset));
    target.settle();
    expect(target.entries).toEqual([hashOf(FIRST), hashOf(store.getState())]);
    store.setState(withParam(store.getState(), 'macko', 'repeat', 2));
    expect(target.entries).toHaveLength(3);
  });

  it.each<[string, (doc: AppDocument) => AppDocument]>([
    ['a format', (doc) => withFormat(doc, 'csr')],
    ['A', (doc) => withChoiceA(doc, { format: 'csr', params: { repeat: 2 } })],
    ['another B', (doc) => withAgainst(doc, { format: 'macko', params: { repeat: 3 } })],
    ['a parameter of B', (doc) => withAgainst(doc, { format: 'csr', params: { repeat: 2 } })],
    ['no B', (doc) => withAgainst(doc, null)],
    ['A and B exchanged', withSwapped],
    ['tokens', (doc) => withTokens(doc, 8)],
    ['a device', (doc) => ({ ...doc, on: 'this' })],
    ['another matrix', (doc) => ({ ...doc, source: { kind: 'example', id: 'wide' } })],
    ['a pruning', (doc) => ({ ...doc, source: prunedToHalf(doc) })],
  ])('bindHistory has one entry for %s, which back and forward restore', async (_, change) => {
    const { target, store } = bound();
    const changed = change(FIRST);
    expect(changed).not.toEqual(FIRST);
    store.setState(changed);
    // Without a wait.
    expect(target.entries).toEqual([hashOf(FIRST), hashOf(changed)]);
    target.go(-1);
    await afterRestore();
    expect(store.getState()).toEqual(FIRST);
    target.go(1);
    await afterRestore();
    expect(store.getState()).toEqual(changed);
    target.settle();
    expect(target.entries).toEqual([hashOf(FIRST), hashOf(changed)]);
  });

  it('makes no entry for a choice that is made again', () => {
    const { target, store } = bound();
    const { against, tokens } = FIRST;
    store.setState(withAgainst(FIRST, structuredClone(against)));
    store.setState(withTokens(store.getState(), tokens));
    store.setState(withChoiceA(store.getState(), structuredClone(choiceA(FIRST))));
    store.setState({ ...store.getState(), against: structuredClone(against) });
    target.settle();
    expect(target.entries).toEqual([hashOf(FIRST)]);
  });

  it('makes no entry when the same matrix is opened again', () => {
    const { target, store } = bound();
    store.setState({ ...FIRST, source: structuredClone(FIRST.source) });
    target.settle();
    expect(target.entries).toEqual([hashOf(FIRST)]);
  });

  it('makes no entry for the first window, which was not chosen', () => {
    const { target, store } = bound();
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
      const { target } = bound(restore);
      target.goTo('#2/watch?src=example:wide');
      await afterRestore();
      expect(target.location.hash).toBe(hashOf(FIRST));
    }
  });

  it('does not write over an address that changes while another one is being restored', async () => {
    let end = (): void => {};
    const { target } = bound(() => new Promise((resolve) => (end = resolve)));
    const next = hashOf(withFormat(FIRST, 'csr'));
    target.goTo(hashOf(withFormat(FIRST, 'ell')));
    // The browser has the new address before it notifies the page.
    target.history.pushState(null, '', next);
    end();
    await afterRestore();
    expect(target.location.hash).toBe(next);
  });

  it('writes nothing over an address that is still being restored when the one before it has been', async () => {
    const ends: (() => void)[] = [];
    const { target } = bound(() => new Promise((resolve) => void ends.push(resolve)));
    const next = hashOf(withFormat(FIRST, 'csr'));
    target.goTo(hashOf(withFormat(FIRST, 'ell')));
    target.goTo(next);
    ends[0]();
    await afterRestore();
    expect(target.location.hash).toBe(next);
  });

  it('reports an address of another version, and returns to the address of the visible document', async () => {
    const rejected: DecodedHash[] = [];
    const { target, store } = bound(async (decoded) => {
      rejected.push(decoded);
    });
    const shown = withTokens(withFormat(FIRST, 'csr'), 4);
    store.setState(shown);
    target.settle();
    target.goTo('#9/watch?a=macko&moment=3');
    await afterRestore();
    expect(rejected.map(({ isRefused, problems }) => [isRefused, problems])).toEqual([
      [true, ["Link: found version '9', expected 2; it is not opened."]],
    ]);
    expect([store.getState(), target.location.hash]).toEqual([shown, hashOf(shown)]);
  });

  it('reports what was wrong with a typed address, and writes the corrected address', async () => {
    const problems: string[] = [];
    const { target, store } = bound(async (decoded) => {
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
    const { target, store, binding } = bound();
    store.setState(withStep(FIRST, 2));
    binding.dispose();
    expect(target.location.hash).toBe(hashOf(withStep(FIRST, 2)));
    store.setState(withView(FIRST, 'measure'));
    target.settle();
    expect(target.entries).toEqual([hashOf(withStep(FIRST, 2))]);
  });
});

it('a change of cells is undone and redone through the history, and nothing else is', async () => {
  const target = new FakeWindow();
  const { store, bound } = cellsBoundTo(target);
  const cellsOfNow = (): string => {
    const { source } = store.getState();
    return source.kind === 'cells' ? source.cells : source.kind;
  };
  const edit = (cells: string): void => {
    const doc = store.getState();
    store.setState({ ...doc, source: { kind: 'cells', rows: 1, cols: 4, cells } });
    target.settle();
  };
  store.setState({ ...store.getState(), source: { kind: 'cells', rows: 1, cols: 4, cells: '0:1' } });
  target.settle();
  // Opening the matrix was no change of a cell.
  expect(bound.undo()).toBe(false);
  edit('0:2');
  edit('0:3');
  expect(bound.undo()).toBe(true);
  expect(cellsOfNow()).toBe('0:2');
  expect(bound.undo()).toBe(true);
  expect(cellsOfNow()).toBe('0:1');
  expect(bound.undo()).toBe(false);
  expect(bound.redo()).toBe(true);
  expect(cellsOfNow()).toBe('0:2');
  // Back and forward of the browser share the history.
  target.go(1);
  expect(cellsOfNow()).toBe('0:3');
  expect(bound.redo()).toBe(false);
  target.go(-1);
  // The address is restored within a promise.
  await Promise.resolve();
  await Promise.resolve();
  edit('0:9');
  expect(bound.redo()).toBe(false);
  expect(bound.undo()).toBe(true);
  expect(cellsOfNow()).toBe('0:2');
  bound.dispose();
});

it('a change is redone after it was undone to an entry that the user entered, and not after another address was entered', async () => {
  const { target, store, binding } = bound();
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
  // What could be repeated is gone.
  target.goTo(hashOf(FIRST));
  await afterRestore();
  expect(binding.redo()).toBe(false);
});

it('undoes the change of a cell that follows the opening of its matrix at once', () => {
  const target = new FakeWindow();
  const { store, bound: binding } = cellsBoundTo(target);
  const cells = (text: string): MatrixSource => ({ kind: 'cells', rows: 1, cols: 4, cells: text });
  store.setState({ ...store.getState(), source: cells('0:1') });
  store.setState({ ...store.getState(), source: cells('0:2') });
  expect(binding.undo()).toBe(true);
  expect(store.getState().source).toEqual(cells('0:1'));
  binding.dispose();
});

it('undo while another document is restored leaves the address that is being restored', () => {
  const { target, store, binding } = bound(() => new Promise<void>(() => {}));
  store.setState({ ...FIRST, tokens: 8 });
  target.settle();
  const before = [...target.entries];
  target.go(-1);
  expect([binding.undo(), binding.redo()]).toEqual([false, false]);
  // The store still has the document of the newer entry.
  expect(target.entries).toEqual(before);
  binding.dispose();
});

function cellsBoundTo(target: FakeWindow) {
  const store = createDocumentStore(defaultDocument(CATALOG));
  const restore = ({ document }: DecodedHash): Promise<void> => {
    store.setState(document);
    return Promise.resolve();
  };
  return { store, bound: bindHistory(store, CATALOG, () => new Set(), restore, target) };
}
