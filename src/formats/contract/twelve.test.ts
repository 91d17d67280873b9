import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { csrOf } from '../../../test/matrices.ts';
import { buildMatrix, matrixRecipe } from '../../../test/arbitraries.ts';
import { unnamedNumbers } from '../../../test/frames.ts';
import { cases } from '../../../test/scheduled.ts';
import { formatsWithStories, type FormatWithStory, traceOf } from '../../../test/stories.ts';
import { MODEL, type PlainText, textsOutsideFrames } from '../../../test/texts-outside-frames.ts';
import { DIAGONAL, type OneOfTwelve, TWELVE } from '../../../test/twelve.ts';
import { sizeShareOf, type StoredWhole } from '../../core/encoded/ledger.ts';
import { type AnyFormat, resolvedParams, storyParams } from '../../core/format.ts';
import { finish } from '../../core/job.ts';
import { type Matrix, type Region, rowBuffer, subMatrix } from '../../core/matrix/index.ts';
import type { FrameContext } from '../../story/frames.ts';
import { fact, type NamedFact, scoped, type Stated } from '../../core/text/stated.ts';
import { shareText } from '../../core/text/rounded.ts';
import { timelineOf } from '../../story/timeline.ts';
import { counted, countText } from '../../core/text/words.ts';
import { type FoundRegion, highlightSteps, tallySteps } from '../../engine/matrix/highlights.ts';
import { modelSize } from '../../kit/words/model-sizes.ts';
import { defaultWindow } from '../../state/index.ts';

/**
 * For twelve matrices, compares the frames of each story (in the window where it opens) with the texts about the whole matrix:
 * facts with the same name and scope must be equal everywhere, and every number must be a fact. Numbers in texts without facts
 * must equal these facts.
 */

const everyStory = await formatsWithStories();

/** Maximum number of cells of a matrix that is encoded here. */
const MAX_ENCODED_CELLS = 2 ** 20;

/** The texts about a matrix in a format, and the facts in them. */
interface Narrated {
  /** the window where the story opens */
  readonly region: Region;
  /** the facts of the whole matrix, as in the page's header */
  readonly facts: readonly NamedFact[];
  /** texts with their facts, by frame id (if the format supports the window), and for the header and Compare */
  readonly texts: ReadonlyMap<string, readonly Stated[]>;
  /** messages about texts without facts that contradict `facts` */
  readonly plainProblems: readonly string[];
  /** the texts of the marks of a frame's last picture */
  marksOf(frame: string): readonly string[];
}

/** The windows where the stories of formats without a preferred window open; the search runs once for a matrix. */
const openingRegions = new WeakMap<Matrix, FoundRegion | null>();

/** The window where a story opens; null if no window of the matrix has what the format looks for. */
function openingRegion({ highlight }: AnyFormat, m: Matrix, params: object): FoundRegion | null {
  const cached = highlight ? undefined : openingRegions.get(m);
  if (cached !== undefined) return cached;
  const region = finish(highlightSteps(m, highlight, params, null));
  if (!highlight) openingRegions.set(m, region);
  return region;
}

