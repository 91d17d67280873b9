// Hooks that measure the width of texts.

import { type RefObject, useEffect, useState } from 'react';
import { FONTS } from '../../../../src/render/index.ts';

/** Returns the width of a text, in px. */
type Measure = (text: string) => number;

/** Font size, px, at which widths are measured and then divided, to give widths at 1 px. */
const MEASURED_SIZE = 100;

/** Measures texts in the font of an element; null until the element is mounted. */
export function useTextWidth(ref: RefObject<HTMLElement | null>): Measure | null {
  const [measure, setMeasure] = useState<Measure | null>(null);
  useEffect(() => {
    const begin = (): void => {
      const context = document.createElement('canvas').getContext('2d');
      // Without a canvas, a rough width: 8 px a character.
      if (!ref.current || !context) return setMeasure(() => (text: string) => 8 * text.length);
      context.font = getComputedStyle(ref.current).font;
      setMeasure(() => widthsIn(context, 1));
    };
    begin();
    // Texts have other widths once the font is loaded.
    void document.fonts?.ready.then(begin);
  }, [ref]);
  return measure;
}

/** Measures texts in the page's font at a size of 1 px; null until the font is loaded. */
export function useUnitTextWidth(): Measure | null {
  const [measure, setMeasure] = useState<Measure | null>(null);
  useEffect(() => {
    const begin = (): void => {
      const context = document.createElement('canvas').getContext('2d');
      if (!context) return;
      context.textRendering = 'geometricPrecision';
      context.font = `${MEASURED_SIZE}px ${FONTS.sans}`;
      setMeasure(() => widthsIn(context, MEASURED_SIZE));
    };
    void document.fonts.ready.then(begin);
  }, []);
  return measure;
}

/** Measures texts by a canvas, each text once, in units of `unit` px. */
function widthsIn(context: CanvasRenderingContext2D, unit: number): Measure {
  const widths = new Map<string, number>(); // bounded: pieces of one text
  return (text) => {
    const width = widths.get(text) ?? context.measureText(text).width / unit;
    widths.set(text, width);
    return width;
  };
}
