import { describe, expect, it } from 'vitest';
import { decodeHash, encodeHash } from '../url.ts';
import { CATALOG, fakeSession } from '../../../test/fake-engine.ts';
import type { OpenRequest } from '../../engine/matrix/source-types.ts';

it('previews a tensor of a file before it is opened', async () => {
  const { session } = fakeSession();
  await session.start();
  await session.openFile(new File([], 'several'));
  expect(await session.previewTensor('wide', {})).toMatchObject({ zeroShare: 7 / 8 });
});

describe('what is requested from the worker', () => {
  /** A session with the requests that its engine gets. */
  async function watched() {
    const { session, engine } = fakeSession();
    await session.start();
    const requests: OpenRequest[] = [];
    const open = engine.matrix.open;
    engine.matrix.open = (job, request) => {
      requests.push(request);
      return open(job, request);
    };
    return { session, requests };
  }

  it('is a higher limit only for the file that it was raised for', async () => {
    const { session, requests } = await watched();
    await session.openRemote('bomb', null);
    await session.openOverLimit();
    await session.openRemote('wide', null);
    const limits = requests.map((request) => ('maxDecompressedBytes' in request ? request.maxDecompressedBytes : null));
    expect(limits).toEqual([null, 2 ** 34, null]);
  });

  it('is the index among several files, with the others', async () => {
    const { session, requests } = await watched();
    const [first, index, last] = ['a.safetensors', 'model.safetensors.index.json', 'b.safetensors'].map(
      (name) => new File([], name),
    );
    await session.openFiles([first, index, last]);
    expect(requests).toMatchObject([{ kind: 'file', name: index.name, file: index, others: [first, last] }]);
  });

  it('is to read a table by its comments if the user opens it, and as before for an address without that choice', async () => {
    const { session, requests } = await watched();
    const asked = () => requests.map((request) => ('as' in request ? request.as : null));
    await session.openFile(new File([], 'wide'));
    await session.openRemote('diagonal', null);
    await session.openLinesAs('table');
    expect(asked()).toEqual(['auto', 'auto', 'table']);
    const names = new Set(['wide']);
    for (const query of ['', '&as=entries']) {
      await session.restore(decodeHash(`#2/watch?src=file:wide${query}`, CATALOG, names).document);
    }
    expect(asked().slice(3)).toEqual([null, 'entries']);
  });

  it('is a remote file with the token that was typed, until another is opened without', async () => {
    const { session, requests } = await watched();
    await session.openRemote('wide', 'hf_secret');
    await session.openRemote('diagonal', null);
    expect(requests).toMatchObject([
      { reference: 'wide', token: 'hf_secret' },
      { reference: 'diagonal', token: null },
    ]);
  });
});

it('keeps the link of a remote file as the worker pinned it, and the token out of it', async () => {
  const { session, document } = fakeSession();
  await session.start();
  await session.openRemote('wide', 'hf_secret');
  expect(document.getState().source).toEqual({ kind: 'remote', link: 'wide@pinned' });
  expect(encodeHash(document.getState(), CATALOG)).toContain('src=remote:wide%40pinned');
  expect(JSON.stringify([document.getState(), session.store.getState()])).not.toContain('hf_secret');
});

it('stops encoding while it prunes, and continues even without a result', async () => {
  const { session, engine } = fakeSession();
  await session.start();
  const state = session.store.getState;
  expect(Object.values(state().encodings).map((e) => e.kind)).toContain('running');
  const calls = engine.calls.length;
  const pruned = session.prune({ way: 'rows', density: 0.5 });
  expect(Object.values(state().encodings).map((e) => e.kind)).not.toContain('running');
  expect(engine.calls.slice(calls)).toContain('cancel');
  session.cancelOpening();
  await pruned;
  await expect.poll(() => Object.values(state().encodings).every((e) => e.kind === 'ready')).toBe(true);
});

it('returns files with the parameters of the document', async () => {
  const { session, engine } = fakeSession();
  await session.start();
  session.setParam('csr', 'repeat', 2);
  expect(await (await session.encodingFile('csr', 'npz'))?.text()).toBe('arrays');
  expect(engine.calls).toContain('encodingFile csr {"repeat":2} npz');
  expect(await (await session.matrixFile('mtx'))?.text()).toBe('matrix');
});

it('reports how far a file is written, and cancels it on request or when another is wanted', async () => {
  const { session, engine } = fakeSession();
  await session.start();
  const state = session.store.getState;
  const seen: (number | undefined)[] = [];
  session.store.subscribe(({ saving }) => void seen.push(saving?.progress?.done));
  const older = session.encodingFile('csr', 'npz');
  expect(state().saving).toMatchObject({ title: 'Writing the arrays', cancelling: false });
  const newer = session.encodingFile('csr', 'safetensors');
  expect([await older, await (await newer)?.text()]).toEqual([null, 'arrays']);
  expect(state()).toMatchObject({ saving: null, error: null });
  expect(seen).toEqual(expect.arrayContaining([1, 2, 3]));
  const cancelled = session.encodingFile('csr', 'npz');
  session.cancelSaving();
  expect([state().saving?.cancelling, await cancelled]).toEqual([true, null]);
  expect(state()).toMatchObject({ saving: null, error: null });
  expect(engine.calls.filter((call) => call === 'cancel')).toHaveLength(2);
});
