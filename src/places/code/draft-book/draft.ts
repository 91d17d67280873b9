/** Changes from the original kernel. */
export interface DraftText {
  /** changed files only, by path relative to shaders/ */
  readonly files: Readonly<Record<string, string>>;
  /** overrides that differ from the kernel's own, by name */
  readonly overrides: Readonly<Record<string, number>>;
}

/** A text that was run, with its result. */
export interface DraftVersion<Result> extends DraftText {
  /** from 1 */
  readonly number: number;
  /** ISO 8601, first run */
  readonly at: string;
  /** of the last run; null if it was cut short before any result */
  readonly result: Result | null;
}

/** A changed kernel with all its versions. Its own text is the working copy, which may not be a version yet. */
export interface Draft<Result = unknown> extends DraftText {
  readonly id: string;
  readonly name: string;
  /** id of the original kernel */
  readonly kernel: string;
  /** parameters of the format, which select some of the kernel's files */
  readonly params: Readonly<Record<string, unknown>>;
  /** link and file: by somebody else, until a person has run it */
  readonly from: 'here' | 'link' | 'file';
  /** ISO 8601 */
  readonly changedAt: string;
  /** ascending; numbers of removed versions are not reused */
  readonly versions: readonly DraftVersion<Result>[];
  /** files it began with, if not the kernel's own: those of an exercise */
  readonly start?: Readonly<Record<string, string>>;
  /** number of the exercise that it answers */
  readonly exercise?: string;
}

/** The text that a draft began with. */
export function originOf({ start }: Pick<Draft, 'start'>): DraftText {
  return { files: start ?? {}, overrides: {} };
}

/** A draft as it is sent to others: without versions or an id. */
export type PortableDraft = Pick<Draft, 'name' | 'kernel' | 'params' | 'files' | 'overrides'>;

/** Whether two texts are the same. */
export function sameText(a: DraftText, b: DraftText): boolean {
  return sameRecord(a.files, b.files) && sameRecord(a.overrides, b.overrides);
}

function sameRecord(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && a[name] === b[name]);
}

/** The record with an entry added, or removed if the value is null. */
export function withEntry<T>(
  record: Readonly<Record<string, T>>,
  name: string,
  value: T | null,
): Readonly<Record<string, T>> {
  if (value !== null) return { ...record, [name]: value };
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}

/** The version that has the draft's text; null if none has. */
export function versionOf<R>(draft: Draft<R>): DraftVersion<R> | null {
  return draft.versions.findLast((version) => sameText(version, draft)) ?? null;
}

/** The number that the draft's text has as a version, or would get. */
export function numberOf(draft: Draft): number {
  return versionOf(draft)?.number ?? (draft.versions.at(-1)?.number ?? 0) + 1;
}

/** The draft with its text as its last version, an existing one if the text is the same. */
export function frozen<R>(draft: Draft<R>, at: string): Draft<R> {
  if (versionOf(draft)) return draft;
  const { files, overrides } = draft;
  return { ...draft, versions: [...draft.versions, { number: numberOf(draft), at, files, overrides, result: null }] };
}

/** The draft with the text of one of its versions, or of the original; unsaved text becomes a version. */
export function restored<R>(draft: Draft<R>, number: number | null, at: string): Draft<R> {
  const origin = originOf(draft);
  const kept = sameText(draft, origin) ? draft : frozen(draft, at);
  const { files, overrides } = draft.versions.find((version) => version.number === number) ?? origin;
  return { ...kept, files, overrides };
}

/** Merges two states of a draft, from two tabs maybe: the later text, and the versions of both. */
export function merged<R>(stored: Draft<R>, mine: Draft<R>): Draft<R> {
  const own = new Set(mine.versions.map(({ at }) => at));
  const strange = stored.versions.filter(({ at }) => !own.has(at));
  if (strange.length === 0) return mine;
  const versions = [...mine.versions, ...strange].toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return { ...mine, versions: versions.map((version, i) => ({ ...version, number: i + 1 })) };
}
