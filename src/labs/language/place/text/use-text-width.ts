import { type RefObject, useEffect, useState } from 'react';
import { FONTS } from '../../../../render/theme.ts';

/** The width of a text. */
type Measure = (text: string) => number;

/** Font size, px, at which widths for a size of 1 px are measured. */
const SIZE = 100;

/** The width of a text in the font of an element, in px; null until known. */
export function useTextWidth(ref: RefObject<HTMLElement | null>): Measure | null {
  const [measure, setMeasure] = useState<Measure | null>(null);
  useEffect(() => {
    const begin = (): void => {
      const context = document.createElement('canvas').getContext('2d');
      if (!ref.current || !context) return setMeasure(() => (text: string) => 8 * text.length);
      context.font = getComputedStyle(ref.current).font;
      setMeasure(() => widthsIn(context, 1));
    };
    begin();
    // Words change their width once the font is loaded.
    void document.fonts?.ready.then(begin);
  }, [ref]);
  return measure;
}

/** The width of a text at a font size of 1 px; null until the page's font is loaded. */
export function useUnitTextWidth(): Measure | null {
  const [measure, setMeasure] = useState<Measure | null>(null);
  useEffect(() => {
    const begin = (): void => {
      const context = document.createElement('canvas').getContext('2d');
      if (!context) return;
      context.textRendering = 'geometricPrecision';
      context.font = `${SIZE}px ${FONTS.sans}`;
      setMeasure(() => widthsIn(context, SIZE));
    };
    void document.fonts.ready.then(begin);
  }, []);
  return measure;
}

/** Widths by a canvas, divided by `unit`, each measured once. */
function widthsIn(context: CanvasRenderingContext2D, unit: number): Measure {
  const widths = new Map<string, number>(); // bounded: pieces of one text
  return (text) => {
    const width = widths.get(text) ?? context.measureText(text).width / unit;
    widths.set(text, width);
    return width;
  };
}
