import { withVisibleSigns } from '../../core/errors.ts';
import type { BenchReport } from '../../core/report.ts';
import { reportsToJson } from '../reports/report-export.ts';
import { notSavedText } from '../error-messages.ts';
import { NEWER_STORAGE, NewerStorageError } from '../newer-storage.ts';
import type { SavedRun, RunStore } from './run-store.ts';
import { type SessionContext, messageFor } from './session-context.ts';
import type { BenchRun, RunStorageState } from './session-state.ts';

// Benchmark runs that this browser stores between visits, and the run that was interrupted.

/** The report, marked as imported if its run was imported: older versions stored no mark. */
function markedAs(origin: SavedRun['origin'], report: BenchReport): BenchReport {
  return origin === 'imported' && !report.imported ? { ...report, imported: true } : report;
}

/** Stores runs in this browser; `nextTask` lets the page respond in between. */
export function createSavedRuns({ store: session }: SessionContext, store: RunStore, nextTask: () => Promise<void>) {
  /** key and size in storage, by the list of a run's reports, which no other run has */
  const storedRuns = new Map<BenchRun['reports'], { readonly key: string; readonly bytes: number }>();
  let lastKey = 0;

  const publish = (change: Partial<RunStorageState>): void => {
    let bytes = 0;
    for (const storedRun of storedRuns.values()) bytes += storedRun.bytes;
    session.setState(({ bench }) => ({
      bench: { ...bench, storage: { ...bench.storage, runs: storedRuns.size, bytes, ...change } },
    }));
  };
  /** Keys ascend with time, and differ from the keys of other tabs. */
  const newKey = (): string =>
    `${new Date().toISOString()} ${performance.timeOrigin} ${String(++lastKey).padStart(9, '0')}`;

  /**
   * Changes what is stored, one change after the other: a run may be removed while it is being saved. If storage fails,
   * the state shows the reason as `rejection`.
   */
  const attempt = (work: () => Promise<Partial<RunStorageState>>): Promise<void> =>
    (lastChange = lastChange.then(async () => publish(await work().catch(rejectionState))));
  let lastChange: Promise<void> = Promise.resolve();
  /** The state after an error of storage. Every page reports a database that a newer version has written. */
  const rejectionState = (error: unknown): Partial<RunStorageState> => {
    if (error instanceof NewerStorageError) {
      session.setState(({ problems }) => ({
        problems: problems.includes(NEWER_STORAGE) ? problems : [...problems, NEWER_STORAGE],
      }));
    }
    return { rejection: notSavedText('results', error) };
  };

  // Read before any run can begin, since each run writes to the same key.
  const interruptedRun = unlessRejected(() => store.takeInterrupted());

  const keeper = {
    /** The runs of earlier visits, oldest first, then an interrupted run; unreadable runs become a problem to show. */
    async load(): Promise<readonly Omit<BenchRun, 'id'>[]> {
      let storedEntries: readonly (readonly [string, SavedRun])[];
      try {
        storedEntries = await store.load();
      } catch (error) {
        publish(rejectionState(error));
        return [];
      }
      const runs: Omit<BenchRun, 'id'>[] = [];
      const readErrors: string[] = [];
      const notices: string[] = [];
      for (const [key, { origin, name, text, rest }] of storedEntries) {
        await nextTask();
        try {
          const reports = (await parsedReports(name, text)).map((report) => markedAs(origin, report));
          storedRuns.set(reports, { key, bytes: text.length });
          runs.push({ origin, name, reports, ...(await readRest(rest)) });
        } catch (error) {
          readErrors.push(messageFor(error));
        }
      }
      publish({});
      if (readErrors.length > 0) {
        const which = readErrors.length === 1 ? 'A result' : `${readErrors.length} results`;
        notices.push(`${which} of an earlier visit could not be read: ${readErrors[0]}`);
      }
      if (interruptedRun) {
        const { origin, name } = interruptedRun;
        // Empty if the reports cannot be read.
        const reports = await parsedReports(name, interruptedRun.text).catch(() => []);
        const restoredRun = { origin, name, reports, ...(await readRest(interruptedRun.rest)) };
        if (restoredRun.reports.length > 0) {
          const replacedIndex = runs.findIndex((run) => storedRuns.get(run.reports)?.key === interruptedRun.replaces);
          if (replacedIndex >= 0) await keeper.remove(runs.splice(replacedIndex, 1)[0]);
          runs.push(restoredRun);
          await keeper.keep(restoredRun);
        }
        notices.push(interruptedText(restoredRun));
      }
      if (notices.length > 0) session.setState(({ problems }) => ({ problems: [...problems, ...notices] }));
      return runs;
    },
    /** Records that a run is in progress, with its reports so far; `continuedRun`: the run that it continues. */
    begin({ name, reports, rest }: Pick<BenchRun, 'name' | 'reports' | 'rest'>, continuedRun: BenchRun | null): void {
      const replaces = continuedRun && storedRuns.get(continuedRun.reports)?.key;
      const run = { origin: 'measured', name, text: reportsToJson(reports), ...(rest && { rest }) } as const;
      unlessRejected(() => store.setRunning({ ...run, ...(replaces && { replaces }) }));
    },
    /** Records that no run is in progress. */
    end(): void {
      unlessRejected(() => store.setRunning(null));
    },
    keep: ({ origin, name, reports, rest }: Omit<BenchRun, 'id'>): Promise<void> =>
      attempt(async () => {
        const text = reportsToJson(reports);
        const key = newKey();
        await store.save(key, { origin, name, text, ...(rest && { rest }) });
        storedRuns.set(reports, { key, bytes: text.length });
        return { rejection: null };
      }),
    remove: ({ reports }: Pick<BenchRun, 'reports'>): Promise<void> =>
      attempt(async () => {
        const storedRun = storedRuns.get(reports);
        if (storedRun) await store.remove(storedRun.key);
        storedRuns.delete(reports);
        return {};
      }),
    clear: (): Promise<void> =>
      attempt(async () => {
        await store.clear();
        storedRuns.clear();
        return { rejection: null };
      }),
  };
  return keeper;
}

/** The result of a call to storage; null if it throws. */
function unlessRejected<T>(call: () => T): T | null {
  try {
    return call();
  } catch {
    return null;
  }
}

/** The reports in a text; the code that reads them is not part of the first screen. */
async function parsedReports(name: string, text: string): Promise<BenchRun['reports']> {
  const { parseReports } = await import('../../core/reports/report-check.ts');
  return parseReports(printableName(name), text);
}

/** How to continue an interrupted run, as a property `rest`; none for a complete or an unreadable one. */
async function readRest(remainder: unknown): Promise<Pick<BenchRun, 'rest'>> {
  if (remainder === undefined) return {};
  const { checkedRemainder } = await import('./run-remainder.ts');
  const checkedRest = checkedRemainder(remainder);
  return checkedRest ? { rest: checkedRest } : {};
}

/** Maximum length of a stored name in a message. */
const MAX_NAME_LENGTH = 120;

function printableName(name: string): string {
  return withVisibleSigns(name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}...` : name);
}

/** The text with a full stop, unless it ends with '...'. */
function withFullStop(text: string): string {
  return text.endsWith('...') ? text : `${text}.`;
}

/** The message that the page was left during a run, with what was saved of it. */
function interruptedText({ name, reports }: Omit<BenchRun, 'id'>): string {
  const what = 'The page was left during a run';
  return reports.length === 0 ? `${what}, without a result.` : `${what}; kept: ${withFullStop(printableName(name))}`;
}