function narratedStory({ format, story }: FormatWithStory, m: Matrix): Narrated {
  const complete = resolvedParams(format.params, {}, m);
  const params = storyParams<object>(format.params, complete);
  const region = openingRegion(format, m, params)?.region ?? defaultWindow({ ...m, firstEntry: null });
  const tally = format.tally ? finish(tallySteps(m, format.tally(params, m))) : [];
  const isEncoded = m.rows * m.cols <= MAX_ENCODED_CELLS && format.admits(m, complete).ok;
  const encoded = isEncoded ? format.encode(m, complete) : null;
  const ledger = encoded && format.storage(encoded);
  const reason = encoded && format.sizeReason?.(encoded);
  const { rows, cols, nnz } = m;
  const wholeMatrix: StoredWhole | null = ledger && {
    rows,
    cols,
    nnz,
    params: complete,
    ledger,
    reason: reason?.text ?? null,
  };
  const share = ledger ? [fact('share of dense, the matrix', sizeShareOf(ledger))] : [];
  const outside = textsOutsideFrames(format, m, complete, encoded, params);
  const wholeFacts = [...share, ...(reason?.facts ?? []), ...tally].map((item) => ({
    ...item,
    scope: 'matrix' as const,
  }));
  const facts = [...wholeFacts, ...outside.facts];
  const factsOfTexts = [...outside.texts.values()].flat().flatMap((item) => item.facts);
  const plainProblems = contradictions(format.id, [...facts, ...factsOfTexts], outside.plain);
  const traceOfWindow = traceOf(story, subMatrix(m, region), params);
  if (!traceOfWindow) return { region, facts, texts: outside.texts, plainProblems, marksOf: () => [] };
  const trace = { ...traceOfWindow, origin: { row: region.row, col: region.col }, contents: 'anything' as const };
  const context: FrameContext = { layout: 'wide', wholeMatrix, wholeFacts, recordedTimes: null };
  const frames = timelineOf({ story, trace }).frames.flatMap(({ scriptFrame }) => scriptFrame ?? []);
  const textsOf = (frame: (typeof frames)[number]): readonly Stated[] => {
    const also = frame.also?.(context);
    return [frame.narration(context), ...(also ? [also] : []), ...(frame.question ? [frame.question.because] : [])];
  };
  return {
    region,
    facts,
    texts: new Map([...outside.texts, ...frames.map((frame) => [frame.id, textsOf(frame)] as const)]),
    plainProblems,
    marksOf: (id) => {
      const frame = frames.find((frame) => frame.id === id);
      const marks = frame?.draw(frame.moves.length - 1, context).marks ?? [];
      return marks.map(({ text, runs }) => runs?.map((run) => run.text).join('') ?? text ?? '');
    },
  };
}

/** A rule for texts without facts: a text that contains `about` must contain the expected text, which is made from facts. */
interface PlainTextRule {
  /** the id of the format */
  readonly of: string;
  readonly where: PlainText['where'];
  readonly about: string;
  expected(fact: (name: string) => number): string;
}

const PLAIN_TEXT_RULES: readonly PlainTextRule[] = [
  {
    of: 'macko',
    where: 'why',
    about: ' zero',
    expected: (fact) =>
      fact('padding') === 0
        ? 'no zero is stored'
        : `${shareText(fact('padding') / (fact('padding') + fact('non-zeros')))} of the entries are stored zeros`,
  },
  {
    of: 'macko',
    where: 'note',
    about: 'stored zero',
    expected: (fact) => counted(fact('padding'), 'stored zero'),
  },
  { of: 'twell', where: 'why', about: 'that fit', expected: (fact) => `that fit, up to ${fact('fullest tile')}.` },
  { of: 'twell', where: 'why', about: 'that fit', expected: (fact) => `${countText(fact('tiles that overflow'))} of ` },
  {
    of: 'slidesparse',
    where: 'why',
    about: 'pruning to',
    expected: (fact) => `${countText(fact('groups that are refused'))} of `,
  },
];

/** Messages about texts without facts that contain other numbers than the facts. */
function contradictions(id: string, facts: readonly NamedFact[], plainTexts: readonly PlainText[]): readonly string[] {
  const fact = (name: string): number => facts.find((fact) => fact.name === name)?.value ?? Number.NaN;
  const bytes = facts.find(({ name }) => name.startsWith('bytes of the matrix'));
  const modelRule = {
    of: id,
    where: 'model',
    about: `${MODEL} takes`,
    expected: () => `${MODEL} takes ${modelSize(bytes?.value ?? 0)}`,
  } as const;
  return plainTexts.flatMap(({ where, text }) =>
    [...PLAIN_TEXT_RULES, modelRule]
      .filter((rule) => rule.of === id && rule.where === where && text.includes(rule.about))
      .flatMap(({ expected }) =>
        text.includes(expected(fact)) ? [] : [`${where}: '${text}' does not contain '${expected(fact)}'`],
      ),
  );
}

/** Messages about facts with the same name and scope that differ, and about numbers that are no facts. */
function problemsOf({ facts, texts, plainProblems }: Narrated): string[] {
  const valueByKey = new Map<string, number>();
  const everyText = [...texts.values()].flat();
  const messages = [...plainProblems, ...everyText.flatMap(unnamedNumbers)];
  for (const { name, value, scope } of [...facts, ...everyText.flatMap((item) => scoped('cut', item).facts)]) {
    const key = `${scope}: ${name}`;
    const before = valueByKey.get(key) ?? value;
    if (Math.abs(before - value) > 1e-9 * Math.abs(value)) messages.push(`${key} is ${before} and ${value}`);
    valueByKey.set(key, before);
  }
  return messages;
}

