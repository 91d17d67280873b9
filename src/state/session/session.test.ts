import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BENCH_REQUEST, CATALOG, FakeEngine, fakeSession, MATRICES, settle } from '../../../test/fake-engine.ts';
import { pausedEngine, started, watchRejections } from '../../../test/started-session.ts';
import { cases } from '../../../test/scheduled.ts';
import type { DeviceStatus } from '../../engine/device.ts';

watchRejections();

const file = (name: string): File => new File(['x'], name);

describe('start', () => {
  it('loads matrix, window, trace, marginals and every encoding, the encoding of the shown format first', async () => {
    const { session, engine, document, player } = await started();
    const state = session.store.getState();
    expect(state.summary).toMatchObject({ name: 'diagonal', generation: 1 });
    expect([document.getState().window, state.window?.nnz]).toEqual([{ row: 0, col: 0, rows: 8, cols: 8 }, 8]);
    expect(state.trace).toMatchObject({ kind: 'ready', trace: { format: 'macko' } });
    expect([player.store.getState().stepCount, state.marginals?.generation]).toEqual([8, 1]);
    expect(Object.values(state.encodings).map((e) => e.kind)).toEqual(['ready', 'ready']);
    expect(engine.calls.filter((c) => c.startsWith('encode'))).toEqual([
      'encode macko {"repeat":1}',
      'encode csr {"repeat":1}',
    ]);
    expect(state.device).toEqual({ kind: 'unavailable', reason: 'This browser has no WebGPU.' });
    expect([state.opening, state.error, state.problems]).toEqual([null, null, []]);
  });

  it('keeps a choice that is made while the cells of the window arrive', async () => {
    const engine = new FakeEngine();
    const { session, document } = fakeSession(engine);
    const readWindow = engine.matrix.window;
    engine.matrix.window = async (job, region) => {
      const doc = document.getState();
      document.setState({
        ...doc,
        view: 'learn',
        format: 'csr',
        pages: { ...doc.pages, learn: { lesson: 'small-gaps', paragraph: 3, set: '' } },
      });
      return readWindow(job, region);
    };
    await session.start();
    expect(document.getState()).toMatchObject({
      view: 'learn',
      format: 'csr',
      pages: { learn: { lesson: 'small-gaps', paragraph: 3 } },
    });
    expect(session.store.getState().summary?.name).toBe('diagonal');
  });

  it.each([['macko'], ['csr']])('builds the stories before it shows the matrix; %s is chosen meanwhile', async (id) => {
    const summaries: unknown[] = [];
    const pause = async (): Promise<void> => {
      summaries.push(session.store.getState().summary);
      document.setState({ ...document.getState(), format: id });
    };
    const { session, document } = fakeSession(undefined, undefined, undefined, pause);
    await session.loadStories();
    await session.start();
    await settle();
    expect(summaries).toEqual([null, null]);
    expect(session.store.getState()).toMatchObject({
      window: { nnz: 8 },
      trace: { kind: 'ready', trace: { format: id, steps: { length: 8 } } },
      timeline: { b: null },
    });
  });

  it('keeps a choice that is made while an address is followed, of this matrix or of another one', async () => {
    for (const id of ['diagonal', 'wide']) {
      const { session, engine, document } = await started();
      const chooseLearn = (): void => document.setState({ ...document.getState(), view: 'learn' });
      const { open } = engine.matrix;
      engine.matrix.open = async (...requested) => {
        chooseLearn();
        return open(...requested);
      };
      const source = { kind: 'example', id } as const;
      const restoring = session.restore({ ...document.getState(), source, window: null, view: 'watch', tokens: 8 });
      if (id === 'diagonal') chooseLearn();
      await restoring;
      expect(document.getState()).toMatchObject({ view: 'learn', tokens: 8, source: { id } });
    }
  });

  it('shows the page of an address before its matrix is there, unless the user goes elsewhere', async () => {
    for (const chosenView of [null, 'measure', 'watch']) {
      const { session, engine, document } = await started();
      const { open } = engine.matrix;
      const pageStates: unknown[] = [];
      engine.matrix.open = async (...requested) => {
        pageStates.push(session.store.getState().arriving, document.getState().view);
        if (chosenView !== null) session.setView(chosenView);
        pageStates.push(session.store.getState().arriving);
        return open(...requested);
      };
      const source = { kind: 'example', id: 'wide' } as const;
      await session.restore({ ...document.getState(), source, window: null, view: 'learn' });
      expect(pageStates).toEqual(['learn', 'watch', chosenView === null ? 'learn' : null]);
      expect(session.store.getState().arriving).toBeNull();
      expect(document.getState()).toMatchObject({ view: chosenView ?? 'learn', source });
    }
  });

  it('shows the page of the last address, if it interrupts one that was opening another matrix', async () => {
    const { session, engine, document } = await started();
    const { open } = engine.matrix;
    const before = document.getState();
    const followed: Promise<void>[] = [];
    engine.matrix.open = (...requested) => {
      followed.push(session.restore({ ...before, tokens: 8 }));
      return open(...requested);
    };
    await session.restore({ ...before, source: { kind: 'example', id: 'wide' }, window: null, view: 'learn' });
    await Promise.all(followed);
    expect(session.store.getState().arriving).toBeNull();
    expect(document.getState()).toMatchObject({ view: 'watch', tokens: 8 });
  });

  it('offers to retry an address for which the network did not answer, but not after another error', async () => {
    const { session, engine, document } = await started();
    const { open } = engine.matrix;
    engine.matrix.open = () =>
      Promise.reject(new TypeError('Failed to fetch dynamically imported module: http://a/b.js'));
    const source = { kind: 'example', id: 'wide' } as const;
    await session.restore({ ...document.getState(), source, window: null, view: 'learn' });
    const { networkFailure, error } = session.store.getState();
    expect([error, networkFailure?.error]).toEqual(Array(2).fill('Opening wide: the network did not answer.'));
    engine.matrix.open = open;
    networkFailure?.retry();
    await settle();
    expect(document.getState()).toMatchObject({ view: 'learn', source });
    expect(session.store.getState().error).toBeNull();
    await session.openExample('broken');
    const state = session.store.getState();
    expect(state.error).not.toBeNull();
    expect(state.networkFailure?.error === state.error).toBe(false);
  });

  it('has the title Pruning if the matrix to prune is open, else Opening with its name', async () => {
    const { session, engine, document } = await started();
    const { open } = engine.matrix;
    const texts: unknown[] = [];
    engine.matrix.open = async (...requested) => {
      const { opening } = session.store.getState();
      texts.push([opening?.title, opening?.source]);
      return open(...requested);
    };
    const pruning = { way: 'magnitude', density: 0.5 } as const;
    const diagonalSource = { kind: 'example', id: 'diagonal' } as const;
    const wideSource = { kind: 'example', id: 'wide' } as const;
    await session.prune(pruning);
    await session.restore({ ...document.getState(), source: { kind: 'pruned', base: wideSource, pruning } });
    expect(texts).toEqual([
      ['Pruning', { kind: 'pruned', base: diagonalSource, pruning }],
      ['Opening wide', { kind: 'pruned', base: wideSource, pruning }],
    ]);
  });

  it('shows a matrix whose window cannot be read, and reports why', async () => {
    const engine = new FakeEngine();
    const { session } = fakeSession(engine);
    engine.matrix.window = async () => {
      throw new Error('window: found no memory');
    };
    await session.start();
    const { summary, error } = session.store.getState();
    expect([summary?.name, error]).toEqual(['diagonal', 'window: found no memory.']);
  });

  it('leaves the marginals of another matrix out', async () => {
    const engine = new FakeEngine();
    const { session } = fakeSession(engine);
    const readMarginals = engine.matrix.marginals;
    engine.matrix.marginals = async (...requested) => ({ ...(await readMarginals(...requested)), generation: 7 });
    await session.start();
    await settle();
    expect(session.store.getState().marginals).toBeNull();
  });

  it('tries its first matrix only once, even if that is also the matrix to open after a failure', async () => {
    const engine = new FakeEngine();
    const { session } = fakeSession(engine);
    let openCount = 0;
    engine.matrix.open = async () => {
      openCount++;
      throw new Error('found no memory');
    };
    await session.start();
    expect([openCount, session.store.getState().error]).toEqual([1, 'Found no memory.']);
  });

  it('reports nothing about a matrix whose opening a newer one has cancelled', async () => {
    const { engine, pause: hold, release } = pausedEngine();
    hold('open wide 2');
    const { session } = await started(engine);
    const olderOpening = session.openExample('empty');
    const newerOpening = session.openExample('wide');
    await olderOpening;
    expect(session.store.getState()).toMatchObject({ error: null, summary: { name: 'diagonal' } });
    release();
    await newerOpening;
    expect(session.store.getState().summary?.name).toBe('wide');
  });
});

