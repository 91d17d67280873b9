import * as Comlink from 'comlink';
import type { Progress } from '../../core/job.ts';
import { type Pace, throwIfCancelled } from '../../core/pace.ts';
import { toWire } from './transfer.ts';
import { type ReportProgress, ServiceJob } from './service-job.ts';
import type { Heartbeat, Locks } from './pulse.ts';
import type { ServiceOn } from './service.ts';
import { CancelledError } from '../../core/errors.ts';

// The worker's end of the bridge: runs the methods of services that the page calls.

/** How often a cancelled job that has not ended is reported. */
const IGNORED_EVERY_MS = 1000;

type Method = (job: ServiceJob, ...args: readonly unknown[]) => unknown;

/** Runs the methods of services as jobs, numbered by the caller. */
export class ServiceDispatcher {
  readonly #clock: Pick<Pace, 'now'>;
  readonly #services: ReadonlyMap<string, ServiceOn<never>>;
  readonly #host: unknown;
  readonly #onIgnored: () => void;
  /** the methods of each service that has been called */
  readonly #methods = new Map<string, Promise<Readonly<Record<string, Method>>>>();
  readonly #running = new Map<number, ServiceJob>();

  /** `onIgnored`: called every second while a job runs on although it was cancelled. */
  constructor(
    services: readonly ServiceOn<never>[],
    host: unknown,
    clock: Pick<Pace, 'now'>,
    onIgnored: () => void = () => {},
  ) {
    this.#clock = clock;
    this.#onIgnored = onIgnored;
    this.#host = host;
    this.#services = new Map(services.map((service) => [service.name, service]));
  }

  /** Calls a method. Throws RangeError for an unknown service or method, CancelledError, and the errors of the method. */
  async run(
    id: number,
    service: string,
    method: string,
    onProgress: ReportProgress | undefined,
    args: readonly unknown[],
  ): Promise<unknown> {
    const job = new ServiceJob(this.#clock, onProgress);
    this.#running.set(id, job);
    try {
      const methods = await this.#methodsOf(service);
      if (!Object.hasOwn(methods, method)) {
        throw new RangeError(`${service}: found method '${method}', expected one of ${listed(Object.keys(methods))}`);
      }
      throwIfCancelled(job);
      return await methods[method](job, ...args); // bounded: the arguments of one call
    } catch (error) {
      // Any error of a cancelled job counts as its cancellation.
      throw job.cancelled ? new CancelledError() : error;
    } finally {
      this.#running.delete(id);
    }
  }

  #methodsOf(name: string): Promise<Readonly<Record<string, Method>>> {
    const cached = this.#methods.get(name);
    if (cached) return cached;
    const service = this.#services.get(name);
    if (!service) throw new RangeError(`service: found '${name}', expected one of ${listed(this.#services.keys())}`);
    const methods = Promise.resolve(service.methods(this.#host as never) as Readonly<Record<string, Method>>);
    this.#methods.set(name, methods);
    methods.catch(() => this.#methods.delete(name));
    return methods;
  }

  /** Cancels a job; does nothing for an unknown or finished one. */
  cancel(id: number): void {
    const job = this.#running.get(id);
    if (!job || job.cancelled) return;
    job.cancel();
    const watch = setInterval(() => {
      if (this.#running.has(id)) this.#onIgnored();
      else clearInterval(watch);
    }, IGNORED_EVERY_MS);
  }
}

function listed(names: Iterable<string>): string {
  return [...names].join(', ');
}

/** The methods of the worker that the page calls: calls of any service, and pings and a lock to monitor its thread. */
export interface Bridge extends Heartbeat {
  /** `job` is a number that no other call has. */
  call(
    job: number,
    service: string,
    method: string,
    onProgress: ReportProgress | null,
    ...args: readonly unknown[]
  ): Promise<unknown>;
  cancel(job: number): Promise<void>;
}

/** A function of the page, as the worker receives it: a call sends a message. Releasing the function frees its port. */
type Remote = Comlink.Remote<((...args: readonly unknown[]) => unknown) & Comlink.ProxyMarked>;

interface ServeOptions {
  /** default: the page that started this worker */
  readonly endpoint?: Comlink.Endpoint;
  /** the lock manager of the browser; undefined where there is none */
  readonly locks?: Locks | undefined;
  /** how long the GPU has not answered, and a way to stop waiting for it; absent: no service uses one */
  readonly gpu?: { silenceMs(): number; giveUpSilent(): void };
}

/** Offers services to the page at the other end of `endpoint`. `host`: the clock and data that the services share. */
export function serve<Host extends Pick<Pace, 'now'>>(
  services: readonly ServiceOn<Host>[],
  host: Host,
  { endpoint, locks, gpu }: ServeOptions = {},
): void {
  const dispatcher = new ServiceDispatcher(services, host, host, () => gpu?.giveUpSilent());
  const bridge: Bridge = {
    async call(job, service, method, onProgress, ...args) {
      const remotes: Remote[] = [];
      let hasEnded = false;
      /** Turns a function of the page into one that is called as if it were here; other values stay as they are. */
      const asLocal = (value: unknown): unknown => {
        if (typeof value !== 'function') return value;
        const remote = value as Remote;
        remotes.push(remote);
        return (...values: readonly unknown[]) => remote(...values.map(toWire)); // bounded: the arguments of one call
      };
      try {
        const onReport = onProgress === null ? null : (asLocal(onProgress) as ReportProgress);
        // Work that the method did not await may report after the end of the call.
        const report = onReport ? (progress: Progress) => (hasEnded ? undefined : onReport(progress)) : undefined;
        return toWire(await dispatcher.run(job, service, method, report, args.map(asLocal)));
      } finally {
        hasEnded = true;
        for (const remote of remotes) remote[Comlink.releaseProxy]();
      }
    },
    async cancel(job) {
      dispatcher.cancel(job);
    },
    ping: async () => gpu?.silenceMs() ?? 0,
    keepLock: (name) =>
      new Promise((resolve) => {
        if (!locks) return resolve(false);
        const neverAnswer = (): Promise<never> => {
          resolve(true);
          return new Promise(() => {});
        };
        locks.request(name, neverAnswer).catch(() => resolve(false));
      }),
  };
  Comlink.expose(bridge, endpoint);
}
