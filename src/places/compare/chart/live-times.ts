import { createStore, type StoreApi } from 'zustand/vanilla';
import type { BenchReport } from '../../../core/report.ts';
import { messageOf } from '../../../core/errors.ts';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import type { explore } from '../service/service.ts';
import type { LiveRequest } from '../service/live/live-types.ts';

/** State of the live measurement. */
export interface LiveState {
  /** A person switched it on during this visit to the page. */
  readonly on: boolean;
  /** the newest requested density, until it has times */
  readonly waitingFor: number | null;
  /** the newest times, with their request; they stay when it is switched off */
  readonly shown: LiveTimes | null;
  /** why it ended, in one sentence; null if a person ended it */
  readonly problem: string | null;
}

/** Times of one density. */
interface LiveTimes {
  readonly request: LiveRequest;
  /** grows while it is `unfinished` */
  readonly report: BenchReport;
  /** from the request to its first times, ms */
  readonly firstMs: number;
}

/** Measures the newest requested density. Nothing is measured before `start`. */
export interface Live {
  readonly store: StoreApi<LiveState>;
  /** Switches it on and measures. */
  start(request: LiveRequest): void;
  /** Requests another density; does nothing while it is off. */
  ask(request: LiveRequest): void;
  /** Switches it off, and frees its memory on the device. */
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
 * One measurement at a time. Until one has its first times, requests only queue, and only the newest is kept: a cursor
 * that never stops still gets times. After that, a newer request replaces it.
 */
export function createLive({ service, now }: LiveParts): Live {
  const store = createStore<LiveState>(() => OFF);
  let running: { hasShown: boolean } | null = null;
  let next: Asked | null = null;
  /** The first times are measured while everything is still being prepared, so they are measured again at once. */
  let isFirst = true;

  const end = (problem: string | null): void => {
    running = null;
    next = null;
    store.setState({ on: false, waitingFor: null, problem });
    // No answer means that the engine is lost, with everything it held.
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
      // Ended, but not by a newer request: by a benchmark, or a failure.
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

/** Errors lose their class between threads, but keep their name. */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === 'CancelledError';
}

function sentence(error: unknown): string {
  const text = messageOf(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
