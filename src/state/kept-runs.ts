import { reportsToJson } from './report-export.ts';
import { checkReports, parseReportText } from './report-import.ts';
import type { KeptRun, RunStore } from './run-store.ts';
import { type SessionContext, sentenceOf } from './session-context.ts';
import type { BenchRun, KeptState } from './session-state.ts';

/** Keeps runs in this browser, so that a reload brings them back. What it refuses is said in one sentence; nothing is lost by it before the page is closed. */
export interface KeptRuns {
  /** The runs of earlier visits that can be read, the oldest first. */
  load(): Promise<readonly Omit<BenchRun, 'id'>[]>;
  keep(run: BenchRun): Promise<void>;
  /** Forgets one run. */
  remove(run: BenchRun): Promise<void>;
  clear(): Promise<void>;
}

/** `nextTask` lets the page answer between two runs. */
export function createKeptRuns(
  { store: session }: SessionContext,
  store: RunStore,
  nextTask: () => Promise<void>,
): KeptRuns {
  /** keys and sizes by the reports of a run, which no other run has */
  const kept = new Map<BenchRun['reports'], { readonly key: string; readonly bytes: number }>();
  let lastKey = 0;

  const tell = (change: Partial<KeptState>): void => {
    let bytes = 0;
    for (const one of kept.values()) bytes += one.bytes;
    session.setState(({ bench }) => ({
      bench: { ...bench, kept: { ...bench.kept, runs: kept.size, bytes, ...change } },
    }));
  };
  /** In the order of time, and apart from those of other tabs. */
  const newKey = (): string => `${new Date().toISOString()} ${performance.timeOrigin} ${++lastKey}`;

  return {
    async load() {
      let found: readonly (readonly [string, KeptRun])[];
      try {
        found = await store.load();
      } catch (error) {
        // A person who keeps nothing here has lost nothing: it is said where results would be kept.
        tell({ refusal: refusalOf(error) });
        return [];
      }
      const runs: Omit<BenchRun, 'id'>[] = [];
      const unread: string[] = [];
      for (const [key, { origin, name, text }] of found) {
        await nextTask();
        try {
          const reports = checkReports(name, parseReportText(name, text));
          kept.set(reports, { key, bytes: text.length });
          runs.push({ origin, name, reports });
        } catch (error) {
          unread.push(sentenceOf(error));
        }
      }
      tell({});
      if (unread.length > 0) {
        const which = unread.length === 1 ? 'A result' : `${unread.length} results`;
        session.setState({ error: `${which} of an earlier visit could not be read: ${unread[0]}` });
      }
      return runs;
    },
    async keep({ origin, name, reports }) {
      try {
        const text = reportsToJson(reports);
        const key = newKey();
        await store.save(key, { origin, name, text });
        kept.set(reports, { key, bytes: text.length });
        tell({ refusal: null });
      } catch (error) {
        tell({ refusal: refusalOf(error) });
      }
    },
    async remove({ reports }) {
      const one = kept.get(reports);
      if (!one) return;
      try {
        await store.remove(one.key);
        kept.delete(reports);
        tell({});
      } catch (error) {
        tell({ refusal: refusalOf(error) });
      }
    },
    async clear() {
      try {
        await store.clear();
        kept.clear();
        tell({ refusal: null });
      } catch (error) {
        tell({ refusal: refusalOf(error) });
      }
    },
  };
}

/** Why the browser keeps nothing, as one sentence. */
function refusalOf(error: unknown): string {
  const isFull = error instanceof Error && error.name === 'QuotaExceededError';
  const why = isFull ? 'its storage is full' : `it answered: ${sentenceOf(error).replace(/\.$/, '')}`;
  return `This browser does not keep results (${why}); save them as files before you leave.`;
}