const PAPERS = ['macko', 'ec-csr', 'twell', 'slidesparse'] as const;
type Paper = (typeof PAPERS)[number];

const storyOf = (id: string): FormatWithStory => {
  const found = everyStory.find(({ format }) => format.id === id);
  if (!found) throw new Error(`found no format ${id}`);
  return found;
};

/** An expectation about the story of a format: where it opens, or what one of its frames contains. */
interface Expectation {
  /** the id of the format */
  readonly of: Paper | 'csr' | 'hybrid';
  /** the window where the story opens */
  readonly region?: Partial<Region>;
  readonly frame?: string;
  /** one of the frame's texts */
  readonly text?: RegExp;
  /** texts of marks of the frame */
  readonly marks?: readonly string[];
}

const EXPECTATIONS: Readonly<Record<OneOfTwelve, readonly Expectation[]>> = {
  'five entries': [
    { of: 'macko', region: { row: 149, col: 0, rows: 5, cols: 400 } },
    {
      of: 'macko',
      frame: 'too far',
      text: /^\*Skip 15 and store a zero 24 times, then skip 14\*: together 398\.$/,
    },
    {
      of: 'macko',
      frame: 'too far',
      text: /^These 5 rows need 24 zeros for 1 weight, the whole matrix 61 for 5\.$/,
    },
    { of: 'macko', frame: 'too far', marks: ['row 149', '398', '352 empty', '22 more zeros'] },
    { of: 'macko', frame: 'zeros', marks: ['398 empty', 'row 149', '398', '399'] },
    { of: 'ec-csr', frame: 'nothing leaves', text: /^No columns of the matrix are in two rows\./ },
    { of: 'twell', frame: 'what ReLU leaves', text: /^Only \*2 of 160\* values here are not 0\.$/ },
    { of: 'slidesparse', frame: 'does not fit', text: /^\*No weights of the matrix slide on\*/ },
    { of: 'csr', region: { row: 0, col: 0 } },
  ],
  'one row': [
    { of: 'macko', region: { row: 0, rows: 1, cols: 32 } },
    { of: 'macko', frame: 'one list', text: /^The list, and where the row begins and ends: / },
    { of: 'ec-csr', frame: 'nothing leaves', text: /^One row has no partner\./ },
  ],
  'one column': [
    { of: 'macko', frame: 'too far', text: /^No skip of the matrix is longer than \*0\*, and 15 fit: no zero\.$/ },
    { of: 'ec-csr', frame: 'many numbers', text: /name only \*1 column\*\.$/ },
  ],
  diagonal: [
    { of: 'macko', region: { row: 4080, col: 0, rows: 1, cols: 4081 } },
    { of: 'macko', frame: 'too far', text: new RegExp(`the whole matrix ${DIAGONAL.zeros} for `) },
    { of: 'ec-csr', frame: 'nothing leaves', text: /^No columns of the matrix are in two rows\./ },
  ],
  'all ones': [
    { of: 'macko', frame: 'too far', text: /^No skip of the matrix is longer than \*0\*/ },
    { of: 'macko', frame: 'one list', text: /^Here it loses/ },
    { of: 'ec-csr', frame: 'largest block', text: /one list: \*32 numbers instead of 256\*\.$/ },
    { of: 'slidesparse', frame: 'neighbours', text: /^Row 0, columns 0 to 7 contain 8 weights: \*rejected\*/ },
  ],
  'planted blocks': [
    { of: 'ec-csr', region: { row: 0, rows: 8, cols: 32 } },
    {
      of: 'ec-csr',
      frame: 'largest block',
      text: /^Eight rows, one list: \*32 numbers instead of 256\*/,
    },
  ],
  'two of four': [
    {
      of: 'slidesparse',
      frame: 'does not fit',
      text: /^\*No weights of the matrix slide on\*: no window meets a third\.$/,
    },
  ],
  'six of eight': [{ of: 'slidesparse', frame: 'does not fit', text: /^The third weight \*does not fit\*/ }],
  'pattern of ones': [
    { of: 'macko', frame: 'first weight', text: /^Store 1 and its skip 0\./ },
    { of: 'twell', frame: 'what ReLU leaves', text: /values here are not 0\.$/ },
  ],
  'weights of a model': [
    {
      of: 'ec-csr',
      frame: 'first pair',
      text: /^Row \d+ pairs with row \d+, because they share \*\d+ columns\*\.$/,
    },
    { of: 'ec-csr', region: { rows: 8 } },
  ],
  'one tile overflows': [
    { of: 'twell', region: { row: 37 } },
    { of: 'twell', frame: 'one too many', text: /^Token 37, tile 20: \*five fired\*, three fit\./ },
    {
      of: 'twell',
      frame: 'one too many',
      text: /^In the whole matrix, 1 of 2\u202f048 tiles of 8 is too full\.$/,
    },
  ],
  'empty rows': [{ of: 'macko', frame: 'zeros', marks: ['row 1', 'row 2'] }],
};

