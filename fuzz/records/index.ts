// Fuzz target for the browser's storage: broken records are read without errors.

import { createStore } from 'zustand/vanilla';
import { REPORT, sweepReport } from '../../test/reports.ts';
import type { BenchReport } from '../../src/core/report.ts';
import {
  createSavedRuns,
  createPreferences,
  THEMES,
  reportsToJson,
  browserRunStore,
  EMPTY_SESSION,
} from '../../src/state/index.ts';
import { createProgress } from '../../src/lessons/progress.ts';
import { viewAll } from '../reports/views.ts';
import type { Fault } from '../target.ts';
import { messageFault } from '../words.ts';
import { differenceFault, type KnownStore, storageOf, storedTarget } from './stored.ts';

/** For each store of the browser: valid contents, which the fuzzer mutates, and the check of the mutated text. */
const STORES: Readonly<Record<string, KnownStore>> = {
  run: { valid: savedRun([REPORT]), check: runFault },
  sweep: { valid: savedRun([sweepReport(0.1, 2), sweepReport(0.3, 1.4)]), check: runFault },
  theme: { valid: 'dark', check: preferencesFault },
  origins: { valid: ['https://huggingface.co', 'https://example.org:8080'], check: preferencesFault },
  lessons: {
    valid: {
      'small-gaps': {
        paragraph: 3,
        furthest: 5,
        answers: { 'entries 1': { answer: 4, right: false, solved: true, tries: 2, idea: 'all-rows' } },
      },
    },
    check: lessonsFault,
  },
};

/** A run as the browser stores it, with these reports. */
function savedRun(reports: readonly BenchReport[]): unknown {
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

/** Reads a saved run, renders its reports, and returns the first fault in the messages of problems. */
async function runFault(text: string): Promise<Fault | null> {
  const store = createStore(() => EMPTY_SESSION);
  const tabStore = browserRunStore(() => storageOf(text));
  // The interrupted run of the tab is read from the text; IndexedDB, which has the other runs, is empty.
  const runStore = { ...tabStore, load: async () => [], save: async () => {} };
  const savedRuns = createSavedRuns(
    { store } as unknown as Parameters<typeof createSavedRuns>[0],
    runStore,
    async () => {},
  );
  const runs = await savedRuns.load();
  for (const { reports } of runs) viewAll(reports);
  for (const problem of store.getState().problems) {
    const fault = messageFault(problem);
    if (fault) return fault;
  }
  return null;
}

/** Reads the theme and the allowed origins, also from a text without its quotes or brackets. */
function preferencesFault(text: string): Fault | null {
  for (const stored of [text, text.slice(1, -1)]) {
    const { theme, origins } = createPreferences(() => storageOf(stored)).store.getState();
    if (!THEMES.includes(theme)) return { law: 'a stored preference is a valid value', message: String(theme) };
    const invalidOrigin = origins.find((origin) => new URL(origin).origin !== origin);
    if (invalidOrigin !== undefined) return { law: 'a stored preference is a valid value', message: invalidOrigin };
  }
  return null;
}

/** Reads the progress of lessons, answers one question, and compares the progress with that of a second reading. */
function lessonsFault(text: string): Fault | null {
  const storage = storageOf(text);
  const progress = createProgress(() => storage);
  progress.read('small-gaps', 4);
  progress.answer('small-gaps', 'entries 1', 4, true);
  for (const [lesson, { paragraph, answers }] of Object.entries(progress.store.getState())) {
    const isCount = Number.isInteger(paragraph) && paragraph >= 0;
    if (!isCount) return { law: 'progress consists of counts', message: `${lesson}: ${paragraph}` };
    const invalidAnswer = Object.values(answers).find(({ tries }) => !Number.isInteger(tries) || tries < 1);
    if (invalidAnswer)
      return { law: 'progress consists of counts', message: `${lesson}: ${JSON.stringify(invalidAnswer)}` };
  }
  const reread = createProgress(() => storage).store.getState();
  return differenceFault(progress.store.getState()['small-gaps'], reread['small-gaps']);
}

/** Broken contents of a browser's storage. */
export const recordsTarget = storedTarget('records', 0.03, STORES);
