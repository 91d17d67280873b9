import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import { CancelledError } from '../../core/errors.ts';
import { settle } from '../../../test/fake-engine.ts';
import { EMPTY_SESSION, newJob, type SessionState } from '../session/session-state.ts';
import { createJobs, type JobParts, type JobRequest, type JobState, type RequestContext } from './jobs.ts';

interface Answer {
  readonly generation: number;
  readonly text: string;
}

/** A call of the work of a request, which the test ends by `answer` or `fail`. */
interface Call {
  readonly key: string;
  readonly watch: RequestContext;
  readonly parts: JobParts<Answer>;
  readonly answer: (text: string, generation?: number) => Promise<void>;
  readonly fail: (error: Error) => Promise<void>;
}

/** Kinds of requests, as a script names them after a key: 'watch a by hand'. */
const KINDS: Readonly<Record<string, Partial<JobRequest<Answer>>>> = {
  '': {},
  'by hand': { manual: true },
  'with its page': { cancelWhenUnmounted: true },
  'of no matrix': { generation: null },
  listing: { name: 'Listing' },
};

/**
 * Runs a script of commands on requests, and returns a line per command: in brackets all calls so far ('ended': cancelled),
 * then the visible state of each request, and a thrown error. `answer 0 all` ends the first call with the text 'all',
 * `update 0 part` shows a part of an answer; a number after a text is the generation of the matrix that it is about.
 */
async function requested(script: string): Promise<string> {
  const session = createStore<SessionState>(() => EMPTY_SESSION);
  let workerGeneration = 1;
  const jobs = createJobs(session, async (generation) => generation === workerGeneration);
  const calls: Call[] = [];
  const leaves = new Map<string, () => void>();
  const show = (generation: number): void =>
    session.setState({ isInWorker: true, summary: { generation } as MatrixSummary });
  show(1);
  const request = (key: string, kind: string): JobRequest<Answer> => ({
    key,
    name: 'Counting',
    title: 'Counting',
    generation: 1,
    manual: false,
    cancelWhenUnmounted: false,
    work: (watch, parts) =>
      new Promise((resolve, reject) => {
        const answer = (text: string, generation = 1) => (resolve({ generation, text }), settle());
        calls.push({ key, watch, parts, answer, fail: (error) => (reject(error), settle()) });
        watch.signal.addEventListener('abort', () => reject(new CancelledError()));
      }),
    ...KINDS[kind],
  });
  const measure = (isOn: boolean): void => {
    const { bench } = session.getState();
    const running = { job: newJob('Running'), request: {} as never, run: null };
    session.setState({ bench: { ...bench, running: isOn ? running : null } });
  };
  const actions: Readonly<Record<string, (of: string, ...more: readonly string[]) => unknown>> = {
    watch: (key, ...kind) => leaves.set(key, jobs.watch(request(key, kind.join(' ')))),
    start: (key, ...kind) => jobs.start(request(key, kind.join(' '))),
    leave: (key) => leaves.get(key)?.(),
    cancel: (key) => jobs.cancel(key),
    answer: (at, text, generation) => calls[Number(at)].answer(text, generation ? Number(generation) : undefined),
    update: (at, text, generation = '1') => calls[Number(at)].parts.update({ generation: Number(generation), text }),
    fail: (index) => calls[Number(index)].fail(new RangeError('rows: found none')),
    progress: (at, done) => calls[Number(at)].watch.onProgress({ what: 'rows', done: Number(done), total: 8 }),
    title: (at, title) => calls[Number(at)].watch.show({ title }),
    current: (at, generation) => calls[Number(at)].watch.current({ generation: Number(generation) }),
    measure: (isOn) => measure(isOn === 'on'),
    trying: (isOn) => session.setState({ quietWork: isOn === 'on' ? newJob('Trying a draft') : null }),
    opening: (isOn) => session.setState({ opening: isOn === 'on' ? newJob('Opening wide') : null }),
    matrix: (generation) => show(Number(generation)),
    'no-matrix': () => session.setState({ isInWorker: false }),
    engine: (generation) => void (workerGeneration = Number(generation)),
    settle: () => settle(),
  };
  const stateText = ([key, state]: [string, unknown]): string => {
    const { data, job, error, isCancelled } = state as JobState<Answer>;
    const parts = [
      ...(data ? [`'${data.text}'`] : []),
      ...(job
        ? [
            `${job.title} ${job.progress?.done ?? '-'} of ${job.progress?.total ?? '-'}${job.cancelling ? ', cancelling' : ''}`,
          ]
        : []),
      ...(error === null ? [] : [error]),
      ...(isCancelled ? ['cancelled'] : []),
    ];
    return `${key} ${parts.join(', ') || 'nothing'}`;
  };
  const lines: string[] = [];
  for (const command of script.split('; ')) {
    const [action, of = '', ...more] = command.split(' ');
    let thrown = '';
    try {
      await actions[action](of, ...more);
    } catch (error) {
      thrown = `; throws ${error instanceof Error ? error.name : 'nothing'}`;
    }
    const begun = calls.map(({ key, watch, parts }) => {
      const earlierAnswers = [
        parts.lastOfSameKey && `after '${parts.lastOfSameKey.text}'`,
        parts.lastOfAnyKey && `newest '${parts.lastOfAnyKey.text}'`,
      ];
      return [key, watch.signal.aborted ? 'ended' : '', ...earlierAnswers].filter(Boolean).join(' ');
    });
    const states = Object.entries(jobs.store.getState()).map(stateText);
    lines.push(`${command}: [${begun.join(', ')}] ${states.join('; ')}${thrown}\n`);
  }
  return lines.join('');
}

