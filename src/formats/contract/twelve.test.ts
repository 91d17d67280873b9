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
import { type RegionRequest, highlightSteps, tallySteps } from '../../engine/matrix/highlights.ts';
import { modelSize } from '../../kit/words/model-sizes.ts';
import { defaultWindow } from '../../state/index.ts';

/**
 * For twelve matrices, compares the frames of each story (in the window where it opens) with the texts about the whole matrix:
 * facts with the same name and scope must be equal everywhere, and every number must be a fact. Numbers in texts without facts
 * must equal these facts.
 */

const everyStory = await formatsWithStories();

/** Maximum number of cells of a matrix that is encoded here. */
const ENCODED = 2 ** 20;

interface Narrated {
  readonly cut: Region;
  readonly hasCase: boolean;
  /** of the whole matrix, as the page's header has them */
  readonly facts: readonly NamedFact[];
  /** by frame, where the window is not rejected; and by header and Compare */
  readonly output: ReadonlyMap<string, readonly Stated[]>;
  readonly plain: readonly string[];
  /** the picture at which a frame rests, by the labels and words of its marks */
  words(frame: string): readonly string[];
}

/** Where the stories of formats without a preferred window open: the search runs once for a matrix. */
const opened = new WeakMap<Matrix, RegionRequest | null>();

function opening({ highlight }: AnyFormat, m: Matrix, params: object): RegionRequest | null {
  const known = highlight ? undefined : opened.get(m);
  if (known !== undefined) return known;
  const cut = finish(highlightSteps(m, highlight, params, null));
  if (!highlight) opened.set(m, cut);
  return cut;
}

function narratedStory({ format, story }: FormatWithStory, m: Matrix): Narrated {
  const complete = resolvedParams(format.params, {}, m);
  const params = storyParams<object>(format.params, complete);
  const found = opening(format, m, params);
  const cut = found?.region ?? defaultWindow({ ...m, firstEntry: null });
  const tally = format.tally ? finish(tallySteps(m, format.tally(params, m))) : [];
  const isStored = m.rows * m.cols <= ENCODED && format.admits(m, complete).ok;
  const encoded = isStored ? format.encode(m, complete) : null;
  const ledger = encoded && format.storage(encoded);
  const reason = encoded && format.sizeReason?.(encoded);
  const { rows, cols, nnz } = m;
  const whole: StoredWhole | null = ledger && {
    rows,
    cols,
    nnz,
    params: complete,
    ledger,
    reason: reason?.text ?? null,
  };
  const share = ledger ? [fact('share of dense, the matrix', sizeShareOf(ledger))] : [];
  const next = textsOutsideFrames(format, m, complete, encoded, params);
  const ofWhole = [...share, ...(reason?.facts ?? []), ...tally];
  const facts = ofWhole.map((item) => ({ ...item, scope: 'matrix' as const }));
  const otherFacts = [...next.texts.values()].flat().flatMap((item) => item.facts);
  const plain = misread(format.id, [...facts, ...next.facts, ...otherFacts], next.plain);
  const window = subMatrix(m, cut);
  const traced = traceOf(story, window, params);
  if (!traced)
    return {
      cut,
      hasCase: found?.hasCase ?? false,
      facts: [...facts, ...next.facts],
      output: next.texts,
      plain,
      words: () => [],
    };
  const trace = { ...traced, origin: { row: cut.row, col: cut.col }, contents: 'anything' as const };
  const context: FrameContext = { layout: 'wide', whole, wholeFacts: facts, recordedTimes: null };
  const frames = timelineOf({ story, trace }).frames.flatMap(({ scriptFrame }) => scriptFrame ?? []);
  const textsOf = (frame: (typeof frames)[number]): readonly Stated[] => {
    const also = frame.also?.(context);
    return [frame.narration(context), ...(also ? [also] : []), ...(frame.question ? [frame.question.because] : [])];
  };
  return {
    cut,
    hasCase: found?.hasCase ?? false,
    facts: [...facts, ...next.facts],
    output: new Map([...next.texts, ...frames.map((frame) => [frame.id, textsOf(frame)] as const)]),
    plain,
    words: (id) => {
      const frame = frames.find((frame) => frame.id === id);
      const marks = frame?.draw(frame.moves.length - 1, context).marks ?? [];
      return marks.map(({ text, runs }) => runs?.map((run) => run.text).join('') ?? text ?? '');
    },
  };
}

