import { memo, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { createPortal } from 'react-dom';
import { stillOf } from '../../render/index.ts';
import { THEMES } from '../../kit/browser/use-theme.ts';
import type { ExportedPicture } from './exported-pictures.ts';
import { StyledWords } from '../../kit/primitives/Text.tsx';

/** The colours on paper. */
const PAPER = { ...THEMES.light, ground: '#FFFFFF' };
/** Width of pictures, px: a scene with a drawing is laid out as on a phone; a scene of panels fits any width. */
const WIDTH = { drawing: 358, panels: 620 } as const;

export interface TranscriptProps {
  readonly pictures: readonly ExportedPicture[];
  /** format and matrix */
  readonly title: string;
  readonly format: string;
}

/** A story (a format's animation) to read: by chapters, each text with its picture, questions with answers. */
export const Transcript = memo(function Transcript({ pictures, title, format }: TranscriptProps) {
  const chapters = useMemo(() => chaptersOf(pictures), [pictures]);
  return (
    <article aria-label={title}>
      <h4 className="mt-4 mb-2">{title}</h4>
      {chapters.map((chapter) => (
        <section key={chapter.first}>
          <h5 className="mt-4 mb-2 text-13">{chapter.title}</h5>
          <ol className="grid gap-4 pl-5" start={chapter.first + 1}>
            {chapter.pictures.map(({ scene, words, options, answer }, i) => {
              const { source, width, height } = stillOf(
                scene,
                PAPER,
                format,
                scene.drawing ? WIDTH.drawing : WIDTH.panels,
              );
              return (
                <li key={chapter.first + i}>
                  <p>
                    <StyledWords words={words} />
                  </p>
                  {options && <Options options={options} answer={answer} />}
                  <img className="max-w-full h-auto mt-2 bg-[#fff]" src={source} alt="" width={width} height={height} />
                </li>
              );
            })}
          </ol>
        </section>
      ))}
    </article>
  );
});

/** The answers that a question offers, with the right answer marked. */
function Options({ options, answer }: { readonly options: readonly string[]; readonly answer: number | undefined }) {
  return (
    <ul className="transcript-options flex flex-wrap gap-y-2 gap-x-4 p-0 list-none">
      {options.map((option, i) => (
        <li key={option}>{i === answer ? <strong>{option}, the answer</strong> : option}</li>
      ))}
    </ul>
  );
}

interface TranscriptChapter {
  readonly title: string;
  /** index of its first picture */
  readonly first: number;
  readonly pictures: ExportedPicture[];
}

/** The pictures by chapter, in their order. */
function chaptersOf(pictures: readonly ExportedPicture[]): readonly TranscriptChapter[] {
  const chapters: TranscriptChapter[] = [];
  pictures.forEach((picture, i) => {
    const last = chapters.at(-1);
    if (last?.title === picture.chapter) last.pictures.push(picture);
    else chapters.push({ title: picture.chapter, first: i, pictures: [picture] });
  });
  return chapters;
}

interface PrintedTranscriptProps extends TranscriptProps {
  readonly onDone: () => void;
}

/** A transcript for paper, which prints itself once it is mounted. */
export function PrintedTranscript({ onDone, ...transcript }: PrintedTranscriptProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const done = useEffectEvent(onDone);
  useEffect(() => {
    let isGone = false;
    const end = (): void => done();
    window.addEventListener('afterprint', end);
    const pictures = [...(sheet.current?.querySelectorAll('img') ?? [])].map((img) => img.decode().catch(() => {}));
    void Promise.all(pictures).then(() => {
      if (!isGone) window.print();
    });
    return () => {
      isGone = true;
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return createPortal(
    <div ref={sheet} className="step-sheet hidden">
      <Transcript {...transcript} />
    </div>,
    document.body,
  );
}
