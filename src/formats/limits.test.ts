import { describe, expect, it } from 'vitest';
import { limitText } from '../core/kernel/limit.ts';
import { limits } from './limits.ts';
import { formats } from './registry.ts';

const kernels = formats.flatMap((format) => format.kernels.map(({ id }: { readonly id: string }) => id));

describe('what limits kernels', () => {
  it('is declared for every kernel by its own format, with the evidence', () => {
    expect(Object.keys(limits).toSorted()).toEqual(kernels.toSorted());
    for (const format of formats) {
      for (const id of Object.keys(format.limits ?? {})) expect(id.startsWith(`${format.id}/`)).toBe(true);
    }
  });

  it('is gathered from all formats, in complete texts, with the experiment if parts were removed', () => {
    expect(limits).toEqual(Object.assign({}, ...formats.map((format) => format.limits ?? {})));
    for (const limit of Object.values(limits)) {
      expect(limitText(limit)).toMatch(/^[A-Z].*\.$/);
      expect(['parts left out', 'comparison', 'count', 'not shown']).toContain(limit.evidence);
      if (limit.experiment) expect(limit.evidence).toBe('parts left out');
    }
  });
});
