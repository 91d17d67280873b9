import { expect, it } from 'vitest';
import { largerSpec } from './own-times.ts';

it('the larger matrix has the pattern and the density of the open one, or the pattern that the format needs', () => {
  const macko = { group: 'weights' } as const;
  const generated = { pattern: 'planted-blocks', rows: 64, cols: 64, density: 0.2, seed: 9, options: { width: 8 } };
  const spec = (source: Parameters<typeof largerSpec>[0]['source'], density = 0.3) =>
    largerSpec({ source, density }, macko, {});
  const shape = { rows: 4096, cols: 4096, seed: 1 };
  expect(spec({ kind: 'generated', spec: generated }, 0.21)).toEqual({
    ...shape,
    pattern: 'planted-blocks',
    options: { width: 8 },
    density: 0.21,
  });
  expect(spec({ kind: 'example', id: 'fc2-70' })).toEqual({ ...shape, pattern: 'uniform', density: 0.3 });
  const pruning = { way: 'n-of-m', kept: 2, group: 4 } as const;
  expect(spec({ kind: 'pruned', base: { kind: 'example', id: 'fc2-70' }, pruning })).toEqual({
    ...shape,
    pattern: 'n-of-m',
    options: { m: 4 },
    density: 0.5,
  });
  const needed = { ...macko, requiredPruning: () => ({ kept: 6, group: 8 }) };
  expect(largerSpec({ source: { kind: 'example', id: 'fc2-70' }, density: 0.7 }, needed, {})).toEqual({
    ...shape,
    pattern: 'n-of-m',
    options: { m: 8 },
    density: 0.75,
  });
});
