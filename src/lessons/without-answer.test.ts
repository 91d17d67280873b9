import { describe, expect, it } from 'vitest';
import { narrationText, type Scene } from '../story/scene.ts';
import { formats } from '../formats/catalog.ts';
import { loadFigure } from './figure.ts';
import { type FoundQuestion, findQuestion } from './question-search.ts';
import { lessons } from './index.ts';
import { prepareLesson } from './prepare.ts';
import { isPageAddress, figureDocument } from './figure-address.ts';
import { withoutAnswer } from './without-answer.ts';
import { CATALOG as catalog, OFFERS } from '../../test/offers.ts';
import { cases } from '../../test/scheduled.ts';

/** All texts of a scene: drawn, in tooltips, in its tables and read aloud. */
function textsOf(scene: Scene): readonly string[] {
  const texts = scene.panels.flatMap(({ title, caption, rowLabels, columnLabels, marks }) => [
    title,
    caption,
    ...(rowLabels ?? []).map(({ text }) => text),
    ...(columnLabels ?? []).map(({ text }) => text),
    ...marks.flatMap(({ text, label }) => [text, label]),
  ]);
  return [narrationText(scene), ...texts.filter((text) => text !== undefined)];
}

/** Finds these numbers as quantities: 128 bytes, 128 B, 64 cells. A number alone may be a row or a column. */
function quantities(numbers: readonly number[], unit: string | null): RegExp {
  const units = ['bytes?', 'B', 'cells?', ...(unit === null ? [] : [`${unit.replace(/s$/, '')}s?`])];
  const digits = numbers.map((number) => String(number).replace('.', '\\.'));
  return new RegExp(`(?<![\\w.,[])(?:${digits.join('|')}) ?(?:${units.join('|')})\\b`);
}

/** Number of steps of a story whose texts are read: the first, the last, and some between. */
const SAMPLES = cases(6, Number.POSITIVE_INFINITY);

/** The texts on the stage that contain the answer or its summands, by step. */
function revealedBy({ posed, figure }: FoundQuestion): readonly string[] {
  if (typeof posed.answer !== 'number') return [];
  const { story, trace } = figure.loaded;
  const answerPattern = quantities([posed.answer, ...posed.parts], posed.unit);
  const last = trace.steps.length;
  const steps = Array.from({ length: last + 1 }, (_, step) => step);
  const stride = Math.max(1, Math.floor(last / SAMPLES));
  return steps
    .filter((step) => step % stride === 0 || step === last)
    .flatMap((step) =>
      textsOf(story.scene(trace, step))
        .filter((text) => answerPattern.test(text.replaceAll('\u202f', '')))
        .map((text) => `step ${step}: ${text}`),
    );
}

/** Figures whose questions are about the stage; a page hides its own answers. */
const ofStage = lessons.filter(({ blocks }) =>
  blocks.some(({ kind, figure }) => kind === 'prediction' && !isPageAddress(figure.address)),
);

describe('until a question is answered', () => {
  it.each(ofStage.map((lesson) => [lesson.title, lesson] as const))(
    'no text on the stage contains the answer, or its summands: %s',
    async (_title, lesson) => {
      let questionCount = 0;
      for (const { foundQuestion: question } of await prepareLesson(lesson, catalog, formats, OFFERS)) {
        if (!question) continue;
        questionCount++;
        expect(revealedBy({ ...question, figure: withoutAnswer(question) }), question.posed.id).toEqual([]);
      }
      expect(questionCount).toBeGreaterThanOrEqual(3);
    },
  );

  it.each(['dense', 'csr', 'ell', 'bitmask', 'twell'])(
    'the bytes of %s are dashed strips of one length, and its bars are one as long as the other',
    async (format) => {
      const address = `#2/watch?src=generated:uniform&shape=4x24&density=0.2&seed=3&a=${format}`;
      const question = await findQuestion(await loadFigure(figureDocument(address, catalog), formats), 'bytes');
      expect(revealedBy(question).length).toBeGreaterThan(0);
      const figure = withoutAnswer(question);
      expect(revealedBy({ ...question, figure })).toEqual([]);
      const { story, trace } = figure.loaded;
      let strips = 0;
      for (let step = 0; step <= trace.steps.length; step++) {
        const scene = story.scene(trace, step);
        for (const panel of scene.panels) {
          if (panel.unit !== 'byte' && panel.unit !== 'bar') continue;
          strips++;
          const drawn = panel.marks.filter(({ shape }) => shape !== 'text');
          expect(drawn.every(({ state }) => state === 'ghost')).toBe(true);
          expect(new Set(drawn.map(({ w }) => w)).size).toBe(1);
          if (panel.unit === 'byte') expect(panel.caption).toBe('? bytes');
        }
        const marks = scene.panels.flatMap((panel) => panel.marks);
        const ids = new Set(marks.map(({ id }) => id));
        expect(ids.size).toBe(marks.length);
        expect(scene.links.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
      }
      expect(strips).toBeGreaterThan(0);
    },
  );

  it('the figure of a question stays the same one', async () => {
    const [{ foundQuestion }] = (await prepareLesson(lessons[0], catalog, formats)).filter(
      (block) => block.foundQuestion,
    );
    if (!foundQuestion) throw new Error('found no question');
    expect(withoutAnswer(foundQuestion)).toBe(withoutAnswer(foundQuestion));
    expect(withoutAnswer(foundQuestion)).not.toBe(foundQuestion.figure);
  });
});
