import MiniSearch, { type Query } from 'minisearch';

/** What words find something by. */
export interface Findable {
  readonly title: string;
  /** other words for it, which are not shown; one between commas that is all of a query comes before others */
  readonly also?: string | undefined;
  /** what is said of it: these words find it where they name nothing */
  readonly about?: string | undefined;
  /** of two that fit alike, the one with the larger weight comes first; default: 1 */
  readonly weight?: number | undefined;
}

/** What a query finds, best first. */
export interface SearchResult<T> {
  /** those with all of its words in their titles, or in other words for them */
  readonly named: readonly T[];
  /** others, of which its words are said */
  readonly mentioned: readonly T[];
  /** those with some of its words, where nothing has all of them */
  readonly partly: readonly T[];
}

const NAMES = ['title', 'also'];
const ALL = [...NAMES, 'about'];

/** Words of questions that say nothing of what is asked. */
const SMALL = new Set(
  'a an and are at be by can do does for from how i in is it its me my of on or please show so that the there this to what when where which who why will with you your'.split(
    ' ',
  ),
);

/** Mistyped letters of a word: one of 4, two of 5 and more. Digits are taken as they are: a 4080 is no 4090. */
const MISTYPED = { max: 2, share: 0.34 };

/** Longer queries are cut: nothing is called by as many words. */
const MAX_CHARACTERS = 200;

/** Words in lower case; what a point or a colon joins is one: '3.1', '2:4'. */
function wordsIn(text: string): readonly string[] {
  const plain = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return plain.match(/[\p{L}\d]+(?:[.:][\p{L}\d]+)*/gu) ?? [];
}

/** One form for one thing and for several. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** The words of a query that say something; all of them where none does. */
export function queryWords(query: string): readonly string[] {
  const words = wordsIn(query.slice(0, MAX_CHARACTERS)).map(stem);
  const large = words.filter((word) => !SMALL.has(word));
  return large.length > 0 ? large : words;
}

/** Names are also found where the space between two words is left out: 'rtx4090'. */
function termsOf(text: string, field?: string): string[] {
  const words = wordsIn(text);
  return field === 'title' ? [...words, ...words.slice(1).map((word, i) => words[i] + word)] : [...words];
}

/**
 * A search of things by their words, in any order, each word as the beginning of one: `find('tok')` finds 'token'. Words
 * that nothing has may be mistyped. The same for every list of the page, so that whatever is found in one is found in all.
 */
export function finder<T>(things: readonly T[], wordsOf: (thing: T) => Findable): (query: string) => SearchResult<T> {
  const findables = things.map(wordsOf);
  const index = new MiniSearch<Findable & { readonly id: number }>({
    fields: ALL,
    tokenize: termsOf,
    processTerm: (word) => (SMALL.has(word) ? null : stem(word)),
  });
  index.addAll(findables.map((findable, id) => ({ ...findable, id })));
  const plain = (text: string): string => wordsIn(text).map(stem).join(' ');
  const titles = findables.map(({ title }) => plain(title));
  const aliases = findables.map(({ also = '' }) => new Set(also.split(',').map(plain)));

  return (query) => {
    const words = queryWords(query);
    const asked = words.join(' ');
    if (asked === '') return { named: [], mentioned: [], partly: [] };
    const look = (
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
        boost: { title: 3, also: 2 },
        boostDocument: (id: number) => findables[id].weight ?? 1,
      };
      const ids = index.search(options).map(({ id }): number => id);
      const rankOf = (id: number): number => (titles[id] === asked ? 0 : aliases[id].has(asked) ? 1 : 2);
      return ids.toSorted((one, other) => rankOf(one) - rankOf(other));
    };
    let named = look(NAMES, false);
    let all = look(ALL, false);
    if (all.length === 0) {
      named = look(NAMES, true);
      all = look(ALL, true);
    }
    const listed = (ids: readonly number[]): readonly T[] => ids.map((id) => things[id]);
    return {
      named: listed(named),
      mentioned: listed(all.filter((id) => !named.includes(id))),
      partly: all.length > 0 || words.length === 1 ? [] : listed(look(ALL, false, 'OR')),
    };
  };
}
