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

/** Small shapes, of which every step is checked; other matrices have the size of the stage's window, at most 64 × 64. */
const smallWindow = matrixRecipe(cases(6, 9), cases(33, 40));

/** In `npm test` only the full window has as many rows as the stage. */
const ROWS = cases(24, 64);

const LARGE_WINDOWS: readonly MatrixRecipe[] = [
  { shape: [ROWS, 64], pattern: 'uniform', values: 'normal', density: 0.3, seed: 7, storage: 'entries' },
  { shape: [64, 64], pattern: 'full', values: 'small integers', density: 1, seed: 8, storage: 'cells' },
  { shape: [ROWS, 64], pattern: 'one dense row', values: 'edges', density: 0.1, seed: 9, storage: 'cells' },
  { shape: [ROWS, 64], pattern: 'two of four', values: 'normal', density: 0, seed: 11, storage: 'entries' },
  { shape: [ROWS, 64], pattern: 'six of eight', values: 'edges', density: 0, seed: 12, storage: 'cells' },
  { shape: [ROWS, 64], pattern: 'one of sixteen', values: 'normal', density: 0, seed: 13, storage: 'entries' },
  { shape: [ROWS, 64], pattern: 'empty', values: 'normal', density: 0, seed: 10, storage: 'entries' },
];

/** The counts of the format whose laws are running. */
let counts = new LawCounts();

/**
 * Describes where two arrays differ. All NaNs are equal; everything else is compared bit for bit.
 */
function difference(name: string, found: NamedArray, expected: NamedArray): string[] {
  if (found.length !== expected.length) return [`${name}: found ${found.length} elements, expected ${expected.length}`];
  const index = expected.findIndex((element: number, i: number) => !Object.is(found[i], element));
  return index < 0 ? [] : [`${name}[${index}]: found ${found[index]}, expected ${expected[index]}`];
}

/** The cells that are in one list and not in the other, with multiplicity. */
function unlike(found: readonly number[], expected: readonly number[], cols: number): string[] {
  const counts = new Map<number, number>();
  for (const cell of found) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  for (const cell of expected) counts.set(cell, (counts.get(cell) ?? 0) - 1);
  return [...counts].flatMap(([cell, extra]) =>
    extra === 0 ? [] : [`row ${Math.floor(cell / cols)}, column ${cell % cols}: ${extra} visits too many`],
  );
}

/**
 * Law 4: the effects of a trace, folded, are the arrays of `encode`, the non-zeros, and the oracle's sums. Problems are
 * collected and asserted once: asserting every effect took longer than the encoders.
 */
function expectTrueStory({ format, story }: FormatWithStory, m: Matrix, params: Params): Trace | null {
  if (!format.admits(m, params).ok) return null;
  counts.add('tellsTheTruth', params, m);
  const trace: Trace = story.trace(m, params);
  const encoded: EncodedMatrix = format.encode(m, params);
  const wrong: string[] = [];
  if (trace.steps.length === 0) wrong.push('no steps');
  let next = 0;
  for (const chapter of trace.chapters) {
    if (chapter.firstStep !== next)
      wrong.push(`chapter ${chapter.title}: found step ${chapter.firstStep}, expected ${next}`);
    next += chapter.stepCount;
  }
  if (next !== trace.steps.length) wrong.push(`chapters end at step ${next} of ${trace.steps.length}`);

  const arrays = namedArrays(encoded);
  const folded = new Map<string, NamedArray>();
  for (const [name, array] of arrays) folded.set(name, array.slice().fill(0));
  const visits: number[] = [];
  const y = new Float64Array(m.rows);
  for (const step of trace.steps) {
    for (const effect of step.effects) {
      if (effect.kind === 'visit') visits.push(effect.row * m.cols + effect.col);
      else if (effect.kind === 'accumulate') y[effect.row] += effect.value;
      else {
        const array = folded.get(effect.array);
        if (array && effect.index < array.length) array[effect.index] = effect.value;
        else wrong.push(`${effect.array}[${effect.index}] is stored: no such element`);
      }
    }
  }
  const shown = namedArrays(trace.encoded as EncodedMatrix);
  for (const [name, array] of arrays) {
    wrong.push(...difference(name, folded.get(name) ?? new Uint8Array(0), array));
    wrong.push(...difference(`${name} of the trace`, shown.get(name) ?? new Uint8Array(0), array));
  }

  const cells: number[] = [];
  const buffer = rowBuffer(m.cols);
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    for (let i = 0; i < n; i++) cells.push(r * m.cols + buffer.columns[i]);
  }
  wrong.push(...unlike(visits, cells, m.cols));

  const oracle = spmvWithBound(format.decode(encoded), trace.x);
  for (let r = 0; r < m.rows; r++) {
    if (Object.is(y[r], oracle.y[r]) || Math.abs(y[r] - oracle.y[r]) <= 1e-12 * oracle.magnitude[r]) continue;
    wrong.push(`sum of row ${r}: found ${y[r]}, expected ${oracle.y[r]}`);
  }
  expect(wrong).toEqual([]);
  return trace;
}

