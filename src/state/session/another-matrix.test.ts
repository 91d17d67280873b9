import { describe, expect, it } from 'vitest';
import { fakeSession, settle } from '../../../test/fake-engine.ts';
import { pausedEngine, started, watchRejections } from '../../../test/started-session.ts';
import { withWindow } from '../document.ts';
import type { Session } from './session.ts';

watchRejections();

/** Collects every error that the page reports from now on. */
function shownErrors({ store }: Session): readonly string[] {
  const shown: string[] = [];
  store.subscribe(({ error }, before) => {
    if (error !== null && error !== before.error) shown.push(error);
  });
  return shown;
}

describe('a refusal about a matrix that another one has replaced', () => {
  it('a refusal about a matrix that another one has replaced is dropped where the page was about to show the matrix', async () => {
    const { engine, release, pause } = pausedEngine();
    pause('window asks');
    const { session, document } = fakeSession(engine);
    const errors = shownErrors(session);
    const first = session.start();
    await settle();
    expect(engine.calls).toContain('window 0,0,8,8');
    // A file is dropped before the window of the first matrix was read, which the second does not have.
    const second = session.openExample('nan');
    await settle();
    release('window asks');
    await settle();
    release('window asks');
    await Promise.all([first, second]);
    await settle();
    expect(errors).toEqual([]);
    expect(session.store.getState().summary).toMatchObject({ name: 'nan', generation: 2 });
    expect(document.getState().window).toMatchObject({ rows: 1, cols: 1 });
  });

  it.each(['window', 'cells'])(
    'a refusal about a matrix that another one has replaced is dropped where the page does not know yet: %s',
    async (what) => {
      const { engine, release, pause } = pausedEngine();
      const { session, document } = await started(engine);
      const errors = shownErrors(session);
      pause('window asks', 'open answers');
      const region = { row: 4, col: 4, rows: 4, cols: 4 };
      const cells = what === 'cells' ? session.cells(region) : null;
      if (!cells) document.setState(withWindow(document.getState(), region));
      const second = session.openExample('nan');
      await settle();
      expect([engine.generation, session.store.getState().summary?.generation]).toEqual([2, 1]);
      release('window asks');
      await settle();
      if (cells) expect(await cells).toBeNull();
      release('open answers');
      await settle();
      release('window asks');
      await second;
      expect([errors, session.store.getState().summary?.name]).toEqual([[], 'nan']);
    },
  );

  it('a refusal about a matrix that another one has replaced is dropped where an encoding fails', async () => {
    const { engine, release, pause } = pausedEngine();
    const { session } = await started(engine);
    pause('open answers');
    const { encode } = engine.matrix;
    let rejectRequest = (_error: Error): void => {};
    engine.matrix.encode = () => new Promise((_, reject) => (rejectRequest = reject));
    session.retryEncoding('csr');
    await settle();
    engine.matrix.encode = encode;
    const second = session.openExample('nan');
    await settle();
    rejectRequest(new RangeError('csr: found 9 rows'));
    await settle();
    expect(session.store.getState().encodings.csr.kind).toBe('waiting');
    release('open answers');
    await second;
    await settle();
    expect(session.store.getState().encodings.csr.kind).toBe('ready');
  });

  it('a refusal about a matrix that another one has replaced is shown where the matrix is still the same', async () => {
    const { session, engine } = await started();
    const errors = shownErrors(session);
    engine.matrix.window = async () => {
      throw new RangeError('window: found no memory');
    };
    expect(await session.cells({ row: 0, col: 0, rows: 1, cols: 1 })).toBeNull();
    expect(errors).toEqual(['window: found no memory.']);
  });
});

it('the first matrix is opened after all where the file that replaced it is rejected', async () => {
  const { engine, release, pause } = pausedEngine();
  pause('open diagonal 1');
  const { session } = fakeSession(engine);
  const first = session.start();
  await settle();
  const second = session.openFile(new File(['x'], 'broken'));
  release('open diagonal 1');
  await settle();
  release('open diagonal 1');
  await Promise.all([first, second]);
  const { summary, error } = session.store.getState();
  expect([summary?.name, error]).toEqual(['diagonal', "broken: found 'x' in line 1, expected a banner."]);
});

describe('a request from before another matrix', () => {
  it('a request from before another matrix is not rejected with a message, nor offered with a higher limit', async () => {
    const { engine } = pausedEngine();
    const { session } = await started(engine);
    const errors = shownErrors(session);
    let rejectRequest = (_error: Error): void => {};
    const { open } = engine.matrix;
    engine.matrix.open = () => new Promise((_, reject) => (rejectRequest = reject));
    const older = session.openExample('diagonal');
    await settle();
    engine.matrix.open = open;
    const newer = session.openExample('wide');
    rejectRequest(Object.assign(new Error('bomb: found more'), { name: 'DecompressionLimitError' }));
    await Promise.all([older, newer]);
    const { summary, overLimit } = session.store.getState();
    expect([errors, summary?.name, overLimit]).toEqual([[], 'wide', null]);
  });

  it('for a list of tensors shows no list to choose from', async () => {
    const { engine, release, pause } = pausedEngine();
    const { session } = await started(engine);
    await session.openRemote('https://example.org/diagonal', null);
    pause('tensors');
    const browsing = session.browseTensors();
    await session.openExample('wide');
    release('tensors');
    await browsing;
    expect(session.store.getState().choice).toBeNull();
  });

  it('to save a matrix is rejected while another matrix is opened', async () => {
    const { engine, release, pause } = pausedEngine();
    const { session } = await started(engine);
    pause('open answers');
    const second = session.openExample('nan');
    await settle();
    expect(await session.matrixFile('mtx')).toBeNull();
    expect(session.store.getState().error).toBe('Not saved: another matrix was opened meanwhile.');
    release('open answers');
    await second;
    expect(await session.matrixFile('mtx')).toBeInstanceOf(Blob);
  });
});
