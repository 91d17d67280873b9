import type { Browser, Page } from '@playwright/test';

// Measures the main thread of a page with Chromium's tracing: tasks, and script per frame.

/** CPU time of a page's main thread while it was watched, in milliseconds. */
export interface MainThread {
  /** each task, longest first */
  readonly tasksMs: readonly number[];
  /** script of each frame that had any, longest first */
  readonly frameScriptMs: readonly number[];
}

/** An event of Chromium's trace; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** CPU time of the thread, which other processes cannot lengthen */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];
/** Names of the events that run script. */
const SCRIPT = new Set([
  'FunctionCall',
  'EvaluateScript',
  'v8.evaluateModule',
  'RunMicrotasks',
  'TimerFire',
  'EventDispatch',
]);

/** Watches the page's main thread while `action` runs. The page must be the busiest one of its browser. */
export async function watchMainThread(browser: Browser, page: Page, action: () => Promise<void>): Promise<MainThread> {
  await browser.startTracing(page, { categories: CATEGORIES });
  let trace: Buffer;
  try {
    await action();
  } finally {
    trace = await browser.stopTracing();
  }
  return mainThreadOf((JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] }).traceEvents);
}

/** The tasks and frames of the busiest main thread in a trace. */
function mainThreadOf(events: readonly TraceEvent[]): MainThread {
  const cpuMs = (event: TraceEvent): number => (event.tdur ?? 0) / 1000;
  const mainThreads = events.filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain');
  const byThread = mainThreads.map((main) =>
    events.filter((e) => e.pid === main.pid && e.tid === main.tid).toSorted((a, b) => a.ts - b.ts),
  );
  const tasksOf = (thread: readonly TraceEvent[]): number[] =>
    thread.filter((e) => e.name === 'RunTask' && e.ph === 'X').map(cpuMs);
  const allMs = (thread: readonly TraceEvent[]): number => tasksOf(thread).reduce((sum, ms) => sum + ms, 0);
  // By time, not by number of events: a thread with one long task has few events.
  const busiest = byThread.toSorted((a, b) => allMs(b) - allMs(a))[0] ?? [];

  const tasks = tasksOf(busiest);
  const frames: number[] = [];
  let scriptMs = 0;
  let end = 0;
  for (const event of busiest) {
    // An event nested in one that has been counted is part of it.
    if (event.ph === 'X' && SCRIPT.has(event.name) && event.ts >= end) {
      scriptMs += cpuMs(event);
      end = event.ts + (event.dur ?? 0);
    }
    if (event.name === 'BeginCommitCompositorFrame') {
      if (scriptMs > 0) frames.push(scriptMs);
      scriptMs = 0;
    }
  }
  const descending = (values: number[]): readonly number[] => values.toSorted((a, b) => b - a);
  return { tasksMs: descending(tasks), frameScriptMs: descending(frames) };
}
