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

describe('requests of a session to the worker', () => {
  /** A session, and the list of requests to open a matrix that its engine receives. */
  async function sessionWithRequests() {
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

  it('contain a raised limit for decompressed bytes only for the file that it was raised for', async () => {
    const { session, requests } = await sessionWithRequests();
    await session.openRemote('bomb', null);
    await session.openOverLimit();
    await session.openRemote('wide', null);
    const limits = requests.map((request) => ('maxDecompressedBytes' in request ? request.maxDecompressedBytes : null));
    expect(limits).toEqual([null, 2 ** 34, null]);
  });

  it('open the index among several files, with the other files', async () => {
    const { session, requests } = await sessionWithRequests();
    const [first, index, last] = ['a.safetensors', 'model.safetensors.index.json', 'b.safetensors'].map(
      (name) => new File([], name),
    );
    await session.openFiles([first, index, last]);
    expect(requests).toMatchObject([{ kind: 'file', name: index.name, file: index, others: [first, last] }]);
  });

  it("read a table with 'auto' if the user opens it, and as version 0.2 for an address without 'as'", async () => {
    const { session, requests } = await sessionWithRequests();
    const readings = () => requests.map((request) => ('as' in request ? request.as : null));
    await session.openFile(new File([], 'wide'));
    await session.openRemote('diagonal', null);
    await session.openLinesAs('table');
    expect(readings()).toEqual(['auto', 'auto', 'table']);
    const names = new Set(['wide']);
    for (const query of ['', '&as=entries']) {
      await session.restore(decodeHash(`#2/watch?src=file:wide${query}`, CATALOG, names).document);
    }
    expect(readings().slice(3)).toEqual([null, 'entries']);
  });

  it('contain the token that was typed for a remote file, but not for the next one without a token', async () => {
    const { session, requests } = await sessionWithRequests();
    await session.openRemote('wide', 'hf_secret');
    await session.openRemote('diagonal', null);
    expect(requests).toMatchObject([
      { reference: 'wide', token: 'hf_secret' },
      { reference: 'diagonal', token: null },
    ]);
  });
});

it('the document contains the link of a remote file as the worker pinned it, and never the token', async () => {
  const { session, document } = fakeSession();
  await session.start();
  await session.openRemote('wide', 'hf_secret');
  expect(document.getState().source).toEqual({ kind: 'remote', link: 'wide@pinned' });
  expect(encodeHash(document.getState(), CATALOG)).toContain('src=remote:wide%40pinned');
  expect(JSON.stringify([document.getState(), session.store.getState()])).not.toContain('hf_secret');
});

it('a pruning stops the encodings, which continue even if the pruning is cancelled', async () => {
  const { session, engine } = fakeSession();
  await session.start();
  const state = session.store.getState;
  expect(Object.values(state().encodings).map((e) => e.kind)).toContain('running');
  const calls = engine.calls.length;
  const pruning = session.prune({ way: 'rows', density: 0.5 });
  expect(Object.values(state().encodings).map((e) => e.kind)).not.toContain('running');
  expect(engine.calls.slice(calls)).toContain('cancel');
  session.cancelOpening();
  await pruning;
  await expect.poll(() => Object.values(state().encodings).every((e) => e.kind === 'ready')).toBe(true);
});

it('encodingFile and matrixFile return files with the parameters of the document', async () => {
  const { session, engine } = fakeSession();
  await session.start();
  session.setParam('csr', 'repeat', 2);
  expect(await (await session.encodingFile('csr', 'npz'))?.text()).toBe('arrays');
  expect(engine.calls).toContain('encodingFile csr {"repeat":2} npz');
  expect(await (await session.matrixFile('mtx'))?.text()).toBe('matrix');
});

it('encodingFile reports its progress, and is cancelled on request or by the next file', async () => {
  const { session, engine } = fakeSession();
  await session.start();
  const state = session.store.getState;
  const progressValues: (number | undefined)[] = [];
  session.store.subscribe(({ saving }) => void progressValues.push(saving?.progress?.done));
  const firstFile = session.encodingFile('csr', 'npz');
  expect(state().saving).toMatchObject({ title: 'Writing the arrays', cancelling: false });
  const secondFile = session.encodingFile('csr', 'safetensors');
  expect([await firstFile, await (await secondFile)?.text()]).toEqual([null, 'arrays']);
  expect(state()).toMatchObject({ saving: null, error: null });
  expect(progressValues).toEqual(expect.arrayContaining([1, 2, 3]));
  const cancelledFile = session.encodingFile('csr', 'npz');
  session.cancelSaving();
  expect([state().saving?.cancelling, await cancelledFile]).toEqual([true, null]);
  expect(state()).toMatchObject({ saving: null, error: null });
  expect(engine.calls.filter((call) => call === 'cancel')).toHaveLength(2);
});
