import { createStore } from 'zustand/vanilla';
import { KEPT_DRAFT } from '../../test/drafts.ts';
import { REPORT, sweepReport } from '../../test/reports.ts';
import type { BenchReport } from '../../src/core/report.ts';
import { formats } from '../../src/formats/registry.ts';
import { numberOf } from '../../src/places/code/kernel-drafts/draft.ts';
import { draftText } from '../../src/places/code/kernel-drafts/file.ts';
import { resultWords } from '../../src/places/code/kernel-drafts/result.ts';
import { KERNELS } from '../../src/places/code/kernel-drafts/library.ts';
import { variantOf } from '../../src/places/code/kernel-drafts/variants.ts';
import { createExerciseProgress } from '../../src/lessons/exercises/exercise-progress.ts';
import { frozen, merged } from '../../src/state/drafts/draft.ts';
import { keptDrafts } from '../../src/state/drafts/store.ts';
import { createKeptRuns } from '../../src/state/session/kept-runs.ts';
import { createPreferences, THEMES } from '../../src/state/preferences.ts';
import { createProgress } from '../../src/lessons/progress.ts';
import { reportsToJson } from '../../src/state/reports/report-export.ts';
import { browserRunStore, type TabStorage } from '../../src/state/session/run-store.ts';
import { EMPTY_SESSION } from '../../src/state/session/session-state.ts';
import { draftProblem } from '../../src/places/code/drafts/draft-problem.ts';
import { draftWords, shownRun } from '../../src/places/code/drafts/draft-words.ts';
import { viewAll } from '../reports/views.ts';
import type { Find } from '../target.ts';
import { sentenceFault } from '../words.ts';
import { alikeFault, type KnownStore, storedTarget } from './stored.ts';

const STORES: Readonly<Record<string, KnownStore>> = {
  draft: { whole: { ...KEPT_DRAFT, start: KEPT_DRAFT.files, exercise: '1' }, check: draftFault },
  run: { whole: keptRun([REPORT]), check: runFault },
  sweep: { whole: keptRun([sweepReport(0.1, 2), sweepReport(0.3, 1.4)]), check: runFault },
  theme: { whole: 'dark', check: preferencesFault },
  origins: { whole: ['https://huggingface.co', 'https://example.org:8080'], check: preferencesFault },
  lessons: {
    whole: {
      'small-gaps': {
        paragraph: 3,
        furthest: 5,
        answers: { 'entries 1': { answer: 4, right: false, solved: true, tries: 2, idea: 'all-rows' } },
      },
    },
    check: lessonsFault,
  },
  exercises: { whole: { 1: { done: true, share: 0.8 }, 2: { done: false, share: null } }, check: exercisesFault },
};

function keptRun(reports: readonly BenchReport[]): unknown {
  const spec = { pattern: 'uniform', rows: 64, cols: 32, density: 0.1, seed: 1 };
  const entries = [{ format: 'csr', params: {}, kernels: 'auto' }];
  const workload = { kind: 'generated', spec };
  const request = {
    operation: 'spmv',
    sizes: {},
    workload,
    entries,
    memory: 'cold',
    rounds: 20,
    seed: 1,
    where: 'gpu',
  };
  const rest = { request, axis: { of: 'density', values: [0.3, 0.5] } };
  return { origin: 'measured', name: 'uniform', text: reportsToJson(reports), rest };
}

/** As IndexedDB returns them: maps of wrong outputs are arrays of bytes there. */
function revived(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => {
    if (key !== 'points' || typeof value !== 'object' || value === null) return value;
    return Uint8Array.from(Object.values(value), Number);
  });
}

