import { describe, expect, it } from 'vitest';
import { falseEquations, numbersIn, plainText } from '../../../test/arithmetic.ts';
import { knownNumbers, scopeOf, type StoryData } from '../../../test/derivations.ts';
import { PERMUTED } from '../../../test/declared/formats.ts';
import { textOf } from '../../../test/frames.ts';
import { columnsMatrix, matrixOf } from '../../../test/matrices.ts';
import { cases } from '../../../test/scheduled.ts';
import { formatsWithStories, type FormatWithStory, traceOf } from '../../../test/stories.ts';
import { TWELVE } from '../../../test/twelve.ts';
import type { StoredWhole } from '../../core/encoded/ledger.ts';
import { type EncodedMatrix, resolvedParams, storyParams } from '../../core/format.ts';
import { finish } from '../../core/job.ts';
import { csrMatrix, denseMatrix, type Matrix, subMatrix, toDense } from '../../core/matrix/index.ts';
import { highlightSteps, tallySteps } from '../../engine/matrix/highlights.ts';
import { defaultWindow } from '../../state/index.ts';
import { loadStory } from '../../story/format-story.ts';
import { type FrameContext, frameWords, VERDICT } from '../../story/frames.ts';
import { timelineOf } from '../../story/timeline.ts';
import type { Trace } from '../../story/trace.ts';
import { published as mackoPublished } from '../macko/published.ts';
import { PUBLISHED_ACCURACY, PUBLISHED_PREFILL } from '../slidesparse/published.ts';
import { WHOLE_MODELS } from '../twell/published.ts';

/**
 * Every sum, count, share and size that a frame states, in words or in its picture: equations are true, and each number
 * with a unit is one that follows from the open matrix. A number of which no derivation is known fails.
 */

const stories: readonly FormatWithStory[] = [
  ...(await formatsWithStories()),
  { format: PERMUTED, story: await loadStory(PERMUTED) },
];

/* The matrices. */

const cellsOf = (rows: number, cols: number, value: (row: number, col: number) => number): Matrix =>
  denseMatrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, (_, i) => value(Math.floor(i / cols), i % cols)),
  );

const MATRICES: Readonly<Record<string, () => Matrix | Promise<Matrix>>> = {
  ...TWELVE,
  // As large as its oracles can count.
  diagonal: () =>
    csrMatrix({
      rows: 1100,
      cols: 1100,
      indptr: Uint32Array.from({ length: 1101 }, (_, i) => i),
      indices: Uint32Array.from({ length: 1100 }, (_, i) => i),
      data: new Float32Array(1100).fill(1),
    }),
  'one cell': () => matrixOf([1.25]),
  'no weights': () =>
    columnsMatrix(
      8,
      Array.from({ length: 6 }, () => []),
    ),
  'no rows': () => columnsMatrix(5, []),
  full: () => cellsOf(33, 31, () => 1),
  wide: () => cellsOf(5, 1000, (r, c) => ((r * 31 + c * 7) % 19 === 0 ? ((r * 7 + c) % 11) / 8 - 0.6 : 0)),
  tall: () => cellsOf(1000, 5, (r, c) => ((r * 31 + c * 7) % 13 === 0 ? 1.5 : 0)),
};

/** A matrix of more cells is not encoded here. */
const MAX_ENCODED_CELLS = 2 ** 20;

/* The texts of a story. */

interface TextOfFrame {
  readonly frame: string;
  readonly text: string;
}