describe.each(Object.entries(TWELVE))('%s', (name, make) => {
  /** The texts of each format, which all tests of a matrix share. */
  const narratedByFormat = new Map<FormatWithStory, Promise<Narrated>>();
  let matrix: Promise<Matrix> | undefined;
  const narratedOf = (storyOfFormat: FormatWithStory): Promise<Narrated> => {
    matrix ??= Promise.resolve(make());
    const narrated = narratedByFormat.get(storyOfFormat) ?? matrix.then((m) => narratedStory(storyOfFormat, m));
    narratedByFormat.set(storyOfFormat, narrated);
    return narrated;
  };

  afterAll(() => narratedByFormat.clear());

  it('frames contradict neither each other nor the texts about the matrix', async () => {
    for (const storyOfFormat of everyStory)
      expect(problemsOf(await narratedOf(storyOfFormat)), storyOfFormat.format.id).toEqual([]);
  });

  const expectations = EXPECTATIONS[name as OneOfTwelve];
  it.each(expectations.filter(({ region }) => region))('the story of $of opens at $region', async ({ of, region }) => {
    expect((await narratedOf(storyOf(of))).region).toMatchObject(region ?? {});
  });

  it.each(expectations.filter(({ frame }) => frame))(
    "frame '$frame' of $of contains $text $marks",
    async ({ of, frame = '', text, marks }) => {
      const narrated = await narratedOf(storyOf(of));
      const texts = (narrated.texts.get(frame) ?? []).map((stated) => stated.text);
      if (text) expect(texts).toContainEqual(expect.stringMatching(text));
      if (marks) expect(narrated.marksOf(frame)).toEqual(expect.arrayContaining([...marks]));
      expect(text || marks).toBeTruthy();
    },
  );
});

it('the hybrid format has texts about a matrix that TwELL rejects', () => {
  const m = TWELVE['one tile overflows']();
  const { texts } = narratedStory(storyOf('hybrid'), m);
  expect(texts.size).toBeGreaterThan(0);
});

/**
 * Counts the tallies of formats a second time, from the columns of each row. The numbers are those of the default
 * parameters: skips of up to 15 (4 bits), tiles of 8 columns with 3 slots, and groups of 8 columns with 6 weights.
 */
const COUNTED: Readonly<Record<string, (rows: readonly (readonly number[])[], cols: number) => number>> = {
  'non-zeros': (rows) => rows.flat().length,
  padding: (rows) => skipsOf(rows).reduce((sum, skip) => sum + Math.floor(skip / 16), 0),
  'longest skip of all': (rows) => Math.max(0, ...skipsOf(rows)),
  'columns of several rows': (rows, cols) =>
    Array.from({ length: cols }, (_, c) => rows.filter((row) => row.includes(c)).length).filter((n) => n > 1).length,
  'fullest tile': (rows) => Math.max(0, ...groupsOf(rows, 8).map(({ length }) => length)),
  'tiles that overflow': (rows) => groupsOf(rows, 8).filter(({ length }) => length > 3).length,
  tiles: (rows, cols) => rows.length * Math.ceil(cols / 8),
  'groups that are refused': (rows) => groupsOf(rows, 8).filter(({ length }) => length > 6).length,
  'groups with weights': (rows) => groupsOf(rows, 8).length,
  slides: (rows) =>
    groupsOf(rows, 8)
      .filter(({ length }) => length <= 6)
      .reduce((sum, group) => sum + slidesOf(group.map((c) => c % 8)), 0),
};

/** The number of zeros before each non-zero of a row. */
const skipsOf = (rows: readonly (readonly number[])[]): number[] =>
  rows.flatMap((row) => row.map((column, i) => column - (i === 0 ? 0 : row[i - 1] + 1)));

