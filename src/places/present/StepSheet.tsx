import { useEffect, useEffectEvent, useRef } from 'react';
import { createPortal } from 'react-dom';
import { stillOf } from '../../render/still.ts';
import type { LoadedStory } from '../../state/index.ts';
import { THEMES } from '../../kit/browser/use-theme.ts';
import { sceneOf } from '../../kit/stage/use-scene.ts';
import type { ChapterSteps } from './chapter.ts';

const PAPER = { ...THEMES.light, ground: '#FFFFFF' };
/** Pictures are laid out for this width, px, and printed as wide as their column. */
const WIDTH = 620;

export interface StepSheetProps {
  readonly loaded: LoadedStory;
  readonly chapter: ChapterSteps;
  /** format and matrix, for the head of the sheet */
  readonly title: string;
  readonly onDone: () => void;
}

/** A chapter on paper: each step's picture with its sentence, in two columns. Prints itself, once. */
export function StepSheet({ loaded, chapter, title, onDone }: StepSheetProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const done = useEffectEvent(onDone);
  useEffect(() => {
    let gone = false;
    const end = (): void => done();
    window.addEventListener('afterprint', end);
    const pictures = [...(sheet.current?.querySelectorAll('img') ?? [])].map((img) => img.decode().catch(() => {}));
    void Promise.all(pictures).then(() => {
      if (!gone) window.print();
    });
    return () => {
      gone = true;
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return createPortal(
    <div ref={sheet} className="step-sheet">
      <h1>
        {title} · {chapter.title}
      </h1>
      <ol>
        {chapter.steps.map((step, i) => {
          const { source, words, width, height } = stillOf(sceneOf(loaded, step), PAPER, loaded.trace.format, WIDTH);
          return (
            <li key={step}>
              <p>
                <b>{i + 1}</b> {words}
              </p>
              <img src={source} alt="" width={width} height={height} />
            </li>
          );
        })}
      </ol>
    </div>,
    document.body,
  );
}
