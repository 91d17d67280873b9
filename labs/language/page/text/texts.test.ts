// Snapshots of the sentences about a written text (words/*.txt).

import { createElement } from 'react';
import { expect, it } from 'vitest';
import { shippedQuality, shippedTexts } from '../../test/offers.ts';
import { visibleText } from '../../../../test/markup.ts';
import { plainText } from '../../../../test/text-rules.ts';
import { type Statement, wordings } from '../../../../test/wordings.ts';
import { textStory } from '../show/text-story.ts';
import { calibrationProblem, SideTable } from './TextFigures.tsx';
import { OwnTextExcerpt } from './OwnTextExcerpt.tsx';
import { headline } from './headline.ts';
import { recordedText } from './recorded-texts.ts';
import { LikelyPanel, MixedNote, substituteText } from './TextSide.tsx';
import { multipliedText, tokenText } from './text-words.ts';
import type { TextPair } from './text-pair.ts';

const texts = shippedTexts();
const quality = shippedQuality('tales');
const measuredOf = (row: (typeof quality.rows)[number] | undefined) =>
  row ? { bitsPerByte: row.bitsPerByte, unbroken: row.unbroken ?? null, judged: row.judged ?? null } : null;
const dense = measuredOf(quality.rows[0]);

/** Every recorded text of the model, with the quality of the same pruning over many tales. */
const RECORDED = texts.marks.map((mark) => {
  const { model, prompt, seed, temperature } = texts;
  const { way, density } = mark;
  const pruning = density === 1 ? null : ({ way, density } as never);
  const request = { model: { id: model, url: '' }, prompt, seed, temperature, pruning };
  const text = recordedText(texts, { ...request, format: 'dense', params: {}, count: 480 });
  if (!text) throw new Error(`found no text of ${way} ${density}`);
  const row = quality.rows.find(
    (candidate) =>
      candidate.way === (density === 1 ? 'none' : way) &&
      candidate.density === density &&
      candidate.valueType === 'f16' &&
      (candidate.pattern ?? candidate.trained) === undefined,
  );
  return { title: `${way} ${density}`, density, text, pruned: measuredOf(row) };
});

/** Headlines about every recorded text, for known and unknown figures and for every kind of override. */
function* headlines(): Generator<Statement> {
  for (const { title, density, text, pruned } of RECORDED)
    for (const prunedFigures of [pruned, null, { bitsPerByte: 0.2345, unbroken: null, judged: null }])
      for (const columnTitle of density === 1 ? [null] : [null, 'mixed', 'i4'])
        yield [
          title,
          plainText(headline({ density, overridesTitle: columnTitle, text, pruned: prunedFigures, dense })),
        ];
}

/** Texts next to the model's text: table of figures, likely tokens, and notes. */
function* besides(): Generator<Statement> {
  const common = {
    quality,
    overridesTitle: null,
    format: 'macko',
    matrices: 42,
    denseBytes: 6_635_520,
    bytes: 4_212_345,
  };
  const rates = { dense: 123.4, pruned: null };
  for (const { title, density, text, pruned } of [RECORDED[0], RECORDED[RECORDED.length - 1]]) {
    for (const [areTales, denseFigures, prunedFigures] of [
      [true, dense, pruned],
      [true, dense, null],
      [true, null, pruned],
      [true, null, null],
      [false, null, pruned],
    ] as const) {
      const figures = {
        areTales,
        text: areTales ? null : text.outcome,
        dense: denseFigures,
        pruned: prunedFigures,
        density,
      };
      yield [title, visibleText(createElement(SideTable, { ...common, ...figures, rates, where: 'on the CPU' }))];
    }
  }
  for (const { title, text } of RECORDED) {
    const lost = text.readTokens.reduce((sum, token) => sum + token.lost, 0);
    for (const token of [
      text.readTokens[0],
      text.readTokens.find((candidate) => candidate.lost > 1),
      text.readTokens.find((candidate) => candidate.lost < -0.05),
    ])
      if (token) {
        for (const freeToken of [null, token.likely[0].text, 'ut']) {
          const props = { textBefore: 'X', token, freeToken, lost, formats: ['dense', 'macko'] } as const;
          yield [`likely, ${title}`, visibleText(createElement(LikelyPanel, props))];
        }
      }
  }
  for (const [count, words, density] of [
    [1, 'mixed', 0.4567],
    [7, 'mixed', 1],
    [42, 'i4', 0.4567],
  ] as const)
    for (const isMeasured of [false, true]) {
      const choices = Array.from({ length: count }, (_, layer) => ({ layer, name: 'q' }));
      const overrides = { overrides: choices, words, density } as never;
      yield ['mixed', visibleText(createElement(MixedNote, { modelOverrides: overrides, matrices: 42, isMeasured }))];
    }
  for (const length of [199, 200, 4000, 4001])
    yield [`${length} letters`, calibrationProblem('x'.repeat(length)) ?? ''];
  for (const inFormat of [0, 1, 40, 42]) {
    const rejection = inFormat === 42 ? null : 'found 9';
    yield [`${inFormat} multiplied`, multipliedText({ inFormat, rejection }, 'ELL', 42) ?? ''];
  }
  for (const density of [null, 0.005, 0.125, 0.5, 1])
    for (const named of ['llama-3.1-8b', 'gpt-2', null])
      yield ['instead', substituteText({ named, writer: 'Tales 0.6M', density })];
}

/** Texts of the presentation at several steps, excerpts of the pruned model's text, and tokens for screen readers. */
function* narrations(): Generator<Statement> {
  for (const { title, density, text } of RECORDED) {
    for (const firstDifference of [text.free?.firstDifference ?? 0, 1]) {
      const withDifference: TextPair = text.free ? { ...text, free: { ...text.free, firstDifference } } : text;
      const lines = visibleText(createElement(OwnTextExcerpt, { text: withDifference })).split('\n');
      yield [`${title}, free`, `${lines[0]} / ${lines.at(-1)}`];
    }
    if (density === 1) continue;
    const story = textStory(text, { density, title: '', description: '' });
    const tokenCount = text.readTokens.length;
    for (const step of [0, 1, 2, 10, 50, tokenCount, tokenCount + 1]) yield [title, plainText(story.words(step))];
    for (const token of text.readTokens.slice(0, 8)) yield ['token', tokenText(token)];
  }
}

it.each(Object.entries({ headlines, besides, narrations }))(
  'the sentences about a written text equal their snapshot: %s',
  async (name, output) => {
    await expect(wordings(output())).toMatchFileSnapshot(`words/${name}.txt`);
  },
);
