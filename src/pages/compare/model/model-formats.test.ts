import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withVisibleSigns } from '../../../core/errors.ts';
import { formats } from '../../../formats/registry.ts';
import { type ModelShape } from '../../../theory/models/model-shape.ts';
import { KNOWN_MODELS } from '../../../theory/models/known-models.ts';
import { modelOfSizes, sizesText } from '../../../theory/models/model-sizes.ts';
import { leftOutText, modelFormats } from './model-formats.ts';

const size = fc.integer({ min: 1, max: 2 ** 24 });
const anyModel: fc.Arbitrary<ModelShape> = fc
  .record({
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((name) => name.length <= 60),
    hidden: size,
    intermediate: size,
    layers: size,
    kvHeads: fc.integer({ min: 1, max: 64 }),
    perKv: fc.integer({ min: 1, max: 64 }),
    headDim: fc.integer({ min: 1, max: 2 ** 12 }),
    vocabulary: size,
    gated: fc.boolean(),
    positions: fc.integer({ min: 0, max: 2 ** 24 }),
    tied: fc.boolean(),
    biases: fc.subarray(['q' as const, 'k' as const, 'v' as const, 'o' as const, 'down' as const]),
  })
  .map(({ perKv, ...rest }) => ({ ...rest, heads: rest.kvHeads * perKv }));

it('modelOfSizes reads what sizesText writes, for any model', () => {
  fc.assert(
    fc.property(anyModel, (model) => {
      // Signs that a name cannot show, such as ends of lines, come back as visible ones.
      expect(modelOfSizes(sizesText(model))).toEqual({ ...model, name: withVisibleSigns(model.name) });
    }),
  );
  for (const model of KNOWN_MODELS) expect(modelOfSizes(sizesText({ ...model }))).toEqual(model);
});

it.each([
  'Llama-9',
  '1-2-3:x',
  '0-1-1-1-1-1-1:x',
  '4-4-4-4-3-4-4:heads',
  '4-4-4-16777216-4-128-4:columns',
  '4-4-4-4-4-4-99999999:x',
  '4-4-4-4-4-4-4+norm:x',
  '4-4-4-4-4-4-4-experts8x9x4x0x0:more active than there are',
  '4-4-4-4-4-4-4-experts8x2x4x0x4:all dense',
  '4-4-4-4-4-4-4-experts8x2x4x0:short',
  '4-4-4-4-4-4-4-latent0x4x5x4:wider than a head',
  '4-4-4-4-4-4-4:',
  '4-4-4-4-4-4-4-positions99999999:x',
  '4-4-4-4-4-4-4-ungated-tied:x',
  `4-4-4-4-4-4-4:${'x'.repeat(61)}`,
  'https://example.org/config.json',
])('modelOfSizes rejects %s', (text) => {
  expect(modelOfSizes(text)).toBeNull();
});

it('leftOutText lists the formats that are missing for models, and why', () => {
  expect(leftOutText(formats)).toBe(
    'Missing here: EC-SpMV (its size depends on the matrix); TwELL and hybrid (made for activations).',
  );
  expect(leftOutText(modelFormats(formats))).toBeNull();
});

it('modelFormats includes every format with a closed-form size and a kernel for one token', () => {
  const ids = modelFormats(formats).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['dense', 'csr', 'bitmask', 'macko', 'slidesparse']));
  expect(ids).not.toContain('twell');
});
