import { estimateTextWidth, type Font, type TextMeasurer } from '../story/drawing-space.ts';
import { FONTS } from './theme.ts';

export { estimateTextWidth, type Font, type TextMeasurer };

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
 * Makes a measurer that uses a canvas and caches every width; a new one is needed once fonts have loaded. A measurer is
 * called hundreds of times per picture, most often with one of a few `Font` objects, so widths are cached by object.
 */
export function canvasMeasurer(context: MeasuringContext): TextMeasurer {
  interface Widths {
    readonly font: string;
    /** the font as the context reads it back; '' until it has been set */
    readBack: string;
    readonly byText: Map<string, number>;
  }
  const byFont = new WeakMap<Font, Widths>();
  const byName = new Map<string, Widths>();
  const widthsOf = (font: Font): Widths => {
    const name = cssFont(font);
    const widths = byName.get(name) ?? { font: name, readBack: '', byText: new Map<string, number>() };
    byName.set(name, widths);
    byFont.set(font, widths);
    return widths;
  };
  return (text, font) => {
    const widths = byFont.get(font) ?? widthsOf(font);
    let width = widths.byText.get(text);
    if (width === undefined) {
      // Setting a font costs as much as measuring a word; code that paints on the context sets other fonts.
      if (context.font !== widths.readBack) {
        context.font = widths.font;
        widths.readBack = context.font;
      }
      width = context.measureText(text).width;
      widths.byText.set(text, width);
    }
    return width;
  };
}

/** The fonts for an SVG attribute, with fallbacks for programs that lack them. */
export const FONT_FACES_IN_SVG: Readonly<Record<Font['face'], string>> = {
  sans: 'IBM Plex Sans, sans-serif',
  mono: 'IBM Plex Mono, monospace',
};
