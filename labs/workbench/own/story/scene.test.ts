// The pictures of a custom format's story.

import { expect, it } from 'vitest';
import { localSource, starterText } from '../../test/own-runner.ts';
import { CsrMatrix, toCsr } from '../../../../src/core/matrix/index.ts';
import { generate } from '../../../../src/generate/generate.ts';
import { userFormatStory } from './index.ts';

const WINDOW = new CsrMatrix(toCsr(generate({ pattern: 'uniform', rows: 5, cols: 16, density: 0.4, seed: 3 })));

it('a scene shows the name of an array that has the same name as a property of every matrix', async () => {
  const source = await localSource(
    'mine',
    starterText('csr')
      .replaceAll('columns:', 'cols:')
      .replaceAll('columns }', 'cols: columns }')
      .replaceAll('columns,', 'cols: columns,'),
  );
  const story = userFormatStory(source);
  const trace = story.trace(WINDOW, {});
  const { panels } = story.scene(trace, trace.steps.length);
  const texts = panels.flatMap(({ title, rowLabels = [], marks }) => [
    title ?? '',
    ...rowLabels.map(({ text }) => text),
    ...marks.map(({ label }) => label ?? ''),
  ]);
  expect(texts).toEqual(expect.arrayContaining(['cols', 'values', 'starts']));
  expect(texts.filter((text) => /^cols\[\d+\]: \d/.test(text)).length).toBe(WINDOW.nnz);
  expect(texts.filter((text) => text.includes('cols.'))).toEqual([]);
});