/** All texts of the frames of a story on a matrix, with what its numbers may follow from; null where it has no story. */
function readTexts(
  { format, story }: FormatWithStory,
  m: Matrix,
  more: Partial<FrameContext> = {},
): { sources: StoryData; texts: readonly TextOfFrame[] } | null {
  const complete = resolvedParams(format.params, {}, m);
  const params = storyParams<object>(format.params, complete);
  const region =
    finish(highlightSteps(m, format.highlight, params, null))?.region ?? defaultWindow({ ...m, firstEntry: null });
  const window = subMatrix(m, region);
  const traced = traceOf(story, window, params);
  if (!traced) return null;
  const trace: Trace = { ...traced, origin: { row: region.row, col: region.col }, contents: 'anything' };
  const isStored = m.rows * m.cols <= MAX_ENCODED_CELLS && format.admits(m, complete).ok;
  const encoded = isStored ? format.encode(m, complete) : null;
  const ledger = encoded && format.storage(encoded);
  const reason = encoded && format.sizeReason?.(encoded);
  const tally = format.tally ? finish(tallySteps(m, format.tally(params, m))) : [];
  const { rows, cols, nnz } = m;
  const wholeMatrix: StoredWhole | null = ledger && {
    rows,
    cols,
    nnz,
    params: complete,
    ledger,
    reason: reason?.text ?? null,
  };
  const wholeFacts = [...(reason?.facts ?? []), ...tally].map((item) => ({ ...item, scope: 'matrix' as const }));
  const context: FrameContext = { layout: 'wide', wholeMatrix, wholeFacts, recordedTimes: null, ...more };
  const texts = timelineOf({ story, trace }).frames.flatMap(({ at: step, scriptFrame }): TextOfFrame[] => {
    if (!scriptFrame) {
      const words = frameWords(story.scene(trace, step)).map((words) => words.text);
      return [{ frame: `step ${step}`, text: words.join('') }];
    }
    // The first picture of a question is that before its answer; others only move to the last.
    const last = scriptFrame.moves.length - 1;
    const pictures = scriptFrame.question ? [0, last] : [last];
    const markTexts = pictures.flatMap((picture) => scriptFrame.draw(picture, context).marks.map(textOf));
    const frameTexts = [
      scriptFrame.narration(context).text,
      scriptFrame.also?.(context)?.text ?? '',
      scriptFrame.question?.because.text ?? '',
      ...markTexts,
    ];
    return [...new Set(frameTexts)].map((text) => ({ frame: scriptFrame.id, text }));
  });
  const regionEncoding = traced.encoded as EncodedMatrix;
  const decoded = toDense(format.decode(regionEncoding));
  const { x = [] } = traced as { readonly x?: ArrayLike<number> };
  const products = Array.from({ length: window.rows }, (_, r) =>
    Array.from({ length: window.cols }, (__, c) => decoded[r * window.cols + c] * x[c]),
  );
  return {
    sources: {
      products,
      region: scopeOf(window, params, regionEncoding),
      matrix: scopeOf(m, complete, encoded),
      origin: region,
    },
    texts,
  };
}

/* The unit of a number: what follows it, what precedes it, or the unit of the number before or after it. */

type Rule = readonly [RegExp, unit: string];

