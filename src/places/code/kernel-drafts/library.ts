import { createStore, type StoreApi } from 'zustand/vanilla';
import { DRAFT_BOUNDS, REPORT_BOUNDS } from '../../../core/bounds/bounds.ts';
import { type DraftKind, frozen } from '../../../state/drafts/draft.ts';
import { createDraftLibrary, type DraftLibrary } from '../../../state/drafts/library.ts';
import type { DraftStore } from '../../../state/drafts/store.ts';
import type { Session } from '../../../state/session/session.ts';
import type { DraftRequest } from '../service/drafts/draft-types.ts';
import { type Draft, type DraftText, numberOf, originOf, type PortableDraft, sameText, withEntry } from './draft.ts';
import type { TryDraft } from './draft-runs.ts';
import { areParams, draftName } from './file.ts';
import { type DraftResult, emptyResult, MAX_POINTS, withEvent } from './result.ts';
import {
  type Check,
  hasAll,
  isCount,
  isEither,
  isListOf,
  isMaybe,
  isNull,
  isNumber,
  isOneOf,
  isOrNull,
  isRecord,
  isRecordOf,
  isText,
  isTextUpTo,
  isTruth,
} from '../../../state/checks.ts';
import { checkReports } from '../../../core/reports/report-check.ts';

/** Per run: far more than the matrices it tries or the messages it reports. */
const MAX_LISTED = 1000;

const { word, length, files, overrides, versions } = DRAFT_BOUNDS;
const isWord = isTextUpTo(word);
const isSentence = isTextUpTo(REPORT_BOUNDS.text);
/** Infinity and NaN are reported as well. */
const isAnyNumber: Check = (value) => typeof value === 'number';

const areFiles = (value: unknown): value is DraftText['files'] =>
  isRecordOf(isText, files, word)(value) &&
  Object.values(value as DraftText['files']).reduce((sum, code) => sum + code.length, 0) <= length;
const textFields = { files: areFiles, overrides: isRecordOf(isNumber, overrides, word) };
const isVersion = hasAll({
  ...textFields,
  number: (value) => isCount(value) && value !== 0,
  at: isWord,
  result: isOrNull(isRecord),
});
const ascend: Check = (value) =>
  (value as Draft['versions']).every(({ number }, i, all) => i === 0 || number > all[i - 1].number);
const isDraft = hasAll({
  ...textFields,
  id: isWord,
  name: isText,
  kernel: isWord,
  params: areParams,
  from: isOneOf('here', 'link', 'file'),
  changedAt: isWord,
  versions: (value) => isListOf(isVersion, { min: 0, max: versions })(value) && ascend(value),
  start: isMaybe(areFiles),
  exercise: isMaybe(isWord),
});

const placeFields = { file: isOrNull(isSentence), line: isCount };
const isMessage = hasAll({
  ...placeFields,
  severity: isOneOf('error', 'warning', 'info'),
  text: isText,
  column: isCount,
  length: isCount,
});
const isShown = isEither(isAnyNumber, isSentence);
const isMap: Check = (value) => {
  if (!hasAll({ outputs: isCount, each: isCount, points: (points) => points instanceof Uint8Array })(value))
    return false;
  const { outputs, each, points } = value as { outputs: number; each: number; points: Uint8Array };
  return each >= 1 && points.length <= MAX_POINTS && points.length === Math.ceil(outputs / each);
};
const isCheck = hasAll({
  stage: isOneOf('checked'),
  matrix: isSentence,
  isOpenMatrix: isTruth,
  rows: isCount,
  cols: isCount,
  place: isCount,
  of: isCount,
  ok: isTruth,
  outputs: isCount,
  wrong: isCount,
  worstShare: isAnyNumber,
  first: isListOf(hasAll({ output: isCount, got: isShown, expected: isShown, bound: isShown }), {
    min: 0,
    max: MAX_LISTED,
  }),
  guard: isMaybe(isSentence),
  declined: isOrNull(isSentence),
  map: isMaybe(isMap),
});
const isRatio = isOrNull(hasAll({ ratio: isNumber, p10: isNumber, p90: isNumber }));
const isTime = hasAll({
  who: isOneOf('draft', 'original', 'reference'),
  kernel: isSentence,
  medianNs: isNumber,
  p10Ns: isNumber,
  p90Ns: isNumber,
  rounds: isCount,
  vsOriginal: isRatio,
  vsDense: isRatio,
  GBps: isOrNull(isNumber),
});
const isReport: Check = (value) => {
  try {
    return checkReports('a draft', [value]).length === 1;
  } catch {
    return false;
  }
};
const isResult = hasAll({
  messages: isListOf(isMessage, { min: 0, max: MAX_LISTED }),
  compiled: isEither(isNull, isTruth),
  checks: isListOf(isCheck, { min: 0, max: MAX_LISTED }),
  budget: isOrNull(hasAll({ stopped: isTruth, sentence: isSentence, loop: isOrNull(hasAll(placeFields)) })),
  timed: isOrNull(
    hasAll({
      rows: isListOf(isTime, { max: MAX_LISTED }),
      of: isCount,
      readBandwidthGBps: isOrNull(isNumber),
      clock: hasAll({ source: isOneOf('timestamp-query', 'wall-clock'), quantumNs: isNumber }),
      report: isMaybe(isReport),
    }),
  ),
  doing: isOrNull(hasAll({ what: isSentence, done: isNumber, total: isNumber })),
  ended: isOrNull(hasAll({ ok: isTruth, sentence: isSentence })),
  on: isSentence,
  adapter: isOrNull(
    hasAll({ vendor: isSentence, architecture: isSentence, device: isSentence, description: isSentence }),
  ),
});

/**
 * The draft stored under a key in this browser; null if it is none, or incomplete. A version's result is dropped if it
 * cannot be read: its text survives and can be run again.
 */
export function checkedDraft(key: unknown, value: unknown): Draft | null {
  if (!isDraft(value)) return null;
  const draft = value as Draft;
  if (draft.id !== key) return null;
  return {
    ...draft,
    name: draftName(draft.name) || draft.kernel,
    versions: draft.versions.map((one) => (isOrNull(isResult)(one.result) ? one : { ...one, result: null })),
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

/** A version that is being run. */
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
  /** The draft that answers an exercise, beginning with `start`. Kept once it is changed or run. Returns its id. */
  answer(of: Pick<Draft, 'kernel' | 'name' | 'params'> & Required<Pick<Draft, 'start' | 'exercise'>>): string;
  /** A draft by somebody else. Kept only once it is changed, renamed or run. Returns its id. */
  adopt(draft: PortableDraft, from: 'link' | 'file'): string;
  /** Sets the text of a file; null for the original. */
  write(id: string, path: string, code: string | null): void;
  /** Sets an override; null for the kernel's own value. */
  setOverride(id: string, name: string, value: number | null): void;
  rename(id: string, name: string): void;
  /** A copy under another name, with its history; returns its id. */
  duplicate(id: string): string | null;
  /** Runs the draft's text, which thereby becomes a version. */
  run(id: string, what: Pick<DraftRequest, 'sizes' | 'time'> & { readonly on: string }): Promise<void>;
  /** Stops the run; results so far stay. */
  cancel(): void;
}

export interface KernelLibraryDependencies {
  readonly session: Pick<Session, 'store' | 'isBusy'>;
  readonly tryDraft: TryDraft;
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
      // A person who runs a draft has seen it: from now on it is theirs.
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
