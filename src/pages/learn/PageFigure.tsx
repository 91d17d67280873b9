import { Suspense } from 'react';
import type { Answer } from '../../story/question.ts';
import type { PageBlock } from '../../lessons/prepare.ts';
import { useApp } from '../../kit/app-context.ts';
import { StoryBoundary } from '../../kit/frame/Boundary.tsx';
import { TextButton } from '../../kit/controls/Button.tsx';

interface PageFigureProps {
  readonly prepared: PageBlock;
  /** the answer to its question; null while there is none */
  readonly answer: Answer | null;
  readonly isWide: boolean;
}

/** A figure that a page such as Compare draws, next to a lesson's text, with a button that opens it on that page. */
export function PageFigureFrame(props: PageFigureProps) {
  const { session, document, catalog } = useApp();
  const { document: shown, caption } = props.prepared;
  const { id, title } = catalog.pages.find((page) => page.id === shown.view) ?? catalog.pages[0];
  const open = (): void => {
    const fields = shown.pages[id];
    const { pages } = document.getState();
    void session.restore({ ...shown, pages: fields ? { ...pages, [id]: fields } : pages });
  };
  return (
    <section className="lesson-figure grid min-w-0 min-h-0" aria-label="Figure">
      <StoryBoundary name="The figure">
        <div className="stage grid min-w-0 min-h-0 @container overflow-x-hidden overflow-y-auto">
          <div className="flex flex-wrap items-baseline justify-between gap-3 text-muted text-12 min-h-5">
            <p className="max-lg:flex-1 max-lg:w-0 max-lg:truncate">{caption}</p>
            <div className="stage-tools whitespace-nowrap flex flex-wrap justify-end flex-1">
              <TextButton onClick={open}>open in {title}</TextButton>
            </div>
          </div>
          <PageFigure {...props} />
        </div>
      </StoryBoundary>
    </section>
  );
}

/** The figure without its frame; also used in print. */
export function PageFigure({ prepared: { block, document }, answer, isWide }: PageFigureProps) {
  const { pageFigures } = useApp();
  const Figure = pageFigures.get(document.view)?.Figure;
  const question = block.kind === 'prediction' ? block.question : null;
  return (
    <Suspense fallback={null}>
      {Figure && <Figure document={document} question={question} isAnswered={answer !== null} isWide={isWide} />}
    </Suspense>
  );
}
