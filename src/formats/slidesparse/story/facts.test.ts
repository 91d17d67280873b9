import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allParams, buildMatrix, matrixRecipe } from '../../../../test/arbitraries.ts';
import { frameOf, lastPicture, textOf, wordsAt } from '../../../../test/frames.ts';
import { matrixOf } from '../../../../test/matrices.ts';
import { cases } from '../../../../test/scheduled.ts';
import { traceOf } from '../../../../test/stories.ts';
import { storyParams } from '../../../core/format.ts';
import { type Matrix, toCsr, toDense } from '../../../core/matrix/index.ts';
import { f16Value } from '../../../core/number/index.ts';
import { shareText } from '../../../core/text/rounded.ts';
import type { Frame, FrameContext } from '../../../story/frames.ts';
import { type Group, referenceGroups } from '../../../../test/reference-groups.ts';
import { slideSparse } from '../index.ts';
import type { SlideSparseTrace } from './facts.ts';
import { story } from './index.ts';

/* Computes the texts of SlideSparse's frames a second time, from the cells and arrays of any region, without the story's code. */

const NOTHING: FrameContext = { layout: 'wide', wholeMatrix: null, recordedTimes: null };

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const word = (n: number): string => WORDS[n] ?? String(n);
const capital = (n: number): string => word(n).charAt(0).toUpperCase() + word(n).slice(1);

/** The conditions that the texts of the frames depend on. The test requires that each occurs. */
const CONDITIONS = [
  'no cells',
  'no weights',
  'only 6:8 is asked about',
  'other patterns',
  '2:4',
  '2:4, pruned',
  'pruned',
  'one weight is pruned',
  'one window',
  'several windows',
  'window 0 takes none',
  'window 0 takes one',
  'window 0 takes its two',
  'a third does not fit',
  'window 1 takes the next one',
  'window 1 takes the next two',
  'window 1 finds no more',
  'window 1 finds none, too',
  'window 1 takes the first one',
  'window 1 takes the first two',
  'nothing slides in the region',
  'nothing slides in the group',
  'the row is smaller than dense',
  'the row is larger than dense',
  'a row of one group',
  'fewer multiplications',
  'as many multiplications',
] as const;
type Condition = (typeof CONDITIONS)[number];

/** The expected text of every frame by its id, the conditions that occur in it, and the group that the story follows. */
interface Expected {
  readonly sentences: Readonly<Record<string, string>>;
  readonly occurred: ReadonlySet<Condition>;
  readonly group: Group | null;
}

/** Stored weights in the first four columns of a group: a window takes two of them. */
const inFour = ({ windowOf }: Group): number => [...windowOf.keys()].filter((c) => c < 4).length;

/** The group that the story follows: if possible, it has pruned weights, and a weight slides on to the next window. */
function followed(groups: readonly Group[], halfGroup: number, cols: number): Group | null {
  const isWhole = ({ group }: Group): boolean => 2 * halfGroup * (group + 1) <= cols;
  const pruned = groups.filter(({ columns, windowOf }) => columns.length > windowOf.size);
  const pool = pruned.length > 0 ? pruned : groups;
  const crowded = halfGroup > 2 ? pool.filter((group) => inFour(group) > 2) : [];
  const wholeGroups = pool.filter(isWhole);
  const candidates = wholeGroups.length > 0 ? wholeGroups : pool;
  const max = Math.max(...candidates.map(({ windowOf }) => windowOf.size));
  return (
    crowded.find((group) => isWhole(group) && inFour(group) === 3) ??
    crowded.find((group) => isWhole(group) && inFour(group) === 4) ??
    crowded.at(0) ??
    candidates.find(({ windowOf }) => windowOf.size === max) ??
    null
  );
}

