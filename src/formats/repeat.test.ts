import { describe, expect, it } from 'vitest';
import { defaultParams, type ParamField } from '../core/format.ts';
import { RepeatedRows } from '../core/matrix/repeated-rows.ts';
import { generate } from '../generate/generate.ts';
import { formats } from './registry.ts';

const repeating = formats.filter(({ repeat }) => repeat !== undefined);

function valueTypesOf({ valueType }: Readonly<Record<string, ParamField<unknown>>>): readonly unknown[] {
  return valueType?.kind === 'choice' ? valueType.options.map(({ value }) => value) : [undefined];
}

describe('what repeats the rows of an encoding', () => {
  it.each(repeating.map((format) => [format.id, format] as const))(
    '%s gives what encoding all of them gives',
    (_, f) => {
      let compared = 0;
      // Eight times a band is a whole number of words for every width of deltas.
      for (const [rows, cols, density] of [
        [8, 37, 0.3],
        [3, 64, 0.2],
        [5, 100, 0.05],
        [2, 16, 0],
      ]) {
        const band = generate({ pattern: 'n-of-m', rows, cols, density: 0.5, seed: 5, options: { m: 4 } });
        const thin = generate({ pattern: 'uniform', rows, cols, density: Math.min(density, 0.1), seed: 3 });
        for (const matrix of [band, thin]) {
          for (const valueType of valueTypesOf(f.params)) {
            const params = { ...defaultParams<object>(f.params), valueType };
            const eight = new RepeatedRows(matrix, 8 * rows);
            if (!f.admits(eight, params).ok) continue;
            const whole = f.repeat?.(f.encode(eight, params), 3);
            if (whole === null) continue;
            expect(whole).toEqual(f.encode(new RepeatedRows(matrix, 24 * rows), params));
            compared++;
          }
        }
      }
      expect(compared).toBeGreaterThanOrEqual(8);
    },
  );

  it('is not possible if rows would share a word', () => {
    const matrix = generate({ pattern: 'uniform', rows: 1, cols: 9, density: 0.34, seed: 1 });
    const found = repeating.map((f) => {
      const params = defaultParams<object>(f.params);
      return f.admits(matrix, params).ok ? f.repeat?.(f.encode(matrix, params), 2) : undefined;
    });
    expect(found).toContain(null);
  });
});
