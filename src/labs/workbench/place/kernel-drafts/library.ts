import { createStore, type StoreApi } from 'zustand/vanilla';
import { DRAFT_BOUNDS } from '../../../../core/bounds/bounds.ts';
import { type DraftKind, frozen } from '../../library/draft.ts';
import { createDraftLibrary, type DraftLibrary } from '../../library/library.ts';
import type { DraftStore } from '../../library/store.ts';
import type { Session } from '../../../../state/session/session.ts';
import type { DraftRequest } from '../service/drafts/draft-types.ts';
import { type Draft, type DraftText, numberOf, originOf, type PortableDraft, sameText, withEntry } from './draft.ts';
import type { TryKernel } from './draft-runs.ts';
import { areParams, draftName } from './file.ts';
import { type DraftResult, emptyResult, MAX_POINTS, withEvent } from './result.ts';
import {
  aBoolean,
  aCount,
  aFiniteNumber,
  anObject,
  anyOf,
  aReportText,
  aText,
  type Check,
  check,
  checkCount,
  conforms,
  freeObject,
  listOf,
  mismatch,
  nullable,
  objectOf,
  oneOf,
  optional,
  type Path,
  recordOf,
  textUpTo,
} from '../../../../core/bounds/shapes.ts';
import { checkReports } from '../../../../core/reports/report-check.ts';

/** Per run: far more than the number of its matrices or messages. */
const MAX_LISTED = 1000;

const { word, length, files, overrides, versions } = DRAFT_BOUNDS;
const aWord = textUpTo(word);
/** Infinity and NaN are reported as well. */
const anyNumber = check('a number', (value) => typeof value === 'number');

/** An object with free names, each of at most a word. */
const named = (inner: Check, max: number, what: string): Check => {
  const all = recordOf(inner, freeObject(max, what));
  return (value, path) => {
    all(value, path);
    for (const name of Object.keys(value as object)) aWord(name, { to: path, key: name });
  };
};
const someFiles = named(aText, files, 'files');
const theFiles: Check = (value, path) => {
  someFiles(value, path);
  const letters = Object.values(value as DraftText['files']).reduce((sum, code) => sum + code.length, 0);
  checkCount(letters, length, 'letters', path);
};
const textFields = { files: theFiles, overrides: named(aFiniteNumber, overrides, 'overrides') };
const aVersion = objectOf({
  ...textFields,
  number: check('a whole number from 1', (value) => Number.isSafeInteger(value) && Number(value) >= 1),
  at: aWord,
  result: nullable(anObject),
});
const someVersions = listOf(aVersion, versions, 'versions');
const ascend = check('versions whose numbers ascend', (value) =>
  (value as Draft['versions']).every(({ number }, i, all) => i === 0 || number > all[i - 1].number),
);
const aDraft = objectOf({
  ...textFields,
  id: aWord,
  name: aText,
  kernel: aWord,
  params: check('parameters', areParams),
  from: oneOf('here', 'link', 'file'),
  changedAt: aWord,
  versions: (value: unknown, path: Path | null) => {
    someVersions(value, path);
    ascend(value, path);
  },
  start: optional(theFiles),
  exercise: optional(aWord),
});

