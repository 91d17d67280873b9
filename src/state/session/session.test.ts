import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GenerateSpec } from '../../generate/generate.ts';
import { withStep, withWindow } from '../document.ts';
import { decodeHash } from '../url.ts';
import { BENCH_REQUEST, CATALOG, FakeEngine, fakeSession, MATRICES, settle } from '../../../test/fake-engine.ts';
import { holdingEngine, started, watchRejections } from '../../../test/started-session.ts';
import { cases } from '../../../test/scheduled.ts';

watchRejections();

const spec = (pattern: string): GenerateSpec => ({ pattern, rows: 8, cols: 8, density: 0.1, seed: 1 });
const file = (name: string): File => new File(['x'], name);

describe('start', () => {
  it('brings matrix, window, trace, marginals and every encoding, the format on the stage first', async () => {
    const { session, engine, document, player } = await started();
    const state = session.store.getState();
    expect(state.summary).toMatchObject({ name: 'diagonal', generation: 1 });
    expect(document.getState().window).toEqual({ row: 0, col: 0, rows: 8, cols: 8 });
    expect(state.window?.nnz).toBe(8);
    expect(state.trace).toMatchObject({ kind: 'ready', trace: { format: 'macko' } });
    expect(player.store.getState().stepCount).toBe(8);
    expect(state.marginals?.generation).toBe(1);
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
    const read = engine.matrix.window;
    engine.matrix.window = async (job, region) => {
      const doc = document.getState();
      document.setState({
        ...doc,
        view: 'learn',
        format: 'csr',
        places: { ...doc.places, learn: { lesson: 'small-gaps', paragraph: 3, set: '' } },
      });
      return read(job, region);
    };
    await session.start();
    expect(document.getState()).toMatchObject({
      view: 'learn',
      format: 'csr',
      places: { learn: { lesson: 'small-gaps', paragraph: 3 } },
    });
    expect(session.store.getState().summary?.name).toBe('diagonal');
  });

  it.each([['macko'], ['csr']])(
    'tells stories before the task in which they are shown; %s is chosen meanwhile',
    async (id) => {
      const shown: unknown[] = [];
      const pause = async (): Promise<void> => {
        shown.push(session.store.getState().summary);
        document.setState({ ...document.getState(), format: id });
      };
      const { session, document } = fakeSession(undefined, undefined, undefined, pause);
      await session.loadStories();
      await session.start();
      await settle();
      expect(shown).toEqual([null, null]);
      expect(session.store.getState()).toMatchObject({
        window: { nnz: 8 },
        trace: { kind: 'ready', trace: { format: id, steps: { length: 8 } } },
        timeline: { b: null },
      });
    },
  );

  it('keeps a choice that is made while an address is followed, of this matrix or of another one', async () => {
    for (const id of ['diagonal', 'wide']) {
      const { session, engine, document } = await started();
      const look = (): void => document.setState({ ...document.getState(), view: 'learn' });
      const { open } = engine.matrix;
      engine.matrix.open = async (...asked) => {
        look();
        return open(...asked);
      };
      const source = { kind: 'example', id } as const;
      const followed = session.restore({ ...document.getState(), source, window: null, view: 'watch', tokens: 8 });
      if (id === 'diagonal') look();
      await followed;
      expect(document.getState()).toMatchObject({ view: 'learn', tokens: 8, source: { id } });
    }
  });

  it('shows the place of an address before its matrix is there, unless a person goes elsewhere', async () => {
    for (const [goes, view] of [
      [null, 'learn'],
      ['measure', 'measure'],
      ['watch', 'watch'],
    ] as const) {
      const { session, engine, document } = await started();
      const { open } = engine.matrix;
      const seen: unknown[] = [];
      engine.matrix.open = async (...asked) => {
        seen.push(session.store.getState().arriving, document.getState().view);
        if (goes !== null) session.setView(goes);
        seen.push(session.store.getState().arriving);
        return open(...asked);
      };
      const source = { kind: 'example', id: 'wide' } as const;
      await session.restore({ ...document.getState(), source, window: null, view: 'learn' });
      expect(seen).toEqual(['learn', 'watch', goes === null ? 'learn' : null]);
      expect(session.store.getState().arriving).toBeNull();
      expect(document.getState()).toMatchObject({ view, source });
    }
  });

  it('shows the place of before again where the matrix of an address cannot be opened', async () => {
    const { session, document } = await started();
    const source = { kind: 'example', id: 'broken' } as const;
    await session.restore({ ...document.getState(), source, window: null, view: 'learn' });
    expect(session.store.getState()).toMatchObject({ arriving: null, opening: null });
    expect(document.getState()).toMatchObject({ view: 'watch', source: { id: 'diagonal' } });
  });

  it('offers an address again where the network did not answer, and no other', async () => {
    const { session, engine, document } = await started();
    const { open } = engine.matrix;
    engine.matrix.open = () =>
      Promise.reject(new TypeError('Failed to fetch dynamically imported module: http://a/b.js'));
    const source = { kind: 'example', id: 'wide' } as const;
    await session.restore({ ...document.getState(), source, window: null, view: 'learn' });
    const { missed, error } = session.store.getState();
    expect([error, missed?.error]).toEqual(Array(2).fill('Opening wide: the network did not answer.'));
    engine.matrix.open = open;
    missed?.again();
    await settle();
    expect(document.getState()).toMatchObject({ view: 'learn', source });
    expect(session.store.getState().error).toBeNull();
    await session.openExample('broken');
    const state = session.store.getState();
    expect(state.error).not.toBeNull();
    expect(state.missed?.error === state.error).toBe(false);
  });

  it('says what it opens, of which matrix, and prunes only what is there', async () => {
    const { session, engine, document } = await started();
    const { open } = engine.matrix;
    const said: unknown[] = [];
    engine.matrix.open = async (...asked) => {
      const { opening } = session.store.getState();
      said.push([opening?.title, opening?.source]);
      return open(...asked);
    };
    const pruning = { way: 'magnitude', density: 0.5 } as const;
    const diagonal = { kind: 'example', id: 'diagonal' } as const;
    const wide = { kind: 'example', id: 'wide' } as const;
    await session.prune(pruning);
    await session.restore({ ...document.getState(), source: { kind: 'pruned', base: wide, pruning } });
    expect(said).toEqual([
      ['Pruning', { kind: 'pruned', base: diagonal, pruning }],
      ['Opening wide', { kind: 'pruned', base: wide, pruning }],
    ]);
  });

  it('looks first at the window that an example names', async () => {
    const { session, document } = await started();
    await session.openExample('part');
    expect(document.getState().window).toEqual({ row: 2, col: 3, rows: 4, cols: 5 });
  });

  it('shows a matrix whose window cannot be read, and says why', async () => {
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
    const read = engine.matrix.marginals;
    engine.matrix.marginals = async (...asked) => ({ ...(await read(...asked)), generation: 7 });
    await session.start();
    await settle();
    expect(session.store.getState().marginals).toBeNull();
  });

  it('tries the matrix that it starts with once, where that is the one that fails', async () => {
    const engine = new FakeEngine();
    const { session } = fakeSession(engine);
    let tried = 0;
    engine.matrix.open = async () => {
      tried++;
      throw new Error('found no memory');
    };
    await session.start();
    expect([tried, session.store.getState().error]).toEqual([1, 'Found no memory.']);
  });

  it('says nothing of a matrix whose opening a newer one has cancelled', async () => {
    const { engine, hold, release } = holdingEngine();
    hold('open wide 2');
    const { session } = await started(engine);
    const older = session.openExample('empty');
    const newer = session.openExample('wide');
    await older;
    expect(session.store.getState()).toMatchObject({ error: null, summary: { name: 'diagonal' } });
    release();
    await newer;
    expect(session.store.getState().summary?.name).toBe('wide');
  });

  it('begins at step 0 where another window is chosen than the link names, and keeps the step where it names none', async () => {
    const first = fakeSession();
    first.document.setState(withStep(withWindow(first.document.getState(), { row: 6, col: 0, rows: 3, cols: 3 }), 2));
    await first.session.start();
    expect(first.document.getState()).toMatchObject({ window: { row: 0, col: 0, rows: 8, cols: 8 }, step: 0 });
    expect(first.player.store.getState().step).toBe(0);

    const none = fakeSession();
    none.document.setState({ ...none.document.getState(), window: null, step: 2 });
    await none.session.start();
    expect(none.document.getState()).toMatchObject({ window: { row: 0, col: 0, rows: 8, cols: 8 }, step: 2 });
    expect(none.player.store.getState().step).toBe(2);

    const { session, document, player } = first;
    await session.restore(withStep(withWindow(document.getState(), { row: 0, col: 6, rows: 3, cols: 3 }), 3));
    await settle();
    expect([document.getState().step, player.store.getState().step]).toEqual([0, 0]);
  });

  it('keeps a window and step that fit, and reports those that do not', async () => {
    const fits = fakeSession();
    fits.document.setState(withStep(withWindow(fits.document.getState(), { row: 1, col: 1, rows: 3, cols: 3 }), 2));
    await fits.session.start();
    expect(fits.document.getState()).toMatchObject({ window: { row: 1, col: 1, rows: 3, cols: 3 }, step: 2 });
    expect(fits.player.store.getState().step).toBe(2);

    const outside = fakeSession();
    outside.document.setState(withWindow(outside.document.getState(), { row: 6, col: 0, rows: 3, cols: 3 }));
    await outside.session.start(['earlier problem']);
    expect(outside.session.store.getState().problems).toEqual([
      'earlier problem',
      'Link, window: found 3 × 3 cells at row 6, column 0, expected a place within the matrix of 8 × 8; another is used.',
    ]);
    expect(outside.document.getState().window).toEqual({ row: 0, col: 0, rows: 8, cols: 8 });

    const late = fakeSession();
    late.document.setState(withStep(late.document.getState(), 9));
    await late.session.start();
    expect(late.session.store.getState().problems).toEqual(['step: found 9, expected at most 8; the start is shown.']);
    expect(late.document.getState().step).toBe(0);
  });

  it('shows the first example where the one of the link cannot be opened', async () => {
    const { session, document } = fakeSession();
    document.setState({ ...document.getState(), source: { kind: 'example', id: 'broken' } });
    await session.start();
    expect(session.store.getState()).toMatchObject({
      summary: { name: 'diagonal' },
      error: "broken: found 'x' in line 1, expected a banner.",
    });
    expect(document.getState().source).toEqual({ kind: 'example', id: 'diagonal' });
  });
});