describe('opening', () => {
  it('reports progress, and no error after a cancel', async () => {
    const { session } = await started();
    const progressTexts: string[] = [];
    session.store.subscribe(({ opening }) => {
      if (opening?.progress) progressTexts.push(`${opening.title}: ${opening.progress.done}/${opening.progress.total}`);
    });
    const openingEnd = session.openFile(file('wide'));
    session.cancelOpening();
    expect(session.store.getState().opening?.cancelling).toBe(true);
    await openingEnd;
    expect(session.store.getState()).toMatchObject({ summary: { name: 'diagonal' }, opening: null, error: null });
    await session.openFile(file('wide'));
    expect(progressTexts).toContain('Opening wide: 2/3');
  });
});

describe('a problem of a link', () => {
  it('a problem of a link is shown until the user changes the choices that the link made; other problems stay', async () => {
    const { session, document } = await started();
    const problems = ["Link, on: found 'here', expected this; another is used.", 'A result was lost.'];
    session.store.setState({ problems });
    session.setWindow({ row: 0, col: 0, rows: 3, cols: 8 });
    session.setTokens(document.getState().tokens);
    expect(session.store.getState().problems).toEqual(problems);
    for (const changeChoice of [
      () => session.setTokens(8),
      () => session.setFormat('csr'),
      () => session.setAgainst(null),
    ]) {
      session.store.setState({ problems });
      changeChoice();
      expect(session.store.getState().problems).toEqual(['A result was lost.']);
    }
  });
});

