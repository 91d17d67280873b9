import type { BenchReport } from '../../../../core/report.ts';
import type { OnReport } from '../../../../engine/bench/bench-types.ts';
import type { ServiceJob } from '../../../../engine/bridge/job.ts';
import type { EngineHost } from '../../../../engine/host.ts';
import { LiveRuns } from './live-runs.ts';
import type { LiveRequest } from './live-types.ts';

/** Live measurements, one at a time: a newer one or a benchmark ends the current one. */
export class LiveMeasuring {
  readonly #host: EngineHost;
  readonly #runs: LiveRuns;
  /** the current measurement */
  #measuring: { readonly job: ServiceJob; readonly end: Promise<void> } | null = null;

  constructor(host: EngineHost) {
    this.#host = host;
    this.#runs = new LiveRuns(host);
    host.beforeBench(async () => {
      await this.#stop();
      this.#runs.release();
    });
  }

  async measure(request: LiveRequest, job: ServiceJob, onReport: OnReport): Promise<BenchReport> {
    const older = this.#measuring;
    older?.job.cancel();
    let ended = (): void => {};
    const measuring = { job, end: new Promise<void>((resolve) => (ended = resolve)) };
    this.#measuring = measuring;
    try {
      await older?.end;
      job.throwIfCancelled();
      const context = await this.#host.device.open();
      return await context.exclusively(() => this.#runs.measure(request, job, onReport));
    } finally {
      ended();
      if (this.#measuring === measuring) this.#measuring = null;
    }
  }

  /** Ends the current measurement and frees what densities share, unless a newer one has begun meanwhile. */
  async end(): Promise<void> {
    await this.#stop();
    if (!this.#measuring) this.#runs.release();
  }

  async #stop(): Promise<void> {
    this.#measuring?.job.cancel();
    await this.#measuring?.end;
  }
}
