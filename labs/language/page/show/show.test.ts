// The presentation of Language, and its saved files: SVG, text, CSV and JSON.

import { plainText } from '../../../../test/text-rules.ts';
import { expect, test } from 'vitest';
import { WRITE_REQUEST } from '../../test/fake-imported.ts';
import { shippedQuality, shippedTexts } from '../../test/offers.ts';
import { blockWeights } from '../../decoders/stored/recipe.ts';
import { shippedModel } from '../../../../src/theory/models/known-models.ts';
import { recordedPoints } from '../quality/points.ts';
import { recordedText } from '../text/recorded-texts.ts';
import { NO_TEXT } from '../text/text-pair.ts';
import { tintOf } from '../text/lost-bits.ts';
import { type Drawing, drawingSvg, type DrawingMark } from './drawing.ts';
import { qualityDrawing } from './quality-drawing.ts';
import { qualityCsv, qualityJson } from './quality-export.ts';
import { qualityStory } from './quality-story.ts';
import { textDrawing } from './text-drawing.ts';
import { textFile, textStory } from './text-story.ts';

const colors = {
  ground: '#fff',
  text: '#000',
  muted: '#555',
  quiet: '#777',
  hairline: '#ddd',
  danger: '#a00',
  tint: '#a01',
  pruned: '#080',
};
const texts = shippedTexts();
const { prompt, seed, temperature } = texts;
const requested = { model: { id: 'tales', url: '' }, pruning: { way: 'wanda', density: 0.6 } } as const;
const request = { ...WRITE_REQUEST, ...requested, format: '', prompt, seed, temperature, count: 480 };
const text = recordedText(texts, request) ?? NO_TEXT;
const story = textStory(text, { density: 0.6, title: 'Tales', description: 'recorded' });
const draw = (step: number, height: number | null = 600): Drawing =>
  textDrawing(text, {
    ...story.at(step),
    width: 900,
    height,
    largest: 30,
    smallest: 10,
    colors,
    measure: (piece) => 0.5 * piece.length,
  });
/** The texts of a drawing in one color. */
const textsIn = ({ marks }: Drawing, fill: string): string =>
  marks.flatMap((mark) => (mark.kind === 'text' && mark.fill === fill ? [mark.text] : [])).join(' ');

test('the story of an unpruned text has no second half', () => {
  const dense = textStory(text, { density: 1, title: '', description: '' });
  expect(dense.chapters.map(({ id }) => id)).toEqual(['held']);
});

test('the drawing shows the pruned text up to the step, with one font size in the whole story', () => {
  expect(textsIn(draw(0), colors.text)).toBe('');
  const firstFive = textsIn(draw(5), colors.text);
  expect(firstFive.replaceAll(' ', '')).toBe(text.dense.slice(0, 5).join('').replaceAll(' ', ''));
  expect(textsIn(draw(0), colors.muted).replaceAll(' ', '')).toContain(text.dense.join('').replaceAll(' ', ''));
  const sizes = [0, 5, story.opening, story.stepCount].map(
    (step) =>
      draw(step).marks.find((mark): mark is Extract<DrawingMark, { kind: 'text' }> => mark.kind === 'text')?.size,
  );
  expect(new Set(sizes).size).toBe(1);
  expect(draw(story.opening).height).toBeLessThanOrEqual(600);
  const tinted = draw(story.opening).marks.filter((mark) => mark.kind === 'rect' && mark.fill === colors.tint);
  expect(tinted).toHaveLength(text.readTokens.filter(({ lost }) => tintOf(lost) > 0).length);
  expect(textsIn(draw(story.stepCount), colors.danger).length).toBeGreaterThan(0);
});

test('saved files: the SVG contains every word and is valid XML, the text contains both tales', () => {
  const svg = drawingSvg(
    { width: 10, height: 10, marks: [{ kind: 'text', x: 0, y: 0, text: 'a < "b" & c', size: 12, fill: '#000' }] },
    '#fff',
    'Sans, "Two"',
  );
  expect(svg).toContain('a &lt; &quot;b&quot; &amp; c');
  expect(svg).toContain('font-family="Sans, &quot;Two&quot;"');
  expect(drawingSvg(draw(story.opening), '#fff', 'Sans')).toContain(`fill="${colors.tint}"`);
  const file = textFile(text, { title: 'Tales', description: 'recorded' });
  expect(file).toContain(text.dense.join('').trim());
  // Tokens that share the bytes of a letter.
  const splitLetters = {
    ...NO_TEXT,
    prompt: ['na', '<0xC3>'],
    dense: ['<0xAF>', 've ', '<0xF0><0x9F>', '<0x98><0x80>', '!'],
  };
  expect(textFile(splitLetters, { title: '', description: '' })).toContain('\nDense:\nna\u00efve \ud83d\ude00!\n');
  expect(file).toMatch(/\n[A-Z]\w+, (?:in both texts, )?sentence \d+ of \d+: /);
});

const recorded = shippedQuality('tales');
const shape = shippedModel('tales')?.shape;
const narration = {
  points: shape ? recordedPoints(recorded, 2 * blockWeights(shape)) : [],
  floor: recorded.floor.exact,
  bytesPerTale: recorded.bytes / recorded.tales,
  title: 'Tales',
  description: 'recorded',
};

test('quality is presented one measured point a step, each with its figures', () => {
  const quality = qualityStory(narration);
  expect(quality?.stepCount).toBeGreaterThan(20);
  expect(quality?.chapters.reduce((sum, { stepCount }) => sum + stepCount, 0)).toBe(quality?.stepCount);
  const words = (step: number): string => plainText(quality?.words(step) ?? []);
  const row = recorded.rows.find(
    (candidate) => candidate.way === 'wanda' && candidate.density === 0.6 && candidate.pattern === undefined,
  );
  const index =
    quality?.shownAt(quality.stepCount).findIndex(({ bitsPerByte }) => bitsPerByte === row?.bitsPerByte) ?? 0;
  expect(words(index)).toContain(row?.bitsPerByte.toFixed(4));
  expect(words(index)).toContain(`${row?.unbroken} of ${row?.judged} tales`);
  for (let step = 0; step <= (quality?.stepCount ?? 0); step++) {
    const drawing = qualityDrawing({ points: quality?.shownAt(step) ?? [], width: 1000, height: 500, colors });
    for (const mark of drawing.marks) {
      if (mark.kind === 'dot') expect(Math.min(mark.x, mark.y, 1000 - mark.x, 500 - mark.y)).toBeGreaterThanOrEqual(0);
    }
  }
  expect(qualityStory({ ...narration, points: [] })).toBeNull();
});

test('each measured point is a line of the CSV and an object of the JSON', () => {
  const lines = qualityCsv(narration).trimEnd().split('\r\n');
  expect(lines).toHaveLength(narration.points.length + 1);
  expect(lines[0]).toContain('bits_per_byte');
  const json = JSON.parse(qualityJson(narration)) as { points: readonly { bits_per_byte: number }[]; floor: number };
  expect(json.points.map((point) => point.bits_per_byte)).toEqual(narration.points.map((point) => point.bitsPerByte));
  expect(json.floor).toBe(recorded.floor.exact);
});
