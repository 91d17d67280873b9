// Drafts with versions: texts of kernels and formats that the user edits, and the versions that are saved of them.

/** The number and time of a version of a stored text. */
export interface DraftVersion {
  /** from 1; no other version gets the number of a removed one, unless drafts are merged */
  readonly number: number;
  /** ISO 8601 */
  readonly at: string;
}

/** A text that the user edits, with its stored versions. The text may not be a version yet. */
export type VersionedDraft<Text> = Text & {
  /** unique in its library */
  readonly id: string;
  /** ISO 8601 */
  readonly changedAt: string;
  /** ascending */
  readonly versions: readonly (Text & DraftVersion)[];
  /** the exercise that it answers */
  readonly exercise?: string;
};

/** A kind of draft, such as kernels or formats. `Text`: the fields that a draft shares with each of its versions. */
export interface DraftKind<Text, Draft extends VersionedDraft<Text>> {
  /** name in messages: 'formats' */
  readonly plural: string;
  readonly maxVersions: number;
  readonly textOf: (source: Text) => Text;
  readonly isSame: (a: Text, b: Text) => boolean;
  /** its original text, which can always be restored; null if only versions are stored */
  readonly originOf: (draft: Draft) => Text | null;
  /** the properties of a new version besides its text */
  readonly newVersion: object;
  /** the draft stored under a key; null for anything else */
  readonly checked: (key: unknown, value: unknown) => Draft | null;
}

/** The version with the draft's text; null if there is none. */
export function currentVersion<Text, Draft extends VersionedDraft<Text>>(
  { isSame }: Pick<DraftKind<Text, Draft>, 'isSame'>,
  draft: Draft,
): Draft['versions'][number] | null {
  return draft.versions.findLast((version) => isSame(version, draft)) ?? null;
}

/** The draft with its text stored as its last version, made at time `at`, unless a version already has this text. */
export function withCurrentVersion<Text, Draft extends VersionedDraft<Text>>(
  kind: DraftKind<Text, Draft>,
  draft: Draft,
  at: string,
): Draft {
  if (currentVersion(kind, draft)) return draft;
  const number = (draft.versions.at(-1)?.number ?? 0) + 1;
  const version = { number, at, ...kind.textOf(draft), ...kind.newVersion };
  return { ...draft, versions: [...draft.versions, version].slice(-kind.maxVersions) };
}

/** The draft with another text; the previous one becomes a version, unless it is the original. */
export function withText<Text, Draft extends VersionedDraft<Text>>(
  kind: DraftKind<Text, Draft>,
  draft: Draft,
  text: Text,
  at: string,
): Draft {
  const origin = kind.originOf(draft);
  const previous = origin && kind.isSame(draft, origin) ? draft : withCurrentVersion(kind, draft, at);
  return { ...previous, ...kind.textOf(text) };
}

/** Merges two states of a draft, perhaps from two tabs: the text of `mine`, and the versions of both, renumbered. */
export function mergedDraft<Text, Draft extends VersionedDraft<Text>>(
  { maxVersions }: Pick<DraftKind<Text, Draft>, 'maxVersions'>,
  stored: Draft,
  mine: Draft,
): Draft {
  const times = new Set(mine.versions.map(({ at }) => at));
  const versions = [...mine.versions, ...stored.versions.filter(({ at }) => !times.has(at))]
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .slice(-maxVersions);
  if (versions.every(({ at }) => times.has(at))) return mine;
  return { ...mine, versions: versions.map((version, i) => ({ ...version, number: i + 1 })) };
}
