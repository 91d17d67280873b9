/** What differs from the original kernel. */
export interface DraftText {
  /** the changed files alone, by their path below shaders/ */
  readonly files: Readonly<Record<string, string>>;
  /** overrides that have another value than the kernel's own, by name */
  readonly overrides: Readonly<Record<string, number>>;
}

/** A text that was run, with what came of it. */
export interface DraftVersion<Result> extends DraftText {
  /** from 1 */
  readonly number: number;
  /** ISO 8601: when it was run first */
  readonly at: string;
  /** of the last run; null where that was cut short before it had any */
  readonly result: Result | null;
}

/** A changed kernel with all its versions. Its own text is what is being written, which may be no version yet. */
export interface Draft<Result = unknown> extends DraftText {
  readonly id: string;
  readonly name: string;
  /** id of the kernel that it changes */
  readonly kernel: string;
  /** of the format: they choose some of the kernel's files */
  readonly params: Readonly<Record<string, unknown>>;
  /** link and file: written by somebody, until a person has run it */
  readonly from: 'here' | 'link' | 'file';
  /** ISO 8601 */
  readonly changedAt: string;
  /** ascending; the numbers of removed versions stay free */
  readonly versions: readonly DraftVersion<Result>[];
  /** files that it began with, where that was not the kernel as it is: those of an exercise */
  readonly start?: Readonly<Record<string, string>>;
  /** number of the exercise that it answers */
  readonly exercise?: string;
}

/** The text that a draft began with. */
export function originOf({ start }: Pick<Draft, 'start'>): DraftText {
  return { files: start ?? {}, overrides: {} };
}

/** A draft as it travels: without versions, and without a place in this browser. */
export type PortableDraft = Pick<Draft, 'name' | 'kernel' | 'params' | 'files' | 'overrides'>;

/** Whether two texts are the same. */
export function sameText(a: DraftText, b: DraftText): boolean {
  return sameRecord(a.files, b.files) && sameRecord(a.overrides, b.overrides);
}

function sameRecord(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && a[name] === b[name]);
}

/** The record with one entry more, or with one less where the value is null. */
export function withEntry<T>(
  record: Readonly<Record<string, T>>,
  name: string,
  value: T | null,
): Readonly<Record<string, T>> {
  if (value !== null) return { ...record, [name]: value };
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}

/** The version that has the text of the draft; null where none has. */
export function versionOf<R>(draft: Draft<R>): DraftVersion<R> | null {
  return draft.versions.findLast((version) => sameText(version, draft)) ?? null;
}

/** The number that the draft's text has, or would have as a version. */
export function numberOf(draft: Draft): number {
  return versionOf(draft)?.number ?? (draft.versions.at(-1)?.number ?? 0) + 1;
}

/** The draft with its text as its last version: the version that has it already, or one more. */
export function frozen<R>(draft: Draft<R>, at: string): Draft<R> {
  if (versionOf(draft)) return draft;
  const { files, overrides } = draft;
  return { ...draft, versions: [...draft.versions, { number: numberOf(draft), at, files, overrides, result: null }] };
}

/** The draft with the text of one of its versions, or of the original; what was being written becomes a version. */
export function restored<R>(draft: Draft<R>, number: number | null, at: string): Draft<R> {
  const origin = originOf(draft);
  const kept = sameText(draft, origin) ? draft : frozen(draft, at);
  const { files, overrides } = draft.versions.find((version) => version.number === number) ?? origin;
  return { ...kept, files, overrides };
}

/** Two states of the same draft, of two tabs maybe, as one: the later text, and the versions of both. */
export function merged<R>(stored: Draft<R>, mine: Draft<R>): Draft<R> {
  const own = new Set(mine.versions.map(({ at }) => at));
  const strange = stored.versions.filter(({ at }) => !own.has(at));
  if (strange.length === 0) return mine;
  const versions = [...mine.versions, ...strange].toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return { ...mine, versions: versions.map((version, i) => ({ ...version, number: i + 1 })) };
}
