// Numbers, questions and figures of the lesson about pruned models.

import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { shippedQuality, shippedTexts } from '../../test/offers.ts';
import { Bars } from './LessonFigure.tsx';
import { factsOf } from './facts.ts';
import { brokenIn, LAW_GROUPS } from './law-groups.ts';
import { untrainedRecipe, rowNamed, rowTitle } from './measured-models.ts';

const quality = shippedQuality('tales');

describe('names of measured models', () => {
  it.each([
    ['dense', 'dense f16', { pruning: { way: 'none' }, valueType: 'f16' }],
    ['wanda-60', '60\u202f% left', { pruning: { way: 'wanda', density: 0.6 }, valueType: 'f16' }],
    ['random-90', '90\u202f% left at random', { pruning: { way: 'random', density: 0.9, seed: 1 }, valueType: 'f16' }],
    ['wanda-6-of-8', '6:8', { pruning: { way: 'n-of-m', kept: 6, group: 8, by: 'wanda' }, valueType: 'f16' }],
    ['i4', 'i4', { pruning: { way: 'none' }, valueType: 'i4' }],
    ['i4-wanda-50', 'i4, 50\u202f% left', { pruning: { way: 'wanda', density: 0.5 }, valueType: 'i4' }],
    ['wanda-2-of-4-trained', '2:4, trained further', null],
  ])('the name %s is shown as %s', (name, title, recipe) => {
    const row = rowNamed(quality, name);
    expect(row && rowTitle(row)).toBe(title);
    expect(row && untrainedRecipe(row)).toEqual(recipe);
  });

  it.each(['', 'sparse', 'wanda', 'wanda-61', 'i4-', 'dense-trained', 'wanda-60-trained', '__proto__'])(
    '%j names none',
    (name) => expect(rowNamed(quality, name)).toBeNull(),
  );
});

it('numbers equal the numbers of the recording', () => {
  const { number } = factsOf({ model: 'tales', compared: null }, quality);
  const [dense] = quality.rows;
  expect(number('dense.bits')).toBe(dense.bitsPerByte);
  expect(number('dense.broken')).toBe((dense.judged ?? 0) - (dense.unbroken ?? 0));
  expect(number('floor')).toBe(quality.floor.exact);
  expect(number('dense.tool')).toBe(0);
  for (const name of ['dense', 'dense.constructor', 'dense.speed', 'constructor', 'wanda-61.bits']) {
    expect(number(name), name).toBeNull();
  }
});

it('every law that broke first in a recording is in one group of the question', () => {
  const laws = LAW_GROUPS.flatMap((group) => group.laws as readonly string[]);
  expect(new Set(laws).size).toBe(laws.length);
  for (const row of quality.rows) {
    const broken = (row.judged ?? 0) - (row.unbroken ?? 0);
    expect(brokenIn(row, laws)).toBe(broken);
  }
});

it.each(['bits', 'unbroken', 'laws'] as const)(
  'a figure of %s hides the answer until the question is answered',
  (quantity) => {
    const rows = ['dense', 'wanda-60'].flatMap((name) => rowNamed(quality, name) ?? []);
    const [dense, pruned] = rows;
    const markup = (hidden: boolean): string =>
      renderToStaticMarkup(createElement(Bars, { quality, quantity, rows, hidden, measuredByRow: new Map() }));
    const text = {
      bits: pruned.bitsPerByte.toFixed(4),
      unbroken: `>${pruned.unbroken}<`,
      laws: `>${brokenIn(pruned, LAW_GROUPS[0].laws)}<`,
    }[quantity];
    expect(markup(false)).toContain(text);
    expect(markup(true)).not.toContain(text);
    expect(markup(true)).toContain('>?<');
    expect(markup(true)).toContain(rowTitle(dense));
  },
);

it('the tale of the lesson breaks at a word or a sentence with 60 % of the weights, and at no other law', () => {
  const { marks } = shippedTexts();
  const mark = marks.find(({ way, density }) => way === 'wanda' && density === 0.6);
  expect(['spelling', 'grammar']).toContain(mark?.verdict.broken?.law);
});
