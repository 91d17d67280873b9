import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { CancelledError, EngineDeathError, ReadError } from '../../core/errors.ts';
import type { Progress } from '../../core/job.ts';
import { type Engine, type EngineDeath, startEngine } from './engine.ts';
import { transferred } from './transfer.ts';
import type { ServiceJob } from './service-job.ts';
import { serve } from './serve.ts';
import { defineService, loadedService, type ServiceOn, type Watch } from './service.ts';

/** Tests of the bridge between a page (`startEngine`) and services in a worker (`serve`), over a real MessageChannel in one thread. */

/** Bytes of a transfer that would take long if it were copied. */
const LARGE = 64 * 2 ** 20;

/** The state that the services of these tests share. */
interface Host {
  now(): number;
  /** buffers that a method has transferred, in their state afterwards */
  readonly sent: ArrayBuffer[];
  readonly jobs: ServiceJob[];
}

const untilCancelled = (job: ServiceJob): Promise<void> =>
  new Promise((resolve) => job.signal.addEventListener('abort', () => resolve()));

/** The service under test; each method shows one behaviour of the bridge. */
const echo = defineService('echo', (host: Host) => ({
  say: (_job: ServiceJob, text: string) => text,
  fail(_job: ServiceJob, message: string): string {
    throw new ReadError(message);
  },
  /** calls `take` with each of the numbers, and returns its answers */
  async tell(_job: ServiceJob, numbers: readonly number[], take: (n: number) => number | Promise<number>) {
    const answers: number[] = [];
    for (const n of numbers) answers.push(await take(n));
    return answers;
  },
  report(job: ServiceJob, reports: readonly Progress[]): void {
    for (const progress of reports) job.report(progress);
  },
  /** rejects when it is cancelled */
  forever: async (job: ServiceJob): Promise<string> => {
    host.jobs.push(job);
    await untilCancelled(job);
    throw new TypeError('aborted');
  },
  /** resolves although it was cancelled */
  stubborn: async (job: ServiceJob): Promise<string> => {
    host.jobs.push(job);
    await untilCancelled(job);
    return 'done';
  },
  /** never answers */
  silent: (): Promise<string> => new Promise(() => {}),
  /** transfers a buffer */
  large(_job: ServiceJob, bytes: number) {
    const data = new Uint8Array(bytes).fill(7);
    host.sent.push(data.buffer);
    return transferred({ data, deep: [{ more: new Float32Array(4) }] });
  },
  /** marks a view of a larger buffer as transferred */
  part() {
    const whole = Uint8Array.of(1, 2, 3, 4);
    host.sent.push(whole.buffer);
    return transferred({ data: whole.subarray(1, 3) });
  },
  /** returns data that is not marked as transferred */
  copied() {
    const data = Uint8Array.of(1, 2);
    host.sent.push(data.buffer);
    return { data };
  },
  /** transfers a buffer to a callback */
  async hand(_job: ServiceJob, bytes: number, take: (data: Uint8Array) => void | Promise<void>) {
    const data = new Uint8Array(bytes).fill(9);
    host.sent.push(data.buffer);
    await take(transferred(data));
  },
  /** returns the length, and the sum of the first and last element */
  sum: (_job: ServiceJob, { data }: { readonly data: Uint8Array }) => [data.length, data[0] + data[data.length - 1]],
}));

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

/**
 * An engine whose services are at the other end of a channel. `die` simulates the death of the worker; `pass` advances
 * the clock of the page.
 */
function connected(services: readonly ServiceOn<Host>[] = [echo]) {
  let die: (how: string) => void = () => {};
  let ended = 0;
  /** the clock of the page, ms */
  let now = 0;
  const host: Host = { now: () => 0, sent: [], jobs: [] };
  const engine: Engine = startEngine({
    start(died) {
      die = died;
      const { port1, port2 } = new MessageChannel();
      ports.push(port1, port2);
      serve(services, host, { endpoint: port1 });
      return { endpoint: port2, end: () => void ended++ };
    },
    now: () => now,
    newLockName: () => 'lock',
  });
  return {
    engine,
    host,
    client: engine.service<typeof echo>('echo'),
    die: (how: string) => die(how),
    ended: () => ended,
    pass: (ms: number) => void (now += ms),
  };
}