/** By the words after a number. */
const AFTER: readonly Rule[] = [
  [/^\s?(B|bytes?)\b/, 'bytes'],
  [/^\s?[MG]B\b/, 'megabytes'],
  [/^ more zeros?\b/, 'zeros'],
  [/^ more lists?\b/, 'folded'],
  [/^ (bytes? )?(more|less)\b/, 'difference'],
  [/^%/, 'percent'],
  [/^ bits?\b/, 'bits'],
  [/^ of \d+ rows? (is|are) (drawn|shown)/, 'drawnRows'],
  [/^ of \d+ (is|are) not zero/, 'weights'],
  [/^ (is|are) not zero/, 'cells'],
  [/^ \u00d7 \d+(, |: |$)(?!.*=)/, 'shape'],
  [/^ column numbers?\b/, 'columnNumbers'],
  [/^ starts and ends\b/, 'bookkeeping'],
  [/^ tokens\b|^ token\b/, 'tokens'],
  [/^ (such |other |tail |of the )?rows?\b/, 'rows'],
  [/^ (empty )?columns?\b/, 'columns'],
  [/^ empty$/, 'folded'],
  [/^ cells?\b/, 'cells'],
  [/^ (weights?|non-zeros?)\b/, 'weights'],
  [/^ zeros? fills? (data|values|tail)\b/, 'filling'],
  [/^ (more |stored )?zeros?\b|^ of them of zeros/, 'zeros'],
  [/^ multiplications?\b/, 'multiplications'],
  [/^ fetch(es)?\b/, 'fetches'],
  [/^ times, (where dense|and dense)|^ times\.$/, 'multiplications'],
  [/^ times, then skip/, 'zeros'],
  [/^ slots?\b/, 'slots'],
  [/^ blocks?\b/, 'blocks'],
  [/^ groups?\b/, 'groups'],
  [/^ tiles?\b/, 'tiles'],
  [/^ neurons, tiles of\b/, 'perCell'],
  [/^ neurons?\b/, 'neurons'],
  [/^ (values? fires? )?before\b/, 'before'],
  [/^ (gate )?values?\b/, 'values'],
  [/^ (fires?|fired)\b/, 'fired'],
  [/^ (has|have) too full a tile/, 'tokens'],
  [/^ (stored )?tokens, counted/, 'tokens'],
  [/^ shared$/, 'sharedColumns'],
  [/^ (columns? )?(is|are) shared/, 'sharedColumns'],
  [/^( shared| left over)\b/, 'listed'],
  [/^ skipped\b/, 'skipped'],
  [/^ stored (?!tokens)/, 'stored'],
  [/^ stored tokens/, 'tokens'],
  [/^ ways\b/, 'ways'],
  [/^ boxes\b/, 'boxes'],
  [/^ numbers?\b/, 'numbers'],
  [/^ elements? of/, 'elements'],
  [/^ of \d+ stay/, 'patterns'],
  [/^ stay\b/, 'patterns'],
  [/^ \+ \d bytes$/, 'bytes'],
  [/^ threads\b/, 'threads'],
  [/^ (is|are) 0\b/, 'zeros'],
  [/^ here, \d+ in this region/, 'pruned'],
  [/^ in this region/, 'pruned'],
  [/^ does not fit/, 'skip'],
  [/^ (\+|=).*(shared|left over)/, 'listed'],
  [/^ in dense\b/, 'bytes'],
  [/^ each$/, 'work'],
  [/^ (fills?) the list up/, 'filled'],
  [/^, because (each|the) zero/, 'skip'],
];

/** By the name before a number. */
const NAMED: readonly Rule[] = [
  [/\bneeds? \d+ zeros? for $|whole matrix \d+ for $/, 'weights'],
  [/\bthe whole matrix $/, 'zeros'],
  [/\bcolumns before it: $/, 'columns'],
  [/\btail row $/, 'tailRow'],
  [/\b[Rr]ows? $|\b[Rr]ows? -?\d+( to |, | and )$|\b[Tt]oken $|\bwith row $/, 'row'],
  [/\b[Cc]olumns? $|\b[Cc]olumns? -?\d+( to | and )$|\bNeurons? (\d+, )*$|counts (on )?from $/, 'column'],
  [/\b[Tt]iles? of $/, 'ofTiles'],
  [/\b[Tt]ile $/, 'tile'],
  [/\bat entry $/, 'entry'],
  [
    /\b[Ss]kip $|[Ss]kip of the matrix is longer than $|no zero needed, and $|longer than \d+, and $|together $|but one is $|skips? \d+ $/,
    'skip',
  ],
  [/\b([Ww]indow|thread|worker|read|into slot) $/, 'index'],
];

/** By the words before a number, if none after it say its unit. */
const BEFORE: readonly Rule[] = [
  [/More bytes than dense: $/, 'bytes'],
  [/At most $/, 'boxes'],
  [/^\d+ \u00d7 $|: \d+ \u00d7 $|\bmatrix, \d+ \u00d7 $/, 'shape'],
  [/\bup from $|from \d+ to $/, 'filled'],
  [/\d numbers: $|numbers: 0 to $/, 'numbers'],
  [/\b(gate|up|down) $|Up and down: $/, 'work'],
  [/tiles of \d+ one for $/, 'perCell'],
  [/^fits $/, 'values'],
  [/where the mean is $/, 'slots'],
  [/\bgives $|add up to $|it adds $/i, 'product'],
  [
    /(are|is|[Bb]elow|into|not|to|were|that are|starts are|were|adds|stores? a|stores? the) $|first step is \+$/,
    'zero',
  ],
  [/bytes.*would take $|No weight.*would take $/, 'bytes'],
  [/would take $/, 'cells'],
  [/\bThese $/, 'columnNumbers'],
  [/^(first|second|third|the) worker: $/, 'columns'],
  [/as the longest: $|longest row has $/, 'slots'],
  [/without steps $/, 'bytes'],
  [/has more than $/, 'tiles'],
  [/^(if|here) $/, 'before'],
];

