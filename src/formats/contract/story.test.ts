import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  supportedRecipe,
  allParams,
  buildMatrix,
  ENOUGH_MATRICES,
  LawCounts,
  type MatrixRecipe,
  matrixRecipe,
  paramsTitle,
  recipeFor,
  runsFor,
  turnOf,
} from '../../../test/arbitraries.ts';
import { sampleMatrix } from '../../../test/sample-scenes.ts';
import { firstVisitMatrix } from '../../../test/shipped.ts';
import { formatsWithStories, type FormatWithStory } from '../../../test/stories.ts';
import { defaultParams, type EncodedMatrix, type NamedArray, namedArrays, storyParams } from '../../core/format.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { spmvWithBound } from '../../core/oracle.ts';
import { narrationText, type Scene } from '../../story/scene.ts';
import type { Trace } from '../../story/trace.ts';
import { bytesText } from '../../core/text/words.ts';
import { cases } from '../../../test/scheduled.ts';

/** Laws 4 and 5, for every registered format: the animation shows what the encoder does. */

type Params = Readonly<Record<string, unknown>>;

/** Small windows, of which every step is checked. */
const smallWindow = matrixRecipe(cases(6, 9), cases(33, 40));

/** Rows of the large windows below: in `npm test` fewer than the 64 of the stage, except in the full window. */
const LARGE_ROWS = cases(24, 64);

/** Windows of the largest size of the stage, of which some steps are checked. */
const LARGE_WINDOWS: readonly MatrixRecipe[] = [
  { shape: [LARGE_ROWS, 64], pattern: 'uniform', values: 'normal', density: 0.3, seed: 7, storage: 'entries' },
  { shape: [64, 64], pattern: 'full', values: 'small integers', density: 1, seed: 8, storage: 'cells' },
  { shape: [LARGE_ROWS, 64], pattern: 'one dense row', values: 'edges', density: 0.1, seed: 9, storage: 'cells' },
  { shape: [LARGE_ROWS, 64], pattern: 'two of four', values: 'normal', density: 0, seed: 11, storage: 'entries' },
  { shape: [LARGE_ROWS, 64], pattern: 'six of eight', values: 'edges', density: 0, seed: 12, storage: 'cells' },
  { shape: [LARGE_ROWS, 64], pattern: 'one of sixteen', values: 'normal', density: 0, seed: 13, storage: 'entries' },
  { shape: [LARGE_ROWS, 64], pattern: 'empty', values: 'normal', density: 0, seed: 10, storage: 'entries' },
];

/** A scene must have fewer marks than this. */
const MAX_MARKS = 3000;

/** How often each law has been checked for the format whose tests are running. */
let counts = new LawCounts();

/**
 * Describes where two arrays differ. All NaNs are equal; everything else is compared bit for bit.
 */
function difference(name: string, foundArray: NamedArray, expectedArray: NamedArray): string[] {
  if (foundArray.length !== expectedArray.length)
    return [`${name}: found ${foundArray.length} elements, expected ${expectedArray.length}`];
  const index = expectedArray.findIndex((element: number, i: number) => !Object.is(foundArray[i], element));
  return index < 0 ? [] : [`${name}[${index}]: found ${foundArray[index]}, expected ${expectedArray[index]}`];
}

/** Messages about the cells that a trace visits more or less often than they occur in the matrix. */
function visitProblems(visited: readonly number[], nonZeros: readonly number[], cols: number): string[] {
  const extraVisits = new Map<number, number>();
  for (const cell of visited) extraVisits.set(cell, (extraVisits.get(cell) ?? 0) + 1);
  for (const cell of nonZeros) extraVisits.set(cell, (extraVisits.get(cell) ?? 0) - 1);
  return [...extraVisits].flatMap(([cell, extra]) =>
    extra === 0 ? [] : [`row ${Math.floor(cell / cols)}, column ${cell % cols}: ${extra} visits too many`],
  );
}

