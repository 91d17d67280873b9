import MiniSearch, { type Query } from 'minisearch';

/** The words by which a search finds a thing, and its weight. */
export interface Findable {
  readonly title: string;
  /** other words for it, not shown; a phrase between commas that equals the whole query ranks first */
  readonly searchWords?: string | undefined;
  /** its description: these words find it if no name matches */
  readonly description?: string | undefined;
  /** of two equal matches, the one with the larger weight comes first; default: 1 */
  readonly weight?: number | undefined;
}

/** What a search has found, best first. */
export interface SearchResult<T> {
  /** those whose titles, or other words for them, contain every word */
  readonly named: readonly T[];
  /** others, whose description contains the words */
  readonly mentioned: readonly T[];
  /** those that contain some of the words, if none contains all */
  readonly partly: readonly T[];
}

const NAME_FIELDS = ['title', 'searchWords'];
const ALL_FIELDS = [...NAME_FIELDS, 'description'];

/** Words of questions that do not describe what is searched. */
const STOP_WORDS = new Set(
  'a an and are at be by can do does for from how i in is it its me my of on or please show so that the there this to what when where which who why will with you your'.split(
    ' ',
  ),
);

/** Tolerated typing errors: one in a word of 4 letters, two in longer words. Digits must match: a 4080 is no 4090. */
const MISTYPED = { max: 2, share: 0.34 };

/** Longer queries are shortened: no name is longer. */
const MAX_CHARACTERS = 200;

/** Words in lower case; a point or a colon joins a word: '3.1', '2:4'. */
function wordsIn(text: string): readonly string[] {
  const plain = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return plain.match(/[\p{L}\d]+(?:[.:][\p{L}\d]+)*/gu) ?? [];
}

/** A word without the s of its plural. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** The meaningful words of a query; all of them if none is. */
export function queryWords(query: string): readonly string[] {
  const words = wordsIn(query.slice(0, MAX_CHARACTERS)).map(stem);
  const meaningful = words.filter((word) => !STOP_WORDS.has(word));
  return meaningful.length > 0 ? meaningful : words;
}

/** The words of a text; in titles also each two neighbours as one word, so that 'rtx4090' finds 'RTX 4090'. */
function termsOf(text: string, field?: string): string[] {
  const words = wordsIn(text);
  return field === 'title' ? [...words, ...words.slice(1).map((word, i) => words[i] + word)] : [...words];
}

/** A search for words in any order, or their beginnings: 'tok' finds 'token'. All lists of the page use this search. */
export function wordSearch<T>(
  things: readonly T[],
  wordsOf: (thing: T) => Findable,
): (query: string) => SearchResult<T> {
  const findables = things.map(wordsOf);
  const index = new MiniSearch<Findable & { readonly id: number }>({
    fields: ALL_FIELDS,
    tokenize: termsOf,
    processTerm: (word) => (STOP_WORDS.has(word) ? null : stem(word)),
  });
  index.addAll(findables.map((findable, id) => ({ ...findable, id })));
  const plain = (text: string): string => wordsIn(text).map(stem).join(' ');
  const titles = findables.map(({ title }) => plain(title));
  const aliases = findables.map(({ searchWords = '' }) => new Set(searchWords.split(',').map(plain)));

  return (query) => {
    const words = queryWords(query);
    const phrase = words.join(' ');
    if (phrase === '') return { named: [], mentioned: [], partly: [] };
    const idsOf = (
      fields: readonly string[],
      mistyped: boolean,
      combineWith: 'AND' | 'OR' = 'AND',
    ): readonly number[] => {
      const options: Query = {
        combineWith,
        queries: [...words],
        fields: [...fields],
        tokenize: (word) => [word],
        processTerm: (word) => word,
        prefix: true,
        fuzzy: (word) => mistyped && /^\p{L}{4,}$/u.test(word) && MISTYPED.share,
        maxFuzzy: MISTYPED.max,
        boost: { title: 3, searchWords: 2 },
        boostDocument: (id: number) => findables[id].weight ?? 1,
      };
      const ids = index.search(options).map(({ id }): number => id);
      const rankOf = (id: number): number => (titles[id] === phrase ? 0 : aliases[id].has(phrase) ? 1 : 2);
      return ids.toSorted((one, other) => rankOf(one) - rankOf(other));
    };
    let named = idsOf(NAME_FIELDS, false);
    let all = idsOf(ALL_FIELDS, false);
    if (all.length === 0) {
      named = idsOf(NAME_FIELDS, true);
      all = idsOf(ALL_FIELDS, true);
    }
    const listed = (ids: readonly number[]): readonly T[] => ids.map((id) => things[id]);
    return {
      named: listed(named),
      mentioned: listed(all.filter((id) => !named.includes(id))),
      partly: all.length > 0 || words.length === 1 ? [] : listed(idsOf(ALL_FIELDS, false, 'OR')),
    };
  };
}
