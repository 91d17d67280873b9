import { useEffect, useState } from 'react';
import { FONTS } from '../../../../render/theme.ts';

/** Measured at this size, px, and scaled: the widths of letters are proportional to it. */
const SIZE = 100;

/** The width of a text at a font size of 1 px; null until the page's font is loaded. */
export function useLetters(): ((text: string) => number) | null {
  const [measure, setMeasure] = useState<((text: string) => number) | null>(null);
  useEffect(() => {
    let isShown = true;
    const begin = (): void => {
      const context = document.createElement('canvas').getContext('2d');
      if (!isShown || !context) return;
      context.textRendering = 'geometricPrecision';
      context.font = `${SIZE}px ${FONTS.sans}`;
      const widths = new Map<string, number>(); // bounded: pieces of one text
      setMeasure(() => (text: string) => {
        const known = widths.get(text) ?? context.measureText(text).width / SIZE;
        widths.set(text, known);
        return known;
      });
    };
    void document.fonts.ready.then(begin);
    return () => {
      isShown = false;
    };
  }, []);
  return measure;
}