/** Messages about chapters that do not follow one another from the first to the last step. */
function chapterProblems(trace: Trace): string[] {
  const messages: string[] = [];
  let next = 0;
  for (const chapter of trace.chapters) {
    if (chapter.firstStep !== next)
      messages.push(`chapter ${chapter.title}: found step ${chapter.firstStep}, expected ${next}`);
    next += chapter.stepCount;
  }
  if (next !== trace.steps.length) messages.push(`chapters end at step ${next} of ${trace.steps.length}`);
  return messages;
}

/**
 * Law 4: the effects of all steps of a trace together produce the arrays of `encode`, visit every non-zero once, and add
 * up to the sums of the oracle. Problems are collected and asserted once, because asserting every effect took longer than
 * the encoders. Returns the trace; null if the format does not support the matrix.
 */
function expectTrueStory({ format, story }: FormatWithStory, m: Matrix, params: Params): Trace | null {
  if (!format.admits(m, params).ok) return null;
  counts.add('tellsTheTruth', params, m);
  const trace: Trace = story.trace(m, params);
  const encoded: EncodedMatrix = format.encode(m, params);
  const messages: string[] = chapterProblems(trace);
  if (trace.steps.length === 0) messages.push('no steps');

  // The arrays that the effects of all steps produce, from zeros.
  const arrays = namedArrays(encoded);
  const produced = new Map<string, NamedArray>();
  for (const [name, array] of arrays) produced.set(name, array.slice().fill(0));
  const visits: number[] = [];
  const y = new Float64Array(m.rows);
  for (const step of trace.steps) {
    for (const effect of step.effects) {
      if (effect.kind === 'visit') visits.push(effect.row * m.cols + effect.col);
      else if (effect.kind === 'accumulate') y[effect.row] += effect.value;
      else {
        const array = produced.get(effect.array);
        if (array && effect.index < array.length) array[effect.index] = effect.value;
        else messages.push(`${effect.array}[${effect.index}] is stored: no such element`);
      }
    }
  }
  const traceArrays = namedArrays(trace.encoded as EncodedMatrix);
  for (const [name, array] of arrays) {
    messages.push(...difference(name, produced.get(name) ?? new Uint8Array(0), array));
    messages.push(...difference(`${name} of the trace`, traceArrays.get(name) ?? new Uint8Array(0), array));
  }

  // Cells as row × columns + column.
  const nonZeros: number[] = [];
  const buffer = rowBuffer(m.cols);
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    for (let i = 0; i < n; i++) nonZeros.push(r * m.cols + buffer.columns[i]);
  }
  messages.push(...visitProblems(visits, nonZeros, m.cols));

  const oracle = spmvWithBound(format.decode(encoded), trace.x);
  for (let r = 0; r < m.rows; r++) {
    if (Object.is(y[r], oracle.y[r]) || Math.abs(y[r] - oracle.y[r]) <= 1e-12 * oracle.magnitude[r]) continue;
    messages.push(`sum of row ${r}: found ${y[r]}, expected ${oracle.y[r]}`);
  }
  expect(messages).toEqual([]);
  return trace;
}

