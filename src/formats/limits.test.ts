import { describe, expect, it } from 'vitest';
import { limitText } from '../core/kernel/limit.ts';
import { limits } from './limits.ts';
import { formats } from './registry.ts';

const kernels = formats.flatMap((format) => format.kernels);

describe('what limits kernels', () => {
  it('is said of kernels that there are, each by its own format', () => {
    const ids = new Set(kernels.map(({ id }) => id));
    expect(Object.keys(limits).filter((id) => !ids.has(id))).toEqual([]);
    for (const format of formats) {
      for (const id of Object.keys(format.limits ?? {})) expect(id.startsWith(`${format.id}/`)).toBe(true);
    }
  });
  it('is gathered of all formats, in whole sentences', () => {
    expect(limits).toEqual(Object.assign({}, ...formats.map((format) => format.limits ?? {})));
    expect(Object.keys(limits).length).toBeGreaterThan(20);
    for (const limit of Object.values(limits)) expect(limitText(limit)).toMatch(/^[A-Z].*\.$/);
  });
});
