import { Fragment, Suspense, useEffect, useRef, useState, type RefObject, useEffectEvent } from 'react';
import { type Frame, frameScene } from '../../story/frames.ts';
import type { Answer, PosedQuestion } from '../../story/question.ts';
import { type Figure, frameOf } from '../../lessons/figure.ts';
import type { FoundQuestion } from '../../lessons/question-search.ts';
import type { Lesson } from '../../lessons/lesson.ts';
import type { PageBlock, PreparedBlock, StoryBlock } from '../../lessons/prepare.ts';
import { withoutAnswer } from '../../lessons/without-answer.ts';
import type { Player } from '../../state/index.ts';
import { Icon } from '../../kit/controls/Icon.tsx';
import { PageFigure } from './PageFigure.tsx';
import { Predict, PredictForm } from './Predict.tsx';
import { InlineText } from './InlineText.tsx';
import { flushSync } from 'react-dom';
import { stillOf } from '../../render/index.ts';
import { THEMES } from '../../kit/browser/use-theme.ts';
import { useFrameContext } from '../../kit/stage/use-frame-context.ts';
import { sceneOf } from '../../kit/stage/use-scene.ts';
import { useApp } from '../../kit/app-context.ts';

/** Width of a printed figure, px, and its theme. */
const WIDTH = 700;
const PAPER = { ...THEMES.light, ground: '#FFFFFF' };

interface PrintedFigureProps {
  readonly figure: Figure;
  readonly step: number;
  /** a frame (a picture at which the story rests), printed instead of the step; null: none */
  readonly frame: Frame | null;
}

/** The figure of a paragraph at its step, as a still picture for paper. */
function PrintedFigure({ figure, step, frame }: PrintedFigureProps) {
  const context = useFrameContext();
  const scene = frame ? frameScene(frame, frame.moves.length - 1, context) : sceneOf(figure.loaded, step);
  const { source, words, width, height } = stillOf(scene, PAPER, figure.format.id, WIDTH);
  return (
    <figure className="printed-figure mt-3">
      <img src={source} alt={words} width={width} height={height} />
      <figcaption className="text-muted text-12">{words}</figcaption>
    </figure>
  );
}

