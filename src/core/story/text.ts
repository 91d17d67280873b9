/** One of the two faces at one size. */
export interface Font {
  readonly face: 'sans' | 'mono';
  readonly px: number;
  readonly strong?: boolean;
}

/** Width of a text in px. */
export type TextMeasurer = (text: string, font: Font) => number;

/** The space of a picture: CSS px, and a measure of the width of words. */
export interface DrawingRoom {
  readonly width: number;
  readonly height: number;
  readonly measure: TextMeasurer;
}

/** Advance of every character of IBM Plex Mono, in em. */
const MONO_ADVANCE = 0.6;
/** Mean advance of running text in IBM Plex Sans, a little generous, in em. */
const SANS_ADVANCE = 0.54;

/** Measures without a canvas: exact for the mono face, a slight overestimate for the other. */
export const estimateText: TextMeasurer = (text, { face, px }) =>
  text.length * px * (face === 'mono' ? MONO_ADVANCE : SANS_ADVANCE);
