import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contrast, fromOklab, mix, parseHex, readable, toOklab } from './color.ts';
import { distance, simulate, VISIONS } from '../../test/color-vision.ts';
import { densityRamp, signRamp, unpackHex } from './spy/tile-colors.ts';
import { formats as registered } from '../formats/registry.ts';
import { SPARE_COLORS } from '../core/declared/card.ts';
import { cssVariables, DARK, LIGHT, type Theme, withFormats } from './theme.ts';

/** Minimum distance of colours that differ at a glance, as `distance` in test/color-vision.ts measures it. */
const MIN_DISTANCE = 10;
/** Minimum distance of the colours of two formats. With ten hues, none of them near black, no larger distance is possible. */
const MIN_FORMAT_DISTANCE = 9;
/** Minimum distance of the spare colour, which formats without a colour share, to these ten colours. */
const MIN_SPARE_DISTANCE = 8;
const spare = { id: 'spare', title: 'spare', colors: SPARE_COLORS };
/** formats with a colour of their own */
const withColors = registered.filter(({ colors }) => colors !== SPARE_COLORS);

/** Below this chroma in OKLab a colour is a grey. */
const MIN_CHROMA = 0.04;

/** The hue of a colour in OKLab, in degrees; null for a grey. */
function hueOf(color: string): number | null {
  const [, a, b] = toOklab(parseHex(color));
  return Math.hypot(a, b) < MIN_CHROMA ? null : (Math.atan2(b, a) * 180) / Math.PI;
}

/** Degrees between two hues: 0 to 180. */
function hueDistance(a: number, b: number): number {
  const turn = Math.abs(a - b) % 360;
  return Math.min(turn, 360 - turn);
}

const pairs = <T>(items: readonly T[]): (readonly [T, T])[] =>
  items.flatMap((a, i) => items.slice(i + 1).map((b) => [a, b] as const));

const hex = fc.integer({ min: 0, max: 0xffffff }).map(unpackHex);

