import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesIn } from '../../../scripts/labs.mjs';
import { cssVariables, DARK, LIGHT } from '../../render/theme.ts';

test('the colours before any code runs equal the colours of the themes', () => {
  const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
  const [light, dark] = [cssVariables(LIGHT), cssVariables(DARK)];
  const pairs = [...css.matchAll(/^ {2}(--[\w-]+): light-dark\((#\w+), (#\w+)\);$/gm)].filter(
    ([, name]) => name in light,
  );
  expect(pairs.map(([, name]) => name)).toEqual(expect.arrayContaining(['--ground', '--text', '--hairline', '--cell']));
  for (const [, name, onLight, onDark] of pairs) {
    expect([name, onLight.toUpperCase(), onDark.toUpperCase()]).toEqual([name, light[name], dark[name]]);
  }
});

/** The values of a property in all stylesheets, each with its file. */
function valuesOf(property: RegExp): readonly { readonly file: string; readonly value: string }[] {
  return filesIn(['src', 'labs'], /\.css$/).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\s*([\w-]+): ([^;]+);/gm)]
      .filter(([, name]) => property.test(name))
      .map(([, , value]) => ({ file, value })),
  );
}

test('there are seven sizes of type, none below 12 px, and every font size is one of them', () => {
  const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
  expect(css.match(/^ {2}--size-\d+: /gm)).toHaveLength(7);
  const sizes = valuesOf(/^font-size$/);
  expect(sizes.length).toBeGreaterThan(15);
  // In em it follows the text around it. Charts are laid out in px, paper in pt, and what fills a screen follows its width.
  const others = sizes.filter(
    ({ value }) => !/^(?:var\(--size-\d+\)|inherit|100%|0\.\d+em|12px|[\d.]+pt|clamp\(.*vw.*\))$/.test(value),
  );
  expect(others).toEqual([]);
});

test('every gap is one of the gaps in tokens.css', () => {
  const gaps = valuesOf(/^(?:row-|column-)?gap$/);
  expect(gaps.length).toBeGreaterThan(15);
  // A line of one px between cells is no gap, and paper is measured in mm.
  const others = gaps.filter(
    ({ value }) => !value.split(' ').every((part) => /^(?:var\(--space-(?:half|\d+)\)|0|1px|\d+mm)$/.test(part)),
  );
  expect(others).toEqual([]);
});

test('utilities take sizes of type and gaps from these scales, too', () => {
  const classes = filesIn(['src', 'labs'], /(?<!\.test)\.tsx$/).flatMap(
    (file) => readFileSync(file, 'utf8').match(/(?<![\w-])(?:text|gap|gap-x|gap-y)-(?:\d|\[\d)[^\s'"`]*/g) ?? [],
  );
  expect(classes.length).toBeGreaterThan(300);
  expect(
    classes.filter((name) => !/^(?:text-(?:\d\d|\[(?:0\.\d+|1)em\])|gap(?:-[xy])?-(?:0\.5|\d+|\[1px\]))$/.test(name)),
  ).toEqual([]);
});
