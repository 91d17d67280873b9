import { describe, expect, it } from 'vitest';
import { MINIATURE_COLUMNS } from '../../core/comparison/comparison.ts';
import { defaultParams } from '../../core/format.ts';
import { denseMatrix } from '../../core/matrix/index.ts';
import { formats } from '../../formats/registry.ts';
import { refusedMiniature } from './refused-miniature.ts';

describe('refusedMiniature', () => {
  const cells = Float32Array.from({ length: 40 * 1024 }, (_, i) => ((i * 7) % 10 < 9 ? 1 + (i % 5) : 0));
  const full = denseMatrix(40, 1024, cells);

  it('draws every format that refuses a matrix, as far as its first columns can be held', () => {
    const refused = formats.flatMap((format) => {
      const params = defaultParams<Record<string, unknown>>(format.params);
      const admission = format.admits(full, params);
      return admission.ok ? [] : [{ format, miniature: refusedMiniature(format, full, params, admission) }];
    });
    expect(refused.length).toBeGreaterThan(1);
    for (const { format, miniature } of refused) {
      expect(miniature, format.id).not.toBeNull();
      const slots = miniature?.flatMap((strip) => strip.slots) ?? [];
      expect(slots.filter((slot) => slot === 'value').length).toBeGreaterThan(0);
      for (const strip of miniature ?? []) expect(strip.slots.length).toBeLessThanOrEqual(MINIATURE_COLUMNS);
    }
  });

  it('is null where nothing can be held', () => {
    const refusal = { ok: false, reason: '', remedy: null } as const;
    const [format] = formats;
    const params = { ...defaultParams<Record<string, unknown>>(format.params), valueType: 'i8' };
    expect(refusedMiniature(format, denseMatrix(1, 1, Float32Array.of(NaN)), params, refusal)).toBeNull();
    expect(refusedMiniature(format, denseMatrix(0, 3, new Float32Array(0)), params, refusal)).toBeNull();
  });
});
