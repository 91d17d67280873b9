import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { type Frame, frameScene } from '../../story/frames.ts';
import { messageOf } from '../../core/error-messages.ts';
import { figureAfterDrag, replaceFigure } from '../../lessons/drag.ts';
import { type Figure, frameOf, sourceOf } from '../../lessons/figure.ts';
import { nextFigure, type FoundQuestion, findQuestion } from '../../lessons/question-search.ts';
import { lessons } from '../../lessons/index.ts';
import type { Lesson } from '../../lessons/lesson.ts';
import { type PreparedBlock, prepareLesson } from '../../lessons/prepare.ts';
import { withoutAnswer } from '../../lessons/without-answer.ts';
import {
  asMessage,
  failureText,
  followLink,
  pageState,
  withPage,
  type FormatParams,
  paramFields,
  visibleStory,
} from '../../state/index.ts';
import { LEARN_FIELDS } from './address.ts';
import type { ProgressStore } from '../../lessons/progress.ts';
import { useApp, useDocument, type App, AppProvider, useSession } from '../../kit/app-context.ts';
import { useShell } from '../../kit/frame/shell-context.ts';
import { bindShortcuts } from '../../kit/shortcuts.ts';
import { judge, stepFor } from './judge.ts';
import { lessonCommands } from './lesson-keys.ts';
import { createLessonStage, TYPED_CELLS } from './lesson-stage.ts';
import { LessonFoot, LessonHead } from './LessonFrame.tsx';
import { LessonText, type LessonTextProps, type QuestionState, questionStateOf } from './LessonText.tsx';
import { PageFigureFrame } from './PageFigure.tsx';
import { WaitingPage } from '../../kit/frame/Waiting.tsx';
import { Button, TextButton } from '../../kit/controls/Button.tsx';
import { whileMounted } from '../../kit/browser/while-mounted.ts';
import { useStore } from 'zustand';
import { BytesLegend } from '../../kit/controls/BytesLegend.tsx';
import { accentOf } from '../../kit/format-color.ts';
import { StoryBoundary } from '../../kit/frame/Boundary.tsx';
import { Narration } from '../../kit/stage/Narration.tsx';
import { PlayerControls } from '../../kit/stage/PlayerControls.tsx';
import { saveScene } from '../../kit/stage/save-scene.ts';
import { SceneCanvas } from '../../kit/stage/SceneCanvas.tsx';
import { SceneTables } from '../../kit/stage/SceneTables.tsx';
import { useFrameContext } from '../../kit/stage/use-frame-context.ts';
import { useScene } from '../../kit/stage/use-scene.ts';
import { isDemo } from '../../lessons/demonstrations/index.ts';

interface LessonPageProps {
  readonly lesson: Lesson;
  readonly isWide: boolean;
  readonly progress: ProgressStore;
  readonly onRetry: () => void;
}