const SCRIPTS: readonly string[] = [
  // One call for all that show a request; it does not run again once it has an answer.
  'watch a; watch a; answer 0 one; watch a',
  // Another request of its page ends it, and late answers are ignored; two visible requests both go on.
  'watch a; leave a; watch b; answer 0 late',
  'watch a; watch b; answer 0 of-a; answer 1 of-b',
  // A failure is not reported once the engine has another matrix.
  'watch a; engine 2; fail 0; engine 1; watch b; fail 1',
  'watch a; progress 0 3; title 0 Tiles; answer 0 all; progress 0 4',
  'watch a; fail 0; watch a; start a; answer 1 then',
  'watch a; cancel a; settle; start a',
  'watch a; leave a; answer 0 meanwhile; watch a',
  'watch a with its page; leave a; settle; watch a with its page',
  // Another matrix.
  'watch a; answer 0 of-the-first; watch b; matrix 2; answer 1 late',
  'watch a of no matrix; answer 0 of-a-model; matrix 2',
  'watch a; current 0 2; answer 0 of-the-next 2; start a; update 1 part-of-the-next 2',
  'watch a; update 0 part; answer 0 all; update 0 late-part',
  // Measurements come first.
  'measure on; watch a; measure off; answer 0 after',
  'watch a; update 0 part; measure on; settle; answer 0 too-late; measure off; trying on; trying off; answer 2 all',
  'watch a; watch b listing; answer 0 all; fail 1; measure on; measure off',
  'measure on; watch a by hand; start a by hand; cancel a; measure off',
  'opening on; watch a; opening off; no-matrix',
  'opening on; watch a of no matrix',
  // Of all hidden requests, the newest answer of each name is kept and reused.
  'watch a; answer 0 of-a; leave a; watch b; answer 1 of-b; leave b; watch c; answer 2 of-c; leave c; watch e listing; answer 3 of-e; leave e',
  'watch a by hand; start a by hand; start a by hand; answer 0 first; answer 1 second',
];

it('calls and visible states of requests after each command are those of the snapshot', async () => {
  const texts: string[] = [];
  for (const script of SCRIPTS) texts.push(await requested(script));
  await expect(texts.join('\n')).toMatchFileSnapshot('words/jobs.txt');
});
