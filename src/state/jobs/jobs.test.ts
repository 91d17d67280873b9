import { beforeEach, expect, it } from 'vitest';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { MatrixSummary } from '../../engine/matrix/types.ts';
import { CancelledError } from '../../core/errors.ts';
import { settle } from '../../../test/fake-engine.ts';
import { EMPTY_SESSION, newJob, type SessionState } from '../session/session-state.ts';
import { createJobs, type JobParts, type JobRequest, type Jobs, type JobState, type JobWatch } from './jobs.ts';

interface Answer {
  readonly generation: number;
  readonly text: string;
}

/** One time that the work of a request was begun. */
interface Call {
  readonly key: string;
  readonly watch: JobWatch;
  readonly parts: JobParts<Answer>;
  readonly answer: (text: string, generation?: number) => Promise<void>;
  readonly fail: (error: Error) => Promise<void>;
}

let session: StoreApi<SessionState>;
let jobs: Jobs;
let calls: Call[];
/** of the matrix that the engine holds */
let held = 1;

beforeEach(() => {
  session = createStore<SessionState>(() => EMPTY_SESSION);
  jobs = createJobs(session, async (generation) => generation === held);
  calls = [];
  held = 1;
  show(1);
});

function show(generation: number): void {
  session.setState({ held: true, summary: { generation } as MatrixSummary });
}

function measure(isMeasuring: boolean): void {
  const { bench } = session.getState();
  const running = { job: newJob('Running'), request: {} as never, run: null };
  session.setState({ bench: { ...bench, running: isMeasuring ? running : null } });
}

/** A request about the matrix; its work ends as the test says, or when it is cancelled. */
function request(key: string, more: Partial<JobRequest<Answer>> = {}): JobRequest<Answer> {
  return {
    key,
    name: 'Counting',
    title: 'Counting',
    generation: 1,
    manual: false,
    cancelWhenUnmounted: false,
    work: (watch, parts) =>
      new Promise((resolve, reject) => {
        calls.push({
          key,
          watch,
          parts,
          answer: (text, generation = 1) => (resolve({ generation, text }), settle()),
          fail: (error) => (reject(error), settle()),
        });
        watch.signal.addEventListener('abort', () => reject(new CancelledError()));
      }),
    ...more,
  };
}

function stateOf(key: string): JobState<Answer> | undefined {
  return jobs.store.getState()[key] as JobState<Answer> | undefined;
}

function textOf(key: string): string | undefined {
  return stateOf(key)?.data?.text;
}

it('asks once for all that show the same request', async () => {
  jobs.watch(request('a'));
  jobs.watch(request('a'));
  expect(calls).toHaveLength(1);
  await calls[0].answer('one');
  jobs.watch(request('a'));
  expect(textOf('a')).toBe('one');
  expect(calls).toHaveLength(1);
});

it('cancels the work of a request that another one replaces, and shows none of its answer', async () => {
  const leave = jobs.watch(request('a'));
  leave();
  jobs.watch(request('b'));
  expect(calls.map(({ key, watch }) => [key, watch.signal.aborted])).toEqual([
    ['a', true],
    ['b', false],
  ]);
  await calls[0].answer('late');
  expect(stateOf('a')).toBeUndefined();
  expect(stateOf('b')).toMatchObject({ data: null, job: { title: 'Counting' } });
});

it('says nothing of a failure once the engine holds another matrix, which the page does not know yet', async () => {
  jobs.watch(request('a'));
  held = 2;
  await calls[0].fail(new RangeError('row: found 9, expected at most 2'));
  expect(stateOf('a') ?? { error: null, job: null }).toMatchObject({ error: null, job: null });
  held = 1;
  jobs.watch(request('b'));
  await calls[1].fail(new RangeError('row: found 9, expected at most 2'));
  expect(stateOf('b')?.error).toBe('row: found 9, expected at most 2.');
});

it('keeps asking for two requests of one name that are both shown', async () => {
  jobs.watch(request('a'));
  jobs.watch(request('b'));
  expect(calls.map(({ watch }) => watch.signal.aborted)).toEqual([false, false]);
  await calls[0].answer('of a');
  await calls[1].answer('of b');
  expect([textOf('a'), textOf('b')]).toEqual(['of a', 'of b']);
});

