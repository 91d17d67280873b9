import { describe, expect, it } from 'vitest';
import { tileChoices, tileForTokens, TILES } from './gemm-plan.ts';
import type { DeviceFacts } from './kernel.ts';

const DEVICE: DeviceFacts = {
  features: new Set(),
  limits: { maxComputeWorkgroupsPerDimension: 65_535 },
  subgroupMinSize: 0,
  subgroupMaxSize: 0,
  isFallback: false,
};

describe('the tile of Y = X W^T', () => {
  it.each([
    { tokens: 16, rows: 2048, tile: 'tiny' },
    { tokens: 32, rows: 2048, tile: 'flat' },
    { tokens: 64, rows: 2048, tile: 'small' },
    { tokens: 2048, rows: 2048, tile: 'large' },
  ] as const)('with $tokens tokens and $rows rows is $tile', ({ tokens, rows, tile }) => {
    expect(tileForTokens(tokens, rows, DEVICE)).toBe(TILES[tile]);
  });

  it('the tile of Y = X W^T has as many rows as a trial chose, if it is large', () => {
    expect(tileChoices([TILES.small, tileForTokens(2048, 2048, DEVICE)])).toEqual([
      { kind: 'one-of', name: 'tile rows', start: 128, values: [128, 64] },
    ]);
    expect(tileForTokens(2048, 2048, DEVICE, { 'tile rows': 128 })).toBe(TILES.large);
    expect(tileForTokens(2048, 2048, DEVICE, { 'tile rows': 64 })).toBe(TILES.half);
  });

  it('leaves nothing to choose if it is not', () => {
    expect(tileChoices([tileForTokens(64, 2048, DEVICE)])).toEqual([]);
    expect(tileForTokens(64, 2048, DEVICE, { 'tile rows': 64 })).toBe(TILES.small);
  });
});
