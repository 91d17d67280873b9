import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cssVariables, DARK, LIGHT } from '../../render/theme.ts';

test('the colours that hold before any code runs are those of the themes', () => {
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
