import { describe, expect, test } from 'vitest';
import { readDeviceId, reportId, typedFigures, typedId } from './ids.ts';

describe('a device in the address', () => {
  test.each([
    'this',
    'h200@2026-11-22',
    'report:NVIDIA GeForce RTX 4090',
    'rtx-4090',
    'h200-measured',
    'typed:900',
    'typed:900,82.6',
  ])('%s is an id', (id) => {
    expect(readDeviceId(id)).toBe(id);
  });

  test.each([
    ['', ''],
    ['none', ''],
    ['RTX 4090', 'rtx-4090'],
    ['RTX 2080 SUPER', 'rtx-2080-super'],
    ['gpu:NVIDIA H200', 'report:NVIDIA H200'],
  ])('an older address says %j, which is %j', (text, id) => {
    expect(readDeviceId(text)).toBe(id);
  });

  test('an older address has the figures of a typed device in fields of their own', () => {
    expect(readDeviceId('typed', { readGBps: 200, f32Tflops: 2 })).toBe('typed:200,2');
    expect(readDeviceId('typed')).toBe('typed:1000');
  });

  test.each(['a card', 'typed:0', 'typed:1e9', 'typed:900,', 'h200@today', `report:${'x'.repeat(200)}`])(
    '%s is none',
    (text) => {
      expect(readDeviceId(text)).toBeNull();
    },
  );

  test('typed figures come back from their id', () => {
    for (const figures of [
      { readGBps: 900, f32Tflops: null },
      { readGBps: 67.2, f32Tflops: 0.01 },
    ]) {
      expect(typedFigures(typedId(figures))).toEqual(figures);
    }
    expect(typedFigures(reportId('typed:900'))).toBeNull();
  });
});
