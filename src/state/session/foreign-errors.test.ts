import { describe, expect, it } from 'vitest';
import { FOREIGN_ERRORS } from '../../../test/foreign-errors.ts';
import { BENCH_REQUEST, type FakeEngine, settle } from '../../../test/fake-engine.ts';
import { started } from '../../../test/started-session.ts';
import { withGroups } from '../../core/text/words.ts';
import { createJobs } from '../jobs/jobs.ts';
import type { Session } from './session.ts';

// An error of a browser or driver reaches the page as a message: what failed, why, what to do, and the error's text.

/** A way in which the page uses the engine. */
interface EngineUse {
  /** makes the engine fail in this use */
  readonly breakEngine: (engine: FakeEngine, fail: () => Promise<never>) => void;
  /** uses the engine, and returns the page's message */
  readonly messageOf: (session: Session, fail: () => Promise<never>) => Promise<string | null>;
  /** the start of the message, which names the work */
  readonly start: RegExp;
}

const errorOf = async (session: Session, act: Promise<unknown>): Promise<string | null> => {
  await act;
  await settle();
  return session.store.getState().error;
};

const ENGINE_USES: Readonly<Record<string, EngineUse>> = {
  'a run': {
    breakEngine: (engine, fail) => void (engine.bench.run = fail),
    messageOf: (session) => errorOf(session, session.runBench(BENCH_REQUEST)),
    start: /^The run of MACKO on diagonal failed: /,
  },
  'a sweep': {
    breakEngine: (engine, fail) => void (engine.bench.sweep = fail),
    messageOf: (session) => errorOf(session, session.runSweep(BENCH_REQUEST, { of: 'density', values: [0.5, 0.6] })),
    start: /^The run of MACKO at 2 shares left failed: /,
  },
  'an opening': {
    breakEngine: (engine, fail) => void (engine.matrix.open = fail),
    messageOf: (session) => errorOf(session, session.openExample('wide')),
    start: /^Opening wide failed: /,
  },
  'a pruning': {
    breakEngine: (engine, fail) => void (engine.matrix.open = fail),
    messageOf: (session) => errorOf(session, session.prune({ way: 'magnitude', density: 0.5 })),
    start: /^Pruning failed: /,
  },
  'an encoding': {
    breakEngine: (engine, fail) => void (engine.matrix.encode = fail),
    async messageOf(session) {
      session.retryEncoding('macko');
      await settle();
      const { macko } = session.store.getState().encodings;
      return macko.kind === 'failed' ? macko.reason : null;
    },
    start: /^Encoding as MACKO failed: /,
  },
  'a file of arrays': {
    breakEngine: (engine, fail) => void (engine.matrix.encodingFile = fail),
    messageOf: (session) => errorOf(session, session.encodingFile('macko', 'npz')),
    start: /^Writing the arrays failed: /,
  },
  'a file of the matrix': {
    breakEngine: (engine, fail) => void (engine.matrix.matrixFile = fail),
    messageOf: (session) => errorOf(session, session.matrixFile('npz')),
    start: /^Writing the matrix failed: /,
  },
  'a picture of the matrix': {
    breakEngine: (engine, fail) => void (engine.matrix.spy = fail),
    messageOf: (session) =>
      errorOf(session, session.spy({ region: { row: 0, col: 0, rows: 8, cols: 8 }, width: 8, height: 8 })),
    start: /^Drawing the matrix failed: /,
  },
  'a request of a page': {
    breakEngine: () => {},
    async messageOf(session, work) {
      const jobs = createJobs(session.store, async () => true);
      const request = { name: 'Training step', title: 'Step at real size', generation: null, manual: true } as const;
      const requested = { ...request, key: 'k', work, cancelWhenUnmounted: false };
      jobs.watch(requested);
      jobs.start(requested);
      await settle();
      return jobs.store.getState().k.error;
    },
    start: /^Step at real size failed: /,
  },
};

describe.each(Object.entries(ENGINE_USES))('%s', (_, { breakEngine, messageOf, start }) => {
  it.each(FOREIGN_ERRORS)('that ends with $name: $message', async ({ error, message, happened }) => {
    const { session, engine } = await started();
    const fail = (): Promise<never> => Promise.reject(error);
    breakEngine(engine, fail);
    const sentence = await messageOf(session, fail);
    expect(sentence).toMatch(start);
    expect(sentence).toMatch(happened);
    expect(sentence).toContain(`(${withGroups(message.replace(/\.$/, ''))}).`);
  });
});