const placeFields = { file: nullable(aReportText), line: aCount };
const aMessage = objectOf({
  ...placeFields,
  severity: oneOf('error', 'warning', 'info'),
  text: aText,
  column: aCount,
  length: aCount,
});
const aShown = anyOf('a number or a text', anyNumber, aReportText);
const someMap = objectOf({
  outputs: aCount,
  each: aCount,
  points: check('bytes', (points) => points instanceof Uint8Array),
});
const aMap: Check = (value, path) => {
  someMap(value, path);
  const { outputs, each, points } = value as { outputs: number; each: number; points: Uint8Array };
  const isWhole = each >= 1 && points.length <= MAX_POINTS && points.length === Math.ceil(outputs / each);
  if (!isWhole) throw mismatch(path, `${points.length} points`, `one for every ${each} of ${outputs} outputs`);
};
const aCheck = objectOf({
  stage: oneOf('checked'),
  matrix: aReportText,
  isOpenMatrix: aBoolean,
  rows: aCount,
  cols: aCount,
  place: aCount,
  of: aCount,
  ok: aBoolean,
  outputs: aCount,
  wrong: aCount,
  worstShare: anyNumber,
  first: listOf(
    objectOf({ output: aCount, got: aShown, expected: aShown, bound: aShown }),
    MAX_LISTED,
    'wrong outputs',
  ),
  guard: optional(aReportText),
  declined: nullable(aReportText),
  map: optional(aMap),
});
const aRatio = nullable(objectOf({ ratio: aFiniteNumber, p10: aFiniteNumber, p90: aFiniteNumber }));
const aTime = objectOf({
  who: oneOf('draft', 'original', 'reference'),
  kernel: aReportText,
  medianNs: aFiniteNumber,
  p10Ns: aFiniteNumber,
  p90Ns: aFiniteNumber,
  rounds: aCount,
  vsOriginal: aRatio,
  vsDense: aRatio,
  GBps: nullable(aFiniteNumber),
});
const aReport = check('a report', (value) => {
  try {
    return checkReports('a draft', [value]).length === 1;
  } catch {
    return false;
  }
});
const aResult = objectOf({
  messages: listOf(aMessage, MAX_LISTED, 'messages'),
  compiled: nullable(aBoolean),
  checks: listOf(aCheck, MAX_LISTED, 'checks'),
  budget: nullable(objectOf({ stopped: aBoolean, sentence: aReportText, loop: nullable(objectOf(placeFields)) })),
  timed: nullable(
    objectOf({
      rows: listOf(aTime, MAX_LISTED, 'times', 1),
      of: aCount,
      readBandwidthGBps: nullable(aFiniteNumber),
      clock: objectOf({ source: oneOf('timestamp-query', 'wall-clock'), quantumNs: aFiniteNumber }),
      report: optional(aReport),
    }),
  ),
  doing: nullable(objectOf({ what: aReportText, done: aFiniteNumber, total: aFiniteNumber })),
  ended: nullable(objectOf({ ok: aBoolean, sentence: aReportText })),
  on: aReportText,
  adapter: nullable(
    objectOf({ vendor: aReportText, architecture: aReportText, device: aReportText, description: aReportText }),
  ),
});

/**
 * The draft stored under a key in this browser; null if it is invalid, or incomplete. An unreadable result of a version is
 * dropped: its text stays and can be run again.
 */
export function checkedDraft(key: unknown, value: unknown): Draft | null {
  if (!conforms(value, aDraft)) return null;
  const draft = value as Draft;
  if (draft.id !== key) return null;
  return {
    ...draft,
    name: draftName(draft.name) || draft.kernel,
    versions: draft.versions.map((one) => (conforms(one.result, nullable(aResult)) ? one : { ...one, result: null })),
  };
}

export const KERNELS: DraftKind<DraftText, Draft> = {
  plural: 'drafts',
  maxVersions: DRAFT_BOUNDS.versions,
  textOf: ({ files, overrides }) => ({ files, overrides }),
  isSame: sameText,
  originOf,
  newVersion: { result: null },
  checked: checkedDraft,
};

interface VersionRun {
  readonly draft: string;
  readonly version: number;
  readonly cancel: () => void;
}

/** All drafts of kernels in this browser, and the current run. */
export interface KernelLibrary extends Omit<DraftLibrary<DraftText, Draft>, 'write'> {
  readonly running: StoreApi<VersionRun | null>;
  /** A new, unchanged draft of a kernel; returns its id. */
  begin(of: Pick<Draft, 'kernel' | 'name' | 'params'>): string;
  /** The draft that answers an exercise, initially `start`. Stored once it is changed or run. Returns its id. */
  answer(of: Pick<Draft, 'kernel' | 'name' | 'params'> & Required<Pick<Draft, 'start' | 'exercise'>>): string;
  /** Adds a draft by another person. Stored only once it is changed, renamed or run. Returns its id. */
  adopt(draft: PortableDraft, from: 'link' | 'file'): string;
  /** Sets the text of a file; null for the original. */
  write(id: string, path: string, code: string | null): void;
  /** Sets an override; null for the kernel's own value. */
  setOverride(id: string, name: string, value: number | null): void;
  rename(id: string, name: string): void;
  /** A copy under another name, with its history; returns its id. */
  duplicate(id: string): string | null;
  /** Runs the draft's text, which becomes a version. */
  run(id: string, what: Pick<DraftRequest, 'sizes' | 'time'> & { readonly on: string }): Promise<void>;
  /** Stops the run; results so far stay. */
  cancel(): void;
}

