import { createStore, type StoreApi } from 'zustand/vanilla';
import type { BenchReport } from '../../../core/report.ts';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import type { explore } from '../service/service.ts';
import type { LiveRequest } from '../service/live/live-types.ts';

/** Where the live measurement stands. */
export interface LiveState {
  /** A person has switched it on, in this visit to the page. */
  readonly on: boolean;
  /** the newest density that was asked for and has no times yet */
  readonly waitingFor: number | null;
  /** the newest times, with what they were asked with; they stay when it is switched off */
  readonly shown: LiveTimes | null;
  /** why it ended, as one sentence; null where a person ended it */
  readonly problem: string | null;
}

/** Times of one density. */
interface LiveTimes {
  readonly request: LiveRequest;
  /** grows for as long as it is `unfinished` */
  readonly report: BenchReport;
  /** from the question to its first times, ms */
  readonly firstMs: number;
}

/** Measures the newest density that was asked for. Nothing is measured before `start`. */
export interface Live {
  readonly store: StoreApi<LiveState>;
  /** Switches it on and measures. */
  start(request: LiveRequest): void;
  /** Another density; does nothing while it is off. */
  ask(request: LiveRequest): void;
  /** Switches it off, and frees what it had on the device. */
  stop(): void;
}

interface LiveParts {
  readonly service: Pick<ServiceOf<typeof explore>, 'live' | 'endLive'>;
  readonly now: () => number;
}

interface Asked {
  readonly request: LiveRequest;
  readonly atMs: number;
}

const OFF: LiveState = { on: false, waitingFor: null, shown: null, problem: null };

/**
 * One measurement at a time. While one has not shown its first times, only the newest of those that follow is kept, so
 * that a cursor that moves all the time sees times as well; once it has, a newer one takes its place.
 */
export function createLive({ service, now }: LiveParts): Live {
  const store = createStore<LiveState>(() => OFF);
  let running: { hasShown: boolean } | null = null;
  let next: Asked | null = null;
  /** The first times come while everything is being prepared: they are taken again at once. */
  let isFirst = true;

  const end = (problem: string | null): void => {
    running = null;
    next = null;
    store.setState({ on: false, waitingFor: null, problem });
    // Whoever hears no answer has lost the engine, with all that it held.
    service.endLive({}).catch(() => {});
  };

  const measure = async ({ request, atMs }: Asked): Promise<void> => {
    const mine = { hasShown: false };
    running = mine;
    let firstMs: number | null = null;
    const show = (report: BenchReport): void => {
      if (running !== mine) return;
      firstMs ??= now() - atMs;
      const { waitingFor } = store.getState();
      store.setState({
        shown: { request, report, firstMs },
        waitingFor: waitingFor === request.density ? null : waitingFor,
      });
    };
    try {
      const report = await service.live({}, request, (part) => {
        show(part);
        if (running !== mine) return;
        mine.hasShown = true;
        if (isFirst && !next) next = { request, atMs: now() };
        isFirst = false;
        pump();
      });
      show(report);
      if (running === mine) running = null;
      pump();
    } catch (error) {
      if (running !== mine) return;
      // Nothing newer took its place: a benchmark did, or it failed.
      end(isCancelled(error) ? null : sentence(error));
    }
  };

  const pump = (): void => {
    if (!next || (running && !running.hasShown)) return;
    const asked = next;
    next = null;
    void measure(asked);
  };

  const live: Live = {
    store,
    start(request) {
      store.setState({ on: true, problem: null });
      isFirst = true;
      live.ask(request);
    },
    ask(request) {
      if (!store.getState().on) return;
      store.setState({ waitingFor: request.density });
      next = { request, atMs: now() };
      pump();
    },
    stop() {
      if (store.getState().on) end(null);
    },
  };
  return live;
}

/** Errors cross threads without their class; their name stays. */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === 'CancelledError';
}

function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