/** The non-empty groups of `width` columns of all rows, each as its columns. */
function groupsOf(rows: readonly (readonly number[])[], width: number): readonly (readonly number[])[] {
  return rows.flatMap((row) =>
    [...new Set(row.map((column) => Math.floor(column / width)))].map((group) =>
      row.filter((column) => Math.floor(column / width) === group),
    ),
  );
}

/** How often a weight of a 6:8 group slides on to the next of its three windows, each of which stores two weights. */
function slidesOf(group: readonly number[]): number {
  let remaining = group;
  let slides = 0;
  for (const start of [0, 2, 4]) {
    const covered = remaining.filter((c) => c >= start && c < start + 4);
    slides += Math.max(0, covered.length - 2);
    remaining = remaining.filter((c) => !covered.slice(0, 2).includes(c));
  }
  return slides;
}

/** Small matrices for which many texts do not apply. */
const SCARCE: Readonly<Record<string, () => Matrix>> = {
  'no entry': () => scarce(24, 40, 0, () => []),
  'one entry': () => scarce(24, 40, 1, (r) => (r === 7 ? [21] : [])),
  full: () => scarce(8, 24, 8 * 24, () => Array.from({ length: 24 }, (_, c) => c)),
  'one row': () => scarce(1, 300, 60, () => Array.from({ length: 60 }, (_, i) => 5 * i)),
  'one column': () => scarce(300, 1, 150, (r) => (r % 2 === 0 ? [0] : [])),
  'one cell': () => scarce(1, 1, 1, () => [0]),
  'only stored zeros': () => scarce(6, 20, 12, (r) => [r, 2 * r + 6], 0),
};

/** A matrix with `nnz` entries, all with the same value, in the columns that `columnsOf` returns for each row. */
function scarce(
  rows: number,
  cols: number,
  nnz: number,
  columnsOf: (row: number) => readonly number[],
  value = 1.5,
): Matrix {
  const columns = Array.from({ length: rows }, (_, r) => columnsOf(r));
  const indptr = Array.from({ length: rows + 1 }, (_, r) => columns.slice(0, r).flat().length);
  expect(indptr[rows]).toBe(nnz);
  return csrOf([rows, cols], indptr, columns.flat(), new Float32Array(nnz).fill(value));
}

it.each(Object.entries(SCARCE))('header, Compare and frames agree on %s', (_, make) => {
  const m = make();
  for (const storyOfFormat of everyStory) {
    const narrated = narratedStory(storyOfFormat, m);
    expect(problemsOf(narrated), storyOfFormat.format.id).toEqual([]);
    expect(narrated.texts.get('header'), storyOfFormat.format.id).toHaveLength(1);
  }
});

it('a text without facts that contradicts a fact is a problem', () => {
  const facts = [fact('padding', 3), fact('non-zeros', 9), fact('bytes of the matrix, macko', 30)];
  const contradictionsOf = (where: PlainText['where'], text: string): readonly string[] =>
    contradictions('macko', facts, [{ where, text }]);
  expect(
    contradictionsOf('why', '4 bits suffice for 75\u202f% of the skips; 25\u202f% of the entries are stored zeros.'),
  ).toEqual([]);
  expect(contradictionsOf('note', '4 stored zeros')).toEqual([
    `note: '4 stored zeros' does not contain '3 stored zeros'`,
  ]);
  expect(contradictionsOf('model', 'In MACKO One matrix takes 31 bytes.')).toHaveLength(1);
});

describe.each(everyStory)('$format.id on any matrix', (storyOfFormat) => {
  it('has texts without contradictions, and tallies that equal the counts of its cells', () => {
    fc.assert(
      fc.property(matrixRecipe(24, 130), (recipe) => {
        const m = buildMatrix({ ...recipe, values: 'small integers' });
        const narrated = narratedStory(storyOfFormat, m);
        expect(problemsOf(narrated)).toEqual([]);
        const buffer = rowBuffer(m.cols);
        const rows = Array.from({ length: m.rows }, (_, r) => [...buffer.columns.subarray(0, m.readRow(r, buffer))]);
        const counts = storyOfFormat.format.tally?.(
          storyParams(storyOfFormat.format.params, resolvedParams(storyOfFormat.format.params, {}, m)),
          m,
        );
        for (const { name } of counts?.facts() ?? [])
          expect(narrated.facts.find((item) => item.name === name)?.value, name).toBe(COUNTED[name](rows, m.cols));
      }),
      { numRuns: cases(12, 200) },
    );
  });
});
