import { CancelledError } from '../../core/errors.ts';
import type { Pace } from '../../core/pace.ts';
import { type ReportProgress, ServiceJob } from './job.ts';
import type { ServiceOn } from './service.ts';

type Method = (job: ServiceJob, ...args: readonly unknown[]) => unknown;

/** Runs the methods of services as jobs, by the numbers that the caller gives them. */
export class ServiceDispatcher {
  readonly #clock: Pick<Pace, 'now'>;
  readonly #methods: ReadonlyMap<string, Readonly<Record<string, Method>>>;
  readonly #running = new Map<number, ServiceJob>();

  constructor(services: readonly ServiceOn<never>[], host: unknown, clock: Pick<Pace, 'now'>) {
    this.#clock = clock;
    this.#methods = new Map(
      services.map(({ name, methods }) => [name, methods(host as never) as Readonly<Record<string, Method>>]),
    );
  }

  /** Throws RangeError for a service or a method that does not exist, CancelledError, and whatever the method throws. */
  async run(
    id: number,
    service: string,
    method: string,
    onProgress: ReportProgress | undefined,
    args: readonly unknown[],
  ): Promise<unknown> {
    const methods = this.#methods.get(service);
    if (!methods) throw new RangeError(`service: found '${service}', expected one of ${listed(this.#methods.keys())}`);
    if (!Object.hasOwn(methods, method)) {
      throw new RangeError(`${service}: found method '${method}', expected one of ${listed(Object.keys(methods))}`);
    }
    const job = new ServiceJob(this.#clock, onProgress);
    this.#running.set(id, job);
    try {
      return await methods[method](job, ...args); // bounded: the arguments of one call
    } catch (error) {
      // Whatever a cancelled job fails with, it fails because it was cancelled.
      throw job.cancelled ? new CancelledError() : error;
    } finally {
      this.#running.delete(id);
    }
  }

  /** Ignores unknown and finished jobs. */
  cancel(id: number): void {
    this.#running.get(id)?.cancel();
  }
}

function listed(names: Iterable<string>): string {
  return [...names].join(', ');
}
