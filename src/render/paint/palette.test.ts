import { describe, expect, test } from 'vitest';
import type { Tone } from '../../story/scene.ts';
import { contrast } from '../color.ts';
import { DARK, LIGHT } from '../theme.ts';
import { Palette } from './palette.ts';

const TONES: readonly Tone[] = ['values', 'indices', 'metadata', 'padding', 'format', 'neutral'];

describe.each([LIGHT, DARK])('the palette of the $name theme', (theme) => {
  test.each(Object.entries(theme.formats))(
    'writes text on every fill level with a contrast of at least 4, with the colour of %s',
    (_, color) => {
      const palette = new Palette(theme, color);
      for (const tone of TONES) {
        for (let level = 0; level <= 1; level += 1 / 16) {
          const ground = palette.fill(tone, level);
          // Between pale and full there are levels on which both black and white barely reach 4.
          expect(contrast(palette.ink(tone, level), ground), `${tone} at ${level}`).toBeGreaterThanOrEqual(4);
        }
        expect(contrast(palette.ink(tone, 0), palette.fill(tone, 0))).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  test('fills from the pale colour at level 0 to the full colour at level 1', () => {
    const palette = new Palette(theme, '#449A8E');
    expect(palette.fill('values', 0).toLowerCase()).toBe(theme.byteClasses.values.pale.toLowerCase());
    expect(palette.fill('values', 1).toLowerCase()).toBe(theme.byteClasses.values.full.toLowerCase());
    expect(palette.fill('values', -1)).toBe(palette.fill('values', 0));
  });
});