/** Computes the expected texts of all frames. */
function expectedTexts(m: Matrix, params: Record<string, unknown>, t: SlideSparseTrace): Expected {
  const halfGroup = Number(params.halfGroup);
  const [width, perGroup] = [2 * halfGroup, halfGroup - 1];
  const { indptr, indices } = toCsr(m);
  const columns = Array.from({ length: m.rows }, (_, r) => [...indices.subarray(indptr[r], indptr[r + 1])]);
  const cells = toDense(m);
  const groups = referenceGroups({ columns, cells, cols: m.cols }, halfGroup);
  const occurred = new Set<Condition>();
  /** Notes that a condition occurs, and returns its text. */
  const textIf = (condition: Condition, text: string): string => {
    occurred.add(condition);
    return text;
  };
  const sentences: Record<string, string> = {
    unit: 'Some GPUs have a hardware *unit* that skips two zeros in every four numbers.',
    problem: 'But two zeros forced into every four cost a model *most of its right answers*.',
    verdict: verdictText(m, params, t),
  };
  if (halfGroup === 4)
    sentences['question answers'] = textIf(
      'only 6:8 is asked about',
      'With only two zeros in every eight, how many answers are right?',
    );
  const group = followed(groups, halfGroup, m.cols);
  if (!group) {
    sentences.nothing =
      m.rows * m.cols === 0
        ? textIf('no cells', 'This region contains *no cells*: there is nothing to slide.')
        : textIf('no weights', `*No weights* here, but each group stores ${word(2 * perGroup)} zeros all the same.`);
    return { sentences, occurred, group };
  }
  const { row, windowOf } = group;
  const start = group.group * width;
  /** number of weights that window w stores */
  const weightCountOf = (w: number): number => [...windowOf.values()].filter((window) => window === w).length;
  const presentColumns = Math.min(width, m.cols - start);

  const prunedCount = group.columns.length - windowOf.size;
  if (prunedCount === 1) occurred.add('one weight is pruned');
  const end = start + presentColumns - 1;
  const rejection = `Row ${row}, columns ${start} to ${end} contain ${group.columns.length} weights: *rejected*. At most ${width - 2} may stay.`;
  if (prunedCount > 0) sentences.neighbours = textIf(halfGroup === 2 ? '2:4, pruned' : 'pruned', rejection);
  else if (halfGroup === 2)
    sentences.neighbours = textIf(
      '2:4',
      'Here, too, two of every four are zero, so the unit can multiply *all weights*.',
    );
  else {
    if (halfGroup !== 4) occurred.add('other patterns');
    sentences.neighbours = `But in ${width - 2}:${width}, four neighbours may contain *too many weights for the unit*.`;
  }

  sentences.overlap =
    perGroup === 1
      ? textIf('one window', 'One *window* covers each group, and it takes up to two weights.')
      : textIf(
          'several windows',
          `${capital(perGroup)} overlapping *windows* take two weights each, so *${word(width - 2)} weights fit*.`,
        );

  // The column and window of a weight that window 0 covers and window 1 stores.
  const third = [...windowOf].find(([c, window]) => c < 4 && window === 1);
  if (weightCountOf(0) === 0)
    sentences['first window'] = textIf(
      'window 0 takes none',
      'Window 0 finds no weight: both of its boxes stay *empty*.',
    );
  else if (weightCountOf(0) === 1)
    sentences['first window'] = textIf(
      'window 0 takes one',
      'Window 0 takes its only weight. The other box stays *empty*.',
    );
  else if (third) sentences['first window'] = 'Window 0 takes its first two weights and stores their *slots*.';
  else
    sentences['first window'] = textIf(
      'window 0 takes its two',
      'Window 0 takes its two weights and stores their *slots*.',
    );
  if (third) {
    sentences['does not fit'] = textIf(
      'a third does not fit',
      'The third weight *does not fit*, because a window takes only two.',
    );
    sentences['second window'] =
      `Window 1 takes it: the weight of *column ${start + third[0]} goes into slot ${third[0] - 2}*.`;
  } else if (perGroup > 1) {
    const where = groups.some((g) => inFour(g) > 2) ? 'group' : 'region';
    sentences['does not fit'] = textIf(
      `nothing slides in the ${where}`,
      `*Nothing slides on* in this ${where}: no window meets a third weight.`,
    );
    const next = (
      weightCountOf(0) === 0
        ? (['finds none, too', 'takes the first one', 'takes the first two'] as const)
        : (['finds no more', 'takes the next one', 'takes the next two'] as const)
    )[weightCountOf(1)];
    sentences['second window'] = textIf(`window 1 ${next}`, `*Window 1* begins two columns later, and it ${next}.`);
  }

  if (perGroup > 1) {
    const ways = (width * (width - 1)) / 2;
    sentences['question ways'] =
      `${width - 2} weights can lie in ${width} columns in ${ways} ways. How many do not fit?`;
  }

  const bytes = rowBytesOf(t);
  const dense = m.cols * (params.valueType === 'i8' ? 1 : 2);
  const groupsInRow = Math.ceil(m.cols / width);
  const who =
    groupsInRow === 1
      ? textIf('a row of one group', 'The one group of the row takes')
      : `The ${groupsInRow} groups of the row take`;
  sentences['whole row'] =
    bytes < dense
      ? textIf('the row is smaller than dense', `${who} *${bytes} bytes* instead of ${dense}.`)
      : textIf('the row is larger than dense', `${who} *${bytes} bytes*, where dense takes ${dense}.`);

  const multiplications = 2 * perGroup;
  sentences.product =
    multiplications < presentColumns
      ? textIf(
          'fewer multiplications',
          `The unit multiplies only *${multiplications} times*, where dense multiplies ${presentColumns} times.`,
        )
      : textIf(
          'as many multiplications',
          `The unit multiplies *${multiplications} times*, and dense ${presentColumns === 1 ? 'once' : `${presentColumns} times`}.`,
        );
  return { sentences, occurred, group: { ...group, row } };
}

