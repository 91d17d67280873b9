import { type RefObject, useEffect, useState } from 'react';

/** The width of a text in the font of an element, in px; null until known. */
export function useMeasure(ref: RefObject<HTMLElement | null>): ((text: string) => number) | null {
  const [measure, setMeasure] = useState<((text: string) => number) | null>(null);
  useEffect(() => {
    const begin = (): void => {
      const element = ref.current;
      const context = document.createElement('canvas').getContext('2d');
      if (!element || !context) return setMeasure(() => (text: string) => 8 * text.length);
      context.font = getComputedStyle(element).font;
      const widths = new Map<string, number>();
      setMeasure(() => (text: string) => {
        const known = widths.get(text);
        if (known !== undefined) return known;
        const { width } = context.measureText(text);
        widths.set(text, width);
        return width;
      });
    };
    begin();
    // Words change their width once the font is loaded.
    void document.fonts?.ready.then(begin);
  }, [ref]);
  return measure;
}