describe('opening', () => {
  it('shows matrices without entries, and says why a format has no story for a window', async () => {
    const { session } = await started();
    await session.openExample('empty');
    expect(session.store.getState()).toMatchObject({ summary: { nnz: 0 }, trace: { kind: 'ready' } });
    await session.openExample('nan');
    expect(session.store.getState().trace).toEqual({ kind: 'failed', reason: 'values: found NaN. Remove it.' });
  });

  it('chooses a window and starts the animation for every new matrix', async () => {
    const { session, document, player } = await started();
    player.seek(5);
    expect(document.getState().step).toBe(5);
    await session.openGenerated(spec('wide'));
    expect(document.getState()).toMatchObject({
      source: { kind: 'generated', spec: { pattern: 'wide' } },
      window: { row: 0, col: 0, rows: 5, cols: 32 },
      step: 0,
    });
  });

  it('leaves everything on the screen when it fails', async () => {
    const { session, document } = await started();
    session.setWindow({ row: 2, col: 2, rows: 4, cols: 4 });
    await settle();
    const before = session.store.getState();
    const docBefore = document.getState();
    await session.openFile(file('broken'));
    await settle();
    expect(session.store.getState()).toEqual({ ...before, error: "broken: found 'x' in line 1, expected a banner." });
    expect(document.getState()).toBe(docBefore);
    session.dismissError();
    expect(session.store.getState()).toEqual(before);
  });

  it('reports progress and is silent about a cancel', async () => {
    const { session } = await started();
    const seen: string[] = [];
    session.store.subscribe(({ opening }) => {
      if (opening?.progress) seen.push(`${opening.title}: ${opening.progress.done}/${opening.progress.total}`);
    });
    const opened = session.openFile(file('wide'));
    session.cancelOpening();
    expect(session.store.getState().opening?.cancelling).toBe(true);
    await opened;
    expect(session.store.getState()).toMatchObject({ summary: { name: 'diagonal' }, opening: null, error: null });
    await session.openFile(file('wide'));
    expect(seen).toContain('Opening wide: 2/3');
  });

  it('refuses an example that does not exist', async () => {
    const { session } = await started();
    await session.openExample('nope');
    expect(session.store.getState().error).toBe(
      "example: found 'nope', expected one of diagonal, wide, empty, nan, broken, part.",
    );
  });

  it('brings back a file of this page, and says when it has gone', async () => {
    const { session, document } = await started();
    await session.openFile(file('wide'));
    const withFile = document.getState();
    expect(session.openFileNames()).toEqual(new Set(['wide']));
    await session.openExample('empty');
    await session.restore(withFile);
    expect(session.store.getState().summary?.name).toBe('wide');
    await session.restore({ ...withFile, source: { kind: 'file', name: 'gone' } });
    expect(session.store.getState()).toMatchObject({
      summary: { name: 'wide' },
      error: "'gone' is closed: open the file again.",
    });
  });
});

