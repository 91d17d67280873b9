/** When a text was kept as a version. */
export interface DraftVersion {
  /** from 1; the number of a version that went is not given again */
  readonly number: number;
  /** ISO 8601 */
  readonly at: string;
}

/** A text with its versions. Its own text is the working copy, which may not be a version yet. */
export type DraftOf<Text> = Text & {
  /** unique in its library */
  readonly id: string;
  /** ISO 8601 */
  readonly changedAt: string;
  /** ascending */
  readonly versions: readonly (Text & DraftVersion)[];
  /** the exercise that it answers */
  readonly exercise?: string;
};

/** What a library has to know of its drafts. `Text`: the fields that a draft shares with each of its versions. */
export interface DraftKind<Text, Draft extends DraftOf<Text>> {
  /** as sentences call them: 'formats' */
  readonly plural: string;
  readonly maxVersions: number;
  readonly textOf: (of: Text) => Text;
  readonly isSame: (a: Text, b: Text) => boolean;
  /** the text that it began with, to which it can always go back; null where only versions are kept */
  readonly originOf: (draft: Draft) => Text | null;
  /** what a version has besides its text before anything is known of it */
  readonly newVersion: object;
  /** the draft stored under a key; null for anything else */
  readonly checked: (key: unknown, value: unknown) => Draft | null;
}

/** The version that has the draft's text; null if none has. */
export function currentVersion<Text, Draft extends DraftOf<Text>>(
  { isSame }: Pick<DraftKind<Text, Draft>, 'isSame'>,
  draft: Draft,
): Draft['versions'][number] | null {
  return draft.versions.findLast((version) => isSame(version, draft)) ?? null;
}

/** The draft with its text as its last version, an existing one if the text is the same. */
export function frozen<Text, Draft extends DraftOf<Text>>(
  kind: DraftKind<Text, Draft>,
  draft: Draft,
  at: string,
): Draft {
  if (currentVersion(kind, draft)) return draft;
  const number = (draft.versions.at(-1)?.number ?? 0) + 1;
  const version = { number, at, ...kind.textOf(draft), ...kind.newVersion };
  return { ...draft, versions: [...draft.versions, version].slice(-kind.maxVersions) };
}

/** The draft with another text; its own becomes a version, unless that is what it began with. */
export function replaced<Text, Draft extends DraftOf<Text>>(
  kind: DraftKind<Text, Draft>,
  draft: Draft,
  text: Text,
  at: string,
): Draft {
  const origin = kind.originOf(draft);
  const kept = origin && kind.isSame(draft, origin) ? draft : frozen(kind, draft, at);
  return { ...kept, ...kind.textOf(text) };
}

/** Merges two states of a draft, from two tabs maybe: the text of `mine`, and the versions of both. */
export function merged<Text, Draft extends DraftOf<Text>>(
  { maxVersions }: Pick<DraftKind<Text, Draft>, 'maxVersions'>,
  stored: Draft,
  mine: Draft,
): Draft {
  const own = new Set(mine.versions.map(({ at }) => at));
  const all = [...mine.versions, ...stored.versions.filter(({ at }) => !own.has(at))]
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .slice(-maxVersions);
  if (all.every(({ at }) => own.has(at))) return mine;
  return { ...mine, versions: all.map((version, i) => ({ ...version, number: i + 1 })) };
}
