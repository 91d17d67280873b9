import { describe, expect, test } from 'vitest';
import { publishedId } from '../../theory/roofline/devices.ts';
import { typedId } from './devices.ts';
import { readDeviceId, reportId, enteredSpeeds } from './device-ids.ts';

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

  test('the empty id leaves the choice of a device to the page', () => expect(readDeviceId('')).toBe(''));

  test.each([
    'a card',
    'typed',
    'RTX 4090',
    'typed:0',
    'typed:1e9',
    'typed:900,',
    'h200@today',
    `report:${'x'.repeat(200)}`,
  ])('%s is no id', (text) => {
    expect(readDeviceId(text)).toBeNull();
  });

  test('a card of a paper has the id of its data sheet', () => {
    expect([publishedId('RTX 4090'), publishedId('RTX 2080 SUPER')]).toEqual(['rtx-4090', 'rtx-2080-super']);
    expect(publishedId('A card')).toBeNull();
  });

  test('figures that the user typed are read back from their id', () => {
    for (const figures of [
      { readGBps: 900, f32Tflops: null },
      { readGBps: 67.2, f32Tflops: 0.01 },
    ]) {
      expect(enteredSpeeds(typedId(figures))).toEqual(figures);
    }
    expect(enteredSpeeds(reportId('typed:900'))).toBeNull();
  });
});