type Preparation =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly blocks: readonly PreparedBlock[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** The page of a lesson or of a set of questions: its text next to the figure, once all figures have been built. */
export function LessonPage(props: LessonPageProps) {
  const { lesson, onRetry } = props;
  const { catalog, formats, pageFigures } = useApp();
  const [state, setState] = useState<Preparation>({ kind: 'loading' });
  useEffect(() => {
    return whileMounted(
      prepareLesson(lesson, catalog, formats, pageFigures),
      (blocks) => setState({ kind: 'ready', blocks }),
      (error) => setState({ kind: 'failed', reason: messageOf(error) }),
    );
  }, [lesson, catalog, formats, pageFigures]);
  if (state.kind === 'ready') return <PreparedLesson {...props} blocks={state.blocks} />;
  if (state.kind === 'loading') return <WaitingPage title={lesson.title} what="Making its figures" />;
  return (
    <main className="waiting" id="content" tabIndex={-1}>
      <div>
        <p>{asMessage(`The figures of “${lesson.title}” could not be made: ${state.reason}`)}</p>
        <p>
          <Button onClick={onRetry}>Try again</Button>
        </p>
      </div>
    </main>
  );
}

/** The blocks (paragraphs with their figures) of a lesson, after the reader has dragged numbers in its text. */
function useDraggedBlocks(initial: readonly PreparedBlock[]) {
  const { formats, announce } = useApp();
  const [blocks, setBlocks] = useState(initial);
  const lastDragId = useRef(0);
  const drag = (figure: Figure, name: string, value: number): void => {
    const dragId = ++lastDragId.current;
    // The text may name numbers of other formats, whose stories are loaded first; only the last requested value counts.
    const change = async (): Promise<void> => {
      const changedBlocks = await replaceFigure(blocks, figure, figureAfterDrag(figure, name, value), formats);
      if (dragId === lastDragId.current) setBlocks(changedBlocks);
    };
    change().catch((error: unknown) => announce(failureText(error, 'Changing the figure')));
  };
  return { blocks, drag };
}

/** The frame that a paragraph names; null if it names none, or has a question. */
function useFrame({ figure, block }: PreparedBlock, isQuestion: boolean): Frame | null {
  const { step } = block.figure;
  return useMemo(() => (figure && !isQuestion ? frameOf(figure, step) : null), [figure, step, isQuestion]);
}

const WIDE_COLUMN = 'grid-rows-[auto_minmax(0,1fr)_auto] border-r border-hairline';
const NARROW_COLUMN = 'flex-1 grid-cols-1 grid-rows-[auto_minmax(min(13rem,40dvh),50%)_minmax(0,1fr)_auto]';

interface PreparedLessonProps extends LessonPageProps {
  readonly blocks: readonly PreparedBlock[];
}

/** The page of a lesson whose figures have been built. */
function PreparedLesson({ lesson, isWide, progress, blocks: initial }: PreparedLessonProps) {
  const app = useApp();
  const { document, session, catalog } = app;
  const { blocks, drag } = useDraggedBlocks(initial);
  const [stage] = useState(() => createLessonStage(app)); // the figure, which has a separate document and player
  const paragraph = useDocument((doc) => pageState(doc, LEARN_FIELDS).paragraph);
  const current = Math.min(Math.max(paragraph, 1), blocks.length);
  const [questionStates, setQuestionStates] = useState<Readonly<Record<number, QuestionState>>>({});
  const prepared = blocks[current - 1];
  const { foundQuestion, answer: given } = questionStateOf(prepared, questionStates[current]);
  const frame = useFrame(prepared, foundQuestion !== null);
  const figure =
    foundQuestion === null ? prepared.figure : given === null ? withoutAnswer(foundQuestion) : foundQuestion.figure;

  const setParagraph = useCallback(
    (n: number) => {
      const doc = document.getState();
      const fields = pageState(doc, LEARN_FIELDS);
      if (n !== fields.paragraph) document.setState(withPage(doc, LEARN_FIELDS, { ...fields, paragraph: n }));
    },
    [document],
  );
  const showFigure = useEffectEvent(() => {
    progress.read(lesson.id, current);
    if (prepared.figure === null || figure === null) return;
    // Before an answer, the last step that does not reveal it; afterwards, the step that the answer leads to.
    const questionStep =
      foundQuestion && (given === null ? foundQuestion.posed.before : stepFor(foundQuestion.posed, given));
    stage.show(figure, questionStep ?? prepared.step);
  });
  // A new paragraph, or a new matrix for its question, sets the step; otherwise the reader's step stays.
  useEffect(() => showFigure(), [current, figure]);

  const setQuestion = (n: number, state: QuestionState): void =>
    setQuestionStates((states) => ({ ...states, [n]: state }));
  const answer: LessonTextProps['onAnswer'] = (n, key, posed, state) => {
    setQuestion(n, state);
    const { kind, misconception } = judge(posed, state.answer);
    progress.answer(lesson.id, key, state.answer, kind === 'right', misconception?.id ?? null);
    setParagraph(n);
    if (state.foundQuestion) stage.show(state.foundQuestion.figure, stepFor(posed, state.answer));
  };
  const askAnother = (n: number, previous: FoundQuestion | null): void => {
    if (!previous) return setQuestion(n, { foundQuestion: null, answer: null });
    const ask = async (): Promise<void> => {
      const next = await findQuestion(await nextFigure(previous.figure), previous.posed.id);
      setQuestion(n, { foundQuestion: next, answer: null });
      setParagraph(n);
      stage.show(withoutAnswer(next), next.posed.before);
    };
    ask().catch((error: unknown) => app.announce(failureText(error, 'Finding another question')));
  };
  const openInWatch = (): void => {
    const figureDocument = stage.app.document.getState();
    const typedMatrix = figure?.isTyped
      ? { source: sourceOf(figure) ?? figureDocument.source, window: null, edited: null }
      : {};
    const { pages } = document.getState();
    const watchDocument = followLink(catalog.pages, { ...figureDocument, ...typedMatrix, pages }, 'stage');
    if (watchDocument) void session.restore(watchDocument);
  };

  const goBy = useEffectEvent((by: number) => setParagraph(Math.min(Math.max(current + by, 1), blocks.length)));
  const goToLesson = useEffectEvent((by: number) => {
    const index = lessons.indexOf(lesson);
    const next = index < 0 ? undefined : lessons[index + by];
    if (next) document.setState(withPage(document.getState(), LEARN_FIELDS, { lesson: next.id }));
  });
  const { present } = useShell();
  const presentFigure = useEffectEvent(() => {
    if (figure !== null) present(stage.app);
  });
  useEffect(() => {
    const commands = lessonCommands({
      player: stage.app.player,
      onPresent: () => presentFigure(),
      onParagraph: (by) => goBy(by),
      onLesson: (by) => goToLesson(by),
    });
    return bindShortcuts(window, commands, () => true);
  }, [stage]);

  const stageArea =
    prepared.figure === null ? (
      <PageFigureFrame key={prepared.block.figure.address} prepared={prepared} answer={given} isWide={isWide} />
    ) : (
      <LessonFigure app={stage.app} figure={figure ?? prepared.figure} frame={frame} onOpen={openInWatch} />
    );
  return (
    <main
      className={`lesson min-h-0 flex-1 ${isWide ? 'grid grid-cols-[minmax(24rem,40%)_minmax(0,1fr)]' : 'lesson--narrow flex flex-col'}`}
      id="content"
      tabIndex={-1}
    >
      <div className={`lesson-column grid min-w-0 min-h-0 ${isWide ? WIDE_COLUMN : NARROW_COLUMN}`}>
        <LessonHead lesson={lesson} progress={progress} wide={isWide} />
        {!isWide && stageArea}
        <LessonText
          lesson={lesson}
          blocks={blocks}
          current={current}
          onRead={setParagraph}
          questionStates={questionStates}
          player={stage.app.player}
          onAnswer={answer}
          onAnother={askAnother}
          onDrag={drag}
          onStep={(foundQuestion, n, step) => {
            setParagraph(n);
            stage.show(foundQuestion.figure, step);
          }}
        />
        <LessonFoot lesson={lesson} current={current} progress={progress} />
      </div>
      {isWide && stageArea}
    </main>
  );
}

interface LessonFigureProps {
  readonly app: App;
  readonly figure: Figure;
  /** the frame (a picture at which the story rests) that the paragraph names; null: none */
  readonly frame: Frame | null;
  readonly onOpen: () => void;
}

/** The figure next to the text: a format's story at the paragraph's step, with its player. */
function LessonFigure(props: LessonFigureProps) {
  const { app, figure } = props;
  const { id } = figure.format;
  return (
    <AppProvider value={app}>
      <section className="lesson-figure grid min-w-0 min-h-0" aria-label="Figure" style={accentOf(id)}>
        <StoryBoundary name="The figure">
          <FigurePicture {...props} />
        </StoryBoundary>
        <StoryBoundary name="The player">
          <PlayerControls player={app.player} />
        </StoryBoundary>
      </section>
    </AppProvider>
  );
}

function FigurePicture({ app, figure, frame, onOpen }: LessonFigureProps) {
  const stepScene = useScene();
  const context = useFrameContext();
  // The named frame is shown until the reader goes to another step.
  const isFrame = useStore(app.player.store, ({ step }) => step === frame?.step);
  const namedFrameScene = useMemo(() => frame && frameScene(frame, frame.moves.length - 1, context), [frame, context]);
  const scene = isFrame && stepScene ? namedFrameScene : stepScene;
  const isOfBytes = !isDemo(figure.format.id) && scene?.panels.some(({ unit }) => unit === 'bar');
  const { present } = useShell();
  const drawnFormat = useSession((s) => visibleStory(s.trace)?.trace.format ?? figure.format.id);
  const [asTables, setAsTables] = useState(false);
  return (
    <div className="stage grid min-w-0 min-h-0 @container">
      <div className="flex flex-wrap items-baseline justify-between gap-3 text-muted text-12 min-h-5">
        <p className="max-lg:flex-1 max-lg:w-0 max-lg:truncate">{captionOf(figure)}</p>
        <div className="stage-tools whitespace-nowrap flex flex-wrap justify-end flex-1">
          <TextButton onClick={() => setAsTables(!asTables)}>{asTables ? 'as a picture' : 'as tables'}</TextButton>
          <TextButton className="max-lg:hidden" aria-keyshortcuts="P" disabled={!scene} onClick={() => present(app)}>
            present
          </TextButton>
          <TextButton className="max-lg:hidden" onClick={() => void saveScene('svg', app)}>
            SVG
          </TextButton>
          {!isDemo(figure.format.id) && sourceOf(figure) !== null && (
            <TextButton onClick={onOpen}>open in Watch</TextButton>
          )}
        </div>
      </div>
      <div>
        <Narration words={scene?.narration ?? []} />
        {isOfBytes && !asTables && <BytesLegend roles={BYTES_LEGEND} />}
      </div>
      {scene ? asTables ? <SceneTables scene={scene} /> : <SceneCanvas scene={scene} format={drawnFormat} /> : <div />}
    </div>
  );
}

/** The legend of bytes by purpose. */
const BYTES_LEGEND = [
  ['values', 'values'],
  ['indices', 'positions'],
  ['metadata', 'row starts, scales'],
  ['padding', 'zeros'],
] as const;

/** If a format has more parameters, a caption names only those that differ from their defaults. */
const MAX_NAMED_PARAMS = 4;

/** The figure in a line: 'MACKO, delta bits 4, values f16 · 4 × 40, seed 7' */
function captionOf({ format, window, spec, isTyped, loaded }: Figure): string {
  if (isDemo(format.id)) return `${format.title} · made on this page, seed ${spec.seed}`;
  const fields = paramFields(format.params);
  const values = loaded.trace.params as FormatParams;
  const named = fields.filter(([name, field]) => fields.length <= MAX_NAMED_PARAMS || values[name] !== field.default);
  const params = named.map(([name, field]) => {
    const value = values[name];
    const option = field.kind === 'choice' ? field.options.find((o) => o.value === value) : undefined;
    return `${field.label} ${option?.label ?? String(value)}`;
  });
  return `${[format.title, ...params].join(', ')} · ${window.rows} × ${window.cols}, ${isTyped ? TYPED_CELLS : `seed ${spec.seed}`}`;
}