describe('what was wrong with a link', () => {
  it('is said until the sentence is changed; other problems stay', async () => {
    const { session, document } = await started();
    const problems = ["Link, on: found 'here', expected this; another is used.", 'A result was lost.'];
    session.store.setState({ problems });
    session.setWindow({ row: 0, col: 0, rows: 3, cols: 8 });
    session.setTokens(document.getState().tokens);
    expect(session.store.getState().problems).toEqual(problems);
    for (const changed of [
      () => session.setTokens(8),
      () => session.setFormat('csr'),
      () => session.setAgainst(null),
    ]) {
      session.store.setState({ problems });
      changed();
      expect(session.store.getState().problems).toEqual(['A result was lost.']);
    }
  });
});

describe('the document', () => {
  it('is followed: window, format and parameters', async () => {
    const { session, player, document } = await started();
    session.setWindow({ row: 0, col: 0, rows: 3, cols: 8 });
    await settle();
    expect(player.store.getState().stepCount).toBe(3);
    session.setParam('macko', 'repeat', 2);
    expect(player.store.getState().stepCount).toBe(6);
    player.seek(4);
    session.setFormat('csr');
    expect(document.getState().step).toBe(0);
    expect(session.store.getState().trace).toMatchObject({ trace: { format: 'csr' } });
    await settle();
    expect(session.store.getState().encodings.macko).toMatchObject({ kind: 'ready', params: { repeat: 2 } });
  });

  it('refuses what the formats and the matrix do not have, in one sentence', async () => {
    const { session, document } = await started();
    const before = document.getState();
    const refusals: [() => void, string][] = [
      [() => session.setFormat('coo'), "format: found 'coo', expected one of csr, macko."],
      [() => session.setParam('macko', 'repeat', 4), 'macko, repeat: found 4, expected a whole number from 1 to 3.'],
      [() => session.setParam('macko', 'x', 4), "macko: found parameter 'x', which the format lacks."],
      [
        () => session.setWindow({ row: 5, col: 0, rows: 4, cols: 4 }),
        'window: found 4 × 4 cells at row 5, column 0, expected a place within the matrix of 8 × 8.',
      ],
    ];
    for (const [action, sentence] of refusals) {
      action();
      expect(session.store.getState().error).toBe(sentence);
    }
    expect(document.getState()).toBe(before);
  });

  it('is restored without opening the matrix again', async () => {
    const { session, engine, document, player } = await started();
    const before = { ...document.getState(), step: 3 };
    session.setFormat('csr');
    session.setWindow({ row: 0, col: 0, rows: 2, cols: 2 });
    await settle();
    await session.restore(before);
    await settle();
    expect(document.getState()).toEqual(before);
    expect(player.store.getState()).toMatchObject({ step: 3, stepCount: 8 });
    expect(engine.calls.filter((c) => c.startsWith('open'))).toHaveLength(1);
  });

  it('starts the animation where it is restored with a step that the story does not have, and says so', async () => {
    const { session, document, player } = await started();
    for (const at of [0, 8]) {
      player.seek(at);
      await session.restore({ ...document.getState(), step: 9 });
      expect([document.getState().step, player.store.getState().step]).toEqual([0, 0]);
      expect(session.store.getState().problems).toEqual(['step: found 9, expected at most 8; the start is shown.']);
    }
  });

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

describe('encodings', () => {
  it('interrupt the others for the format on the stage', async () => {
    const { session, engine } = fakeSession();
    await session.start();
    session.setFormat('csr');
    await settle();
    const order = engine.calls.filter((c) => c.startsWith('encode')).map((c) => c.split(' ')[1]);
    expect(order[0]).toBe('macko');
    expect(order[1]).toBe('csr');
    expect(Object.values(session.store.getState().encodings).map((e) => e.kind)).toEqual(['ready', 'ready']);
  });

  it('stay cancelled until asked again', async () => {
    const { session } = await started();
    session.setParam('macko', 'repeat', 2);
    session.cancelEncoding();
    await settle();
    const { encodings } = session.store.getState();
    expect(encodings.macko.kind).toBe('cancelled');
    expect(encodings.csr.kind).toBe('ready');
    session.retryEncoding('macko');
    await settle();
    expect(session.store.getState().encodings.macko.kind).toBe('ready');
  });
});

describe('encodings of stand-in weights', () => {
  const link = '#2/watch?model=wide&a=macko';
  const kinds = (session: Awaited<ReturnType<typeof started>>['session']) =>
    Object.entries(session.store.getState().encodings).map(([format, { kind }]) => `${format} ${kind}`);

  it('are made of the format that is asked for, and of no other', async () => {
    const { session, document } = await started();
    const { document: doc, problems } = decodeHash(link, CATALOG);
    expect(problems).toEqual([]);
    await session.restore(doc);
    await settle();
    expect(document.getState().source).toEqual({ kind: 'model', model: 'wide' });
    expect(kinds(session)).toEqual(['csr waiting', 'macko waiting']);
    session.retryEncoding('macko');
    await settle();
    expect(kinds(session)).toEqual(['csr waiting', 'macko ready']);
    session.setParam('macko', 'repeat', 2);
    await settle();
    expect(kinds(session)).toEqual(['csr waiting', 'macko ready']);
    // Another matrix forgets what was asked of this one.
    await session.restore({ ...doc, source: { kind: 'model', model: 'diagonal' } });
    await settle();
    expect(kinds(session)).toEqual(['csr waiting', 'macko waiting']);
  });
});

describe('answers about a matrix that is gone', () => {
  it('are dropped', async () => {
    const { session, engine } = await started();
    const request = { region: { row: 0, col: 0, rows: 8, cols: 8 }, width: 8, height: 8 };
    expect(await session.spy(request)).not.toBeNull();
    engine.generation++;
    expect(await session.spy(request)).toBeNull();
    expect(await session.cells(request.region)).toBeNull();
  });
});

describe('whatever happens in whatever order', () => {
  type Action = (all: ReturnType<typeof fakeSession>) => unknown;
  const names = Object.keys(MATRICES);
  const action: fc.Arbitrary<Action> = fc.oneof(
    fc.constantFrom(...names, 'broken').map(
      (name): Action =>
        ({ session }) =>
          session.openExample(name),
    ),
    fc.constantFrom(...names, 'broken').map(
      (name): Action =>
        ({ session }) =>
          session.openFile(file(name)),
    ),
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
            params: { of: session.store.getState().summary?.generation, source: document.getState().source },
            kernels: 'auto',
          },
        ],
      })),
    ),
    fc.constantFrom('csr', 'macko').map(
      (id): Action =>
        ({ session }) =>
          session.setFormat(id),
    ),
    fc.constantFrom(1, 2, 3).map(
      (n): Action =>
        ({ session }) =>
          session.setParam('macko', 'repeat', n),
    ),
    fc.nat(6).map(
      (row): Action =>
        ({ session }) =>
          session.setWindow({ row, col: 0, rows: 2, cols: 4 }),
    ),
    fc.constantFrom('next', 'last', 'first').map(
      (name): Action =>
        ({ player }) =>
          player[name as 'next'](),
    ),
    fc.constantFrom(...CATALOG.examples).map(
      ({ id }): Action =>
        ({ session, document }) =>
          session.restore({ ...document.getState(), source: { kind: 'example', id }, window: null, step: 0 }),
    ),
  );

  it('the address that came last is shown, whatever the ones before it were about', async () => {
    const addresses = fc.array(
      fc.tuple(fc.constantFrom('diagonal', 'wide', 'empty'), fc.constantFrom('csr', 'macko', 'dense'), fc.nat(8)),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), addresses, async (scheduler, followed) => {
        // What is sent to the worker arrives in order: a cancel before the next matrix that is asked for.
        const engine = new FakeEngine((label) =>
          label === 'cancel' ? Promise.resolve() : scheduler.schedule(Promise.resolve(), label),
        );
        const { session, document } = fakeSession(engine);
        void session.start();
        await scheduler.waitIdle();
        for (const [id, format, turns] of followed) {
          const source = { kind: 'example', id } as const;
          void session.restore({ ...document.getState(), source, format, window: null, step: 0 });
          // It asks the worker a few microtasks later.
          for (let i = 0; i < 20; i++) await Promise.resolve();
          for (let turn = 0; turn < turns && scheduler.count() > 0; turn++) await scheduler.waitNext(1);
        }
        await scheduler.waitIdle();
        const [id, format] = followed.at(-1) ?? [];
        expect(document.getState()).toMatchObject({ source: { kind: 'example', id }, format });
        expect(session.store.getState()).toMatchObject({ opening: null, summary: { generation: engine.generation } });
      }),
      { numRuns: cases(120, 400) },
    );
  });

  it('the screen shows what the worker holds once nothing is pending', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(action, { maxLength: 12 }),
        fc.nat(3),
        async (scheduler, actions, lost) => {
          const engine = new FakeEngine((label) => scheduler.schedule(Promise.resolve(), label));
          let storiesAsked = 0;
          const all = fakeSession(engine, async (id) => {
            const arrives = ++storiesAsked > lost;
            await scheduler.schedule(Promise.resolve(), `story of ${id}`);
            if (!arrives) throw new TypeError('no network');
          });
          const { session, document, player } = all;
          // Collected, since what a listener throws would be caught as a failure of the action.
          const mixed: string[] = [];
          session.store.subscribe(({ summary, window, trace, encodings }) => {
            const generation = summary?.generation;
            if (window && engine.generationOf.get(window.data) !== generation) mixed.push('window');
            if (trace.kind === 'ready' && trace.trace.window !== window) mixed.push('trace');
            const ready = Object.values(encodings).filter((e) => e.kind === 'ready');
            if (ready.some((e) => e.summary.generation !== generation)) mixed.push('encoding');
          });
          void session.start();
          for (const act of actions) {
            void act(all);
            await scheduler.waitNext(Math.min(2, scheduler.count()));
          }
          await scheduler.waitIdle();
          for (let i = 0; i < lost; i++) {
            session.retryStory();
            await scheduler.waitIdle();
          }

          expect(mixed).toEqual([]);
          // A run is asked for of the matrix that it is about.
          for (const { request, generation } of engine.requests) {
            const { of = generation } = request.entries[0].params;
            expect(of).toBe(generation);
          }
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
            // B has an encoding of its own where its parameters are not those of its format.
            expect(encoding.params).toBe(format in doc.params ? doc.params[format] : doc.against?.params);
            expect(['ready', 'cancelled']).toContain(encoding.kind);
            if (encoding.kind === 'ready') expect(encoding.summary.generation).toBe(summary.generation);
          }
        },
      ),
      { numRuns: cases(120, 400) },
    );
  });
});