export interface KernelLibraryDependencies {
  readonly session: Pick<Session, 'store' | 'isBusy'>;
  readonly tryDraft: TryKernel<DraftRequest>;
  readonly kept: DraftStore<Draft>;
  /** unique, also across tabs */
  readonly newId: () => string;
  readonly now: () => Date;
}

export function createKernelLibrary({ session, tryDraft, kept, newId, now }: KernelLibraryDependencies): KernelLibrary {
  const drafts = createDraftLibrary(KERNELS, kept, now);
  const running = createStore<VersionRun | null>(() => null);
  const stamp = (): string => now().toISOString();
  let last: Promise<void> = Promise.resolve();

  const setResult = (id: string, version: number, how: (result: DraftResult | null) => DraftResult): void =>
    drafts.change(id, (draft) => ({
      ...draft,
      versions: draft.versions.map((one) => (one.number === version ? { ...one, result: how(one.result) } : one)),
    }));
  const added = (of: PortableDraft, from: Draft['from']): Draft => ({
    ...of,
    id: newId(),
    from,
    changedAt: stamp(),
    versions: [],
  });

  const library: KernelLibrary = {
    ...drafts,
    running,
    begin(of) {
      const draft = added({ ...of, files: {}, overrides: {} }, 'here');
      drafts.put(draft);
      return draft.id;
    },
    answer(of) {
      const known = drafts.store.getState().drafts.find(({ exercise }) => exercise === of.exercise);
      if (known) return known.id;
      const draft: Draft = added({ ...of, files: of.start, overrides: {} }, 'here');
      drafts.store.setState((state) => ({ drafts: [...state.drafts, draft] }));
      return draft.id;
    },
    adopt(of, from) {
      const same = drafts.store
        .getState()
        .drafts.find((draft) => draft.kernel === of.kernel && draft.name === of.name && sameText(draft, of));
      if (same) return same.id;
      const draft = added(of, from);
      drafts.store.setState((state) => ({ drafts: [draft, ...state.drafts] }));
      return draft.id;
    },
    write: (id, path, code) => drafts.write(id, { files: withEntry(drafts.find(id)?.files ?? {}, path, code) }),
    setOverride: (id, name, value) =>
      drafts.write(id, { overrides: withEntry(drafts.find(id)?.overrides ?? {}, name, value) }),
    rename: (id, name) => drafts.change(id, (draft) => ({ ...draft, name: draftName(name) || draft.name })),
    duplicate(id) {
      const draft = drafts.find(id);
      if (!draft) return null;
      const copy: Draft = { ...draft, id: newId(), name: draftName(`${draft.name} (copy)`), changedAt: stamp() };
      drafts.put(copy);
      return copy.id;
    },
    remove(id) {
      if (running.getState()?.draft === id) library.cancel();
      drafts.remove(id);
    },
    async run(id, { sizes, time, on }) {
      if (session.isBusy('run a draft')) return;
      library.cancel();
      // Its last events belong to its own version, which may be this one.
      await last;
      const found = drafts.find(id);
      if (!found) return;
      // A person who runs a draft has seen it, and is from now on its author.
      const draft: Draft = { ...frozen(KERNELS, found, stamp()), from: 'here', changedAt: stamp() };
      drafts.put(draft);
      const version = numberOf(draft);
      const { device } = session.store.getState();
      const start = emptyResult(on, device?.kind === 'ready' ? device.environment.adapter : null);
      setResult(id, version, () => start);
      const { kernel, params, files, overrides, name } = draft;
      const mark = { name, version };
      const { done, cancel } = tryDraft({ kernel, params, files, overrides, mark, sizes, time }, (event) => {
        setResult(id, version, (result) => withEvent(result ?? start, event));
      });
      const run: VersionRun = { draft: id, version, cancel };
      running.setState(run, true);
      last = done;
      await done;
      if (running.getState() === run) running.setState(null, true);
    },
    cancel() {
      running.getState()?.cancel();
    },
  };
  return library;
}
