import { describe, expect, it } from 'vitest';
import { encodeHash, decodeHash } from '../url.ts';
import { CATALOG, fakeSession } from '../../../test/fake-engine.ts';
import type { OpenRequest } from '../../engine/matrix/source-types.ts';

describe('a file that holds several matrices', () => {
  it('waits for a choice, with what was on the screen, and opens what is chosen', async () => {
    const { session, document } = fakeSession();
    await session.start();
    await session.openFile(new File([], 'several'));
    expect(session.store.getState()).toMatchObject({
      error: null,
      opening: null,
      summary: { name: 'diagonal' },
      choice: { source: { kind: 'file', name: 'several' }, tensors: [{ name: 'diagonal' }, { name: 'wide' }] },
    });
    expect(await session.previewTensor('wide', {})).toMatchObject({ zeroShare: 7 / 8 });
    await session.openTensor('wide');
    expect(session.store.getState()).toMatchObject({ choice: null, summary: { rows: 200 } });
    expect(document.getState().source).toEqual({ kind: 'file', name: 'several', tensor: 'wide' });
    await session.browseTensors();
    expect(session.store.getState().choice?.tensors).toHaveLength(2);
    session.dismissChoice();
    expect(session.store.getState().choice).toBeNull();
  });

  it('is asked about no longer once another matrix is opened, or refused, or an address is followed', async () => {
    const { session, document } = fakeSession();
    await session.start();
    const first = document.getState();
    const ways: Readonly<Record<string, () => Promise<void>>> = {
      opened: () => session.openFile(new File([], 'wide')),
      refused: () => session.openFile(new File([], 'bomb')),
      followed: () => session.restore(first),
    };
    for (const [how, go] of Object.entries(ways)) {
      await session.openFile(new File([], 'several'));
      expect(session.store.getState().choice, how).not.toBeNull();
      await go();
      expect(session.store.getState().choice, how).toBeNull();
    }
  });
});

it('a file that unpacks to too much is opened with a higher limit, when asked', async () => {
  const { session, document } = fakeSession();
  await session.start();
  await session.openFile(new File([], 'bomb'));
  const state = session.store.getState;
  const error = 'bomb: found more than is allowed.';
  expect(state()).toMatchObject({ error, summary: { name: 'diagonal' } });
  expect(state().overLimit).toEqual({ source: { kind: 'file', name: 'bomb' }, error, maxDecompressedBytes: 2 ** 34 });
  await session.openOverLimit();
  expect(state()).toMatchObject({ error, overLimit: { maxDecompressedBytes: 2 ** 36 } });
  await session.openOverLimit();
  expect(state()).toMatchObject({ error: null, overLimit: null, summary: { name: 'bomb' } });
  // Pruned or read again, it is still allowed to; another file of that name is not.
  await session.prune({ way: 'magnitude', density: 0.1 });
  expect(document.getState().source).toMatchObject({ kind: 'pruned', base: { name: 'bomb' } });
  await session.openFile(new File([], 'bomb'));
  expect(state()).toMatchObject({ error, overLimit: { maxDecompressedBytes: 2 ** 34 } });
});

describe('what the worker is asked for', () => {
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

  it('is a higher limit for what it was raised for alone', async () => {
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

it('prunes the whole matrix each time, keeps the window, and brings the whole back', async () => {
  const { session, document, engine } = fakeSession();
  await session.start();
  session.setWindow({ row: 1, col: 1, rows: 4, cols: 4 });
  await session.prune({ way: 'rows', density: 0.5 });
  await session.prune({ way: 'magnitude', density: 0.25 });
  const base = { kind: 'example', id: 'diagonal' };
  expect(document.getState()).toMatchObject({
    source: { kind: 'pruned', base, pruning: { way: 'magnitude', density: 0.25 } },
    window: { row: 1, col: 1, rows: 4, cols: 4 },
  });
  await session.prune(null);
  expect(document.getState().source).toEqual(base);
  expect(engine.calls.filter((call) => call.startsWith('prune'))).toEqual([
    'prune diagonal rows',
    'prune diagonal magnitude',
  ]);
});

it('stops encoding while it prunes, and goes on also when nothing comes of it', async () => {
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

it('gives files with the parameters of the document', async () => {
  const { session, engine } = fakeSession();
  await session.start();
  session.setParam('csr', 'repeat', 2);
  expect(await (await session.encodingFile('csr', 'npz'))?.text()).toBe('arrays');
  expect(engine.calls).toContain('encodingFile csr {"repeat":2} npz');
  expect(await (await session.matrixFile('mtx'))?.text()).toBe('matrix');
});

it('tells how far a file is written, and cancels it when asked or when another is wanted', async () => {
  const { session, engine } = fakeSession();
  await session.start();
  const state = session.store.getState;
  const seen: (number | undefined)[] = [];
  session.store.subscribe(({ saving }) => void seen.push(saving?.progress?.done));
  const older = session.encodingFile('csr', 'npz');
  expect(state().saving).toMatchObject({ title: 'Writing the arrays', cancelling: false });
  const newer = session.encodingFile('csr', 'safetensors');
  expect(await older).toBeNull();
  expect(await (await newer)?.text()).toBe('arrays');
  expect(state()).toMatchObject({ saving: null, error: null });
  expect(seen).toEqual(expect.arrayContaining([1, 2, 3]));
  const cancelled = session.encodingFile('csr', 'npz');
  session.cancelSaving();
  expect(state().saving?.cancelling).toBe(true);
  expect(await cancelled).toBeNull();
  expect(state()).toMatchObject({ saving: null, error: null });
  expect(engine.calls.filter((call) => call === 'cancel')).toHaveLength(2);
});

it.each(['magnitude:2', 'rows', 'random:0.5', 'n-of-m:5:4', 'n-of-m:2:4:8', 'x:1', ''])(
  'links say what is wrong with prune=%s',
  (text) => {
    const { document: decoded, problems } = decodeHash(`#2/watch?src=example:wide&a=csr&prune=${text}`, CATALOG);
    expect(decoded.source).toEqual({ kind: 'example', id: 'wide' });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`Link, prune: found '${text}'`);
  },
);
