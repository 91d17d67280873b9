import { describe, expect, it } from 'vitest';
import { FOREIGN_ERRORS } from '../../../test/foreign-errors.ts';
import { BENCH_REQUEST, type FakeEngine, settle } from '../../../test/fake-engine.ts';
import { started } from '../../../test/started-session.ts';
import { withGroups } from '../../core/text/words.ts';
import { createJobs } from '../jobs/jobs.ts';
import type { Session } from './session.ts';

// An error of a browser or driver reaches the page as a message: what failed, why, what to do, and the error's text.

interface Entry {
  /** makes the engine fail in this entry */
  readonly failing: (engine: FakeEngine, fail: () => Promise<never>) => void;
  /** goes through the entry, and returns the page's message */
  readonly said: (session: Session, fail: () => Promise<never>) => Promise<string | null>;
  /** the work that the message names */
  readonly names: RegExp;
}

const errorOf = async (session: Session, act: Promise<unknown>): Promise<string | null> => {
  await act;
  await settle();
  return session.store.getState().error;
};

const ENTRIES: Readonly<Record<string, Entry>> = {
  'a run': {
    failing: (engine, fail) => void (engine.bench.run = fail),
    said: (session) => errorOf(session, session.runBench(BENCH_REQUEST)),
    names: /^The run of MACKO on diagonal failed: /,
  },
  'a sweep': {
    failing: (engine, fail) => void (engine.bench.sweep = fail),
    said: (session) => errorOf(session, session.runSweep(BENCH_REQUEST, { of: 'density', values: [0.5, 0.6] })),
    names: /^The run of MACKO at 2 shares left failed: /,
  },
  'an opening': {
    failing: (engine, fail) => void (engine.matrix.open = fail),
    said: (session) => errorOf(session, session.openExample('wide')),
    names: /^Opening wide failed: /,
  },
  'a pruning': {
    failing: (engine, fail) => void (engine.matrix.open = fail),
    said: (session) => errorOf(session, session.prune({ way: 'magnitude', density: 0.5 })),
    names: /^Pruning failed: /,
  },
  'an encoding': {
    failing: (engine, fail) => void (engine.matrix.encode = fail),
    async said(session) {
      session.retryEncoding('macko');
      await settle();
      const { macko } = session.store.getState().encodings;
      return macko.kind === 'failed' ? macko.reason : null;
    },
    names: /^Encoding as MACKO failed: /,
  },
  'a file of arrays': {
    failing: (engine, fail) => void (engine.matrix.encodingFile = fail),
    said: (session) => errorOf(session, session.encodingFile('macko', 'npz')),
    names: /^Writing the arrays failed: /,
  },
  'a file of the matrix': {
    failing: (engine, fail) => void (engine.matrix.matrixFile = fail),
    said: (session) => errorOf(session, session.matrixFile('npz')),
    names: /^Writing the matrix failed: /,
  },
  'a picture of the matrix': {
    failing: (engine, fail) => void (engine.matrix.spy = fail),
    said: (session) =>
      errorOf(session, session.spy({ region: { row: 0, col: 0, rows: 8, cols: 8 }, width: 8, height: 8 })),
    names: /^Drawing the matrix failed: /,
  },
  'a request of a page': {
    failing: () => {},
    async said(session, work) {
      const jobs = createJobs(session.store, async () => true);
      const request = { name: 'Training step', title: 'Step at real size', generation: null, manual: true } as const;
      const requested = { ...request, key: 'k', work, cancelWhenUnmounted: false };
      jobs.watch(requested);
      jobs.start(requested);
      await settle();
      return jobs.store.getState().k.error;
    },
    names: /^Step at real size failed: /,
  },
};

describe.each(Object.entries(ENTRIES))('%s', (_, { failing, said, names }) => {
  it.each(FOREIGN_ERRORS)('that ends with $name: $message', async ({ error, message, happened }) => {
    const { session, engine } = await started();
    const fail = (): Promise<never> => Promise.reject(error);
    failing(engine, fail);
    const sentence = await said(session, fail);
    expect(sentence).toMatch(names);
    expect(sentence).toMatch(happened);
    expect(sentence).toContain(`(${withGroups(message.replace(/\.$/, ''))}).`);
  });
});