const unitBy = (rules: readonly Rule[], words: string): string | null =>
  rules.find(([pattern]) => pattern.test(words))?.[1] ?? null;

/** Words between two numbers of one unit. */
const BETWEEN =
  /^ ?(of|(bytes |column numbers |numbers )?instead of|bytes?, where dense takes|bytes?, dense|bytes?, and|bits instead of|bytes? of|bytes each\. The cell would take) $/;

/** The numbers of a text with their units; null: no words say one. */
function withUnits(text: string): readonly { readonly printed: string; readonly unit: string | null }[] {
  const numbers = numbersIn(text);
  const isSum = text.includes('=');
  const units = numbers.map(({ before, after }) => {
    const unit = unitBy(NAMED, before) ?? unitBy(AFTER, after) ?? unitBy(BEFORE, before);
    // In an equation '2 × 4' and 'would take' say nothing about units.
    return isSum && (unit === 'shape' || unit === 'cells') && !unitBy(AFTER, after) ? null : unit;
  });
  return numbers.map(({ printed }, i) => {
    const between = (a: number): string =>
      numbers[a].after.slice(0, numbers[a].after.length - numbers[a + 1].after.length - numbers[a + 1].printed.length);
    const next = i + 1 < numbers.length && /^ of (its |these )?$/.test(between(i)) ? units[i + 1] : null;
    const previous =
      i > 0 && !numbers[i].after.startsWith(' \u00d7') && BETWEEN.test(between(i - 1)) ? units[i - 1] : null;
    return { printed, unit: units[i] ?? next ?? previous };
  });
}

/** Names and published numbers, which follow from no matrix. */
const NAMES = new RegExp(
  [
    'Qwen3-1\\.7B|H100|A100|RTX 4090',
    ...stories.flatMap(({ format: { title } }) => (/\d/.test(title) ? `\\b${title}\\b` : [])),
    `${(mackoPublished[0].points.find(({ density }) => density === 0.5)?.value ?? 0).toFixed(2)} times the speed`,
    `${WHOLE_MODELS.min.toFixed(2)} to ${WHOLE_MODELS.max.toFixed(2)} times`,
    `under ${Math.ceil(100 * WHOLE_MODELS.maxFiringShare)}%`,
    ...Object.values(PUBLISHED_ACCURACY).map((right) => `${right.toFixed(0)}%`),
    ...[PUBLISHED_PREFILL['6:8'], PUBLISHED_PREFILL['2:4']].map((times) => `^${(1 / times).toFixed(2)} `),
    // Folded cells, which the tests of pictures count.
    '^\\d+ (more|empty)$',
    '^1  $|dense = 1:',
    '0, 1, 2 or 3, in 2 bits|~0',
    // Checked by the tests of these stories.
    'window \\d adds -?[\\d.]+|^Store -?\\d+',
    '8192 \u00d7 8192, random rows, 30% kept|add 1 \\+ skip',
  ].join('|'),
  'g',
);

/** 'in tenths: 13 is 1.25': how a cell writes a weight. */
const EXAMPLE = /in (\w+): (-?\d+) is (-?[\d.]+)/i;
const PER_ONE: Readonly<Record<string, number>> = {
  tenths: 10,
  hundredths: 100,
  thousandths: 1000,
  tens: 0.1,
  hundreds: 0.01,
  thousands: 0.001,
};

/** Whether a printed number is, rounded to its digits, an element of y of the region or what a group of columns adds to one. */
const isProduct = ({ products, region }: StoryData, printed: string): boolean => {
  const decimals = (printed.split('.')[1] ?? '').length;
  const width = 2 * Number(region.params.halfGroup ?? region.cols / 2);
  const starts = Array.from({ length: Math.ceil(region.cols / width) }, (_, i) => i * width);
  const sums = products.flatMap((row) =>
    starts.map((from) => row.slice(from, from + width).reduce((a, b) => a + b, 0)),
  );
  return sums.some((sum) => Math.abs(sum - Number(printed)) <= 0.5 * 10 ** -decimals + 1e-9);
};

