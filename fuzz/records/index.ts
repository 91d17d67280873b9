import { createStore } from 'zustand/vanilla';
import { KEPT_DRAFT } from '../../test/drafts.ts';
import { REPORT, sweepReport } from '../../test/reports.ts';
import { ReadError } from '../../src/core/errors.ts';
import type { BenchReport } from '../../src/core/report.ts';
import type { Random } from '../../src/core/number/random.ts';
import { formats } from '../../src/formats/registry.ts';
import { readNote } from '../../src/labs/language/models/brought-models.ts';
import { BROUGHT_MODEL } from '../../src/labs/language/place/bring/fake-brought.ts';
import { aboutText } from '../../src/labs/language/place/bring/words.ts';
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
import { type Json, mutatedJson, smallerJson } from '../json.ts';
import { mutatedText, pick } from '../pieces.ts';
import { viewAll } from '../reports/views.ts';
import { defineTarget, type Find, SILENT_MS } from '../target.ts';
import { errorFault, sentenceFault } from '../words.ts';

/** A stored record as text: objects of IndexedDB are written as JSON here. */
interface RecordCase {
  readonly store: keyof typeof STORES;
  readonly text: string;
}

interface KnownStore {
  readonly whole: unknown;
  readonly check: (text: string) => Find | null | Promise<Find | null>;
}

const STORES = {
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
  note: { whole: BROUGHT_MODEL, check: noteFault },
  exercises: { whole: { 1: { done: true, share: 0.8 }, 2: { done: false, share: null } }, check: exercisesFault },
} satisfies Record<string, KnownStore>;

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

const HOSTILE: readonly ((random: Random) => Json)[] = [
  () => null,
  () => [],
  () => ({}),
  () => [null],
  () => true,
  (random) => pick(random, [0, -0, -1, 1, 0.5, 5e-324, 1e308, 2 ** 31, 2 ** 53, 1e21]),
  (random) =>
    pick(random, ['', 'NaN', 'here', 'csr/scratch', 'checked', '__proto__', 'toString', '1', '\u202e', '\u0000']),
  (random) => pick(random, ['x', '[', 'a b', '\ud800']).repeat(pick(random, [100, 10_000, 100_000])),
  (random) => Array.from({ length: pick(random, [3, 1000, 10_000]) }, () => pick(random, [0, null, 'x'])),
  (random) => Object.fromEntries(Array.from({ length: pick(random, [3, 1000, 10_000]) }, (_, i) => [`A${i}`, i])),
  (random) => {
    let nested: Json = 1;
    for (let i = pick(random, [3, 200, 3000]); i > 0; i--) nested = [nested];
    return nested;
  },
];

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  'null',
  '1e999',
  '-1',
  '\\u0000',
  '"__proto__":',
  '\u0000',
  '1',
  ' ',
];

function randomCase(random: Random): RecordCase {
  const store = pick(random, Object.keys(STORES) as (keyof typeof STORES)[]);
  const text = JSON.stringify(STORES[store].whole);
  if (random.below(5) === 0) return { store, text: mutatedText(random, text, PIECES) };
  return {
    store,
    text: JSON.stringify(mutatedJson(random, { whole: JSON.parse(text) as Json }, HOSTILE)).slice(9, -1),
  };
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

function noteFault(text: string): Find | null {
  let about;
  try {
    about = readNote(BROUGHT_MODEL.id, text);
  } catch (error) {
    return errorFault(error, ReadError);
  }
  aboutText(about);
  const { hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary, context } = about.config;
  const sizes = [hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary, context, heads / kvHeads];
  const isWhole = sizes.every((size) => Number.isInteger(size) && size > 0);
  const isText = [about.from, about.config.name, ...about.files].every((one) => typeof one === 'string');
  if (!isWhole || !isText) return { law: 'a note that is read is of a model', message: JSON.stringify(about) };
  return alikeFault(about, readNote(about.id, JSON.stringify(about)));
}

function alikeFault(expected: unknown, found: unknown): Find | null {
  const [a, b] = [JSON.stringify(expected), JSON.stringify(found)];
  return a === b ? null : { law: 'what is kept is read alike', message: `found ${b}, expected ${a}`.slice(0, 400) };
}

/** Broken contents of a browser's storage. */
export const recordsTarget = defineTarget<RecordCase>({
  id: 'records',
  unit: 'records',
  share: 0.05,
  limitMs: SILENT_MS,
  generate: randomCase,
  check: ({ store, text }) => STORES[store].check(text),
  *smaller({ store, text }) {
    for (const less of smallerJson(text)) yield { store, text: less };
  },
  toJson: (c) => c,
  fromJson(value) {
    const { store, text } = Object(value) as Partial<Record<keyof RecordCase, unknown>>;
    const known = (Object.keys(STORES) as (keyof typeof STORES)[]).find((name) => name === store);
    if (known === undefined)
      throw new RangeError(`store: found '${String(store)}', expected one of ${Object.keys(STORES).join(', ')}`);
    return { store: known, text: String(text) };
  },
});
