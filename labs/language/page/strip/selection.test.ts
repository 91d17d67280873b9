// Selecting matrices of a model with Shift and by group.

import { expect, it } from 'vitest';
import { allMatrices } from '../../overrides/matrix-overrides.ts';
import { withExtended, isSelected, NOTHING_SELECTED, withToggled, withGroup } from './selection.ts';

const up = { layer: 3, name: 'up' } as const;

it('Shift extends the selection over all layers and kinds between the anchor and a matrix', () => {
  const selectedOnce = withToggled(NOTHING_SELECTED, up);
  const many = withExtended(selectedOnce, { layer: 1, name: 'o' });
  expect(many.matrices).toHaveLength(9);
  expect(isSelected(many, { layer: 2, name: 'gate' })).toBe(true);
  expect(withExtended(many, { layer: 3, name: 'down' }).matrices).toEqual([up, { layer: 3, name: 'down' }]);
  expect(withToggled(many, { layer: 2, name: 'gate' }).matrices).toHaveLength(8);
});

it('a kind or layer is selected as a group, in addition to others on request, and can be removed again', () => {
  const matrices = allMatrices({ layers: 6, gated: true });
  const downs = matrices.filter(({ name }) => name === 'down');
  const layer = matrices.filter((matrix) => matrix.layer === 2);
  const first = withGroup(withToggled(NOTHING_SELECTED, up), downs, false);
  expect(first.matrices).toEqual(downs);
  const twoLayers = withGroup(first, layer, true);
  expect(twoLayers.matrices).toHaveLength(12);
  expect(withGroup(twoLayers, downs, true).matrices).toHaveLength(6);
  expect(withGroup(first, downs, false).matrices).toEqual([]);
});
