import { describe, expect, test } from 'vitest';
import * as catalog from '../src/formats/catalog.ts';
import * as registry from '../src/formats/registry.ts';
import { loadStory } from '../src/story/format-story.ts';

describe('the catalog', () => {
  test('has the formats of the registry, in its order, with the same reference, baseline and first format', () => {
    expect(catalog.formats.map(({ id }) => id)).toEqual(registry.formats.map(({ id }) => id));
    expect(catalog.referenceFormat.id).toBe(registry.referenceFormat.id);
    expect(catalog.baselineFormat.id).toBe(registry.baselineFormat.id);
    expect(catalog.firstFormat.id).toBe(registry.firstFormat.id);
  });

  test('has every kernel, with the properties that a list shows and no others', () => {
    for (const [i, { kernels }] of registry.formats.entries()) {
      const cards = kernels.map(({ id, title, operation, features, only, max, arithmetic, isSimple }) => ({
        id,
        title,
        operation,
        features,
        ...(only && { only }),
        ...(max && { max }),
        ...(arithmetic && { arithmetic }),
        ...(isSimple && { isSimple }),
      }));
      expect(cards.length).toBeGreaterThan(0);
      expect(catalog.formats[i].kernels).toEqual(cards);
    }
  });

  test('has the card of every format, without the code that encodes, multiplies or validates', async () => {
    for (const [i, format] of registry.formats.entries()) {
      const { story: _story, ...card } = catalog.formats[i];
      expect(format).toMatchObject({ ...card, kernels: format.kernels });
      // A story that is derived is loaded with its format.
      expect(Object.keys(await loadStory(catalog.formats[i]))).toEqual(Object.keys(await loadStory(format)));
      for (const engine of ['admits', 'encode', 'encodeSteps', 'decode', 'validate', 'storage', 'multiply'])
        expect(card).not.toHaveProperty(engine);
    }
  });
});
