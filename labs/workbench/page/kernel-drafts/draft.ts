// Drafts of kernels: a kernel that the user changed, with its versions.

import { currentVersion, type VersionedDraft, type DraftVersion } from '../../library/versioned-draft.ts';
import type { DraftResult } from './draft-result.ts';

/** The text of a draft: its changes from the original kernel. */
export interface DraftText {
  /** changed files only, by path relative to shaders/ */
  readonly files: Readonly<Record<string, string>>;
  /** overrides that differ from the kernel's own, by name */
  readonly overrides: Readonly<Record<string, number>>;
}

/** A text that was run, with its result. */
interface KernelVersion extends DraftText, DraftVersion {
  /** of the last run; null if it ended before any result */
  readonly result: DraftResult | null;
}

/** A draft of a kernel: a user's changed copy, with all its versions. */
export interface Draft extends VersionedDraft<DraftText> {
  readonly name: string;
  /** id of the original kernel */
  readonly kernel: string;
  /** parameters of the format, which select some of the kernel's files */
  readonly params: Readonly<Record<string, unknown>>;
  /** where the draft comes from; 'link' and 'file' are untrusted until the user has run it */
  readonly from: 'here' | 'link' | 'file';
  readonly versions: readonly KernelVersion[];
  /** the files of the exercise with which the draft began; absent: it began with the kernel's */
  readonly start?: Readonly<Record<string, string>>;
}

/** The text with which a draft began: no changes, or the files of its exercise. */
export function originOf({ start }: Pick<Draft, 'start'>): DraftText {
  return { files: start ?? {}, overrides: {} };
}

/** A draft as a link or a file contains it: without versions or an id. */
export type PortableDraft = Pick<Draft, 'name' | 'kernel' | 'params' | 'files' | 'overrides'>;

/** Whether two texts are equal. */
export function sameText(a: DraftText, b: DraftText): boolean {
  return sameRecord(a.files, b.files) && sameRecord(a.overrides, b.overrides);
}

function sameRecord(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && a[name] === b[name]);
}

/** The version with the draft's text; null if there is none. */
export function versionOf(draft: Draft): KernelVersion | null {
  return currentVersion({ isSame: sameText }, draft);
}

/** The number of the draft's text as a version: the existing one, or the next. */
export function versionNumber(draft: Draft): number {
  return versionOf(draft)?.number ?? (draft.versions.at(-1)?.number ?? 0) + 1;
}
