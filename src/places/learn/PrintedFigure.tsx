import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Figure } from '../../lessons/figure.ts';
import { stillOf } from '../../render/still.ts';
import { THEMES } from '../../kit/browser/use-theme.ts';
import { sceneOf } from '../../kit/stage/use-scene.ts';

/** Paper has no stage: each paragraph is followed by its picture. */
const WIDTH = 700;
const PAPER = { ...THEMES.light, ground: '#FFFFFF' };

/** The figure of a paragraph at its step, for paper. */
export function PrintedFigure({ figure, step }: { readonly figure: Figure; readonly step: number }) {
  const { source, words, width, height } = stillOf(sceneOf(figure.loaded, step), PAPER, figure.format.id, WIDTH);
  return (
    <figure className="printed-figure">
      <img src={source} alt={words} width={width} height={height} />
      <figcaption>{words}</figcaption>
    </figure>
  );
}

/** Whether the page is being printed: draws whatever only paper needs before the browser takes its snapshot. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const begin = (): void => flushSync(() => setPrinting(true));
    const end = (): void => setPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return printing;
}
