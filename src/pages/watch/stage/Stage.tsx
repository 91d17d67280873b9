import { type ReactNode, type RefObject, Suspense, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { spanText } from '../../../core/cut.ts';
import { VERDICT } from '../../../story/frames.ts';
import type { Scene } from '../../../story/scene.ts';
import { countText } from '../../../core/text/words.ts';
import { useApp, useCurrentFormat, useDocument, useSession } from '../../../kit/app-context.ts';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import { TextButton } from '../../../kit/controls/Button.tsx';
import { progressText } from '../../../kit/controls/JobProgress.tsx';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { StoryBoundary } from '../../../kit/frame/Boundary.tsx';
import { useShell } from '../../../kit/frame/shell-context.ts';
import type { PageProps } from '../../../kit/page.ts';
import { Narration } from '../../../kit/stage/Narration.tsx';
import { PlayerControls, type PlayerSwitches } from '../../../kit/stage/PlayerControls.tsx';
import { type CanvasEditing, SceneCanvas } from '../../../kit/stage/SceneCanvas.tsx';
import {
  scriptFrameOf,
  partialSource,
  memoizedByScene,
  type StageScenes,
  useStageScene,
  useStageScenes,
  useStageWords,
  useTickScene,
} from '../../../kit/stage/use-scene.ts';
import { chapterAt, withBothShown, isQuestion } from '../../../state/index.ts';
import { WatchAnswer } from '../answer/WatchAnswer.tsx';
import { WatchDetails } from '../details/WatchDetails.tsx';
import { useSides } from '../use-sides.ts';
import type { PhonePage } from './PhonePlayer.tsx';
import { showBytes, useBytesShown } from './bytes-shown.ts';
import { type CellEditing, useCellEditing } from './use-cell-editing.ts';

const ByteStrip = lazyPart(async () => (await import('./ByteStrip.tsx')).ByteStrip);
const RegionMap = lazyPart(async () => (await import('./RegionMap.tsx')).RegionMap);
const NoScene = lazyPart(async () => (await import('./NoScene.tsx')).NoScene);
const MatrixFit = lazyPart(async () => (await import('./MatrixFit.tsx')).MatrixFit);
const FrameSlider = lazyPart(async () => (await import('../../../kit/stage/FrameSlider.tsx')).FrameSlider);
const TimeOwnMatrix = lazyPart(async () => (await import('../../../kit/stage/TimeOwnMatrix.tsx')).TimeOwnMatrix);
const FrameQuestion = lazyPart(async () => (await import('../../../kit/stage/FrameQuestion.tsx')).FrameQuestion);
const PhonePlayer = lazyPart(async () => (await import('./PhonePlayer.tsx')).PhonePlayer);
const PhoneTrack = lazyPart(async () => (await import('./PhonePlayer.tsx')).PhoneTrack);

/**
 * The line above the picture: whether the window (on the page: region) was edited; then the cursor's cell, the reason
 * why an edit was rejected, or `children`.
 */
export function EditedRegion({
  cursorText,
  canvasEditing: { rejection: cellRejection },
  isUntried,
  children,
}: CellEditing & { readonly children: ReactNode }) {
  const { session } = useApp();
  const editedWindow = useDocument(({ window, edited }) => (edited === null ? null : window));
  const rejectedEdit = useSession((s) => s.rejectedEdit);
  return (
    <>
      {editedWindow && (
        <p className="watch-edited text-ink flex-none">
          edited, {editedWindow.rows} × {editedWindow.cols}
          <TextButton className="ms-2" onClick={session.undoEdits}>
            Undo all
          </TextButton>
        </p>
      )}
      <p className="watch-cell text-end ms-auto" role="status">
        {cursorText}
        {/* If the picture shows the reason, this text is for screen readers only. */}
        {rejectedEdit !== null && (
          <span className={cellRejection ? 'unseen' : 'watch-broken text-danger'}> {rejectedEdit}</span>
        )}
        {cursorText === null && rejectedEdit === null && isUntried && (
          <span className="watch-hint whitespace-nowrap" aria-hidden="true">
            Change any cell
          </span>
        )}
      </p>
      {cursorText === null && rejectedEdit === null && children}
    </>
  );
}

const STAGE_ID = 'stage';

/** The page of Watch: the stage (a story's pictures of one format or two, and details), and the player below. */
export function StagePage({ isWide, phone }: PageProps & Pick<StageOnPageProps, 'phone'>) {
  const stage = useRef<HTMLElement>(null);
  return (
    <>
      <Stage isWide={isWide} phone={phone} stage={stage} />
      <StoryBoundary name="The player">
        {phone ? (
          <Suspense fallback={<div className="player phone-player" />}>
            <PhonePlayer stage={stage} page={phone} />
          </Suspense>
        ) : (
          <WatchPlayer />
        )}
      </StoryBoundary>
    </>
  );
}

/** The player's switch that shows format B next to format A; null if there is no B. */
function useSecondFormatSwitch(): PlayerSwitches['secondFormatSwitch'] {
  const { formats, document } = useApp();
  const against = useDocument((doc) => doc.formatB?.format);
  const isOn = useDocument((doc) => doc.isSideBySide);
  const b = formats.find(({ id }) => id === against);
  const onSwitch = (on: boolean): void => document.setState(withBothShown(document.getState(), on));
  return b ? { title: b.title, isOn, onSwitch } : null;
}

function WatchPlayer() {
  const { player } = useApp();
  const bytesSwitch = { isOn: useBytesShown(), onSwitch: showBytes };
  return <PlayerControls player={player} switches={{ secondFormatSwitch: useSecondFormatSwitch(), bytesSwitch }} />;
}

interface StageOnPageProps extends PageProps {
  /** state of the layout for phones, which has another player; null: not on a phone */
  readonly phone: PhonePage | null;
  readonly stage: RefObject<HTMLElement | null>;
}

/** What scrolls above the player: the text, the picture, and the details sections. */
function Stage({ isWide, phone, stage }: StageOnPageProps) {
  const isPhone = phone !== null;
  const sides = useSides();
  const showsBoth = useDocument((doc) => doc.isSideBySide);
  const isLoading = sides.some(({ story }) => story.kind === 'loading');
  const isOpening = useSession((s) => s.opening !== null);
  const scenes = useStageScenes();
  const scene = useStageScene(scenes);
  const tickScene = useTickScene(scenes);
  const { player } = useApp();
  const scriptFrame = useStore(player.store, scriptFrameOf);
  // The style hides the line with the answer if a script has a text and a picture for every frame.
  const isDirected = useStore(player.store, ({ frame, frames }) => {
    return frame !== null && frames.every(({ scriptFrame }) => scriptFrame);
  });
  const isFirst = useStore(player.store, ({ frame }) => frame === 1);
  const editing = useCellEditing(scene, stage);
  const hasBytes = useBytesShown() && scenes !== null;
  const isJoined = (scenes?.otherFormat ?? null) !== null;
  const nextRows = scene !== null && <NextRows isWide={isWide} />;
  return (
    <section
      ref={stage}
      id={STAGE_ID}
      className="watch-stage flex flex-col min-w-0 overflow-x-hidden overflow-y-auto [scrollbar-gutter:stable] focus-visible:-outline-offset-2"
      aria-label="Stage"
      tabIndex={-1}
      aria-busy={isLoading}
      data-two={isJoined || undefined}
      data-bytes={hasBytes || undefined}
      data-told={isDirected || undefined}
      data-first={isFirst || undefined}
    >
      {phone && (
        <Suspense fallback={<div className="frames" />}>
          <PhoneTrack {...phone} />
        </Suspense>
      )}
      {/* On a phone always one line, so that the picture below stays in its place. */}
      <div
        className={`watch-head flex items-baseline justify-between text-muted flex-none mb-1 leading-[1.4] ${isPhone ? 'gap-2 whitespace-nowrap' : 'gap-4'}`}
      >
        <StageChapter isPhone={isPhone} />
        {!isPhone && <RegionPosition {...editing} />}
        <EditedRegion {...editing}>{!phone && <WatchAnswer sides={sides} />}</EditedRegion>
        {phone && <FullSwitch {...phone} />}
      </div>
      <div className="watch-fits flex flex-col flex-none" data-above>
        {sides.map(
          (side) =>
            (side.side === 'a' || showsBoth) && (
              <Suspense key={side.side} fallback={null}>
                <MatrixFit side={side} isBrief={isPhone} />
              </Suspense>
            ),
        )}
      </div>
      <StoryBoundary name="The stage">
        {scenes && (
          <div className="flex items-start gap-4">
            <StageWords scenes={scenes} />
            <Suspense fallback={null}>{isWide && <RegionMap />}</Suspense>
          </div>
        )}
        {scenes && scriptFrame && (
          <Suspense fallback={null}>
            {scriptFrame.question && <FrameQuestion key={scriptFrame.id} frame={scriptFrame} isPhone={isPhone} />}
            {scriptFrame.hasOwnTimes && <TimeOwnMatrix />}
            {scriptFrame.slider && <FrameSlider frame={scriptFrame} />}
          </Suspense>
        )}
        {scenes && scene ? (
          <StagePicture scenes={scenes} scene={scene} isWide={isWide} editing={editing.canvasEditing} />
        ) : (
          <Suspense fallback={<div className="waiting" />}>
            <NoScene />
          </Suspense>
        )}
      </StoryBoundary>
      {/* The tools appear with the first picture, or when nothing loads: a later picture would move them. */}
      {!isWide && !(scene === null && (isLoading || isOpening)) && (
        <Tools isEmpty={scene === null}>
          {isPhone && <RegionPosition {...editing} />}
          {isPhone && <PhoneTools />}
          {nextRows}
        </Tools>
      )}
      {hasBytes && (
        <Suspense fallback={<div className="byte-strips" />}>
          <ByteStrip sides={isJoined ? sides : sides.slice(0, 1)} isJoined={isJoined && scriptFrame === null} />
        </Suspense>
      )}
      <WatchDetails
        sides={sides}
        scene={tickScene}
        tools={isWide && <div className="watch-tools -me-2 flex max-lg:flex-wrap gap-1 flex-none">{nextRows}</div>}
      />
    </section>
  );
}

/** The rows and the drawn columns of the story's window; nothing if the story is about the whole matrix. */
function RegionPosition({ hasCells }: CellEditing) {
  const window = useDocument((doc) => doc.window);
  const rows = useSession((s) => s.summary?.rows ?? 0);
  const cols = useSession((s) => s.summary?.cols ?? 0);
  const seeking = useSession((s) => s.seeking);
  // A frame with recorded times is about other matrices, and a frame without cells is about an example.
  const isElsewhere = useStore(useApp().player.store, (s) => {
    const frame = scriptFrameOf(s);
    return frame != null && (frame.slider !== undefined || frame.id === VERDICT || !hasCells);
  });
  const drawnColumns = useStore(useApp().player.store, (s) => scriptFrameOf(s)?.drawnColumns);
  if (seeking) return <p className="watch-region flex-none">{`${seeking.what} ${progressText(seeking)}`}</p>;
  if (isElsewhere || !window || (window.rows >= rows && window.cols >= cols)) return null;
  const { from, count } = drawnColumns ?? { from: 0, count: window.cols };
  return (
    <p className="watch-region flex-none">
      {spanText('row', window.row, window.rows)} of {countText(rows)}
      <span className="max-md:hidden">
        , {spanText('column', window.col + from, count)} of {countText(cols)}
      </span>
    </p>
  );
}

/** A button to the next rows that show the main idea of the current format, if it has one (`headline`). */
function NextRows({ isWide }: Pick<PageProps, 'isWide'>) {
  const { session } = useApp();
  const { title, headline } = useCurrentFormat();
  const isPart = useDocument(({ window }) => window?.rows ?? 0) < useSession((s) => s.summary?.rows ?? 0);
  if (!headline || !isPart) return null;
  return (
    <TextButton title={`The next rows in which ${title} ${headline.does}`} onClick={() => void session.nextHighlight()}>
      {isWide ? 'show another region' : 'another region'}
    </TextButton>
  );
}

/** The current chapter, or 'Question', and on a phone the format; their square has the colour of the format. */
function StageChapter({ isPhone }: { readonly isPhone: boolean }) {
  const { player } = useApp();
  const { id, title } = useCurrentFormat();
  const { frame, frames, chapters, step } = useStore(player.store);
  const isQuestionFrame = frame !== null && isQuestion(frames[frame - 1]);
  const chapter = frame === null ? chapters[chapterAt(chapters, step)]?.title : frames[frame - 1]?.chapter;
  return (
    <p className={isPhone ? 'font-medium flex-[0_1_auto] overflow-hidden text-ellipsis' : 'font-medium flex-none'}>
      <span
        className="inline-block w-3 h-3 me-2 rounded-[3px] align-[-1px] border-2 border-(--square) bg-(--square) data-asked:bg-transparent"
        data-asked={isQuestionFrame || undefined}
        style={{ '--square': cssColorOf(id) }}
        aria-hidden="true"
      />
      {isPhone && <b className="me-2 text-ink">{title}</b>} {isQuestionFrame ? 'Question' : chapter}
    </p>
  );
}

/** Switches between the story alone on the page and the whole page. */
function FullSwitch({ isFull, setFull }: PhonePage) {
  return <TextButton onClick={() => setFull(!isFull)}>{isFull ? 'close' : 'full screen'}</TextButton>;
}

/** Buttons that do not fit in a phone's player. */
function PhoneTools() {
  const { player } = useApp();
  const secondFormatSwitch = useSecondFormatSwitch();
  const areBytesShown = useBytesShown();
  return (
    <>
      <TextButton onClick={() => player.setEveryStep(true)}>every step</TextButton>
      <TextButton aria-pressed={areBytesShown} onClick={() => showBytes(!areBytesShown)}>
        every byte
      </TextButton>
      {secondFormatSwitch && (
        <TextButton
          aria-pressed={secondFormatSwitch.isOn}
          onClick={() => secondFormatSwitch.onSwitch(!secondFormatSwitch.isOn)}
        >
          with {secondFormatSwitch.title}
        </TextButton>
      )}
    </>
  );
}

function StageWords({ scenes }: { readonly scenes: StageScenes }) {
  const { format, otherFormat } = scenes;
  const words = useStageWords(scenes);
  const isByStep = useStore(useApp().player.store, ({ frame }) => frame === null);
  const textColors = useMemo(
    () => ({ format: cssTextColorOf(format), against: cssTextColorOf(otherFormat ?? format) }),
    [format, otherFormat],
  );
  return (
    <div
      className="watch-words flex-1 min-w-0 mb-2"
      data-steps={isByStep || undefined}
      data-long={words.reduce((sum, { text }) => sum + text.length, 0) > MAX_LARGE_CHARACTERS || undefined}
    >
      <Narration words={words} colors={textColors} />
    </div>
  );
}

/** Maximum number of characters of a text in the largest font: more would need over two lines. */
const MAX_LARGE_CHARACTERS = 120;

interface StagePictureProps {
  readonly scenes: StageScenes;
  readonly scene: Scene;
  readonly isWide: boolean;
  readonly editing: CanvasEditing;
}

function StagePicture({ scenes, scene, isWide, editing }: StagePictureProps) {
  const { source, format, otherFormat } = scenes;
  if (!isWide && scene.sides) return <Stacked scenes={scenes} scene={scene} editing={editing} />;
  return (
    <SceneCanvas scene={scene} format={format} otherFormat={otherFormat} source={source} editing={editing} squeeze />
  );
}

/** On narrow pages B is below A; the cells of the matrix, which both share, stay in view above them. */
function Stacked({ scenes, scene, editing }: Omit<StagePictureProps, 'isWide'>) {
  const { source, format, otherFormat } = scenes;
  const cellSource = useMemo(
    () =>
      source && { ...source, at: (tick: number) => cellsOf(source.at(tick)) ?? source.at(tick), sizeGroup: () => [] },
    [source],
  );
  const pinnedCells = cellsOf(scene);
  const panelSource = useMemo(() => partialSource(source, formatPanels), [source]);
  return (
    <>
      {pinnedCells && (
        <div className="watch-pinned flex-none sticky -top-3 bg-ground z-2">
          <SceneCanvas
            scene={pinnedCells}
            format={format}
            otherFormat={otherFormat}
            source={cellSource}
            editing={editing}
            isPart
          />
        </div>
      )}
      {/* A saved picture has the cells and both formats. */}
      <SceneCanvas
        scene={formatPanels(scene)}
        format={format}
        otherFormat={otherFormat}
        source={panelSource}
        wholeScene={scene}
      />
    </>
  );
}

/** Buttons for the picture that do not fit in the header. */
function Tools({ isEmpty, children }: { readonly isEmpty: boolean; readonly children: ReactNode }) {
  const { openExport, present } = useShell();
  const tool = (label: string, title: string, run: () => void) => (
    <TextButton title={title} disabled={isEmpty} onClick={run}>
      {label}
    </TextButton>
  );
  return (
    <div className="watch-tools -me-2 flex max-lg:flex-wrap gap-1 flex-none">
      {children}
      {tool('present', 'Show the stage alone', () => present())}
      {tool('export', 'Embed or export', openExport)}
    </div>
  );
}

/** The part of a picture of two formats that shows the cells of the matrix; null if there is none. */
const cellsOf = memoizedByScene((scene) => {
  const panels = scene.panels.filter(({ side }) => side === undefined);
  const { sides: _, ...rest } = scene;
  return panels.length === 0 ? null : { ...rest, panels };
});

/** The part of a picture of two formats that shows the arrays of each. */
const formatPanels = memoizedByScene((scene) => ({
  ...scene,
  panels: scene.panels.filter(({ side }) => side !== undefined),
}));