it('shows how far it is, under the title that it has by then', async () => {
  jobs.watch(request('a'));
  const [{ watch, answer }] = calls;
  watch.onProgress({ what: 'rows', done: 3, total: 8 });
  expect(stateOf('a')?.job).toMatchObject({ title: 'Counting', progress: { done: 3 }, cancelling: false });
  watch.show({ title: 'Counting tiles' });
  expect(stateOf('a')?.job).toMatchObject({ title: 'Counting tiles', progress: { done: 3 } });
  await answer('all');
  expect(stateOf('a')).toEqual({ data: { generation: 1, text: 'all' }, job: null, error: null, isCancelled: false });
  watch.onProgress({ what: 'rows', done: 4, total: 8 });
  expect(stateOf('a')?.job).toBeNull();
});

it('says why it failed, does not try again by itself, and does when it is started', async () => {
  jobs.watch(request('a'));
  await calls[0].fail(new Error('rows: found none'));
  jobs.watch(request('a'));
  expect(calls).toHaveLength(1);
  expect(stateOf('a')).toMatchObject({ job: null, error: 'rows: found none.' });
  jobs.start(request('a'));
  expect(stateOf('a')).toMatchObject({ error: null, job: { title: 'Counting' } });
  await calls[1].answer('then');
  expect(textOf('a')).toBe('then');
});

it('is cancelled by a person, who sees that until it has ended', async () => {
  jobs.watch(request('a'));
  jobs.cancel('a');
  expect(calls[0].watch.signal.aborted).toBe(true);
  expect(stateOf('a')?.job?.cancelling).toBe(true);
  await settle();
  expect(stateOf('a')).toMatchObject({ job: null, error: null, isCancelled: true });
  jobs.start(request('a'));
  expect(stateOf('a')?.isCancelled).toBe(false);
});

it('goes on while its place is away, and shows the answer there when it is back', async () => {
  const leave = jobs.watch(request('a'));
  leave();
  expect(calls[0].watch.signal.aborted).toBe(false);
  await calls[0].answer('meanwhile');
  jobs.watch(request('a'));
  expect(textOf('a')).toBe('meanwhile');
  expect(calls).toHaveLength(1);
});

it('ends with its place where nobody else needs it, and is asked for again', async () => {
  const leave = jobs.watch(request('a', { cancelWhenUnmounted: true }));
  leave();
  expect(calls[0].watch.signal.aborted).toBe(true);
  await settle();
  jobs.watch(request('a', { cancelWhenUnmounted: true }));
  expect(calls).toHaveLength(2);
  expect(stateOf('a')?.isCancelled).toBe(false);
});

it('forgets what it knows of a matrix when another one is there', async () => {
  jobs.watch(request('a'));
  await calls[0].answer('of the first');
  jobs.watch(request('b'));
  show(2);
  expect(jobs.store.getState()).toEqual({});
  expect(calls[1].watch.signal.aborted).toBe(true);
  await calls[1].answer('late');
  expect(jobs.store.getState()).toEqual({});
});

it('keeps what is about no matrix when another one is there', async () => {
  jobs.watch(request('a', { generation: null }));
  await calls[0].answer('of a model');
  show(2);
  expect(textOf('a')).toBe('of a model');
});

it('shows no answer about a matrix that the worker has opened since, whole or in part', async () => {
  jobs.watch(request('a'));
  expect(() => calls[0].watch.current({ generation: 2 })).toThrow(CancelledError);
  await calls[0].answer('of the next', 2);
  expect(stateOf('a')).toEqual({ data: null, job: null, error: null, isCancelled: false });
  jobs.start(request('a'));
  expect(() => calls[1].parts.update({ generation: 2, text: 'part of the next' })).toThrow(CancelledError);
  expect(stateOf('a')?.data).toBeNull();
});