type Known = ReturnType<typeof knownNumbers>;

/** What is wrong with a text of a frame. */
function mismatch({ frame, text }: TextOfFrame, sources: StoryData, numbersOf: Known): readonly string[] {
  const { messages: equations, count } = falseEquations(text);
  const messages = equations.map((equation) => `${frame}: ${equation}`);
  const [, unitName = '', cell = '', value = ''] = EXAMPLE.exec(plainText(text)) ?? [];
  const rounding = Math.abs(Number(value) * (PER_ONE[unitName.toLowerCase()] ?? 1) - Number(cell));
  if (rounding > 0.5) messages.push(`${frame}: ${text}`);
  const statement = plainText(text).replaceAll(NAMES, '').replace(EXAMPLE, '');
  // A cell, or an element of an array.
  if (!/[a-z%]/i.test(statement) || /\w\[\d+\]/.test(statement)) return messages;
  for (const { printed, unit } of withUnits(statement)) {
    const isOperand = count > 0 && (unit === null || unit === 'product');
    const isKnown = unit === 'product' ? isProduct(sources, printed) : unit !== null && numbersOf(unit).has(printed);
    if (!isOperand && !isKnown) messages.push(`${frame}: '${statement}' states ${printed} ${unit ?? 'without a unit'}`);
  }
  return messages;
}

/** What is wrong with the texts of a story on a matrix. */
function problemsOf(storyOfFormat: FormatWithStory, m: Matrix): readonly string[] {
  const storyTexts = readTexts(storyOfFormat, m);
  if (!storyTexts) return [];
  const numbersOf = knownNumbers(storyOfFormat.format.id, storyTexts.sources);
  return [...new Set(storyTexts.texts.flatMap((text) => mismatch(text, storyTexts.sources, numbersOf)))];
}

/** In `npm test` the first of these; all of them in `npm run test:all`. */
const CHOSEN = [...new Set(['one cell', 'no weights', 'wide', 'empty rows', ...Object.keys(MATRICES)])];

describe.each(CHOSEN.slice(0, cases(4, CHOSEN.length)))('%s', (name) => {
  it('is what every sum, count, share and size of every frame follows from', async () => {
    const m = await MATRICES[name]();
    expect(
      stories.flatMap((storyOfFormat) =>
        problemsOf(storyOfFormat, m).map((problem) => `${storyOfFormat.format.id}, ${problem}`),
      ),
    ).toEqual([]);
  });
});

describe('a number', () => {
  const macko = stories.find(({ format }) => format.id === 'macko');
  const mackoTexts =
    macko &&
    readTexts(
      macko,
      cellsOf(33, 31, () => 1),
    );

  it.each([
    ['is no sum', '3 \u00d7 (16 + 4) bits = 8 bytes.', /found 7\.5/],
    ['is a size of nothing', 'All rows in one list: *1\u202f234 bytes* instead of 310.', /states 1234 bytes/],
    ['is a share of nothing', 'This matrix takes 131\u202f% of the bytes of dense.', /states 131 percent/],
    ['has no unit', 'Here there are about 17.', /states 17 without a unit/],
  ])('that %s fails', (_, text, expected) => {
    const numbersOf = mackoTexts && knownNumbers('macko', mackoTexts.sources);
    expect(numbersOf && mismatch({ frame: 'one list', text }, mackoTexts.sources, numbersOf).join()).toMatch(expected);
  });
});

