import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogModule } from '../../scripts/format-catalog.ts';
import { withReaders } from '../../scripts/numpy-readers.ts';
import { SPARE_COLORS } from '../../src/core/declared/card.ts';
import { denseMatrix, toDense } from '../../src/core/matrix/index.ts';
import { formats, referenceFormat } from '../../src/formats/registry.ts';
import { formatColor, LIGHT, withFormats } from '../../src/render/theme.ts';
import { withStory } from '../../src/story/declared/with-story.ts';
import { loadStory } from '../../src/story/format-story.ts';
import { statisticsOf } from '../encodings.ts';
import { frameOf, lastPicture } from '../frames.ts';
import { pinnedOf } from '../precision.ts';
import { jds } from './jds/index.ts';
import { sell4 } from './sell4/index.ts';

/** Adding a declared format requires no change elsewhere: SELL-4 occurs only in its folder and in the list of formats.ts. */

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = 'test/declared/sell4';
/** The kernel, which is generated from the declaration. */
const PRINTED = 'spmv_scalar.wgsl';
/** The list of formats, the test of printed kernels, and this test. */
const MAY_NAME = ['test/declared/formats.ts', 'test/first-kernels.test.ts', 'test/declared/friction.test.ts'];

const A = denseMatrix(5, 3, Float32Array.of(1, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 4));

const textOf = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');
const filesIn = (folder: string): readonly string[] =>
  readdirSync(resolve(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`);

describe('the declared format SELL-4', () => {
  it('consists of a declaration of at most 100 lines in two files, and of its frames in a third', () => {
    const written = readdirSync(resolve(ROOT, FOLDER)).filter((name) => name !== PRINTED);
    expect(written.toSorted()).toEqual(['card.ts', 'index.ts', 'story.ts']);
    const linesIn = (name: string): number => textOf(`${FOLDER}/${name}`).split('\n').length;
    expect(linesIn('card.ts') + linesIn('index.ts')).toBeLessThanOrEqual(100);
    expect(linesIn('story.ts')).toBeLessThanOrEqual(70);
  });

  it('is named by no oracle, table or number of a test', () => {
    const naming = ['src', 'labs', 'test', 'scripts', 'docs', 'shaders', 'bench', 'e2e']
      .flatMap(filesIn)
      .filter((path) => /\.(?:tsx?|mjs|json|md|py|wgsl)$/.test(path) && !path.startsWith(`${FOLDER}/`))
      .filter((path) => /sell-?4/i.test(textOf(path)));
    expect(naming.toSorted()).toEqual(MAY_NAME.toSorted());
  });

  it('is in the catalog, the Python reader and the colours, which derive from the list of formats', () => {
    const listed = withStory(sell4);
    const all = [...formats, listed];
    const registry = { formats: all, referenceFormat, baselineFormat: referenceFormat, firstFormat: listed };
    expect(catalogModule(registry)).toContain(`export const firstFormat = catalog[${formats.length}];`);
    expect(withReaders(textOf('docs/numpy/sparsescope.py'), all)).toContain('@decodes("sell4")\ndef sell4(a, n):\n');
    expect(formatColor(withFormats(LIGHT, all), 'sell4')).toBe(SPARE_COLORS.light);
  });

  it('has a summary, a story, and a kernel within its error bound', async () => {
    expect([sell4.summary, sell4.group, sell4.source]).toEqual([sell4.shortSummary, 'classic', null]);
    const story = await loadStory(withStory(sell4));
    expect(story.trace(A, { valueType: 'f32' }).steps.length).toBeGreaterThan(4);
    expect(sell4.kernels.map(({ id }) => id)).toEqual(['sell4/spmv_scalar']);
    expect(Object.keys(sell4.limits ?? {})).toEqual(['sell4/spmv_scalar']);
    expect(sell4.kernels.map(pinnedOf)).toEqual([{ roundings: 1, max: 9 }]);
  });

  it('marks its size as dependent on the matrix if its lengths are open, and encodes it', () => {
    expect([sell4.expectedEffectiveDensity, sell4.overheadBits, sell4.expectedReason]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(sell4.comparison.size(statisticsOf(A), { valueType: 'f32' })).toBe('open');
    const e = sell4.encode(A, { valueType: 'f32' });
    expect([e.starts, e.values, e.indices]).toEqual([
      Uint32Array.of(0, 8, 12),
      Float32Array.of(1, 0, 3, 0, 2, 0, 0, 0, 4, 0, 0, 0),
      Uint16Array.of(0, 0, 1, 0, 2, 0, 0, 0, 2, 0, 0, 0),
    ]);
    expect(sell4.storage(e).totalBits.padding).toBe(8 * (32 + 16));
  });

  it('has frames of its own, whose cells show f16 weights as numbers, not as bits', async () => {
    const story = await loadStory(withStory(sell4));
    const frames = story.frames?.(story.trace(A, { valueType: 'f16' })) ?? [];
    expect(frames.map(({ id }) => id)).toEqual(['zeros', 'a slice', 'slot by slot', 'columns', 'verdict']);
    const texts = lastPicture(frameOf(frames, 'slot by slot')).marks.flatMap(({ id, text }) =>
      id?.startsWith('values[') ? [text] : [],
    );
    expect(texts).toEqual(['1', '0', '3', '0', '2', '0', '0', '0']);
  });
});

it('the declared format JDS, which permutes rows, decodes to the same matrix', () => {
  expect(toDense(jds.decode(jds.encode(A, { valueType: 'f32' })))).toEqual(toDense(A));
  expect(jds.encode(A, { valueType: 'f32' })).toMatchObject({
    permutation: Uint16Array.of(0, 2, 4, 1, 3),
    starts: Uint32Array.of(0, 3, 4, 4),
    values: Float32Array.of(1, 3, 4, 2),
  });
  expect(jds.kernels.map(({ title }) => title)).toEqual(['lane per sorted row']);
});
