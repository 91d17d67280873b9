// The library of drafts of kernels in this browser: creating, editing, storing and running them.

import { createStore, type StoreApi } from 'zustand/vanilla';
import { DRAFT_BOUNDS } from '../../theory/bounds.ts';
import { type DraftKind, withCurrentVersion } from '../../library/versioned-draft.ts';
import { createDraftLibrary, type DraftLibrary } from '../../library/draft-library.ts';
import type { DraftStore } from '../../library/draft-store.ts';
import type { Session } from '../../../../src/state/index.ts';
import type { DraftRequest } from '../service/drafts/draft-types.ts';
import { type Draft, type DraftText, versionNumber, originOf, type PortableDraft, sameText } from './draft.ts';
import type { TryKernel } from './draft-runs.ts';
import { draftName } from './draft-file.ts';
import { type DraftResult, emptyResult, withEvent } from './draft-result.ts';
import { checkedDraft } from './stored-draft.ts';

/** What library/draft-library.ts needs to store drafts of kernels. */
export const KERNEL_DRAFTS: DraftKind<DraftText, Draft> = {
  plural: 'drafts',
  maxVersions: DRAFT_BOUNDS.versions,
  textOf: ({ files, overrides }) => ({ files, overrides }),
  isSame: sameText,
  originOf,
  newVersion: { result: null },
  checked: checkedDraft,
};

/** A run of a draft's version, in progress. `draft`: its id. */
interface VersionRun {
  readonly draft: string;
  readonly version: number;
  readonly cancel: () => void;
}

/** All drafts (changed copies) of kernels in this browser, and the run in progress. */
export interface KernelLibrary extends Omit<DraftLibrary<DraftText, Draft>, 'write'> {
  readonly currentRun: StoreApi<VersionRun | null>;
  /** A new, unchanged draft of a kernel; returns its id. */
  begin(kernel: Pick<Draft, 'kernel' | 'name' | 'params'>): string;
  /** The draft for an exercise, initially the files `start`. Stored once it is changed or run. Returns its id. */
  answer(exercise: Pick<Draft, 'kernel' | 'name' | 'params'> & Required<Pick<Draft, 'start' | 'exercise'>>): string;
  /** Adds another user's draft. Stored only once it is changed, renamed or run. Returns its id. */
  adopt(draft: PortableDraft, from: 'link' | 'file'): string;
  /** Sets the text of a file; null for the original. */
  write(id: string, path: string, code: string | null): void;
  /** Sets an override; null for the kernel's own value. */
  setOverride(id: string, name: string, value: number | null): void;
  rename(id: string, name: string): void;
  /** Copies a draft and its versions under another name; returns the copy's id. */
  duplicate(id: string): string | null;
  /** Runs the draft's text, which becomes a version. `on`: the open matrix, in words. */
  run(id: string, options: Pick<DraftRequest, 'sizes' | 'time'> & { readonly on: string }): Promise<void>;
  /** Stops the run; results so far stay. */
  cancel(): void;
}

/** What a kernel library depends on; `tryDraft` runs a draft in the worker. */
export interface KernelLibraryDependencies {
  readonly session: Pick<Session, 'store' | 'isBusy'>;
  readonly tryDraft: TryKernel<DraftRequest>;
  readonly storage: DraftStore<Draft>;
  /** unique, also across tabs */
  readonly newId: () => string;
  readonly now: () => Date;
}

/** A library of drafts of kernels, empty until it is loaded; one draft can run at a time. */
export function createKernelLibrary(dependencies: KernelLibraryDependencies): KernelLibrary {
  const { session, tryDraft, storage, newId, now } = dependencies;
  const drafts = createDraftLibrary(KERNEL_DRAFTS, storage, now);
  const currentRun = createStore<VersionRun | null>(() => null);
  const stamp = (): string => now().toISOString();
  /** resolves when the last run has ended */
  let lastRun: Promise<void> = Promise.resolve();

  const setResult = (id: string, version: number, update: (result: DraftResult | null) => DraftResult): void =>
    drafts.change(id, (draft) => ({
      ...draft,
      versions: draft.versions.map((stored) =>
        stored.number === version ? { ...stored, result: update(stored.result) } : stored,
      ),
    }));
  const newDraft = (text: PortableDraft, from: Draft['from']): Draft => ({
    ...text,
    id: newId(),
    from,
    changedAt: stamp(),
    versions: [],
  });

  const library: KernelLibrary = {
    ...drafts,
    currentRun,
    begin(kernel) {
      const draft = newDraft({ ...kernel, files: {}, overrides: {} }, 'here');
      drafts.put(draft);
      return draft.id;
    },
    answer(exercise) {
      const existing = drafts.store.getState().drafts.find((draft) => draft.exercise === exercise.exercise);
      if (existing) return existing.id;
      const draft: Draft = newDraft({ ...exercise, files: exercise.start, overrides: {} }, 'here');
      drafts.store.setState((state) => ({ drafts: [...state.drafts, draft] }));
      return draft.id;
    },
    adopt(portable, from) {
      const identicalDraft = drafts.store
        .getState()
        .drafts.find(
          ({ kernel, name, ...text }) =>
            kernel === portable.kernel && name === portable.name && sameText(text, portable),
        );
      if (identicalDraft) return identicalDraft.id;
      const draft = newDraft(portable, from);
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
      if (currentRun.getState()?.draft === id) library.cancel();
      drafts.remove(id);
    },
    async run(id, { sizes, time, on: matrixText }) {
      if (session.isBusy('run a draft')) return;
      library.cancel();
      // The stopped run may still add results to this version.
      await lastRun;
      const stored = drafts.find(id);
      if (!stored) return;
      // A user who runs a draft has seen its text, so it is stored from now on like the user's own drafts.
      const draft: Draft = { ...withCurrentVersion(KERNEL_DRAFTS, stored, stamp()), from: 'here', changedAt: stamp() };
      drafts.put(draft);
      const version = versionNumber(draft);
      const { device } = session.store.getState();
      const initialResult = emptyResult(matrixText, device?.kind === 'ready' ? device.environment.adapter : null);
      setResult(id, version, () => initialResult);
      const { kernel, params, files, overrides, name } = draft;
      const mark = { name, version };
      const { done, cancel } = tryDraft({ kernel, params, files, overrides, mark, sizes, time }, (event) => {
        setResult(id, version, (result) => withEvent(result ?? initialResult, event));
      });
      const run: VersionRun = { draft: id, version, cancel };
      currentRun.setState(run, true);
      lastRun = done;
      await done;
      if (currentRun.getState() === run) currentRun.setState(null, true);
    },
    cancel() {
      currentRun.getState()?.cancel();
    },
  };
  return library;
}

/** The record with an entry set, or removed if the value is null. */
function withEntry<T>(record: Readonly<Record<string, T>>, name: string, value: T | null): Readonly<Record<string, T>> {
  if (value !== null) return { ...record, [name]: value };
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}
