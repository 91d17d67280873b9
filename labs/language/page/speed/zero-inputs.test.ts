import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import recorded from './zero-inputs.json';
import { timedMatrices } from './ZeroInputs.tsx';

test('the times of matrices are those that docs/performance-lessons.md prints', () => {
  const docs = readFileSync(new URL('../../../../docs/performance-lessons.md', import.meta.url), 'utf8');
  expect(recorded.matrices).toHaveLength(2);
  for (const { rows, columns, denseUs, skippingUs } of recorded.matrices) {
    expect(docs).toMatch(
      new RegExp(`\\| ${rows} × ${columns} \\| ${skippingUs.join(' / ').replaceAll('.', '\\.')} \\|`),
    );
    expect(docs).toMatch(new RegExp(`${denseUs} (?:µs )?at ${rows} × ${columns}`));
  }
});

test('a token of 32 layers has 64 products of gate and up and 32 of down', () => {
  const columns = timedMatrices();
  expect(columns.map(({ name }) => name.replaceAll('\u202f', ''))).toEqual([
    'gate up 14336 × 4096',
    'down 4096 × 14336',
    'a token: 96 products, computed',
  ]);
  const [gateAndUp, down, token] = columns;
  expect(token.denseNs).toBeCloseTo(64 * gateAndUp.denseNs + 32 * down.denseNs, 6);
  expect(token.denseNs).toBeCloseTo(2_857_600, 6);
  expect(token.skippingNs.map((ns) => Math.round(ns))).toEqual([3_244_800, 2_524_800, 2_022_400, 1_539_200]);
});
