// The store of imported models in the browser's private file system (OPFS).

import { expect, it } from 'vitest';
import { browserModelStore, type ModelStore } from './model-store.ts';

type Tree = { [name: string]: string | Tree };

/** A private file system with this content, as far as models are read from it. */
function storageOf(models: Tree): StorageManager {
  const handleOf = (name: string, parent: Tree): object => {
    const content = parent[name];
    if (typeof content === 'string') return { kind: 'file', name, getFile: async () => new File([content], name) };
    const find = (inner: string, kind: 'file' | 'directory'): object => {
      if (!(inner in content)) throw new DOMException('no such entry', 'NotFoundError');
      const isFile = typeof content[inner] === 'string';
      if (isFile !== (kind === 'file')) throw new DOMException('of another kind', 'TypeMismatchError');
      return handleOf(inner, content);
    };
    const handles = () => Object.keys(content).map((inner) => handleOf(inner, content));
    return {
      kind: 'directory',
      name,
      async *entries() {
        for (const inner of Object.keys(content)) yield [inner, handleOf(inner, content)];
      },
      async *values() {
        yield* handles();
      },
      getDirectoryHandle: async (inner: string) => find(inner, 'directory'),
      getFileHandle: async (inner: string) => find(inner, 'file'),
      async removeEntry(inner: string) {
        if (!(inner in content)) throw new DOMException('no such entry', 'NotFoundError');
        delete content[inner];
      },
    };
  };
  return { getDirectory: async () => handleOf('root', { root: { models } }) } as unknown as StorageManager;
}

const WHOLE = 'brought%3AWhole-1a2b';
const storeOf = (models: Tree): ModelStore => {
  const store = browserModelStore(storageOf(models));
  if (store === null) throw new Error('found no store, expected one');
  return store;
};

it('lists models with their notes, and parts with their bytes', async () => {
  const store = storeOf({
    [WHOLE]: { a: 'xyz', 'kept.json': '{}' },
    'brought%3APart-1a2b': { a: 'xyz', 'b%2Fc': 'x' },
  });
  expect(await store.entries()).toEqual([
    { entry: WHOLE, kind: 'model', id: 'brought:Whole-1a2b', note: '{}' },
    { entry: 'brought%3APart-1a2b', kind: 'part', id: 'brought:Part-1a2b', bytes: 4 },
  ]);
});

it.each<[string, Tree, object]>([
  ['a file', { 'notes.txt': 'x' }, { fileKind: 'file', why: 'found a file, expected a folder for each model' }],
  [
    'the name of no address',
    { '100%': {} },
    { fileKind: 'folder', why: 'found a folder, expected the folder of a model' },
  ],
  [
    'the folder of something else',
    { pictures: {} },
    { fileKind: 'folder', why: 'found a folder, expected the folder of a model' },
  ],
  [
    'a note that is far too long',
    { 'brought%3ALong-1a2b': { 'kept.json': ' '.repeat(2 ** 20 + 1) } },
    { fileKind: 'folder', why: 'kept.json: found 1048577 bytes, expected at most 1048576' },
  ],
])('%s does not hide models, and can be removed by its name', async (_, stray, expected) => {
  const tree = { ...stray, [WHOLE]: { 'kept.json': '{}' } };
  const store = storeOf(tree);
  const [entry] = Object.keys(stray);
  const [unreadable, model] = await store.entries();
  expect(unreadable).toEqual({ entry, kind: 'unreadable', ...expected });
  expect(model).toMatchObject({ kind: 'model', entry: WHOLE });
  await store.removeEntry(entry);
  expect(Object.keys(tree)).toEqual([WHOLE]);
  // Another page of the site may have removed it.
  await store.removeEntry(entry);
});

it('ignores folders in a model, and a note that is a folder', async () => {
  const store = storeOf({ [WHOLE]: { a: 'xyz', 'kept.json': {}, '%': 'y' } });
  expect(await store.entries()).toEqual([{ entry: WHOLE, kind: 'part', id: 'brought:Whole-1a2b', bytes: 4 }]);
});