/** Resolves when this many jobs have started in the engine. */
const jobsStarted = (host: Host, jobs: number): Promise<void> => eventually(() => expect(host.jobs).toHaveLength(jobs));

describe('a call of a method', () => {
  it('has the type of the method, with a watch instead of the job', () => {
    const { client } = connected();
    expectTypeOf(client.say).toEqualTypeOf<(watch: Watch, text: string) => Promise<string>>();
    expectTypeOf(client.forever).toEqualTypeOf<(watch: Watch) => Promise<string>>();
  });

  it('gets the answer to its own arguments when several calls run at once', async () => {
    const { client } = connected();
    expect(await Promise.all(['a', 'b', 'c'].map((text) => client.say({}, text)))).toEqual(['a', 'b', 'c']);
  });

  it('rejects for an unknown service or method, with the list of the existing ones', async () => {
    const { engine, client } = connected();
    const otherService = defineService('other', () => ({ say: (_job: ServiceJob) => '' }));
    await expect(engine.service<typeof otherService>('other').say({})).rejects.toThrow(
      "service: found 'other', expected one of echo",
    );
    const untypedClient = client as unknown as Record<string, (watch: object) => Promise<unknown>>;
    await expect(untypedClient.shout({})).rejects.toThrow("echo: found method 'shout', expected one of say, fail, ");
  });

  it('rejects for an argument that cannot be cloned, and the next call is answered', async () => {
    const { client } = connected();
    const nested = { deep: () => 1 } as unknown as string;
    await expect(client.say({}, nested)).rejects.toThrow('could not be cloned');
    expect(await client.say({}, 'next')).toBe('next');
  });
});

describe('an error in a call', () => {
  it('of a method rejects the call with the name and message of the error', async () => {
    const { client } = connected();
    await expect(client.fail({}, "a.mtx: found 'x', expected a banner")).rejects.toMatchObject({
      name: new ReadError('').name,
      message: "a.mtx: found 'x', expected a banner",
    });
  });

  it('of a callback is thrown in the method that called it, and rejects the call', async () => {
    const { client } = connected();
    const takenNumbers: number[] = [];
    const call = client.tell({}, [1, 2, 3], (n) => {
      takenNumbers.push(n);
      if (n === 2) throw new RangeError('two');
      return n;
    });
    await expect(call).rejects.toMatchObject({ name: 'RangeError', message: 'two' });
    expect(takenNumbers).toEqual([1, 2]);
  });

  it('does not occur when callbacks answer with a promise', async () => {
    const { client } = connected();
    expect(await client.tell({}, [1, 2], async (n) => 10 * n)).toEqual([10, 20]);
  });
});

describe('the progress of a job', () => {
  it('reaches the page with the first report of each kind of work', async () => {
    const { client } = connected();
    const progressTexts: string[] = [];
    const report = (what: string, done: number): Progress => ({ what, done, total: 3 });
    const reports = [report('reading', 1), report('reading', 2), report('sorting', 1)];
    await client.report({ onProgress: ({ what, done }) => void progressTexts.push(`${what} ${done}`) }, reports);
    // A report that arrives after the answer is dropped, so that `progressTexts` may contain less.
    expect(progressTexts.every((report) => ['reading 1', 'sorting 1'].includes(report))).toBe(true);
  });

  it('may be reported although the call has no listener', async () => {
    const { client } = connected();
    await client.report({}, [{ what: 'reading', done: 1, total: 3 }]);
  });

  it('is dropped when it is reported after the end of the job', async () => {
    const { client, host } = connected();
    const reports: Progress[] = [];
    const abort = new AbortController();
    const stubborn = client.stubborn({ signal: abort.signal, onProgress: (progress) => void reports.push(progress) });
    await jobsStarted(host, 1);
    abort.abort();
    expect(await stubborn).toBe('done');
    host.jobs[0].report({ what: 'late', done: 1, total: 1 });
    // Messages arrive in their order: this answer comes after the report.
    await client.say({}, 'later');
    expect(reports).toEqual([]);
  });
});

