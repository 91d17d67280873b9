import { describe, expect, it } from 'vitest';
import { limitText } from '../core/kernel/limit.ts';
import { limits } from './limits.ts';
import { formats } from './registry.ts';

const kernels = formats.flatMap((format) => format.kernels.map(({ id }: { readonly id: string }) => id));

describe('the limits of kernels (what their speed is limited by)', () => {
  it('the limits of kernels  are declared for every kernel, by the format of the kernel', () => {
    expect(Object.keys(limits).toSorted()).toEqual(kernels.toSorted());
    for (const format of formats) {
      for (const id of Object.keys(format.limits ?? {})) expect(id.startsWith(`${format.id}/`)).toBe(true);
    }
  });

  it('the limits of kernels  are collected from all formats, are complete sentences, and name an experiment only if parts were left out', () => {
    expect(limits).toEqual(Object.assign({}, ...formats.map((format) => format.limits ?? {})));
    for (const limit of Object.values(limits)) {
      expect(limitText(limit)).toMatch(/^[A-Z].*\.$/);
      expect(['parts left out', 'comparison', 'count', 'not shown']).toContain(limit.evidence);
      if (limit.experiment) expect(limit.evidence).toBe('parts left out');
    }
  });
});