function draftFault(text: string): Find | null {
  let value: unknown;
  try {
    value = revived(text);
  } catch {
    // IndexedDB keeps no text: nothing is left to try.
    return null;
  }
  const { drafts, unread } = keptDrafts(KERNELS, [[KEPT_DRAFT.id, value]]);
  if (drafts.length + unread.length !== 1) return { law: 'nothing is lost', message: `${drafts.length} drafts` };
  for (const { name } of unread) if (name !== '') return sentenceFault(name);
  for (const draft of drafts) {
    const next = merged(KERNELS, draft, frozen(KERNELS, { ...draft, files: { a: 'b' } }, '2027'));
    for (const { number, result } of next.versions) {
      const fault = sentenceFault(resultWords(result).text);
      if (fault) return fault;
      variantOf(draft, number, formats);
    }
    if (numberOf(next) !== next.versions.at(-1)?.number)
      return { law: 'versions are counted', message: String(numberOf(next)) };
    const words = draftWords(draft, shownRun(draft)).map((one) => one.text);
    const problem = draftProblem(draft, formats);
    for (const text of [draft.name, words.join(''), ...(problem === null ? [] : [problem])]) {
      // A sentence of the engine may list the alternatives.
      const fault = sentenceFault(text.slice(0, 600));
      if (fault) return fault;
    }
    draftText(draft);
  }
  return null;
}

/** A storage that holds one text under every name. */
function storageOf(text: string): TabStorage {
  let held: string | null = text;
  return {
    getItem: () => held,
    setItem(_, value) {
      held = value;
    },
    removeItem() {
      held = null;
    },
  };
}

async function runFault(text: string): Promise<Find | null> {
  const store = createStore(() => EMPTY_SESSION);
  const tab = browserRunStore(() => storageOf(text));
  const runStore = { ...tab, load: async () => [], save: async () => {} };
  const keeper = createKeptRuns({ store } as unknown as Parameters<typeof createKeptRuns>[0], runStore, async () => {});
  const runs = await keeper.load();
  for (const { reports } of runs) viewAll(reports);
  for (const problem of store.getState().problems) {
    const fault = sentenceFault(problem);
    if (fault) return fault;
  }
  return null;
}

function preferencesFault(text: string): Find | null {
  for (const stored of [text, text.slice(1, -1)]) {
    const { theme, origins } = createPreferences(() => storageOf(stored)).store.getState();
    if (!THEMES.includes(theme)) return { law: 'preferences are known ones', message: String(theme) };
    const odd = origins.find((origin) => new URL(origin).origin !== origin);
    if (odd !== undefined) return { law: 'preferences are known ones', message: odd };
  }
  return null;
}

function lessonsFault(text: string): Find | null {
  const storage = storageOf(text);
  const progress = createProgress(() => storage);
  progress.read('small-gaps', 4);
  progress.answer('small-gaps', 'entries 1', 4, true);
  for (const [lesson, { paragraph, furthest, answers }] of Object.entries(progress.store.getState())) {
    const isWhole = [paragraph, furthest].every((n) => Number.isInteger(n) && n >= 0);
    if (!isWhole) return { law: 'progress is counts', message: `${lesson}: ${paragraph}, ${furthest}` };
    const odd = Object.values(answers).find(({ tries }) => !Number.isInteger(tries) || tries < 1);
    if (odd) return { law: 'progress is counts', message: `${lesson}: ${JSON.stringify(odd)}` };
  }
  const again = createProgress(() => storage).store.getState();
  return alikeFault(progress.store.getState()['small-gaps'], again['small-gaps']);
}

function exercisesFault(text: string): Find | null {
  const storage = storageOf(text);
  const progress = createExerciseProgress(() => storage);
  progress.reached('1', { done: true, share: 0.9 });
  progress.reached('1', { done: true, share: 0.95 });
  for (const [exercise, { done, share }] of Object.entries(progress.store.getState())) {
    const isWhole = typeof done === 'boolean' && (share === null || (Number.isFinite(share) && share >= 0));
    if (!isWhole) return { law: 'progress is counts', message: `${exercise}: ${done}, ${share}` };
  }
  return alikeFault(progress.store.getState()['1'], createExerciseProgress(() => storage).store.getState()['1']);
}

/** Broken contents of a browser's storage. */
export const recordsTarget = storedTarget('records', 0.045, STORES);