describe('the document', () => {
  it('keeps trace and encodings when it is restored with the same values', async () => {
    const { session, engine, document } = await started();
    const { trace, encodings } = session.store.getState();
    const calls = engine.calls.length;
    await session.restore(structuredClone(document.getState()));
    await settle();
    expect(session.store.getState().trace).toBe(trace);
    expect(session.store.getState().encodings).toBe(encodings);
    expect(engine.calls).toHaveLength(calls);
  });
});

it('choices at each limit are made, and others are rejected with a message', async () => {
  const { session, document } = fakeSession();
  session.setWindow({ row: 0, col: 0, rows: 2, cols: 2 }); // there is no matrix yet
  expect(document.getState().window).toBeNull();
  const choose = (tokens: number) => {
    session.dismissError();
    session.setTokens(tokens);
    return [document.getState().tokens, session.store.getState().error];
  };
  const rejected = (tokens: number) => [1, `tokens: found ${tokens}, expected a whole number from 1 to 128.`];
  expect([choose(128), choose(1)]).toEqual([
    [128, null],
    [1, null],
  ]);
  for (const tokens of [0, 129, 1.5, Number.NaN]) expect(choose(tokens)).toEqual(rejected(tokens));
  session.setParam('nobody', 'repeat', 1);
  expect(session.store.getState().error).toBe("nobody: found parameter 'repeat', which the format lacks.");
});

describe('the device', () => {
  const reject = (error: unknown) => async (): Promise<never> => {
    throw error;
  };
  const READY = { kind: 'ready', environment: {} } as unknown as DeviceStatus;

  it.each([
    ['ready', async () => READY, READY],
    ['missing', async () => ({ kind: 'unavailable', reason: 'no GPU' }) as const, 'No GPU.'],
    ['unknown', reject(new Error('found no worker')), 'Found no worker.'],
  ])('is %s', async (_, status, expected) => {
    const engine = new FakeEngine();
    Object.assign(engine.device, { status });
    const { session } = fakeSession(engine);
    await session.start();
    await settle();
    const expectedDevice = typeof expected === 'string' ? { kind: 'unavailable', reason: expected } : expected;
    expect(session.store.getState().device).toEqual(expectedDevice);
  });

  it('is mentioned once it has not answered for ten seconds, in whole seconds, until it answers', async () => {
    const { session, engine } = await started();
    const silentSeconds: unknown[] = [];
    session.store.subscribe(({ gpuSilentS }) => void silentSeconds.push(gpuSilentS));
    for (const ms of [0, 9999, 10_000, 10_400, 11_600, 9999, 0]) engine.silence(ms);
    expect(silentSeconds).toEqual([10, 12, null]);
  });
});

it('while times are measured, playback pauses and no encoding begins, whether it ends well or not', async () => {
  const { session, engine, player } = await started();
  player.play();
  const endCallbacks: (() => void)[] = [];
  const work = session.withQuietMachine('Trying', () => new Promise<void>((resolve) => endCallbacks.push(resolve)));
  expect(session.store.getState().quietWork).toMatchObject({ title: 'Trying' });
  expect(player.store.getState().playing).toBe(false);
  const callsBefore = engine.calls.length;
  session.setParam('csr', 'repeat', 2);
  await settle();
  expect(engine.calls.slice(callsBefore)).toEqual([]);
  endCallbacks[0]();
  await work;
  await settle();
  expect(engine.calls.slice(callsBefore)).toContain('encode csr {"repeat":2}');
  expect(session.store.getState().quietWork).toBeNull();
  const failingWork = session.withQuietMachine('Trying', () => Promise.reject(new Error('found no kernel')));
  session.setParam('csr', 'repeat', 3);
  await expect(failingWork).rejects.toThrow('found no kernel');
  await settle();
  expect(engine.calls.at(-1)).toBe('encode csr {"repeat":3}');
});

