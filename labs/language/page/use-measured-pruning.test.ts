// The measured figures of the current model, by value type and pruning.

import { describe, expect, it } from 'vitest';
import { shippedQuality } from '../test/offers.ts';
import type { StoredType } from '../decoders/stored/recipe.ts';
import type { RequestedMatrix } from './service/types.ts';
import { currentFigures, type MeasuredFigures } from './use-measured-pruning.ts';

const quality = shippedQuality('tales');
const IN_F16: MeasuredFigures = { bitsPerByte: 1, unbroken: 2, judged: 3 };
const HALF = { pruning: { way: 'wanda', density: 0.5 } } as const;
const NO_OVERRIDES = { overrides: [], words: null, matrices: undefined };

const measured = (valueType: StoredType) => ({ quality, valueType, atDensity: () => IN_F16 });
const bitsOf = (way: 'none' | 'wanda', valueType: StoredType): number | undefined =>
  quality.rows.find(
    (row) => row.way === way && row.valueType === valueType && row.density === (way === 'none' ? 1 : 0.5),
  )?.bitsPerByte;

describe('measured figures of the current model', () => {
  it('are the figures in f16 if its format stores f16', () => {
    expect(currentFigures(measured('f16'), HALF, NO_OVERRIDES, '')).toBe(IN_F16);
  });

  it.each(['i8', 'i4'] as const)('are those recorded in %s where its format rounds to it', (valueType) => {
    const half = currentFigures(measured(valueType), HALF, NO_OVERRIDES, '');
    expect(half?.bitsPerByte).toBe(bitsOf('wanda', valueType));
    const unpruned = currentFigures(measured(valueType), { pruning: null }, NO_OVERRIDES, '');
    expect(unpruned?.bitsPerByte).toBe(bitsOf('none', valueType));
  });

  it('are null if only the f16 model was recorded', () => {
    const other = { pruning: { way: 'wanda', density: 0.6 } } as const;
    expect(currentFigures(measured('i4'), other, NO_OVERRIDES, '')).toBeNull();
  });

  it('belong to the value type in which all matrices with a custom choice are stored', () => {
    const chosen = (params: RequestedMatrix['params']) => ({
      overrides: [{ layer: 0, name: 'q', ...HALF } as const],
      words: '50 % by Wanda',
      matrices: [{ layer: 0, name: 'q', format: 'dense', params } as const],
    });
    for (const valueType of ['f16', 'i8', 'i4'] as const) {
      const figures = currentFigures(measured('f16'), { pruning: null }, chosen({ valueType }), '');
      expect(figures?.bitsPerByte).toBe(bitsOf('wanda', valueType));
    }
    const mixed = { ...chosen({}), words: 'mixed' };
    expect(currentFigures(measured('f16'), HALF, mixed, '')).toBeNull();
  });
});