/** The bytes of the region as a share of dense. */
function verdictText(m: Matrix, params: Record<string, unknown>, t: SlideSparseTrace): string {
  const dense = m.rows * m.cols * (params.valueType === 'i8' ? 1 : 2);
  if (dense === 0) return 'This region has no cells, so nothing is stored, and nothing is timed.';
  const share = (m.rows * rowBytesOf(t)) / dense;
  const end = share > 1 ? '*: here it loses.' : '.*';
  return `*This region takes ${shareText(share)} of the bytes of dense${end}`;
}

/** The bytes of a row; all rows have the same size. */
const rowBytesOf = ({ encoded: { values, metadata, scales, rows } }: SlideSparseTrace): number =>
  (values.byteLength + metadata.byteLength + scales.byteLength) / rows;

/** The words of a mark of the last picture of a frame. */
function wordsOf(frame: Frame, id: string): string {
  const mark = frame.draw(frame.moves.length - 1, NOTHING).marks.find((candidate) => candidate.id === id);
  return mark?.text ?? (mark?.runs ?? []).map(({ text }) => text).join('');
}

/** Messages about wrong frames of a region. */
function wrongWith(m: Matrix, chosenParams: object, allOccurred: Set<Condition>): string[] {
  const params = storyParams<Record<string, unknown>>(slideSparse.params, chosenParams as never);
  const t = traceOf(story as never, m, params) as SlideSparseTrace | null;
  if (!t) return [];
  const frames = story.frames?.(t) ?? [];
  // If the region begins inside a group of the matrix, a note says that its groups are counted from its first column.
  for (const col of [0, 4 * Number(params.halfGroup), 43]) {
    const marks = (story.frames?.({ ...t, origin: { row: 3, col } }) ?? []).flatMap(
      (frame) => lastPicture(frame).marks,
    );
    const texts = marks.flatMap(({ id, text = '' }) => (id.startsWith('own groups') ? [text] : []));
    const isMisaligned = m.rows * m.cols > 0 && col % (2 * Number(params.halfGroup)) > 0;
    if (texts.length > 0 !== isMisaligned) return [`column ${col}: found '${texts.join(' ')}'`];
  }
  const { sentences, occurred, group } = expectedTexts(m, params, t);
  for (const condition of occurred) allOccurred.add(condition);
  const messages: string[] = [];
  const differs = (what: string, found: unknown, expected: unknown): void => {
    if (found !== expected) messages.push(`${what}: found ${String(found)}, expected ${String(expected)}`);
  };
  differs(
    'frames',
    frames
      .map(({ id }) => id)
      .toSorted()
      .join(', '),
    Object.keys(sentences).toSorted().join(', '),
  );
  for (const frame of frames) differs(frame.id, frame.narration(NOTHING).text, sentences[frame.id]);
  if (group) {
    for (const problem of wrongSteps(frames, t, group)) messages.push(problem);
    for (const problem of wrongCounters(frames, t, group)) messages.push(problem);
    for (const problem of wrongProduct(frames, t, group)) messages.push(problem);
    for (const problem of wrongBoxes(frames, t, group)) messages.push(problem);
    for (const problem of wrongGroups(frames, t)) messages.push(problem);
    for (const problem of wrongFours(frames, group)) messages.push(problem);
  } else if (m.rows * m.cols > 0) for (const problem of wrongEmpty(frames, t)) messages.push(problem);
  return messages;
}

/** Stored weights that are not drawn below their columns, in a group with all of its columns. */
function wrongBoxes(frames: readonly Frame[], t: SlideSparseTrace, { row, group, windowOf }: Group): string[] {
  const frame = frames.find(({ id }) => id === 'second window');
  const width = 2 * t.encoded.halfGroup;
  if (!frame || (group + 1) * width > t.window.cols) return [];
  const { marks } = lastPicture(frame);
  const xOf = (mark: string): number | undefined => marks.find(({ id }) => id === mark)?.x;
  const boxes = marks.filter(({ id }) => /^values\[\d+\]$/.test(id));
  const columns = new Set(boxes.map(({ x }) => x));
  const messages = columns.size === width - 2 ? [] : [`${columns.size} columns have a box`];
  for (const c of windowOf.keys()) {
    const x = xOf(`cell ${row},${group * width + c}`);
    if (x === undefined || !columns.has(x)) messages.push(`no box is below column ${c}`);
  }
  return messages;
}