/** Messages about problems of one scene: ids that occur twice, marks without a size, links without ends, texts. */
function problems(scene: Scene): string[] {
  const messages: string[] = [];
  const ids = new Set<string>();
  const panelIds = new Set<string>();
  let marks = 0;
  for (const panel of scene.panels) {
    if (panelIds.has(panel.id)) messages.push(`panel ${panel.id} twice`);
    panelIds.add(panel.id);
    if (!(panel.columns > 0 && panel.rows > 0)) messages.push(`panel ${panel.id}: ${panel.columns} × ${panel.rows}`);
    for (const mark of panel.marks) {
      marks++;
      if (ids.has(mark.id)) messages.push(`mark ${mark.id} twice`);
      ids.add(mark.id);
      if (![mark.x, mark.y, mark.w, mark.h].every(Number.isFinite)) messages.push(`mark ${mark.id} has no position`);
      if (!(mark.w > 0 && mark.h > 0)) messages.push(`mark ${mark.id} has no size`);
      if (mark.level !== undefined && !(mark.level >= 0 && mark.level <= 1)) messages.push(`level of ${mark.id}`);
      if (/undefined|\[object/.test(`${mark.text ?? ''} ${mark.label ?? ''}`))
        messages.push(`text of ${mark.id}: ${mark.text}, ${mark.label}`);
    }
  }
  if (marks >= MAX_MARKS) messages.push(`${marks} marks`);
  const links = new Set<string>();
  for (const link of scene.links) {
    if (links.has(link.id)) messages.push(`link ${link.id} twice`);
    links.add(link.id);
    for (const end of [link.from, link.to]) if (!ids.has(end)) messages.push(`link ${link.id}: no mark ${end}`);
  }
  const words = narrationText(scene);
  if (words.trim().length < 10 || /undefined|\[object/.test(words)) messages.push(`narration: ${words}`);
  const { code } = scene;
  if (code && !code.lines[code.current]?.trim()) messages.push(`code: no line ${code.current} of ${code.file}`);
  return messages;
}

/** The shape of every mark by its id. */
function shapesOf(scene: Scene): Map<string, string> {
  const shapes = new Map<string, string>();
  for (const { marks } of scene.panels) for (const { id, shape } of marks) shapes.set(id, shape);
  return shapes;
}

/** The ids of marks with different shapes in two steps: the id names two different things. */
function idsWithTwoShapes(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...after].flatMap(([id, shape]) => ((before.get(id) ?? shape) === shape ? [] : [id]));
}

/**
 * The shade (`level`) of every box with a value, by its id and label. Boxes in focus are omitted, because they may have
 * another shade. Boxes of other tones are omitted too: there a box that is read or has just arrived is darker.
 */
function shadesOf({ panels }: Scene): ReadonlyMap<string, number> {
  const shades = new Map<string, number>();
  for (const { marks } of panels) {
    for (const mark of marks) {
      if (mark.shape !== 'box' || mark.tone !== 'values') continue;
      const { id, label, level, state, focus } = mark;
      if (level !== undefined && state !== 'ghost' && !focus) shades.set(`${id}: ${label}`, level);
    }
  }
  return shades;
}

/** Messages about boxes with the same id and label as in an earlier scene, but another shade. Adds the scene's shades to `shades`. */
function shadeProblems(shades: Map<string, number>, scene: Scene): string[] {
  const messages: string[] = [];
  for (const [box, level] of shadesOf(scene)) {
    const before = shades.get(box) ?? level;
    if (before !== level) messages.push(`${box}: ${before}, then ${level}`);
    shades.set(box, level);
  }
  return messages;
}

/**
 * Law 5: scenes are pure, the ids of their marks keep their meaning, and every step has a text. About `maxScenes` scenes
 * are checked, evenly spread over the steps. The trace is made if none is given.
 */
function expectScenesOfSteps(
  { format, story }: FormatWithStory,
  m: Matrix,
  params: Params,
  maxScenes = Number.POSITIVE_INFINITY,
  givenTrace?: Trace | null,
): void {
  if (!format.admits(m, params).ok) return;
  counts.add('showsEveryStep', params, m);
  const trace: Trace = givenTrace ?? story.trace(m, params);
  const stride = Math.max(1, Math.ceil(trace.steps.length / maxScenes));
  let before = new Map<string, string>();
  const shades = new Map<string, number>();
  for (let step = 0; step <= trace.steps.length; step += stride) {
    const scene = story.scene(trace, step);
    const after = shapesOf(scene);
    const messages = [
      ...problems(scene),
      ...idsWithTwoShapes(before, after).map((id) => `mark ${id} changes its meaning`),
      ...shadeProblems(shades, scene).map((shade) => `changes its shade: ${shade}`),
    ];
    before = after;
    // Some scenes are drawn a second time, since comparing all of them takes long.
    const isDrawnTwice = step % 7 === 0 || step === 5 * stride;
    if (isDrawnTwice && !isDeepStrictEqual(story.scene(trace, step), scene))
      messages.push('is another one the second time');
    if (messages.length > 0) expect.fail(`step ${step} of ${trace.steps.length}: ${messages.join('; ')}`);
  }
}

const everyStory = await formatsWithStories();

for (const formatWithStory of everyStory) {
  const { format, story } = formatWithStory;
  const everyParams = allParams(format);

  describe(`the story of ${format.id}`, () => {
    beforeAll(() => {
      counts = new LawCounts();
    });

    it.each(everyParams.map((params, i) => [paramsTitle(params), params, i] as const))(
      'shows what the encoder does with %s',
      (_, params, i) => {
        fc.assert(
          fc.property(recipeFor(format, params, 12, 64), (recipe) => {
            expectTrueStory(formatWithStory, buildMatrix(recipe), params);
          }),
          { numRuns: runsFor(format, cases(8, 20)) },
        );
        // In `npm test` each large window is tested with one or two choices of parameters.
        const every = cases(Math.ceil(everyParams.length / LARGE_WINDOWS.length), 1);
        const windows = i % every === 0 ? turnOf(LARGE_WINDOWS, i / every, Math.ceil(everyParams.length / every)) : [];
        for (const recipe of windows) {
          const m = buildMatrix(recipe);
          expectScenesOfSteps(formatWithStory, m, params, 5, expectTrueStory(formatWithStory, m, params));
        }
      },
    );

    it('has a valid scene for every step of a small window', () => {
      fc.assert(
        fc.property(smallWindow, fc.constantFrom(...everyParams), (recipe, params) => {
          expectScenesOfSteps(formatWithStory, buildMatrix(recipe), params);
        }),
        { numRuns: cases(6, 30) },
      );
    });

    it('has valid scenes with every choice of parameters', () => {
      for (const params of everyParams) {
        fc.assert(
          fc.property(supportedRecipe(format, params, 9, 40), (recipe) => {
            expectScenesOfSteps(formatWithStory, buildMatrix(recipe), params, 6);
          }),
          { numRuns: Math.ceil(ENOUGH_MATRICES / everyParams.length) },
        );
      }
    });

    it('shows the bytes of the whole matrix with their reason, and then the bytes of the window', () => {
      const params: object = defaultParams(format.params);
      const matrix = sampleMatrix(64, 256, 0.05);
      const encoded = format.encode(matrix, params);
      const ledger = format.storage(encoded);
      const reason = format.sizeReason?.(encoded).text ?? null;
      const window = sampleMatrix(8, 32, 0.05);
      const { rows, cols, nnz } = matrix;
      const scene = story.scene(story.trace(window, params), 0, {
        rows,
        cols,
        nnz,
        params,
        ledger,
        reason,
      });
      const [, wholePanel, windowPanel] = scene.panels;
      expect([wholePanel.id, windowPanel.id]).toEqual(['bytes to read', 'bytes of the window']);
      expect(wholePanel.marks.find(({ id }) => id === 'stored bytes words')?.text).toBe(bytesText(ledger.totalBytes));
      expect(windowPanel.caption).toMatch(/^[<\d.]+\u202f% of dense/);
      // The first letter is a capital in the caption only.
      expect(wholePanel.caption?.slice(1)).toBe(reason?.slice(1));
    });

    it('has no panel about the window if the bytes of the whole matrix are unknown', () => {
      const params: object = defaultParams(format.params);
      const { panels } = story.scene(story.trace(sampleMatrix(8, 32, 0.05), params), 0);
      expect(panels.map(({ id }) => id)).not.toContain('bytes of the window');
    });

    it('was tested above with every choice of parameters, on enough windows with enough non-zeros', () => {
      const totals = counts.totals();
      expect(totals.map(({ law }) => law)).toEqual(['tellsTheTruth', 'showsEveryStep']);
      for (const { law, all, params } of totals) {
        expect(params, law).toBe(everyParams.length);
        expect(all, law).toBeGreaterThanOrEqual(ENOUGH_MATRICES);
      }
    });
  });
}

it.each(everyStory.map((formatWithStory) => [formatWithStory.format.id, formatWithStory] as const))(
  'the story of %s shows what the encoder does on the window where its best example first opens',
  async (_, formatWithStory) => {
    const { format } = formatWithStory;
    const window = await firstVisitMatrix(format.bestExample.id);
    const params: Params = { ...storyParams<object>(format.params, defaultParams(format.params)) };
    const trace = expectTrueStory(formatWithStory, window, params);
    expect(trace).not.toBeNull();
    expectScenesOfSteps(formatWithStory, window, params, 60, trace);
  },
);
