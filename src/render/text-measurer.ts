import { estimateText, type Font, type TextMeasurer } from '../core/story/drawing-room.ts';
import { FONTS } from './theme.ts';

export { estimateText, type Font, type TextMeasurer };

/** The font as CSS and Canvas write it. */
export function cssFont({ face, px, strong }: Font): string {
  return `${strong ? 600 : 400} ${px}px ${FONTS[face]}`;
}

/** The part of a canvas context that measures text. */
interface MeasuringContext {
  font: string;
  measureText(text: string): { readonly width: number };
}

/**
 * Measures with a canvas and caches every result; drop the measurer when fonts have finished loading. It is called hundreds of
 * times per scene, so a cached look-up must not build a string: results are stored by face, by size, then by text, and those of
 * the last font are kept at hand.
 */
export function canvasMeasurer(context: MeasuringContext): TextMeasurer {
  interface Widths {
    readonly font: string;
    /** as the context reads it back; '' before */
    read: string;
    readonly known: Map<string, number>;
  }
  type BySize = Map<number, Widths>;
  const regular: Record<Font['face'], BySize> = { sans: new Map(), mono: new Map() };
  const strong: Record<Font['face'], BySize> = { sans: new Map(), mono: new Map() };
  const widthsOf = (font: Font): Widths => {
    const sizes = (font.strong ? strong : regular)[font.face];
    let found = sizes.get(font.px);
    if (found === undefined) {
      found = { font: cssFont(font), read: '', known: new Map() };
      sizes.set(font.px, found);
    }
    return found;
  };
  let last: Font = { face: 'mono', px: 12 };
  let widths = widthsOf(last);
  return (text, font) => {
    if (font !== last) {
      widths = widthsOf(font);
      last = font;
    }
    let width = widths.known.get(text);
    if (width === undefined) {
      // Setting a font takes as long as measuring a word with it. What paints on the context sets others.
      if (context.font !== widths.read) {
        context.font = widths.font;
        widths.read = context.font;
      }
      width = context.measureText(text).width;
      widths.known.set(text, width);
    }
    return width;
  };
}

/** The fonts for an SVG attribute, with fallbacks for programs without ours. */
export const FONT_FACES_IN_SVG: Readonly<Record<Font['face'], string>> = {
  sans: 'IBM Plex Sans, sans-serif',
  mono: 'IBM Plex Mono, monospace',
};