it.each([
  ['a small matrix', cellsOf(6, 40, (r, c) => ((r + c) % 5 === 0 ? 0.5 : 0))],
  ['one cell', matrixOf([1.25])],
  [
    'no weights',
    columnsMatrix(
      8,
      Array.from({ length: 6 }, () => []),
    ),
  ],
])('every story ends on %s, with its bytes or why it has none', (_, m) => {
  const ends = stories.flatMap((storyOfFormat) => {
    const verdictTexts = readTexts(storyOfFormat, m)?.texts.filter(({ frame }) => frame === VERDICT) ?? [];
    return verdictTexts.length === 0
      ? []
      : [{ id: storyOfFormat.format.id, text: verdictTexts[0].text, heading: verdictTexts.map(({ text }) => text) }];
  });
  expect(ends.length).toBeGreaterThan(8);
  for (const { id, text, heading } of ends) {
    if (text.startsWith('*No gain here*')) continue;
    expect(text, id).toMatch(/^\*This matrix takes|this matrix takes/);
    expect(
      heading.filter((words) => words.startsWith('This matrix: ')),
      id,
    ).toHaveLength(1);
  }
});

it('times, shares and how many times as fast agree as printed, in headlines, texts and beside every bar', () => {
  const m = cellsOf(6, 40, (r, c) => ((r + c) % 5 === 0 ? 0.5 : 0));
  const shape = { rows: 4096, cols: 4096, density: 0.3, date: '31 January 2026' };
  const time = (ns: number) => ({ ns, timesDense: 30_449 / ns, bytes: 1000 * ns });
  const ownTimes = {
    device: 'Made Up 1',
    own: { ...shape, source: 'random weights', device: 'Made Up 1', formatNs: 21_349, denseNs: 30_449 },
    larger: null,
  };
  const recorded = { ...shape, pattern: 'uniform', operation: 'spmv', tokens: 1 };
  const times = { format: time(23_456), dense: time(30_449), dense4: time(16_777) };
  // Of 34.76 % of the work, which is printed with fewer digits.
  const block = { ...recorded, ...times, density: 0.0214, pattern: 'activations', operation: 'forward' };
  const recordedTimes = { device: 'Made Up 1', matrices: [{ ...recorded, ...times }, block] };
  const formatsWithShare = new Set<string>();
  const allSpeeds = stories.flatMap((storyOfFormat) => {
    const { id } = storyOfFormat.format;
    const allTexts = readTexts(storyOfFormat, m, { ownTimes, recordedTimes })?.texts ?? [];
    for (const { text } of allTexts) {
      const [, share, alone] = /(\d[\d.]*)% of .*\balone would (?:be|allow) ([\d.]+) times/.exec(plainText(text)) ?? [];
      if (share === undefined) continue;
      formatsWithShare.add(id);
      expect(alone, `${id}: ${text}`).toBe((100 / Number(share)).toFixed(2));
    }
    const texts = allTexts.filter(({ frame }) => frame === VERDICT);
    let dense = Number.NaN;
    const speeds = texts.flatMap(({ text }) => {
      const [, printed, speed] = /^([\d.]+) \u00b5s(?:\s+([\d.]+) times the speed.*)?$/.exec(text) ?? [];
      if (printed === undefined) return [];
      if (speed === undefined) dense = Number(printed);
      else expect(speed, `${id}: ${text}`).toBe((dense / Number(printed)).toFixed(2));
      return speed ?? [];
    });
    const [headline] = texts.flatMap(({ text }) => /([\d.]+) times (?:as fast|its speed)\.$/.exec(text)?.[1] ?? []);
    if (speeds.length > 0) expect(headline, id).toBe(speeds[0]);
    return speeds;
  });
  expect(allSpeeds.length).toBeGreaterThan(10);
  expect(formatsWithShare.size).toBeGreaterThan(1);
});

it('published times of a story are of one GPU', () => {
  const gpusOfStories = stories.map((storyOfFormat) => {
    const { texts = [] } =
      readTexts(
        storyOfFormat,
        cellsOf(33, 31, (r, c) => ((r + c) % 3 === 0 ? 1.5 : 0)),
      ) ?? {};
    return new Set(texts.flatMap(({ text }) => text.match(/\b[ABH][12]00\b|\bRTX \d+/g) ?? []));
  });
  expect(gpusOfStories.filter(({ size }) => size > 0).length).toBeGreaterThan(2);
  expect(gpusOfStories.map((names) => [...names]).filter(({ length }) => length > 1)).toEqual([]);
});