describe('a service that is loaded later', () => {
  const loadedLater = (load: () => Promise<typeof echo>) => {
    let loads = 0;
    /** a service that is there from the start */
    const nearService = defineService('near', () => ({ say: (_job: ServiceJob) => 'here' }));
    const connection = connected([loadedService('echo', () => (loads++, load())), nearService]);
    return { ...connection, loads: () => loads, nearClient: connection.engine.service<typeof nearService>('near') };
  };

  it('is loaded by the first call, and only once for several calls', async () => {
    const { client, loads } = loadedLater(async () => echo);
    expectTypeOf(client.say).toEqualTypeOf<(watch: Watch, text: string) => Promise<string>>();
    expect(loads()).toBe(0);
    expect(await Promise.all([client.say({}, 'a'), client.say({}, 'b')])).toEqual(['a', 'b']);
    expect(await client.say({}, 'c')).toBe('c');
    expect(loads()).toBe(1);
  });

  it('rejects a call if its code cannot be loaded, and is loaded by the next call', async () => {
    let isThere = false;
    const { client } = loadedLater(async () => {
      if (!isThere) throw new TypeError('Failed to fetch');
      return echo;
    });
    await expect(client.say({}, 'a')).rejects.toThrow(
      'the code of ‘echo’ could not be loaded: the network did not answer; try again once there is a network (Failed to fetch)',
    );
    isThere = true;
    expect(await client.say({}, 'b')).toBe('b');
  });

  it('does not run a call that was cancelled while it was being loaded', async () => {
    let arrive = (): void => {};
    const gate = new Promise<typeof echo>((resolve) => {
      arrive = () => resolve(echo);
    });
    const { client, host, nearClient } = loadedLater(() => gate);
    const abort = new AbortController();
    const call = client.forever({ signal: abort.signal });
    call.catch(() => {});
    await nearClient.say({});
    abort.abort();
    // Messages arrive in their order: this one comes after the cancel.
    await nearClient.say({});
    arrive();
    await expect(call).rejects.toMatchObject({ name: new CancelledError().name });
    expect(await client.say({}, 'later')).toBe('later');
    expect(host.jobs).toEqual([]);
  });
});

describe('cancelling a call', () => {
  it('before it begins sends nothing', async () => {
    const { client, host } = connected();
    await expect(client.forever({ signal: AbortSignal.abort() })).rejects.toThrow(CancelledError);
    // Messages arrive in their order: this one would come after the call.
    await client.say({}, 'later');
    expect(host.jobs).toEqual([]);
  });

  it('while it runs rejects it with CancelledError, whatever error the method throws', async () => {
    const { client, host } = connected();
    const abort = new AbortController();
    const otherCall = client.forever({});
    otherCall.catch(() => {});
    const call = client.forever({ signal: abort.signal });
    await jobsStarted(host, 2);
    abort.abort();
    await expect(call).rejects.toMatchObject({ name: new CancelledError().name });
    expect(host.jobs.map(({ cancelled }) => cancelled)).toEqual([false, true]);
  });

  it('has no effect if the method answers anyway', async () => {
    const { client } = connected();
    const abort = new AbortController();
    const call = client.stubborn({ signal: abort.signal });
    abort.abort();
    expect(await call).toBe('done');
  });

  it('after its end has no effect on later calls', async () => {
    const { client } = connected();
    const abort = new AbortController();
    expect(await client.say({ signal: abort.signal }, 'a')).toBe('a');
    abort.abort();
    expect(await client.say({}, 'b')).toBe('b');
  });
});

