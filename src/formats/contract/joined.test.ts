import type { AnyStory } from '../../story/format-story.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { supportedRecipe, buildMatrix, matrixRecipe, uniformRecipe } from '../../../test/arbitraries.ts';
import { formatsWithStories, type FormatWithStory, partnersOf } from '../../../test/stories.ts';
import { defaultParams, storyParams } from '../../core/format.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { joinStories } from '../../story/joined-stories.ts';
import { joinScenes } from '../../story/joined-scene.ts';
import { cellName, MATRIX_PANEL } from '../../story/scene-parts.ts';
import { narrationText, type Scene } from '../../story/scene.ts';
import type { Trace } from '../../story/trace.ts';
import { cases } from '../../../test/scheduled.ts';

/* Checks the joint picture of two formats (joinScenes) for pairs of registered formats. */

const everyStory = await formatsWithStories();
const smallWindow = matrixRecipe(7, 40);

type Params = Readonly<Record<string, unknown>>;

/** The parameters of the format's animation. */
const paramsFor = ({ format }: FormatWithStory): Params =>
  storyParams<Params>(format.params, defaultParams(format.params));

interface TracedStory {
  readonly story: AnyStory;
  readonly trace: Trace;
}

function traced(narrated: FormatWithStory, m: Matrix): TracedStory | null {
  const { story } = narrated;
  const params = paramsFor(narrated);
  return story.admits(m, params).ok || story.tracesRejected?.(m, params)
    ? { story, trace: story.trace(m, params) }
    : null;
}

function cellsOf(window: Matrix): readonly string[] {
  const names: string[] = [];
  const buffer = rowBuffer(window.cols);
  for (let row = 0; row < window.rows; row++) {
    const n = window.readRow(row, buffer);
    for (let i = 0; i < n; i++) names.push(cellName(row, buffer.columns[i]));
  }
  return names;
}

const marksOf = ({ panels }: Scene): readonly string[] => panels.flatMap(({ marks }) => marks.map(({ id }) => id));

const isCell = (id: string): boolean => /^cell \d+,\d+$/.test(id);

/** Errors of the joint picture of two scenes: marks that are missing or drawn twice. */
function problems(window: Matrix, joined: Scene, scenes: readonly [a: Scene, b: Scene]): string[] {
  const errors: string[] = [];
  const once = (what: string, names: readonly string[]): void => {
    const seenNames = new Set<string>();
    for (const name of names) {
      if (seenNames.has(name)) errors.push(`${what} '${name}' twice`);
      seenNames.add(name);
    }
  };
  const marks = marksOf(joined);
  once('mark', marks);
  const markIds = new Set(marks);
  once(
    'panel',
    joined.panels.map(({ id }) => id),
  );
  once(
    'link',
    joined.links.map(({ id }) => id),
  );
  for (const { id, from, to } of joined.links) {
    if (!markIds.has(from) || !markIds.has(to))
      errors.push(`link '${id}' from '${from}' to '${to}': an end is not drawn`);
  }
  const showsCells = scenes.some(({ panels }) => panels.some(({ id }) => id === MATRIX_PANEL));
  const expected = showsCells ? cellsOf(window) : [];
  const drawnCells = marks.filter(isCell);
  if (drawnCells.length !== expected.length || expected.some((name) => !markIds.has(name)))
    errors.push(`${drawnCells.length} cells, expected ${expected.length}`);
  if (joined.panels.filter(({ side }) => side === undefined).length !== (showsCells ? 1 : 0))
    errors.push('panels of both');
  (['a', 'b'] as const).forEach((side, i) => {
    const before = new Set(marksOf(scenes[i]));
    for (const id of before)
      if (!isCell(id) && !markIds.has(`${side} ${id}`)) errors.push(`mark '${id}' of ${side} is lost`);
    const links = new Set(joined.links.map(({ id }) => id));
    for (const { id, from, to } of scenes[i].links) {
      if (before.has(from) && before.has(to) && !links.has(`${side} ${id}`))
        errors.push(`link '${id}' of ${side} is lost`);
    }
  });
  return errors;
}