/** Messages about wrong marks: of four columns, the first two remaining weights fit the hardware unit, further ones do not. */
function wrongFours(frames: readonly Frame[], { columns, windowOf }: Group): string[] {
  if (columns.length > windowOf.size) return [];
  const texts = lastPicture(frameOf(frames, 'neighbours')).marks.map(textOf);
  const over = [0, 4, 8, 12].reduce(
    (sum, from) => sum + Math.max(0, columns.filter((c) => c >= from && c < from + 4).length - 2),
    0,
  );
  const foundCounts = ['\u2713', '\u00d7'].map((sign) => texts.filter((text) => text === sign).length).join();
  const expected = `${columns.length - over},${over}`;
  return foundCounts === expected ? [] : [`neighbours: found ${foundCounts}, expected ${expected}`];
}

/** Groups of the drawn row with another count of stored weights than theirs, and the sentence about free boxes. */
function wrongGroups(frames: readonly Frame[], t: SlideSparseTrace): string[] {
  const picture = lastPicture(frameOf(frames, 'whole row'));
  const { marks } = picture;
  const width = 2 * t.encoded.halfGroup;
  const bytes = (width - 2) * (t.encoded.valueType === 'i8' ? 1.25 : 2.25);
  const weightCounts = new Map<number, number>();
  for (const mark of marks) {
    const [, column] = /^row cell \d+,(\d+)$/.exec(mark.id) ?? [];
    if (column === undefined) continue;
    const group = Math.floor(Number(column) / width);
    weightCounts.set(group, (weightCounts.get(group) ?? 0) + (mark.label?.endsWith(': 0') ? 0 : 1));
  }
  const expected = [...weightCounts.values()].map((n) => `${n} weight${n === 1 ? '' : 's'}: ${bytes} bytes`);
  const foundSizes = marks.flatMap(({ id }) => (/^size \d+ words/.test(id) ? [wordsAt(picture, id)] : []));
  const isFewer = [...weightCounts.values()].some((n) => n < width - 2);
  return [
    ...(foundSizes.join() === expected.join()
      ? []
      : [`whole row: found ${foundSizes.join()}, expected ${expected.join()}`]),
    ...(wordsAt(picture, 'fewer').includes('its free boxes store zeros') === isFewer ? [] : ['whole row: free boxes']),
  ];
}

/** The bytes that are named for a region without weights. */
function wrongEmpty(frames: readonly Frame[], t: SlideSparseTrace): string[] {
  const { rows, cols } = t.window;
  const picture = lastPicture(frameOf(frames, 'nothing'));
  const perRow = rowBytesOf(t);
  const text = wordsAt(picture, 'no weights').replaceAll('\u202f', '');
  const all =
    rows === 1
      ? 'the only row'
      : `such rows take ${rows * perRow} bytes, where dense takes ${rows * cols * (t.encoded.valueType === 'i8' ? 1 : 2)}`;
  return [`= ${perRow} bytes.`, all].flatMap((part) =>
    text.includes(part) ? [] : [`nothing: '${text}' lacks '${part}'`],
  );
}

/** What the windows of a group add up to, as printed: the stored weights of its columns times x. */
function wrongProduct(frames: readonly Frame[], t: SlideSparseTrace, { row, group }: Group): string[] {
  const text = wordsAt(lastPicture(frameOf(frames, 'product')), 'sum');
  const printedSum = /(?:add up to|adds|=|\u2248) (\u2212?[\d.]+),/.exec(text)?.[1];
  if (printedSum === undefined) return []; // beyond 1e5, or infinite
  const [width, { cols }] = [2 * t.encoded.halfGroup, t.window];
  const storedRow = toDense(slideSparse.decode(t.encoded)).subarray(row * cols, (row + 1) * cols);
  const expected = storedRow.reduce((sum, value, c) => sum + (Math.floor(c / width) === group ? value * t.x[c] : 0), 0);
  const lastDigit = 10 ** -(printedSum.split('.')[1] ?? '').length;
  const isRight = Math.abs(Number(printedSum.replace('\u2212', '-')) - expected) <= lastDigit * 0.51;
  return isRight ? [] : [`row ${row}, group ${group}: found '${text}', expected ${expected}`];
}

