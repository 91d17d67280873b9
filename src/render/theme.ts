import type { ByteClass } from '../core/encoded/ledger.ts';
import type { FormatCard } from '../core/format.ts';
import { mix, readable } from './color.ts';

/**
 * The colours of the application. They have only two meanings: the purpose of a byte, and its format. theme.test.ts
 * checks that colours of bytes stay apart for every kind of colour vision, by at least 0.1 in OKLab, formats by 0.09;
 * that a format has one hue in both themes, not the hue of errors; that marks have a contrast of at least 3 with the
 * background, text of at least 4.5.
 */
export interface Theme {
  readonly name: 'light' | 'dark';
  /** the background of the page */
  readonly ground: string;
  /** quiet areas on the background: code, the selected tab, hovered controls */
  readonly sunken: string;
  /** fields and buttons */
  readonly control: string;
  readonly controlBorder: string;
  /** lines between regions */
  readonly hairline: string;
  /** the unfilled part of sliders and bars */
  readonly track: string;
  /** an empty cell of a matrix */
  readonly cell: string;
  /** the dashed outline of something not stored yet */
  readonly ghost: string;
  readonly text: string;
  readonly textMuted: string;
  readonly textQuiet: string;
  /** the one strong button, and text on it */
  readonly strong: string;
  readonly onStrong: string;
  /** errors and refusals, as text */
  readonly danger: string;
  readonly byteClasses: Readonly<Record<ByteClass, ToneColors>>;
  readonly neutral: ToneColors;
  /** colours of formats by their ids, which `withFormats` adds */
  readonly formats: Readonly<Record<string, string>>;
}

/** The properties of a format from which `withFormats` takes its colours. */
export type FormatColors = Pick<FormatCard<unknown>, 'id' | 'colors'>;

/** A colour in full, as a pale background, and for text, readable on both the page and the pale one. */
export interface ToneColors {
  readonly full: string;
  readonly pale: string;
  readonly text: string;
}

const LIGHT_GROUND = '#FAFAF7';
const DARK_GROUND = '#15171C';

/** The light theme, without the colours of formats. */
export const LIGHT: Theme = {
  name: 'light',
  ground: LIGHT_GROUND,
  sunken: '#F2F2EE',
  control: '#FFFFFF',
  controlBorder: '#D3D4CC',
  hairline: '#DEDED7',
  track: '#DCDCD4',
  cell: '#F0F0EC',
  ghost: '#CBCCC4',
  text: '#15171C',
  textMuted: '#5B6270',
  textQuiet: '#676C76',
  strong: '#15171C',
  onStrong: '#FAFAF7',
  danger: '#A3262A',
  byteClasses: {
    values: tone('#3251CC', LIGHT_GROUND, '#E2E8F9'),
    indices: tone('#774811', LIGHT_GROUND, '#F4E7D6'),
    metadata: tone('#430F5F', LIGHT_GROUND, '#EBE0F2'),
    padding: tone('#8A8F98', LIGHT_GROUND, '#E9EAE8'),
  },
  neutral: { full: '#5B6270', pale: '#EFEFEB', text: '#5B6270' },
  formats: {},
};

export const DARK: Theme = {
  name: 'dark',
  ground: DARK_GROUND,
  sunken: '#1C1F25',
  control: '#22262D',
  controlBorder: '#3A3F49',
  hairline: '#2B2F37',
  track: '#2D323A',
  cell: '#1E2127',
  ghost: '#41464F',
  text: '#F4F5F2',
  textMuted: '#A3A9B4',
  textQuiet: '#8A919D',
  strong: '#F4F5F2',
  onStrong: '#15171C',
  danger: '#FF8A80',
  byteClasses: {
    values: tone('#4C99FF', DARK_GROUND, '#1C2B47'),
    indices: tone('#E1AB75', DARK_GROUND, '#3A2C20'),
    metadata: tone('#F2CFFB', DARK_GROUND, '#3A2B40'),
    padding: tone('#7C828D', DARK_GROUND, '#25282E'),
  },
  neutral: { full: '#9AA1AD', pale: '#22262D', text: '#A3A9B4' },
  formats: {},
};

/** The theme with the colours that formats declare. */
export function withFormats(theme: Theme, formats: readonly FormatColors[]): Theme {
  return { ...theme, formats: Object.fromEntries(formats.map(({ id, colors }) => [id, colors[theme.name]])) };
}

/** Fonts of the application, which come with it: none is fetched from another site. */
export const FONTS = {
  sans: "'IBM Plex Sans', system-ui, sans-serif",
  mono: "'IBM Plex Mono', ui-monospace, monospace",
} as const;

/** The colours of a tone from its full colour. Default of `pale`: the background with a little of the full colour. */
export function tone(full: string, ground: string, pale = mix(ground, full, 0.14)): ToneColors {
  return { full, pale, text: readable(readable(full, ground), pale) };
}

/** The colour of a format; the neutral of the theme for an unknown id. */
export function formatColor(theme: Theme, id: string): string {
  return theme.formats[id] ?? theme.neutral.full;
}

/** The theme as CSS custom properties for the root element: '--ground', '--values', '--format-macko' ... */
export function cssVariables(theme: Theme): Record<string, string> {
  const { name: _, byteClasses, neutral, formats, ...colors } = theme;
  const variables: Record<string, string> = { '--font-sans': FONTS.sans, '--font-mono': FONTS.mono };
  for (const [name, color] of Object.entries(colors))
    variables[`--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`] = color;
  for (const [name, { full, pale, text }] of Object.entries({ ...byteClasses, neutral })) {
    variables[`--${name}`] = full;
    variables[`--${name}-pale`] = pale;
    variables[`--${name}-text`] = text;
  }
  for (const [id, color] of Object.entries(formats)) {
    variables[`--format-${id}`] = color;
    variables[`--format-${id}-text`] = readable(color, theme.ground);
  }
  return variables;
}