it('notes and problems are dismissed one by one or all, and an error', async () => {
  const { session } = await started();
  const state = session.store.getState;
  session.store.setState({ problems: ['a', 'b', 'c'], error: 'd' });
  session.dismissProblems((problem) => problem === 'b');
  expect(state().problems).toEqual(['a', 'c']);
  session.dismissProblems();
  session.dismissError();
  expect([state().problems, state().error]).toEqual([[], null]);
  // The matrix of the first example was not read from a file.
  session.dismissFileNotes();
  expect(state().readNotes).toEqual([]);
  const { summary } = state();
  const fileReading = { notes: ['one'], from: null, otherReading: null } as never;
  for (const name of ['x', 'y']) {
    if (summary) session.store.setState({ summary: { ...summary, name, read: fileReading } });
    session.dismissFileNotes();
  }
  expect(state().readNotes).toEqual([JSON.stringify(['x', null, 'one']), JSON.stringify(['y', null, 'one'])]);
});

it('a session that shows no matrix opens none, has no answers about one, and shows the problems of its link', async () => {
  const { session, engine } = fakeSession();
  const region = { row: 0, col: 0, rows: 8, cols: 8 };
  expect(await session.cells(region)).toBeNull();
  await session.start(['a problem'], false);
  await settle();
  expect(engine.calls.filter((call) => !call.startsWith('device'))).toEqual([]);
  expect(session.store.getState()).toMatchObject({ problems: ['a problem'], summary: null, opening: null });
  session.dismissFileNotes();
  expect(session.store.getState().readNotes).toEqual([]);
});

describe('answers about a matrix that was replaced', () => {
  it('answers about a matrix that was replaced are dropped', async () => {
    const { session, engine } = await started();
    const request = { region: { row: 0, col: 0, rows: 8, cols: 8 }, width: 8, height: 8 };
    expect(await session.spy(request)).not.toBeNull();
    engine.generation++;
    expect([await session.spy(request), await session.cells(request.region)]).toEqual([null, null]);
  });
});