/** A rule for texts without facts: a text that contains `about` must match the expected text, which has facts of the matrix. */
interface Reading {
  readonly of: string;
  readonly where: PlainText['where'];
  readonly about: string;
  expected(fact: (name: string) => number): string;
}

const READINGS: readonly Reading[] = [
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

/** The texts that contain something else. */
function misread(id: string, facts: readonly NamedFact[], plain: readonly PlainText[]): readonly string[] {
  const fact = (name: string): number => facts.find((fact) => fact.name === name)?.value ?? Number.NaN;
  const bytes = facts.find(({ name }) => name.startsWith('bytes of the matrix'));
  const ofModel = {
    of: id,
    where: 'model',
    about: `${MODEL} takes`,
    expected: () => `${MODEL} takes ${modelSize(bytes?.value ?? 0)}`,
  } as const;
  return plain.flatMap(({ where, text }) =>
    [...READINGS, ofModel]
      .filter((one) => one.of === id && one.where === where && text.includes(one.about))
      .flatMap(({ expected: says }) =>
        text.includes(says(fact)) ? [] : [`${where}: '${text}' does not contain '${says(fact)}'`],
      ),
  );
}

/** Facts of one name and scope that differ, and numbers that are no facts. */
function problemsOf({ facts, output, plain }: Narrated): string[] {
  const known = new Map<string, number>();
  const all = [...output.values()].flat();
  const wrong = [...plain, ...all.flatMap(unnamedNumbers)];
  for (const { name, value, scope } of [...facts, ...all.flatMap((item) => scoped('cut', item).facts)]) {
    const key = `${scope}: ${name}`;
    const before = known.get(key) ?? value;
    if (Math.abs(before - value) > 1e-9 * Math.abs(value)) wrong.push(`${key} is ${before} and ${value}`);
    known.set(key, before);
  }
  return wrong;
}

const PAPERS = ['macko', 'ec-csr', 'twell', 'slidesparse'] as const;
type Paper = (typeof PAPERS)[number];

const storyOf = (id: string): FormatWithStory => {
  const found = everyStory.find(({ format }) => format.id === id);
  if (!found) throw new Error(`found no format ${id}`);
  return found;
};

/** What must be visible: where a story opens, and a part of a frame's text. */
interface Seen {
  readonly of: Paper | 'csr' | 'hybrid';
  readonly cut?: Partial<Region>;
  readonly frame?: string;
  readonly expected?: RegExp;
  readonly shows?: readonly string[];
}

const MUST: Readonly<Record<OneOfTwelve, readonly Seen[]>> = {
  'five entries': [
    { of: 'macko', cut: { row: 149, col: 0, rows: 5, cols: 400 } },
    {
      of: 'macko',
      frame: 'too far',
      expected: /^\*Skip 15 and store a zero 24 times, then skip 14\*: together 398\.$/,
    },
    {
      of: 'macko',
      frame: 'too far',
      expected: /^These 5 rows need 24 zeros for 1 weight, the whole matrix 61 for 5\.$/,
    },
    { of: 'macko', frame: 'too far', shows: ['row 149', '398', '352 empty', '22 more zeros'] },
    { of: 'macko', frame: 'zeros', shows: ['398 empty', 'row 149', '398', '399'] },
    { of: 'ec-csr', frame: 'nothing leaves', expected: /^No columns of the matrix are in two rows\./ },
    { of: 'twell', frame: 'what ReLU leaves', expected: /^Only \*2 of 160\* values here are not 0\.$/ },
    { of: 'slidesparse', frame: 'does not fit', expected: /^\*No weights of the matrix slide on\*/ },
    { of: 'csr', cut: { row: 0, col: 0 } },
  ],
  'one row': [
    { of: 'macko', cut: { row: 0, rows: 1, cols: 32 } },
    { of: 'macko', frame: 'one list', expected: /^The list, and where the row begins and ends: / },
    { of: 'ec-csr', frame: 'nothing leaves', expected: /^One row has no partner\./ },
  ],
  'one column': [
    { of: 'macko', frame: 'too far', expected: /^No skip of the matrix is longer than \*0\*, and 15 fit: no zero\.$/ },
    { of: 'ec-csr', frame: 'many numbers', expected: /name only \*1 column\*\.$/ },
  ],
  diagonal: [
    { of: 'macko', cut: { row: 4080, col: 0, rows: 1, cols: 4081 } },
    { of: 'macko', frame: 'too far', expected: new RegExp(`the whole matrix ${DIAGONAL.zeros} for `) },
    { of: 'ec-csr', frame: 'nothing leaves', expected: /^No columns of the matrix are in two rows\./ },
  ],
  'all ones': [
    { of: 'macko', frame: 'too far', expected: /^No skip of the matrix is longer than \*0\*/ },
    { of: 'macko', frame: 'one list', expected: /^Here it loses/ },
    { of: 'ec-csr', frame: 'largest block', expected: /one list: \*32 numbers instead of 256\*\.$/ },
    { of: 'slidesparse', frame: 'neighbours', expected: /^Row 0, columns 0 to 7 contain 8 weights: \*rejected\*/ },
  ],
  'planted blocks': [
    { of: 'ec-csr', cut: { row: 0, rows: 8, cols: 32 } },
    {
      of: 'ec-csr',
      frame: 'largest block',
      expected: /^Eight rows, one list: \*32 numbers instead of 256\*/,
    },
  ],
  'two of four': [
    {
      of: 'slidesparse',
      frame: 'does not fit',
      expected: /^\*No weights of the matrix slide on\*: no window meets a third\.$/,
    },
  ],
  'six of eight': [{ of: 'slidesparse', frame: 'does not fit', expected: /^The third weight \*does not fit\*/ }],
  'pattern of ones': [
    { of: 'macko', frame: 'first weight', expected: /^Store 1 and its skip 0\./ },
    { of: 'twell', frame: 'what ReLU leaves', expected: /values here are not 0\.$/ },
  ],
  'weights of a model': [
    {
      of: 'ec-csr',
      frame: 'first pair',
      expected: /^Row \d+ pairs with row \d+, because they share \*\d+ columns\*\.$/,
    },
    { of: 'ec-csr', cut: { rows: 8 } },
  ],
  'one tile overflows': [
    { of: 'twell', cut: { row: 37 } },
    { of: 'twell', frame: 'one too many', expected: /^Token 37, tile 20: \*five fired\*, three fit\./ },
    {
      of: 'twell',
      frame: 'one too many',
      expected: /^In the whole matrix, 1 of 2\u202f048 tiles of 8 is too full\.$/,
    },
  ],
  'empty rows': [{ of: 'macko', frame: 'zeros', shows: ['row 1', 'row 2'] }],
};

describe.each(Object.entries(TWELVE))('%s', (name, make) => {
  const must = MUST[name as OneOfTwelve];
  /** By format: read once for all tests of a matrix. */
  const found = new Map<FormatWithStory, Promise<Narrated>>();
  let result: Promise<Matrix> | undefined;
  const narratedOf = (narrated: FormatWithStory): Promise<Narrated> => {
    result ??= Promise.resolve(make());
    const known = found.get(narrated) ?? result.then((m) => narratedStory(narrated, m));
    found.set(narrated, known);
    return known;
  };

  afterAll(() => found.clear());

  it('has frames that contradict neither each other nor the texts about the matrix', async () => {
    for (const storyOfFormat of everyStory)
      expect(problemsOf(await narratedOf(storyOfFormat)), storyOfFormat.format.id).toEqual([]);
  });

  it.each(must)('shows $frame $cut of $of: $expected $shows', async ({ of, cut, frame, expected: says, shows }) => {
    const narrated = await narratedOf(storyOf(of));
    if (cut) expect(narrated.cut).toMatchObject(cut);
    const output = narrated.output.get(frame ?? '') ?? [];
    if (says) expect(output.map(({ text }) => text)).toContainEqual(expect.stringMatching(says));
    if (shows) expect(narrated.words(frame ?? '')).toEqual(expect.arrayContaining([...shows]));
    expect(says || shows || cut).toBeTruthy();
  });
});

it('the hybrid format supports what TwELL rejects', () => {
  const m = TWELVE['one tile overflows']();
  const { output } = narratedStory(storyOf('hybrid'), m);
  expect(output.size).toBeGreaterThan(0);
});

/** What is counted in a whole matrix, a second time: from its cells. */
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

const skipsOf = (rows: readonly (readonly number[])[]): number[] =>
  rows.flatMap((row) => row.map((column, i) => column - (i === 0 ? 0 : row[i - 1] + 1)));

function groupsOf(rows: readonly (readonly number[])[], width: number): readonly (readonly number[])[] {
  return rows.flatMap((row) =>
    [...new Set(row.map((column) => Math.floor(column / width)))].map((group) =>
      row.filter((column) => Math.floor(column / width) === group),
    ),
  );
}

function slidesOf(group: readonly number[]): number {
  let [left, count] = [group, 0];
  for (const start of [0, 2, 4]) {
    const covered = left.filter((c) => c >= start && c < start + 4);
    count += Math.max(0, covered.length - 2);
    left = left.filter((c) => !covered.slice(0, 2).includes(c));
  }
  return count;
}

/** Matrices with few texts. */
const SCARCE: Readonly<Record<string, () => Matrix>> = {
  'no entry': () => scarce(24, 40, 0, () => []),
  'one entry': () => scarce(24, 40, 1, (r) => (r === 7 ? [21] : [])),
  full: () => scarce(8, 24, 8 * 24, () => Array.from({ length: 24 }, (_, c) => c)),
  'one row': () => scarce(1, 300, 60, () => Array.from({ length: 60 }, (_, i) => 5 * i)),
  'one column': () => scarce(300, 1, 150, (r) => (r % 2 === 0 ? [0] : [])),
  'one cell': () => scarce(1, 1, 1, () => [0]),
  'only stored zeros': () => scarce(6, 20, 12, (r) => [r, 2 * r + 6], 0),
};

function scarce(rows: number, cols: number, nnz: number, of: (row: number) => readonly number[], value = 1.5): Matrix {
  const all = Array.from({ length: rows }, (_, r) => of(r));
  const indptr = Array.from({ length: rows + 1 }, (_, r) => all.slice(0, r).flat().length);
  expect(indptr[rows]).toBe(nnz);
  return csrOf([rows, cols], indptr, all.flat(), new Float32Array(nnz).fill(value));
}

it.each(Object.entries(SCARCE))('header, Compare and frames agree on %s', (_, make) => {
  const m = make();
  for (const storyOfFormat of everyStory) {
    const narrated = narratedStory(storyOfFormat, m);
    expect(problemsOf(narrated), storyOfFormat.format.id).toEqual([]);
    expect(narrated.output.get('header'), storyOfFormat.format.id).toHaveLength(1);
  }
});

it('words alone that contradict a fact are found', () => {
  const facts = [fact('padding', 3), fact('non-zeros', 9), fact('bytes of the matrix, macko', 30)];
  const read = (where: PlainText['where'], text: string): readonly string[] =>
    misread('macko', facts, [{ where, text }]);
  expect(read('why', '4 bits suffice for 75\u202f% of the skips; 25\u202f% of the entries are stored zeros.')).toEqual(
    [],
  );
  expect(read('note', '4 stored zeros')).toEqual([`note: '4 stored zeros' does not contain '3 stored zeros'`]);
  expect(read('model', 'In MACKO One matrix takes 31 bytes.')).toHaveLength(1);
});

describe.each(everyStory)('$format.id on any matrix', (storyOfFormat) => {
  it('has texts that are true of the whole of it, and none that contradicts them', () => {
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
          expect(narrated.facts.find((known) => known.name === name)?.value, name).toBe(COUNTED[name](rows, m.cols));
      }),
      { numRuns: cases(12, 200) },
    );
  });
});
