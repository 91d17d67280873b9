/** A typeface at one size: IBM Plex Sans or Mono. */
export interface Font {
  readonly face: 'sans' | 'mono';
  readonly px: number;
  readonly strong?: boolean;
}

/** Width of a text in px. */
export type TextMeasurer = (text: string, font: Font) => number;

/** The space of a picture of a story, in CSS px, and a function that measures its texts for the layout. */
export interface DrawingSpace {
  readonly width: number;
  readonly height: number;
  readonly measure: TextMeasurer;
}

/* Sizes in px of a drawing before the page is measured, on a wide page and on a phone. */
const WIDE = { width: 760, height: 340 } as const;
const NARROW = { width: 340, height: 470 } as const;

export type DrawingLayout = 'wide' | 'narrow';

/** The size of a drawing in px before the page is measured. */
export function drawingSize(layout: DrawingLayout): typeof WIDE | typeof NARROW {
  return layout === 'wide' ? WIDE : NARROW;
}

/** Advance of every character of IBM Plex Mono, in em. */
const MONO_ADVANCE = 0.6;
/** Mean advance of running text in IBM Plex Sans, a little generous, in em. */
const SANS_ADVANCE = 0.54;

/** Estimates a text's width without a canvas: exact for the mono face, slightly too wide for the sans face. */
export const estimateTextWidth: TextMeasurer = (text, { face, px }) =>
  text.length * px * (face === 'mono' ? MONO_ADVANCE : SANS_ADVANCE);