/** Whether the page is being printed; components are drawn again before the browser takes its snapshot. */
function usePrinting(): boolean {
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

/** A paragraph's question as the reader sees it: its matrix and the reader's answer. */
export interface QuestionState {
  /** null for a question about a figure of a page, which has no other matrix */
  readonly foundQuestion: FoundQuestion | null;
  readonly answer: Answer | null;
}

/** The state of a block's question; if nothing has changed, unanswered on its first matrix. */
export function questionStateOf({ foundQuestion }: PreparedBlock, changed: QuestionState | undefined): QuestionState {
  return { foundQuestion: changed?.foundQuestion ?? foundQuestion, answer: changed?.answer ?? null };
}

export interface LessonTextProps {
  readonly lesson: Lesson;
  readonly blocks: readonly PreparedBlock[];
  /** current paragraph, from 1 */
  readonly current: number;
  readonly onRead: (n: number) => void;
  /** the questions that the reader has answered, or requested on another matrix, by paragraph */
  readonly questionStates: Readonly<Record<number, QuestionState>>;
  readonly player: Player;
  readonly onAnswer: (
    n: number,
    key: string,
    posed: PosedQuestion,
    state: QuestionState & { readonly answer: Answer },
  ) => void;
  readonly onAnother: (n: number, foundQuestion: FoundQuestion | null) => void;
  readonly onStep: (foundQuestion: FoundQuestion, n: number, step: number) => void;
  /** a number of a figure was dragged to a new value */
  readonly onDrag: (figure: Figure, name: string, value: number) => void;
}

/** The text of a lesson with its questions. The figure belongs to the paragraph at the reading line. */
export function LessonText(props: LessonTextProps) {
  const { lesson, blocks, current, onRead } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [openCards, setOpenCards] = useState<ReadonlySet<number>>(new Set()); // of the appendix, see `cardOf`
  const toggle = (card: number): void => {
    const next = new Set(openCards);
    if (!next.delete(card)) next.add(card);
    setOpenCards(next);
  };
  const card = cardOf(blocks, current);
  const closedCard = card !== null && !openCards.has(card) ? card : null;
  useReadingLine(scroller, current, onRead, closedCard, toggle);
  const printing = usePrinting();
  return (
    <div ref={scroller} className="lesson-text overscroll-contain min-h-0 overflow-x-hidden overflow-y-auto">
      <article
        className="lesson-article max-w-[36rem] px-10 pt-4 pb-[60vh] max-lg:pt-3 max-lg:pr-4 max-lg:pl-5 max-lg:pb-[40vh] text-16 leading-[1.6]"
        aria-label={lesson.title}
      >
        <h2 className="lesson-title text-32 max-lg:text-24 print:text-32 font-[300] leading-[1.2]">{lesson.title}</h2>
        {blocks.map((prepared) => {
          const { n, appendixTitle } = prepared.block;
          const previous = blocks[n - 2];
          const blockCard = cardOf(blocks, n);
          // On paper all cards are open.
          const isOpen = printing || (blockCard !== null && openCards.has(blockCard));
          return (
            <Fragment key={n}>
              {appendixTitle !== null && appendixTitle !== previous.block.appendixTitle && (
                <h3 className="lesson-heading mt-8 mb-2 text-18">{appendixTitle}</h3>
              )}
              <BlockView
                {...props}
                prepared={prepared}
                printsFigure={printing && isNewPicture(prepared, previous)}
                card={blockCard === null ? null : { isOpen, onToggle: () => toggle(blockCard) }}
              />
            </Fragment>
          );
        })}
        {lesson.sources.length > 0 && (
          <section className="text-muted text-13 border-t border-hairline pt-4 mt-8" aria-label="Sources">
            <h3>Sources</h3>
            <ul className="mt-2">
              {lesson.sources.map((source, i) => (
                // Sources never change their order.
                // oxlint-disable-next-line react/no-array-index-key
                <li key={i}>
                  <InlineText inline={source} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </article>
    </div>
  );
}

/** Whether a paragraph shows another picture than the paragraph before it. */
function isNewPicture(current: PreparedBlock, previous: PreparedBlock | undefined): boolean {
  if (current.figure === null) return current.block.figure.address !== previous?.block.figure.address;
  return (
    current.figure !== previous?.figure ||
    current.step !== previous.step ||
    current.block.figure.step !== previous.block.figure.step
  );
}

/** The card (a section of the appendix) with paragraph `n`, by its first paragraph; null before the appendix. */
function cardOf(blocks: readonly PreparedBlock[], n: number): number | null {
  if (blocks[n - 1].block.appendixTitle === null) return null;
  return blocks[n - 1].block.heading === null ? cardOf(blocks, n - 1) : n;
}

/** The state of a card, whose heading opens and closes it. */
interface Card {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

interface BlockViewProps<B extends PreparedBlock = PreparedBlock> extends LessonTextProps {
  readonly prepared: B;
  readonly printsFigure: boolean; // below its text
  readonly card: Card | null;
}

function BlockView(props: BlockViewProps) {
  const { prepared, card, current } = props;
  const { block } = prepared;
  const { n, heading } = block;
  const { Exercise } = useApp();
  const isFolded = card?.isOpen === false;
  return (
    <section
      className="lesson-block outline-none text-pretty mt-5 data-folded:mt-0"
      data-paragraph={n}
      aria-label={`Paragraph ${n}`}
      aria-current={n === current ? 'true' : undefined}
      tabIndex={-1}
      hidden={isFolded && heading === null}
      data-folded={isFolded || undefined}
    >
      {heading !== null &&
        (card ? (
          <h4 className="m-0 text-16">
            <button
              className="[&>.icon]:size-3 aria-expanded:[&>.icon]:rotate-90 flex items-center gap-2 text-start w-full cursor-pointer min-h-9 hover:underline hover:underline-offset-[0.2em]"
              type="button"
              aria-expanded={card.isOpen}
              onClick={card.onToggle}
            >
              <Icon name="right" /> {heading}
            </button>
          </h4>
        ) : (
          <h3 className="lesson-heading mt-8 mb-2 text-18">{heading}</h3>
        ))}
      {block.kind === 'paragraph' && (
        <p className={heading !== null && card ? 'py-1' : undefined} hidden={isFolded}>
          <InlineText
            inline={block.inline}
            lookup={prepared.lookup}
            {...(prepared.figure && { figure: prepared.figure, onDrag: props.onDrag })}
          />
        </p>
      )}
      {block.kind === 'exercise' && Exercise && (
        <Suspense fallback={null}>
          <Exercise id={block.exercise} />
        </Suspense>
      )}
      {prepared.figure === null ? (
        <PageQuestionBlock {...props} prepared={prepared} />
      ) : (
        <StoryQuestionBlock {...props} prepared={prepared} />
      )}
    </section>
  );
}

/** The question about a story and, when the lesson is printed, the story's picture. */
function StoryQuestionBlock(props: BlockViewProps<StoryBlock>) {
  const { blocks, prepared, printsFigure, current, questionStates, player, onAnswer, onAnother, onStep } = props;
  const { block } = prepared;
  const { n } = block;
  const { foundQuestion, answer: given } = questionStateOf(prepared, questionStates[n]);
  const figure = !foundQuestion
    ? prepared.figure
    : given === null
      ? withoutAnswer(foundQuestion)
      : foundQuestion.figure;
  return (
    <>
      {block.kind === 'prediction' && foundQuestion && (
        <Predict
          foundQuestion={foundQuestion}
          userAnswer={given}
          player={n === current ? player : null}
          isElsewhere={block.figure.address !== blocks[current - 1].block.figure.address}
          onAnswer={(answer) => onAnswer(n, block.key, foundQuestion.posed, { foundQuestion, answer })}
          onAnother={() => onAnother(n, foundQuestion)}
          onStep={(step) => onStep(foundQuestion, n, step)}
        />
      )}
      {printsFigure && (
        <PrintedFigure
          figure={figure}
          step={foundQuestion?.posed.before ?? prepared.step}
          frame={foundQuestion ? null : frameOf(figure, block.figure.step)}
        />
      )}
    </>
  );
}

/** The question about a figure of a page and, when the lesson is printed, that figure. */
function PageQuestionBlock(props: BlockViewProps<PageBlock>) {
  const { prepared, printsFigure, questionStates, onAnswer, onAnother } = props;
  const { block, posed, answeredBy } = prepared;
  const { n } = block;
  const given = questionStates[n]?.answer ?? null;
  return (
    <>
      {block.kind === 'prediction' && posed && (
        <PredictForm
          posed={posed}
          userAnswer={given}
          answeredBy={answeredBy}
          onAnswer={(answer) => onAnswer(n, block.key, posed, { foundQuestion: null, answer })}
          onAnother={() => onAnother(n, null)}
          anotherLabel="Answer again"
          onStep={null}
        />
      )}
      {printsFigure && (
        <figure className="printed-figure mt-3">
          <PageFigure prepared={prepared} answer={given} isWide={false} />
        </figure>
      )}
    </>
  );
}

/** Distance of the reading line from the top, as a share of the visible height of the text. */
const READING_LINE = 0.32;
/** A paragraph is scrolled this far above the reading line, so that it is the one at the line, in the same shares. */
const ABOVE_LINE = 0.04;

/** A paragraph that the reader jumped to stays current until the text has moved this far, px. */
const MIN_SCROLL_PX = 48;

/**
 * Keeps the current paragraph and the scroll position together: scrolling makes the paragraph at the reading line
 * current, and a paragraph that becomes current otherwise (a key, a link, the focus) is scrolled there. `closedCard` is
 * the closed card around it, which is opened first; null if there is none.
 */
function useReadingLine(
  scroller: RefObject<HTMLDivElement | null>,
  current: number,
  onRead: (n: number) => void,
  closedCard: number | null,
  onOpen: (card: number) => void,
): void {
  /** the paragraph that was last made current here, and the scroll position then */
  const last = useRef({ n: 0, top: 0 });

  const onScroll = useEffectEvent(() => {
    const area = scroller.current;
    if (!area || Math.abs(area.scrollTop - last.current.top) < MIN_SCROLL_PX) return;
    const line = area.getBoundingClientRect().top + area.clientHeight * READING_LINE;
    const paragraphs = [...area.querySelectorAll<HTMLElement>('[data-paragraph]:not([data-folded])')];
    const above = paragraphs.filter((p) => p.getBoundingClientRect().top <= line + 1);
    const n = Number((above.at(-1) ?? paragraphs[0])?.dataset.paragraph ?? 1);
    last.current = { n, top: last.current.n === n ? last.current.top : Number.NEGATIVE_INFINITY };
    onRead(n);
  });
  const onTouched = useEffectEvent((event: Event) => {
    const area = scroller.current;
    const paragraph = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-paragraph]') : null;
    if (!area || !paragraph) return;
    // The clicked element stays under the pointer.
    last.current = { n: Number(paragraph.dataset.paragraph), top: area.scrollTop };
    onRead(last.current.n);
  });
  useEffect(() => {
    const area = scroller.current;
    if (!area) return;
    const scroll = (): void => onScroll();
    const touch = (event: Event): void => onTouched(event);
    area.addEventListener('scroll', scroll, { passive: true });
    area.addEventListener('click', touch);
    area.addEventListener('focusin', touch);
    return () => {
      area.removeEventListener('scroll', scroll);
      area.removeEventListener('click', touch);
      area.removeEventListener('focusin', touch);
    };
  }, [scroller]);

  const open = useEffectEvent(onOpen);
  useEffect(() => {
    const area = scroller.current;
    const paragraph = area?.querySelector<HTMLElement>(`[data-paragraph="${current}"]`);
    if (!area || !paragraph || last.current.n === current) return;
    if (closedCard !== null) return open(closedCard);
    const above = current === 1 ? Number.POSITIVE_INFINITY : area.clientHeight * (READING_LINE - ABOVE_LINE);
    area.scrollBy({ top: paragraph.getBoundingClientRect().top - area.getBoundingClientRect().top - above });
    const isFirst = last.current.n === 0;
    last.current = { n: current, top: area.scrollTop };
    if (!isFirst) paragraph.focus({ preventScroll: true });
  }, [scroller, current, closedCard]);
}
