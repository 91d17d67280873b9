/* Spans of a run's timeline: when each kind of work begins and ends. */

import { type Job, withReport } from '../job.ts';
import type { Span } from '../report.ts';

/** The kind of work in a progress text, the part before the colon: 'encode MACKO' of 'encode MACKO: rows'. */
function kindOf(what: string): string {
  return what.split(': ', 1)[0];
}

/** A span whose end is set later. */
type OpenSpan = { -readonly [K in keyof Span]: Span[K] };

/** Records when the work of a run begins and ends: work that it waits for, and background work. */
export class SpanRecorder {
  readonly #now: () => number;
  readonly #beganMs: number;
  readonly #spans: OpenSpan[] = [];

  constructor(now: () => number) {
    this.#now = now;
    this.#beganMs = now();
  }

  /** The spans so far, in the order in which they began; those still open end now. */
  get spans(): readonly Span[] {
    const now = this.#passedMs();
    return this.#spans.map((span) => ({ ...span, toMs: Math.min(span.toMs, now) }));
  }

  /** A job like `job`, for work that the run waits for: each kind of work reported is a span until the next kind. */
  foreground(job: Job): Job {
    let last: OpenSpan | null = null;
    return withReport(job, (progress) => {
      const what = kindOf(progress.what);
      if (what !== last?.what) {
        if (last) last.toMs = this.#passedMs();
        last = this.#begin(what);
      }
      job.report(progress);
    });
  }

  /** Records background work from now until `work` has settled. */
  async background<T>(what: string, work: Promise<T>): Promise<T> {
    const span = this.#begin(what, true);
    try {
      return await work;
    } finally {
      span.toMs = this.#passedMs();
    }
  }

  #begin(what: string, beside?: true): OpenSpan {
    const span = { what, fromMs: this.#passedMs(), toMs: Number.POSITIVE_INFINITY, ...(beside && { beside }) };
    this.#spans.push(span);
    return span;
  }

  #passedMs(): number {
    return Math.round(this.#now() - this.#beganMs);
  }
}