describe('any events in any order', () => {
  type Action = (page: ReturnType<typeof fakeSession>) => unknown;
  const names = Object.keys(MATRICES);
  const actionWith = <T>(values: fc.Arbitrary<T>, act: (page: Parameters<Action>[0], value: T) => unknown) =>
    values.map<Action>((value) => (page) => act(page, value));
  const action: fc.Arbitrary<Action> = fc.oneof(
    actionWith(fc.constantFrom(...names, 'broken'), ({ session }, name) => session.openExample(name)),
    actionWith(fc.constantFrom(...names, 'broken'), ({ session }, name) => session.openFile(file(name))),
    fc.constant<Action>(({ session }) => session.cancelOpening()),
    fc.constant<Action>(({ session }) => session.cancelEncoding()),
    fc.constant<Action>(({ session }) => session.cancelBench()),
    fc.constant<Action>(({ session }) => session.runBench(BENCH_REQUEST)),
    fc.constant<Action>(({ session, document }) =>
      session.runBench(() => ({
        ...BENCH_REQUEST,
        entries: [
          {
            format: document.getState().format,
            params: { requestedFor: session.store.getState().summary?.generation, source: document.getState().source },
            kernels: 'auto',
          },
        ],
      })),
    ),
    actionWith(fc.constantFrom('csr', 'macko'), ({ session }, id) => session.setFormat(id)),
    actionWith(fc.constantFrom(1, 2, 3), ({ session }, n) => session.setParam('macko', 'repeat', n)),
    actionWith(fc.nat(6), ({ session }, row) => session.setWindow({ row, col: 0, rows: 2, cols: 4 })),
    actionWith(fc.constantFrom('next', 'last', 'first'), ({ player }, name) => player[name as 'next']()),
    actionWith(fc.constantFrom(...CATALOG.examples), ({ session, document }, { id }) =>
      session.restore({ ...document.getState(), source: { kind: 'example', id }, window: null, step: 0 }),
    ),
  );

  it('the last address is shown, for any addresses before it', async () => {
    // Addresses: an example matrix, a format, and how many pending replies arrive before the next address.
    const addresses = fc.array(
      fc.tuple(fc.constantFrom('diagonal', 'wide', 'empty'), fc.constantFrom('csr', 'macko', 'dense'), fc.nat(8)),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), addresses, async (scheduler, addressList) => {
        // Messages to the worker arrive in order: a cancel before the request for the next matrix.
        const engine = new FakeEngine((label) =>
          label === 'cancel' ? Promise.resolve() : scheduler.schedule(Promise.resolve(), label),
        );
        const { session, document } = fakeSession(engine);
        void session.start();
        await scheduler.waitIdle();
        for (const [id, format, turns] of addressList) {
          const source = { kind: 'example', id } as const;
          void session.restore({ ...document.getState(), source, format, window: null, step: 0 });
          // `restore` sends its request to the worker a few microtasks later.
          for (let i = 0; i < 20; i++) await Promise.resolve();
          for (let turn = 0; turn < turns && scheduler.count() > 0; turn++) await scheduler.waitNext(1);
        }
        await scheduler.waitIdle();
        const [id, format] = addressList.at(-1) ?? [];
        expect(document.getState()).toMatchObject({ source: { kind: 'example', id }, format });
        expect(session.store.getState()).toMatchObject({ opening: null, summary: { generation: engine.generation } });
      }),
      { numRuns: cases(120, 400) },
    );
  });

  it('once nothing is pending, the session’s state belongs to the worker’s matrix and to the document', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(action, { maxLength: 12 }),
        fc.nat(3),
        async (scheduler, actions, failingStories) => {
          const engine = new FakeEngine((label) => scheduler.schedule(Promise.resolve(), label));
          let storyRequests = 0;
          // The code of the first stories does not load.
          const fake = fakeSession(engine, async (id) => {
            const arrives = ++storyRequests > failingStories;
            await scheduler.schedule(Promise.resolve(), `story of ${id}`);
            if (!arrives) throw new TypeError('no network');
          });
          const { session, document, player } = fake;
          // Parts of the state that belonged to another matrix than the summary. They are collected, since an error that
          // a listener throws would be caught as a failure of the action.
          const mixedParts: string[] = [];
          session.store.subscribe(({ summary, window, trace, encodings }) => {
            const generation = summary?.generation;
            if (window && engine.generationOf.get(window.data) !== generation) mixedParts.push('window');
            if (trace.kind === 'ready' && trace.trace.window !== window) mixedParts.push('trace');
            const readyEncodings = Object.values(encodings).filter((e) => e.kind === 'ready');
            if (readyEncodings.some((e) => e.summary.generation !== generation)) mixedParts.push('encoding');
          });
          void session.start();
          for (const act of actions) {
            void act(fake);
            await scheduler.waitNext(Math.min(2, scheduler.count()));
          }
          await scheduler.waitIdle();
          for (let i = 0; i < failingStories; i++) {
            session.retryStory();
            await scheduler.waitIdle();
          }

          expect(mixedParts).toEqual([]);
          // A run is requested for the matrix that was open when it was requested.
          for (const { request, generation } of engine.requests) {
            const { requestedFor = generation } = request.entries[0].params;
            expect(requestedFor).toBe(generation);
          }
          // Nothing runs, and every part of the state belongs to the same matrix.
          const { summary, window, trace, encodings, opening, bench, marginals } = session.store.getState();
          expect([opening, bench.running]).toEqual([null, null]);
          expect(summary?.generation ?? 0).toBe(engine.generation);
          if (!summary) return;
          const doc = document.getState();
          const { rows, cols } = doc.window ?? {};
          expect(marginals?.generation).toBe(summary.generation);
          expect({ rows: window?.rows, cols: window?.cols }).toEqual({ rows, cols });
          expect(player.store.getState().step).toBe(doc.step);
          expect(['ready', 'failed']).toContain(trace.kind);
          if (trace.kind === 'ready') {
            expect(trace.trace).toMatchObject({ format: doc.format, params: doc.params[doc.format] });
            expect(trace.trace.window).toBe(window);
            expect(player.store.getState().stepCount).toBe(trace.trace.steps.length);
          }
          for (const [format, encoding] of Object.entries(encodings)) {
            // B has a separate encoding where its parameters differ from its format's.
            expect(encoding.params).toBe(format in doc.params ? doc.params[format] : doc.formatB?.params);
            expect(['ready', 'cancelled']).toContain(encoding.kind);
            if (encoding.kind === 'ready') expect(encoding.summary.generation).toBe(summary.generation);
          }
        },
      ),
      { numRuns: cases(120, 400) },
    );
  });
});