/** Steps of the trace at which the frames rest, by the weights stored and multiplied by then. */
function wrongSteps(frames: readonly Frame[], t: SlideSparseTrace, { row, group }: Group): string[] {
  const { encoded: e, steps, chapters, storedAfter } = t;
  const perGroup = e.halfGroup - 1;
  const first = 2 * (row * e.windowsPerRow + group * perGroup);
  /** when both boxes of window w are there, and not before */
  const stores = (w: number) => (step: number) => step === storedAfter[0][first + 2 * w + 1];
  const weightCount = Array.from(e.values.subarray(2 * row * e.windowsPerRow, first + 2 * perGroup), (raw) =>
    e.valueType === 'i8' ? Math.fround(raw * e.scales[row]) : f16Value(raw),
  ).filter((value) => value !== 0).length;
  const rules: Readonly<Record<string, (step: number) => boolean>> = {
    unit: (step) => step === 0,
    problem: (step) => step === 0,
    'question answers': (step) => step === 0,
    neighbours: (step) => step === 0,
    overlap: (step) => step === 0,
    'first window': stores(0),
    'does not fit': stores(0),
    'second window': stores(perGroup - 1),
    'question ways': stores(perGroup - 1),
    'whole row': (step) => step === chapters[0].stepCount,
    product(step) {
      const effects = steps.slice(0, step).flatMap((traceStep) => traceStep.effects);
      const products = effects.filter((effect) => effect.kind === 'accumulate' && effect.row === row).length;
      return products === weightCount || step === chapters[0].stepCount;
    },
    verdict: (step) => step === steps.length,
  };
  return frames.flatMap(({ id, step }) => (rules[id]?.(step) ? [] : [`${id}: found step ${step}`]));
}

/** The counters of bytes that differ from the bytes stored up to their frame. */
function wrongCounters(frames: readonly Frame[], t: SlideSparseTrace, { group }: Group): string[] {
  const { encoded: params, window } = t;
  const width = 2 * params.halfGroup;
  const bytes = params.valueType === 'i8' ? 1 : 2;
  const present = Math.min(width, window.cols - group * width);
  const counterText = (windows: number): string => `${windows * (2 * bytes + 0.5)} of ${present * bytes} bytes`;
  const rules: Readonly<Record<string, string>> = {
    'first window': counterText(1),
    'does not fit': counterText(1),
    'second window': counterText(params.halfGroup - 1),
    'whole row': `${rowBytesOf(t)} of ${window.cols * bytes} bytes`,
  };
  return frames.flatMap((frame) => {
    const found = wordsOf(frame, 'counter after bytes');
    return found === (rules[frame.id] ?? '') ? [] : [`${frame.id}: counts ${found}, expected ${rules[frame.id]}`];
  });
}

describe('frames of slidesparse on any region', () => {
  it('frames of slidesparse on any region have texts that follow from its cells and arrays, rest at the right step, and count the stored bytes', () => {
    const allOccurred = new Set<Condition>();
    const anyParams = fc.constantFrom(...allParams(slideSparse));
    fc.assert(
      fc.property(matrixRecipe(9, 40), anyParams, (recipe, chosenParams) => {
        expect(wrongWith(buildMatrix(recipe), chosenParams, allOccurred)).toEqual([]);
      }),
      { numRuns: cases(75, 1500), seed: 43 },
    );
    const P68 = { halfGroup: 4, valueType: 'f16' };
    const P46 = { halfGroup: 3, valueType: 'f16' };
    const byHand: readonly (readonly [Matrix, object])[] = [
      [matrixOf([1, 2, 3, 4, 5, 6, 7, 0]), P68],
      [matrixOf([1, 2, 0, 0, 0, 0, 7, 0]), P68],
      [matrixOf([1, 2, 0, 0, 4, 0, 0, 0]), P68],
      [matrixOf([1, 0, 0, 0, 4, 5, 6, 8]), P68],
      [matrixOf([0, 0, 0, 0, 0, 0, 6, 8]), P68],
      [matrixOf([0, 0, 0, 0, 5, 6, 0, 0]), P68],
      [matrixOf([1e-30, 2, 3, 0, 1e30, 0, 6, 8]), P68],
      [matrixOf([1, 2, 0]), P68],
      [matrixOf([0, 0, 1, 0, 0, 0, 0, 3]), P46],
    ];
    for (const [m, params] of byHand) expect(wrongWith(m, params, allOccurred)).toEqual([]);
    expect(CONDITIONS.filter((key) => !allOccurred.has(key))).toEqual([]);
  });
});
