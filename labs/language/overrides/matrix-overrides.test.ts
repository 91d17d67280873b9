// Overrides: another pruning, value type or format for single matrices, as text in the address.

import { describe, expect, it } from 'vitest';
import { allMatrices, overridesWords, type MatrixOverrides, withOverrides } from './matrix-overrides.ts';
import { overridesField } from './overrides-field.ts';

const field = overridesField(['macko', 'dense', 'csr']);
const titleOf = (id: string): string => id.toUpperCase();
const wanda = { way: 'wanda', density: 0.4 } as const;

describe('overrides of single matrices', () => {
  it('are written in the address by kind and ranges of layers, and read back', () => {
    const layers = [5, 0, 1, 2, 3, 4].map((layer) => ({ layer, name: 'down' as const }));
    let overrides: MatrixOverrides = withOverrides([], layers, { pruning: wanda });
    overrides = withOverrides(overrides, [{ layer: 3, name: 'up' }], { pruning: wanda });
    overrides = withOverrides(overrides, [{ layer: 0, name: 'q' }], {
      pruning: { way: 'none' },
      valueType: 'i4',
      format: 'dense',
    });
    const text = field.write(overrides);
    expect(text).toBe('q0~whole~i4~dense_up3.down0-5~wanda-0.4');
    expect(encodeURIComponent(text)).toBe(text);
    expect(field.read(text)).toEqual(overrides);
    const pruning = { way: 'n-of-m', kept: 2, group: 4, by: 'wanda' } as const;
    const overridesOfAll = withOverrides([], allMatrices({ layers: 6, gated: true }), { pruning });
    expect([field.write(overridesOfAll), field.read('all0-5~2of4-wanda')]).toEqual([
      'all0-5~2of4-wanda',
      overridesOfAll,
    ]);
    expect(field.read(field.write(withOverrides([], [{ layer: 1, name: 'k' }], { format: 'csr' })))).toHaveLength(1);
  });

  it('are rejected as a whole if they are invalid', () => {
    for (const text of [
      'down',
      'down9999~whole',
      'down5-2~whole',
      'neck0~whole',
      'down0~wanda-1.5',
      'down0~wanda-0',
      'down0~5of4',
      'down0~random-0.5',
      'down0~whole~i3',
      'down0~whole~i4~nobody',
      'down0~whole~i4~csr~more',
      `down0~whole${'_down0~whole'.repeat(400)}`,
    ]) {
      expect(field.read(text), text).toBeNull();
    }
  });

  it('are removed one by one', () => {
    const matrices = [{ layer: 2, name: 'gate' }] as const;
    const overrides = withOverrides([], matrices, { pruning: wanda, format: 'csr' });
    expect(withOverrides(overrides, matrices, { pruning: undefined })).toEqual([
      { layer: 2, name: 'gate', format: 'csr' },
    ]);
    expect(
      withOverrides(withOverrides(overrides, matrices, { pruning: undefined }), matrices, { format: undefined }),
    ).toEqual([]);
  });

  it('are described as mixed, unless all matrices share one', () => {
    expect(overridesWords([], 42, titleOf)).toBeNull();
    expect(overridesWords(withOverrides([], [{ layer: 0, name: 'q' }], { format: 'csr' }), 42, titleOf)).toBe('mixed');
    const denseI4 = { pruning: { way: 'none' }, valueType: 'i4', format: 'dense' } as const;
    const overrides = withOverrides([], allMatrices({ layers: 6, gated: true }), denseI4);
    expect(overridesWords(overrides, 42, titleOf)).toBe('not pruned, i4, DENSE');
  });
});