describe('a large transfer', () => {
  it('from the engine arrives complete and detaches the buffer in the engine', async () => {
    const { client, host } = connected();
    const { data, deep } = await client.large({}, LARGE);
    expect([data.length, data[0], data[LARGE - 1], deep[0].more.length]).toEqual([LARGE, 7, 7, 4]);
    expect(host.sent[0].byteLength).toBe(0);
  });

  it('from the page arrives complete and detaches the buffer in the page', async () => {
    const { client } = connected();
    const data = new Uint8Array(LARGE).fill(3);
    const [length, sumOfEnds] = await client.sum({}, transferred({ data }));
    expect([length, sumOfEnds]).toEqual([LARGE, 6]);
    expect(data.buffer.byteLength).toBe(0);
  });

  it('to a callback arrives complete and detaches the buffer in the engine', async () => {
    const { client, host } = connected();
    const received: number[] = [];
    await client.hand({}, LARGE, (data) => void received.push(data.length, data[LARGE - 1]));
    expect(received).toEqual([LARGE, 9]);
    expect(host.sent[0].byteLength).toBe(0);
  });

  it('copies a view of a larger buffer, and values that are not marked as transferred, and detaches neither', async () => {
    const { client, host } = connected();
    expect(Array.from((await client.part({})).data)).toEqual([2, 3]);
    expect(Array.from((await client.copied({})).data)).toEqual([1, 2]);
    const data = Uint8Array.of(1, 2);
    expect(await client.sum({}, { data })).toEqual([2, 3]);
    expect([...host.sent, data.buffer].map(({ byteLength }) => byteLength)).toEqual([4, 2, 2]);
  });
});

describe('a dead engine', () => {
  it('notifies its listeners, then rejects waiting calls; the next engine answers later calls', async () => {
    const { engine, host, client, die, ended } = connected();
    const order: string[] = [];
    const deaths: EngineDeath[] = [];
    engine.onDeath((death) => {
      order.push('notified');
      deaths.push(death);
    });
    const abort = new AbortController();
    const waitingCalls = [client.silent({ signal: abort.signal }), client.forever({})];
    for (const call of waitingCalls) call.catch(() => order.push('rejected'));
    await jobsStarted(host, 1);
    die('stopped by itself');
    for (const call of waitingCalls) await expect(call).rejects.toMatchObject({ name: new EngineDeathError('').name });
    expect(order).toEqual(['notified', 'rejected', 'rejected']);
    expect(deaths).toEqual([{ how: 'stopped by itself', isFinal: false }]);
    expect(ended()).toBe(1);
    abort.abort();
    expect(await client.say({}, 'again')).toBe('again');
  });

  it('is reported once', async () => {
    const { engine, client, die } = connected();
    const deaths: EngineDeath[] = [];
    engine.onDeath((death) => deaths.push(death));
    die('failed (one)');
    await client.say({}, 'a');
    expect(deaths).toHaveLength(1);
  });

  it('is replaced each time if it ran for a minute, but not after it failed at once five times in a row', async () => {
    const { engine, client, die, pass } = connected();
    const deaths: EngineDeath[] = [];
    engine.onDeath((death) => deaths.push(death));
    for (let i = 0; i < 8; i++) {
      pass(60_000);
      die('failed (boom)');
    }
    // One short life fewer than the limit of five.
    for (let i = 0; i < 4; i++) die('failed (boom)');
    expect(deaths.map(({ isFinal }) => isFinal)).not.toContain(true);
    await client.say({}, 'a');
    die('failed (boom)');
    expect(deaths.at(-1)).toEqual({ how: 'failed (boom)', isFinal: true });
    await expect(client.say({}, 'a')).rejects.toThrow('The engine failed (boom), again and again; reload the page.');
  });
});