describe.each([withFormats(LIGHT, [...withColors, spare]), withFormats(DARK, [...withColors, spare])])(
  'the $name theme',
  (theme: Theme) => {
    const byteClasses = Object.values(theme.byteClasses).map((colors) => colors.full);
    const formats = Object.values(theme.formats);

    test('has a colour of every format', () => {
      const ids = registered.map(({ id }) => id);
      expect(Object.keys(withFormats(theme, registered).formats)).toEqual(ids);
    });

    test.each(VISIONS)('keeps byte classes apart under %s vision', (vision) => {
      for (const [a, b] of pairs(byteClasses))
        expect(distance(a, b, vision), `${a} and ${b}`).toBeGreaterThanOrEqual(MIN_DISTANCE);
    });

    test.each(VISIONS)('keeps formats apart under %s vision', (vision) => {
      const shared = theme.formats.spare;
      for (const [a, b] of pairs(formats)) {
        const min = b === shared ? MIN_SPARE_DISTANCE : MIN_FORMAT_DISTANCE;
        expect(distance(a, b, vision), `${a} and ${b}`).toBeGreaterThanOrEqual(min);
      }
    });

    test('has no format colour near black, near white or like the red of errors', () => {
      for (const color of formats) {
        const [lightness] = toOklab(parseHex(color));
        expect(lightness, color).toBeGreaterThanOrEqual(0.35);
        expect(lightness, color).toBeLessThanOrEqual(0.96);
        expect(distance(color, theme.danger), color).toBeGreaterThanOrEqual(12);
        const [hue, red] = [hueOf(color), hueOf(theme.danger)];
        if (hue !== null && red !== null) expect(hueDistance(hue, red), color).toBeGreaterThanOrEqual(20);
      }
    });

    test('has a contrast of at least 3 between every mark and the ground', () => {
      for (const color of [...byteClasses, ...formats])
        expect(contrast(color, theme.ground), color).toBeGreaterThanOrEqual(3);
    });

    test('has a contrast of at least 4.5 between every text and its background', () => {
      for (const ground of [theme.ground, theme.sunken, theme.control]) {
        for (const color of [theme.text, theme.textMuted, theme.textQuiet, theme.danger])
          expect(contrast(color, ground), `${color} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(theme.onStrong, theme.strong)).toBeGreaterThanOrEqual(4.5);
      for (const { text, pale } of Object.values(theme.byteClasses)) {
        expect(contrast(text, theme.ground), text).toBeGreaterThanOrEqual(4.5);
        expect(contrast(text, pale), `${text} on ${pale}`).toBeGreaterThanOrEqual(4.5);
      }
      for (const [name, value] of Object.entries(cssVariables(theme))) {
        if (name.startsWith('--format-') && name.endsWith('-text'))
          expect(contrast(value, theme.ground), name).toBeGreaterThanOrEqual(4.5);
      }
    });

    test('shows sign by two hues of equal lightness on both sides of the ground', () => {
      const ramp = signRamp(theme);
      const lightness = (share: number): number => toOklab(parseHex(unpackHex(ramp(share))))[0];
      for (const share of [0, 0.1, 0.25, 0.4])
        expect(Math.abs(lightness(share) - lightness(1 - share))).toBeLessThan(0.06);
      const sign = theme.name === 'light' ? 1 : -1;
      expect((lightness(0.5) - lightness(0)) * sign).toBeGreaterThan(0.3);
      for (const vision of VISIONS) {
        expect(distance(unpackHex(ramp(0.1)), unpackHex(ramp(0.9)), vision), vision).toBeGreaterThanOrEqual(
          MIN_DISTANCE,
        );
      }
    });

    test('starts the density ramp at the ground', () => {
      expect(distance(unpackHex(densityRamp(theme)(0)), theme.ground)).toBeLessThan(0.5);
      expect(contrast(unpackHex(densityRamp(theme)(1)), theme.ground)).toBeGreaterThan(7);
    });

    test('names every colour that a style sheet needs', () => {
      const variables = cssVariables(theme);
      expect(variables['--ground']).toBe(theme.ground);
      expect(variables['--values-pale']).toBe(theme.byteClasses.values.pale);
      expect(variables['--format-macko']).toBe(theme.formats.macko);
      for (const value of Object.values(variables)) expect(value).not.toBe('');
    });
  },
);

test('a format has one hue in both themes, or is grey in both', () => {
  for (const { title, colors } of [...withColors, spare]) {
    const [light, dark] = [hueOf(colors.light), hueOf(colors.dark)];
    expect(light === null, title).toBe(dark === null);
    if (light !== null && dark !== null) expect(hueDistance(light, dark), title).toBeLessThanOrEqual(15);
    // Dark yellow is olive: a hue is recognised only at a similar lightness.
    const [lightnessA, lightnessB] = [colors.light, colors.dark].map((color) => toOklab(parseHex(color))[0]);
    expect(Math.abs(lightnessA - lightnessB), title).toBeLessThanOrEqual(0.27);
  }
});

describe('colour arithmetic', () => {
  test('black and white have a contrast of 21, and lightness 0 and 1', () => {
    expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 10);
    expect(toOklab(parseHex('#FFFFFF'))[0]).toBeCloseTo(1, 4);
    expect(toOklab(parseHex('#000000'))[0]).toBeCloseTo(0, 6);
  });

  test('conversion to OKLab and back returns the same colour', () => {
    fc.assert(
      fc.property(hex, (color) => {
        const rgb = parseHex(color);
        const back = fromOklab(toOklab(rgb));
        for (let i = 0; i < 3; i++) expect(back[i]).toBeCloseTo(rgb[i], 4);
      }),
    );
  });

  test('mix returns its ends at 0 and 1', () => {
    fc.assert(
      fc.property(hex, hex, (a, b) => {
        expect(mix(a, b, 0)).toBe(a);
        expect(mix(a, b, 1)).toBe(b);
      }),
    );
  });

  test('greys do not change with any kind of colour vision', () => {
    for (const vision of VISIONS) expect(distance(simulate('#808080', vision), '#808080')).toBeLessThan(0.5);
  });

  test('readable returns a colour with a contrast of at least 4.5, and does not change one that has it', () => {
    fc.assert(
      fc.property(hex, fc.constantFrom(LIGHT.ground, DARK.ground), (color, ground) => {
        const result = readable(color, ground);
        expect(contrast(result, ground)).toBeGreaterThanOrEqual(4.5);
        if (contrast(color, ground) >= 4.5) expect(result).toBe(color);
      }),
    );
  });

  test('readable lightens black on the dark ground, and darkens white on the light one', () => {
    expect(contrast(readable('#000000', DARK.ground), DARK.ground)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(readable('#ffffff', LIGHT.ground), LIGHT.ground)).toBeGreaterThanOrEqual(4.5);
  });

  test('parseHex rejects a text that is not a colour', () => {
    expect(() => parseHex('red')).toThrow("colour: found 'red', expected '#RRGGBB'");
  });
});