it('keeps the answer where a part of it arrives late', async () => {
  jobs.watch(request('a'));
  calls[0].parts.update({ generation: 1, text: 'a part' });
  expect(textOf('a')).toBe('a part');
  await calls[0].answer('all');
  calls[0].parts.update({ generation: 1, text: 'a late part' });
  expect(textOf('a')).toBe('all');
});

it('waits while times are taken, and goes on after that', async () => {
  measure(true);
  jobs.watch(request('a'));
  expect(calls).toHaveLength(0);
  measure(false);
  expect(calls).toHaveLength(1);
  await calls[0].answer('after');
  expect(textOf('a')).toBe('after');
});

it('gives way when a measurement begins, keeps what is known, and begins again after it', async () => {
  jobs.watch(request('a'));
  calls[0].parts.update({ generation: 1, text: 'a part' });
  measure(true);
  expect(calls[0].watch.signal.aborted).toBe(true);
  await settle();
  expect(stateOf('a')).toEqual({
    data: { generation: 1, text: 'a part' },
    job: null,
    error: null,
    isCancelled: false,
  });
  await calls[0].answer('too late');
  expect(textOf('a')).toBe('a part');
  measure(false);
  expect(calls).toHaveLength(2);
  expect(calls[1].parts.before?.text).toBe('a part');
  session.setState({ trying: newJob('Trying a draft') });
  expect(calls[1].watch.signal.aborted).toBe(true);
  session.setState({ trying: null });
  await calls[2].answer('all');
  expect(textOf('a')).toBe('all');
});

it('asks nothing again after a measurement where it had been answered or had failed', async () => {
  jobs.watch(request('a'));
  jobs.watch(request('b', { name: 'Listing' }));
  await calls[0].answer('all');
  await calls[1].fail(new Error('rows: found none'));
  measure(true);
  measure(false);
  expect(calls).toHaveLength(2);
  expect([textOf('a'), stateOf('b')?.error]).toEqual(['all', 'rows: found none.']);
});

it('shows that it waits where a person started it, and can be cancelled before it begins', async () => {
  measure(true);
  jobs.watch(request('a', { manual: true }));
  expect(stateOf('a')).toBeUndefined();
  jobs.start(request('a', { manual: true }));
  expect(stateOf('a')?.job).toMatchObject({ title: 'Counting', progress: { total: 0 } });
  jobs.cancel('a');
  expect(stateOf('a')).toMatchObject({ job: null, isCancelled: true });
  measure(false);
  expect(calls).toHaveLength(0);
});

it('asks nothing about a matrix while another one is opened, or none is there', async () => {
  session.setState({ opening: newJob('Opening wide') });
  jobs.watch(request('a'));
  expect(calls).toHaveLength(0);
  session.setState({ opening: null });
  expect(calls).toHaveLength(1);
  session.setState({ held: false });
  expect(jobs.store.getState()).toEqual({});
});

it('asks what is about no matrix while one is opened', () => {
  session.setState({ opening: newJob('Opening wide') });
  jobs.watch(request('a', { generation: null }));
  expect(calls).toHaveLength(1);
});

it('hands on the newest answer of its name, and keeps of all that nothing shows only that one', async () => {
  for (const [at, key] of ['a', 'b', 'c', 'd'].entries()) {
    const leave = jobs.watch(request(key));
    expect(calls[at].parts.before).toBeNull();
    expect(calls[at].parts.newest?.text).toBe(at === 0 ? undefined : `of ${calls[at - 1].key}`);
    await calls[at].answer(`of ${key}`);
    leave();
  }
  const leave = jobs.watch(request('e', { name: 'Reading' }));
  await calls[4].answer('of e');
  leave();
  expect(Object.keys(jobs.store.getState())).toEqual(['d', 'e']);
});

it('begins by hand alone where it says so', async () => {
  jobs.watch(request('a', { manual: true }));
  expect(calls).toHaveLength(0);
  jobs.start(request('a', { manual: true }));
  jobs.start(request('a', { manual: true }));
  expect(calls.map(({ watch }) => watch.signal.aborted)).toEqual([true, false]);
  await calls[0].answer('first');
  expect(textOf('a')).toBeUndefined();
  await calls[1].answer('second');
  expect(textOf('a')).toBe('second');
});
