import { expect, it } from 'vitest';
import { deltaCsr } from '../../../test/declared/delta-csr/index.ts';
import { denseMatrix, type Matrix } from '../../core/matrix/index.ts';
import { formats } from '../../formats/registry.ts';
import { loadStory } from '../format-story.ts';
import { withStory } from './with-story.ts';

it('withStory returns a format with a story unchanged, and adds a story to a declared format', () => {
  expect(formats.map(withStory).every((format, i) => format === formats[i])).toBe(true);
  const { story, ...rest } = withStory(deltaCsr);
  expect(story).toBeTypeOf('function');
  expect(rest).toEqual(deltaCsr);
});

const A = denseMatrix(
  3,
  40,
  Float32Array.from({ length: 120 }, (_, i) => (i % 7 === 0 ? i / 8 - 3 : 0)),
);

it('a derived story has no panel of bytes for an empty array, whose title would overlap the next one', async () => {
  const story = await loadStory(withStory(deltaCsr));
  const panels = (m: Matrix): readonly string[] =>
    story
      .scene(story.trace(m, { valueType: 'f16' }), 1)
      .panels.flatMap(({ id }) => (id.startsWith('memory') ? [id] : []));
  expect(panels(A)).toEqual(['memory data', 'memory skips', 'memory indptr', 'memory escptr']);
  const wide = denseMatrix(1, 400, new Float32Array(400).fill(2, 300, 301));
  expect(panels(wide)).toEqual(['memory data', 'memory skips', 'memory escapes', 'memory indptr', 'memory escptr']);
});
