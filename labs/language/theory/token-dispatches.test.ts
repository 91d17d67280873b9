// tokenDispatches: the products and other dispatches of a token, counted without a device.

import { expect, test } from 'vitest';
import { multipliedWeights } from '../../../src/theory/models/model-shape.ts';
import { KNOWN_MODELS } from '../../../src/theory/models/known-models.ts';
import { tokenDispatches } from './token-dispatches.ts';

test.for(KNOWN_MODELS.filter(({ experts }) => !experts).map((model) => [model.name, model] as const))(
  'the dispatches of a token of %s multiply every weight once',
  ([, model]) => {
    const dispatches = tokenDispatches(model);
    expect(dispatches.reduce((sum, { cells }) => sum + cells, 0)).toBe(multipliedWeights(model));
    expect(dispatches.filter(({ isHead }) => isHead)).toHaveLength(1);
    expect(dispatches.filter(({ layer, cells }) => layer === 1 && cells > 0)).toHaveLength(4);
  },
);
