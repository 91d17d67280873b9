import { del, entries, set, type UseStore } from 'idb-keyval';
import { createStore } from 'zustand/vanilla';
import { type DecodeReport, runRate } from '../../core/reports/decode-report.ts';
import { messageOf } from '../../core/error-messages.ts';
import type { TokenSpeed } from '../../theory/models/token-speeds.ts';
import { adapterName } from '../devices/adapter-name.ts';
import { browserStore } from '../browser-store.ts';
import { notSavedText } from '../error-messages.ts';

/** Maximum number of decode reports (times of whole tokens of a model) in this browser; the oldest are removed. */
export const MAX_DECODES = 40;

/** A storage of decode reports. Every call may reject: storage can be blocked, full, or gone. */
export interface DecodeStore {
  load(): Promise<readonly (readonly [key: string, report: unknown])[]>;
  save(key: string, report: DecodeReport): Promise<void>;
  remove(key: string): Promise<void>;
}

/** Decode reports in `store`, this browser's IndexedDB. */
export function browserDecodeStore(store: UseStore = browserStore('decodes')): DecodeStore {
  return {
    load: async () => entries<string, unknown>(store),
    save: async (key, report) => set(key, report, store),
    remove: async (key) => del(key, store),
  };
}

interface DecodesState {
  /** measured here or in an earlier visit, the newest first */
  readonly reports: readonly DecodeReport[];
  /** why this browser cannot store reports, or could not read some */
  readonly rejection: string | null;
}

/** The decode reports that this browser stores, for every page that shows them. */
export function createDecodeReports(storage: DecodeStore) {
  const store = createStore<DecodesState>(() => ({ reports: [], rejection: null }));
  let loading: Promise<void> | null = null;
  const reject = (rejection: string): void => store.setState({ rejection });
  const add = (more: readonly DecodeReport[]): void =>
    store.setState(({ reports }) => {
      const keys = new Set(more.map(({ createdAt }) => createdAt));
      return { reports: newestFirst([...more, ...reports.filter(({ createdAt }) => !keys.has(createdAt))]) };
    });
  const load = async (): Promise<void> => {
    try {
      const { checkDecodeReport } = await import('../../core/reports/decode-check.ts');
      const reports: DecodeReport[] = [];
      for (const [key, value] of await storage.load()) {
        try {
          reports.push(checkDecodeReport(key, value));
        } catch (error) {
          reject(`A report of whole tokens could not be read: ${toMessage(error)}`);
        }
      }
      // A report that was measured meanwhile is newer than the stored report that it continues.
      const measured = store.getState().reports;
      add(reports.filter(({ createdAt }) => !measured.some((report) => report.createdAt === createdAt)));
    } catch (error) {
      reject(`This browser saves no reports of whole tokens: ${toMessage(error)}`);
    }
  };
  return {
    store,
    /** Adds the reports of earlier visits, once. */
    load: () => (loading ??= load()),
    /** Adds a report, or replaces the one that it continues, with the same `createdAt`. */
    async keep(report: DecodeReport): Promise<void> {
      add([report]);
      const surplus = store.getState().reports.slice(MAX_DECODES);
      store.setState(({ reports }) => ({ reports: reports.slice(0, MAX_DECODES) }));
      try {
        await storage.save(report.createdAt, report);
        for (const { createdAt } of surplus) await storage.remove(createdAt);
      } catch (error) {
        reject(notSavedText('whole tokens', error));
      }
    },
    async remove(report: DecodeReport): Promise<void> {
      store.setState(({ reports }) => ({ reports: reports.filter((other) => other !== report) }));
      try {
        await storage.remove(report.createdAt);
      } catch (error) {
        reject(`The report could not be removed: ${toMessage(error)}`);
      }
    },
  };
}

/** Tokens per second with an empty prompt, from correct reports of real GPUs. */
export function tokenSpeedsOf(reports: readonly DecodeReport[]): readonly TokenSpeed[] {
  return reports.flatMap((report): readonly TokenSpeed[] => {
    const { environment, model, format, params, density, createdAt, ok, runs } = report;
    const run = runs.find(({ context, msPerToken }) => context === 0 && msPerToken !== null);
    const rate = run ? runRate(run) : null;
    if (!ok || environment.isFallback || rate === null) return [];
    const { matrices, head } = run?.times?.kinds ?? {};
    return [
      {
        model: model.name,
        format,
        params,
        density,
        tokensPerSecond: rate,
        ...(matrices && head && { matricesNs: matrices.ns + head.ns }),
        device: adapterName(environment),
        date: createdAt.slice(0, 10),
        isRecorded: false,
      },
    ];
  });
}

function newestFirst(reports: readonly DecodeReport[]): readonly DecodeReport[] {
  return reports.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

function toMessage(error: unknown): string {
  return messageOf(error).replace(/\.$/, '');
}