/** The problems of one scene; empty if there are none. Cheap enough for every step of a window. */
function problems(scene: Scene): string[] {
  const found: string[] = [];
  const ids = new Set<string>();
  const panelIds = new Set<string>();
  let marks = 0;
  for (const panel of scene.panels) {
    if (panelIds.has(panel.id)) found.push(`panel ${panel.id} twice`);
    panelIds.add(panel.id);
    if (!(panel.columns > 0 && panel.rows > 0)) found.push(`panel ${panel.id}: ${panel.columns} × ${panel.rows}`);
    for (const mark of panel.marks) {
      marks++;
      if (ids.has(mark.id)) found.push(`mark ${mark.id} twice`);
      ids.add(mark.id);
      if (![mark.x, mark.y, mark.w, mark.h].every(Number.isFinite)) found.push(`mark ${mark.id} has no position`);
      if (!(mark.w > 0 && mark.h > 0)) found.push(`mark ${mark.id} has no size`);
      if (mark.level !== undefined && !(mark.level >= 0 && mark.level <= 1)) found.push(`level of ${mark.id}`);
      if (/undefined|\[object/.test(`${mark.text ?? ''} ${mark.label ?? ''}`))
        found.push(`text of ${mark.id}: ${mark.text}, ${mark.label}`);
    }
  }
  if (marks >= 3000) found.push(`${marks} marks`);
  const links = new Set<string>();
  for (const link of scene.links) {
    if (links.has(link.id)) found.push(`link ${link.id} twice`);
    links.add(link.id);
    for (const end of [link.from, link.to]) if (!ids.has(end)) found.push(`link ${link.id}: no mark ${end}`);
  }
  const words = narrationText(scene);
  if (words.trim().length < 10 || /undefined|\[object/.test(words)) found.push(`narration: ${words}`);
  const { code } = scene;
  if (code && !code.lines[code.current]?.trim()) found.push(`code: no line ${code.current} of ${code.file}`);
  return found;
}

function shapesOf(scene: Scene): Map<string, string> {
  const shapes = new Map<string, string>();
  for (const { marks } of scene.panels) for (const { id, shape } of marks) shapes.set(id, shape);
  return shapes;
}

/** Marks with a different shape in two steps: an id that was used twice. */
function unstable(before: Map<string, string>, after: Map<string, string>): string[] {
  const found: string[] = [];
  for (const [id, shape] of after) if ((before.get(id) ?? shape) !== shape) found.push(id);
  return found;
}

/**
 * The shade of every box that shows a value, by its content: id and words. Boxes in focus may have another one, and so
 * may boxes of other colours: a box that is read or has just arrived is darker there.
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

/** Marks that have the same content as before in another shade. */
function reshaded(known: Map<string, number>, scene: Scene): string[] {
  const found: string[] = [];
  for (const [shown, level] of shadesOf(scene)) {
    const before = known.get(shown) ?? level;
    if (before !== level) found.push(`${shown}: ${before}, then ${level}`);
    known.set(shown, level);
  }
  return found;
}

/**
 * Law 5: scenes are pure, their marks have stable names, and every step has a text. At most `scenes` are checked.
 */
function showsEveryStep(
  { format, story }: FormatWithStory,
  m: Matrix,
  params: Params,
  scenes = Number.POSITIVE_INFINITY,
  traced?: Trace | null,
): void {
  if (!format.admits(m, params).ok) return;
  counts.add('showsEveryStep', params, m);
  const trace: Trace = traced ?? story.trace(m, params);
  const stride = Math.max(1, Math.ceil(trace.steps.length / scenes));
  let before = new Map<string, string>();
  const shades = new Map<string, number>();
  for (let step = 0; step <= trace.steps.length; step += stride) {
    const scene = story.scene(trace, step);
    const after = shapesOf(scene);
    const wrong = [
      ...problems(scene),
      ...unstable(before, after).map((id) => `mark ${id} changes its meaning`),
      ...reshaded(shades, scene).map((shade) => `changes its shade: ${shade}`),
    ];
    before = after;
    const isTwice = step % 7 === 0 || step === 5 * stride;
    if (isTwice && !isDeepStrictEqual(story.scene(trace, step), scene)) wrong.push('is another one the second time');
    if (wrong.length > 0) expect.fail(`step ${step} of ${trace.steps.length}: ${wrong.join('; ')}`);
  }
}

const everyStory = await formatsWithStories();

for (const narrated of everyStory) {
  const { format } = narrated;
  const everyParams = allParams(format);

  describe(`${format.id} has a story`, () => {
    beforeAll(() => {
      counts = new LawCounts();
    });

    it.each(everyParams.map((params, i) => [paramsTitle(params), params, i] as const))(
      'truthfully with %s',
      (_, params, i) => {
        fc.assert(
          fc.property(recipeFor(format, params, 12, 64), (recipe) => {
            expectTrueStory(narrated, buildMatrix(recipe), params);
          }),
          { numRuns: runsFor(format, cases(8, 20)) },
        );
        // In `npm test` each of them with one or two choices.
        const every = cases(Math.ceil(everyParams.length / LARGE_WINDOWS.length), 1);
        const large = i % every === 0 ? turnOf(LARGE_WINDOWS, i / every, Math.ceil(everyParams.length / every)) : [];
        for (const recipe of large) {
          const m = buildMatrix(recipe);
          showsEveryStep(narrated, m, params, 5, expectTrueStory(narrated, m, params));
        }
      },
    );

    it('with a scene for every step of a small window', () => {
      fc.assert(
        fc.property(smallWindow, fc.constantFrom(...everyParams), (recipe, params) => {
          showsEveryStep(narrated, buildMatrix(recipe), params);
        }),
        { numRuns: cases(6, 30) },
      );
    });

    it('with scenes of windows that every choice of parameters supports', () => {
      for (const params of everyParams) {
        fc.assert(
          fc.property(supportedRecipe(format, params, 9, 40), (recipe) => {
            showsEveryStep(narrated, buildMatrix(recipe), params, 6);
          }),
          { numRuns: Math.ceil(ENOUGH_MATRICES / everyParams.length) },
        );
      }
    });

    it('with the bytes of the whole matrix first, and then the bytes of the window with their reason', () => {
      const params: object = defaultParams(format.params);
      const matrix = sampleMatrix(64, 256, 0.05);
      const encoded = format.encode(matrix, params);
      const ledger = format.storage(encoded);
      const reason = format.sizeReason?.(encoded).text ?? null;
      const window = sampleMatrix(8, 32, 0.05);
      const { rows, cols, nnz } = matrix;
      const scene = narrated.story.scene(narrated.story.trace(window, params), 0, {
        rows,
        cols,
        nnz,
        params,
        ledger,
        reason,
      });
      const [, whole, part] = scene.panels;
      expect([whole.id, part.id]).toEqual(['bytes to read', 'bytes of the window']);
      expect(whole.marks.find(({ id }) => id === 'stored bytes words')?.text).toBe(bytesText(ledger.totalBytes));
      expect(part.caption).toMatch(/^[<\d.]+\u202f% of dense/);
      expect(whole.caption?.slice(1)).toBe(reason?.slice(1));
      const alone = narrated.story.scene(narrated.story.trace(window, params), 0).panels;
      expect(alone.map(({ id }) => id)).not.toContain('bytes of the window');
    });

    it('on enough windows with enough non-zeros', () => {
      const totals = counts.totals();
      expect(totals.map(({ law }) => law)).toEqual(['tellsTheTruth', 'showsEveryStep']);
      for (const { law, all, params } of totals) {
        expect(params, law).toBe(everyParams.length);
        expect(all, law).toBeGreaterThanOrEqual(ENOUGH_MATRICES);
      }
    });
  });
}

it.each(everyStory.map((narrated) => [narrated.format.id, narrated] as const))(
  '%s has a true story when the matrix that shows it best is first opened',
  async (_, narrated) => {
    const { format } = narrated;
    const window = await firstVisitMatrix(format.bestExample.id);
    const params: Params = { ...storyParams<object>(format.params, defaultParams(format.params)) };
    const trace = expectTrueStory(narrated, window, params);
    expect(trace).not.toBeNull();
    showsEveryStep(narrated, window, params, 60, trace);
  },
);