describe.each(everyStory.map((narrated) => [narrated.format.id, narrated] as const))(
  'the joint picture of %s',
  (_, narrated) => {
    it('and a second format contains all marks of both, and every cell once', () => {
      for (const partner of partnersOf(narrated, everyStory)) {
        fc.assert(
          fc.property(
            fc
              .oneof(
                smallWindow,
                supportedRecipe(narrated.format, paramsFor(narrated), 7, 40),
                supportedRecipe(partner.format, paramsFor(partner), 7, 40),
              )
              .map(buildMatrix),
            (window) => {
              const [a, b] = [traced(narrated, window), traced(partner, window)];
              if (!a || !b) return;
              let [stepA, stepB] = [0, 0];
              for (const frame of [null, ...joinStories(a, b).frames]) {
                stepA = frame?.a ? frame.a.to + 1 : stepA;
                stepB = frame?.b ? frame.b.to + 1 : stepB;
                const [sceneA, sceneB] = [a.story.scene(a.trace, stepA), b.story.scene(b.trace, stepB)];
                const [movedA, movedB] = [frame?.a !== null, frame?.b !== null];
                const joined = joinScenes(
                  window,
                  { scene: sceneA, title: narrated.format.title, moved: movedA },
                  { scene: sceneB, title: partner.format.title, moved: movedB },
                );
                expect(problems(window, joined, [sceneA, sceneB]), `steps ${stepA} and ${stepB}`).toEqual([]);
                const text = narrationText(joined);
                const last = (scene: Scene): string => scene.narration.at(-1)?.text ?? '';
                if (movedA) expect(text).toContain(last(sceneA));
                if (movedB && !movedA) expect(text).toContain(last(sceneB));
              }
            },
          ),
          { numRuns: cases(1, 2) },
        );
      }
    });
  },
);

describe('a picture of two formats', () => {
  const storyById = (id: string): FormatWithStory => everyStory.find(({ format }) => format.id === id) ?? everyStory[0];
  const window = buildMatrix(uniformRecipe([3, 40], 0, 13, { pattern: 'one of sixteen' }));
  const [macko, csr] = [traced(storyById('macko'), window), traced(storyById('csr'), window)];
  if (!macko || !csr) throw new Error('macko and csr: found no story of the window, expected both');
  const narrated = (story: TracedStory, step: number, title: string, moved = true) => ({
    scene: story.story.scene(story.trace, step),
    title,
    moved,
  });

  it('labels rows and columns with their numbers in the matrix', () => {
    const both = [narrated(macko, 12, 'MACKO'), narrated(csr, 8, 'CSR')] as const;
    const [cells] = joinScenes(window, ...both, { row: 464, col: 32 }).panels;
    expect([cells.rowLabels?.[0].text, cells.columnLabels?.[0].text]).toEqual(['row 464', '32']);
  });

  it('a picture of two formats has common names for the marks of both formats that show the same cell, so that they light up together', () => {
    const joined = joinScenes(window, narrated(macko, 12, 'MACKO'), narrated(csr, 8, 'CSR'));
    const marks = joined.panels.flatMap((panel) => panel.marks);
    const named = (id: string) => marks.find((mark) => mark.id === id)?.highlightNames ?? [];
    const [cell] = marks.filter(({ id }) => isCell(id));
    const highlightedWith = (names: readonly string[]): readonly string[] =>
      marks.filter((mark) => mark.highlightNames?.some((name) => names.includes(name))).map(({ id }) => id);
    for (const highlightNames of [
      cell.highlightNames ?? [],
      named('b data[0]'),
      named('b data byte 0'),
      named('b indices[0]'),
    ]) {
      const lit = highlightedWith(highlightNames);
      expect(lit).toContain(cell.id);
      for (const side of ['a', 'b'])
        expect(
          lit.some((id) => id.startsWith(`${side} `)),
          highlightNames.join(),
        ).toBe(true);
    }
  });

  it('a picture of two formats has the text of format A, or of format B if only B moved, after the name of the format', () => {
    const joined = (a: number, b: number, moved: readonly [boolean, boolean]) =>
      joinScenes(window, narrated(macko, a, 'MACKO', moved[0]), narrated(csr, b, 'CSR', moved[1]));
    const ofA = narrated(macko, 2, 'MACKO').scene.narration;
    for (const moved of [
      [true, true],
      [true, false],
      [false, false],
    ] as const) {
      const { narration } = joined(2, 1, moved);
      expect(narration.slice(0, 2)).toEqual([{ text: 'MACKO', strong: true, tone: 'format' }, { text: ': ' }]);
      expect(narration.slice(2)).toEqual(ofA);
    }
    const { narration } = joined(2, 1, [false, true]);
    expect(narration.slice(0, 2)).toEqual([{ text: 'CSR', strong: true, tone: 'against' }, { text: ': ' }]);
    expect(narration.slice(2)).toEqual(narrated(csr, 1, 'CSR').scene.narration);
  });

  it('colours the marks of each side by the colour of its format', () => {
    const end = [
      narrated(macko, macko.trace.steps.length, 'MACKO'),
      narrated(csr, csr.trace.steps.length, 'CSR'),
    ] as const;
    const joined = joinScenes(window, ...end);
    const tones = (side: 'a' | 'b') =>
      new Set(
        joined.panels.filter((panel) => panel.side === side).flatMap(({ marks }) => marks.map(({ tone }) => tone)),
      );
    expect(tones('a')).not.toContain('against');
    expect(tones('b')).not.toContain('format');
    expect(tones('b')).toContain('against');
  });
});
