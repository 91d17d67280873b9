import { plainWords, type Words } from '../../core/text/words.ts';
import './present.css';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { type Scene } from '../../story/scene.ts';
import { isQuestion } from '../../state/index.ts';
import { AppProvider, useApp, useCurrentFormat, useDocument, useSession } from '../../kit/app-context.ts';
import { bindShortcuts } from '../../kit/shortcuts.ts';
import { PlayerCount, PlayerTime, PlayerTrack, Switch } from '../../kit/stage/PlayerControls.tsx';
import { FrameSlider } from '../../kit/stage/FrameSlider.tsx';
import { FrameQuestion } from '../../kit/stage/FrameQuestion.tsx';
import { usePageShow, usePageStory, usePageWords } from '../../kit/stage/use-page-story.ts';
import type { PageShow } from '../../kit/page-parts.ts';
import { usePlayerClock } from '../../kit/stage/use-player-clock.ts';
import { scriptFrameOf, memoizedByScene, useStageScenes, useStageWords } from '../../kit/stage/use-scene.ts';
import { StagePicture } from '../../kit/stage/StagePicture.tsx';
import { presentCommands } from './present-keys.ts';
import { Swatch } from '../../kit/controls/Swatch.tsx';
import { StyledWords } from '../../kit/primitives/Text.tsx';

/** Number of characters above which a text is smaller. */
const LONG_NARRATION = 120;
/** Time until an idle pointer and the keys are hidden, ms. */
const IDLE_MS = 3000;

type Hint = readonly [keys: string, action: string];

/** Keys that are explained at the foot of every presentation. */
const HINTS: readonly Hint[] = [
  ['Shift →', 'chapter'],
  ['Space', 'play'],
  ['Z', 'pointer'],
  ['B', 'blank'],
  ['F', 'full screen'],
  ['Esc', 'leave'],
];

export interface PresentProps {
  readonly onClose: () => void;
  /** element that had the focus before, and gets it back */
  readonly focusBefore: Element | null;
}

/**
 * The presentation: a format's story (the stage), or the picture of the current page, large enough for a hall, and its
 * player.
 */
export function Present(props: PresentProps) {
  // null if the current page has no picture of its own; then the format's story is presented.
  const show = usePageShow();
  return show ? <PresentPage show={show} {...props} /> : <PresentStage {...props} />;
}

/** The picture of a page, from its first step. */
function PresentPage({ show, ...props }: PresentProps & { readonly show: PageShow }) {
  const { app, player, story, onStory } = usePageStory(0);
  const narration = usePageWords(player, story);
  return (
    <AppProvider value={app}>
      <Presentation
        {...props}
        heading={
          <PresentHeading>
            <strong>{story?.title}</strong>
            <span className="ms-3 truncate text-muted">{story?.description}</span>
          </PresentHeading>
        }
        narration={<PresentText {...narration} />}
      >
        <Suspense fallback={null}>
          <show.Picture player={player} onStory={onStory} isEmbedded={false} />
        </Suspense>
      </Presentation>
    </AppProvider>
  );
}

/** A scene without its memory strips, the arrays byte by byte: in a hall they are too small to read. */
export const withoutMemory = memoizedByScene((scene): Scene => {
  const panels = scene.panels.filter(({ unit }) => unit !== 'byte');
  return scene.drawing || panels.length === 0 || panels.length === scene.panels.length ? scene : { ...scene, panels };
});

/** The story of a format, in Watch or in a lesson. */
function PresentStage(props: PresentProps) {
  return (
    <Presentation {...props} heading={<StageHeading />} narration={<StageText />}>
      <StagePicture part={withoutMemory} />
    </Presentation>
  );
}

interface PresentationProps extends PresentProps {
  readonly heading: ReactNode;
  readonly narration: ReactNode;
  readonly children: ReactNode;
}

function Presentation({ onClose, focusBefore, heading, narration, children }: PresentationProps) {
  const { player } = useApp();
  const root = useRef<HTMLElement>(null);
  const [isBlank, setBlank] = useState(false);
  const [hasPointer, setHasPointer] = useState(false);
  const isIdle = useIdle();
  useFocusHere(root, focusBefore);
  usePlayerClock(player);

  useClicks(root, isBlank, () => setBlank(false));

  // While true, full screen changes by the key F, which does not end the presentation.
  const isToggling = useRef(false);
  const leave = useEffectEvent(() => {
    if (document.fullscreenElement) void document.exitFullscreen();
    onClose();
  });
  useEffect(() => {
    const commands = presentCommands({
      player,
      onBlank: () => setBlank((wasBlank) => !wasBlank),
      onPointer: () => setHasPointer((hadPointer) => !hadPointer),
      onQuestions: () => player.setSkipsQuestions(!player.store.getState().skipsQuestions),
      onFullScreen: () => {
        isToggling.current = true;
        toggleFullScreen();
      },
      onLeave: () => leave(),
    });
    return bindShortcuts(window, commands, () => true);
  }, [player]);
  // In full screen the browser handles Escape, and the page only learns that full screen has ended.
  useEffect(() => {
    const onChange = (): void => {
      if (!document.fullscreenElement && !isToggling.current) leave();
      isToggling.current = false;
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => document.removeEventListener('fullscreenchange', onChange);
  }, []);
  useCapturedKeys(isBlank, () => setBlank(false));

  return (
    <main
      ref={root}
      id="content"
      className="present flex flex-col h-dvh outline-none px-[clamp(14px,4vw,96px)] pt-[clamp(12px,3.2vh,40px)] pb-[clamp(8px,2vh,24px)]"
      tabIndex={-1}
      aria-label="Presentation"
      data-idle={isIdle || undefined}
      data-pointing={hasPointer || undefined}
    >
      {heading}
      {narration}
      <div className="present-stage [scrollbar-width:none] min-h-0 flex-1 overflow-x-hidden overflow-y-auto">
        {children}
      </div>
      <PresentFoot />
      {hasPointer && <Pointer />}
      {isBlank && (
        <div
          className="present-blank fixed z-40 inset-0 bg-[#000] cursor-none"
          role="status"
          aria-label="Blank: B brings it back."
        />
      )}
    </main>
  );
}

function PresentHeading({ children }: { readonly children: ReactNode }) {
  const { player } = useApp();
  return (
    <h1 className="[&_.swatch]:w-[1em] [&_.swatch]:h-[1em] text-[clamp(13px,1.3vw,22px)] flex items-center gap-3 font-normal whitespace-nowrap min-w-0 overflow-hidden">
      {children}
      <span className="ms-3 text-muted">
        <PlayerTime player={player} />
      </span>
    </h1>
  );
}

/** The formats and the matrix of the story. */
function StageHeading() {
  const { formats, typedMatrixCaption } = useApp();
  const { title, id } = useCurrentFormat();
  const formatB = useDocument((doc) => formats.find((format) => format.id === doc.formatB?.format));
  const documentFormat = useDocument((doc) => doc.format);
  const source = useDocument((doc) => doc.source);
  const openMatrixName = useSession((s) => s.summary?.name ?? '');
  const shape = useSession((s) => s.window && `${s.window.rows} × ${s.window.cols} cells`);
  // A lesson's figure may be a computation instead of a format; its matrix is then only a seed.
  if (documentFormat !== id) return <PresentHeading>Computed here and now</PresentHeading>;
  // In a lesson the open matrix is not the figure's, which is generated or given.
  const sourceName = source.kind === 'generated' ? `${source.spec.pattern}, seed ${source.spec.seed}` : openMatrixName;
  const name = typedMatrixCaption?.() ?? sourceName;
  return (
    <PresentHeading>
      <Swatch format={id} />
      <strong>{title}</strong>
      {formatB && (
        <>
          <span className="ms-3 truncate text-muted">against</span>
          <Swatch format={formatB.id} />
          <strong>{formatB.title}</strong>
        </>
      )}
      <span className="ms-3 truncate text-muted">
        {name}
        {shape && `, ${shape}`}
      </span>
    </PresentHeading>
  );
}

function StageText() {
  const { player } = useApp();
  const scriptFrame = useStore(player.store, scriptFrameOf);
  return <PresentText words={useStageWords(useStageScenes())} directed={scriptFrame} />;
}

/**
 * The text of a step, or of a frame of the story's script (`directed`) with its question and slider. The text of a step
 * has a headline, its first sentence; the text of a frame has one size.
 */
function PresentText({ words, directed: scriptFrame }: ReturnType<typeof usePageWords>) {
  return (
    <>
      <Narration words={words} hasHeadline={scriptFrame === null} />
      {scriptFrame?.question && <FrameQuestion key={scriptFrame.id} frame={scriptFrame} isPhone={false} />}
      <FrameSlider frame={scriptFrame} />
    </>
  );
}

interface NarrationProps {
  readonly words: readonly Words[];
  /** whether the first sentence is larger than the rest; otherwise all of the text has its size */
  readonly hasHeadline: boolean;
}

function Narration({ words, hasHeadline }: NarrationProps) {
  const { first, rest } = hasHeadline ? headlineOf(words) : { first: words, rest: [] };
  return (
    // High enough for one line of each paragraph; a longer text makes the picture smaller.
    <div className="mt-2 min-h-[clamp(5rem,15vh,10rem)]" aria-live="polite" aria-atomic="true">
      <p
        className="present-narration text-[clamp(20px,2.7778vw,56px)] data-long:text-[clamp(18px,2.1vw,42px)] leading-[1.25] tracking-[-0.01em] text-pretty"
        data-long={plainWords(first).length > LONG_NARRATION || undefined}
      >
        <StyledWords words={first} />
      </p>
      <p className="[&_strong]:text-ink [&_strong]:font-medium text-[clamp(15px,1.7vw,34px)] leading-[1.35] text-muted text-pretty mt-1">
        <StyledWords words={rest} />
      </p>
    </div>
  );
}

/** Splits the words of a step after their first sentence. */
export function headlineOf(words: readonly Words[]) {
  for (const [i, { text, strong }] of words.entries()) {
    // A full stop before a space and a capital letter, or at the end of a piece followed by another.
    const stop = /[.?!](?=\s+\p{Lu})/u.exec(text);
    const end = stop ? stop.index + 1 : /[.?!]\s*$/.test(text) ? text.length : -1;
    if (end < 0) continue;
    const styled = (part: string): readonly Words[] =>
      part === '' ? [] : [{ text: part, ...(strong !== undefined && { strong }) }];
    return {
      first: [...words.slice(0, i), ...styled(text.slice(0, end))],
      rest: [...styled(text.slice(end).trimStart()), ...words.slice(i + 1)],
    };
  }
  return { first: words, rest: [] };
}

function PresentFoot() {
  const { player } = useApp();
  const question = useStore(player.store, (s) => scriptFrameOf(s)?.question);
  const isByFrames = useStore(player.store, ({ frame }) => frame !== null);
  const hasFrames = useStore(player.store, ({ frames }) => frames.length > 0);
  const hasQuestions = useStore(player.store, ({ frame, frames }) => frame !== null && frames.some(isQuestion));
  const skipsQuestions = useStore(player.store, (s) => s.skipsQuestions);
  const hints: readonly Hint[] = [
    ['← →', isByFrames ? 'frame' : 'step'],
    ...(question ? [[`1 to ${question.options.length}`, 'answer'] as const] : []),
    ...(hasFrames ? [['E', isByFrames ? 'every step' : 'frames'] as const] : []),
    ...HINTS,
  ];
  return (
    <div className="present-foot">
      <PlayerTrack player={player} />
      <div className="present-keys flex flex-wrap gap-y-1 gap-x-6 items-baseline justify-between mt-1 text-muted tabular-nums">
        <p>
          <PlayerCount player={player} />
        </p>
        <ul className="flex flex-wrap gap-y-1 gap-x-5 max-sm:hidden">
          {hints.map(([keys, action]) => (
            <li key={action}>
              <kbd className="me-[0.25em] text-ink text-[1em]">{keys}</kbd> {action}
            </li>
          ))}
        </ul>
        {hasQuestions && (
          <Switch
            isOn={!skipsQuestions}
            title="Show the questions of the story"
            keys="q"
            onSwitch={(isOn) => player.setSkipsQuestions(!isOn)}
          >
            questions
          </Switch>
        )}
      </div>
    </div>
  );
}

/** A large dot that follows the pointer, like that of a laser pointer. */
function Pointer() {
  const dot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const follow = ({ clientX, clientY }: PointerEvent): void => {
      if (dot.current) dot.current.style.transform = `translate(${clientX}px, ${clientY}px)`;
    };
    window.addEventListener('pointermove', follow);
    return () => window.removeEventListener('pointermove', follow);
  }, []);
  return (
    <div
      ref={dot}
      className="present-pointer fixed z-30 -top-4 -left-4 w-8 h-8 rounded-[50%] border-3 border-ground bg-danger opacity-85 pointer-events-none"
      aria-hidden="true"
    />
  );
}

/** Whether the pointer has not moved or been pressed for `IDLE_MS`. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wake = (): void => {
      clearTimeout(timer);
      setIdle(false);
      timer = setTimeout(() => setIdle(true), IDLE_MS);
    };
    wake();
    window.addEventListener('pointermove', wake);
    window.addEventListener('pointerdown', wake);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pointermove', wake);
      window.removeEventListener('pointerdown', wake);
    };
  }, []);
  return isIdle;
}

/** Moves the focus to the presentation, and at its end back to the element that had it before, or to the page. */
function useFocusHere(root: React.RefObject<HTMLElement | null>, before: Element | null): void {
  useLayoutEffect(() => {
    root.current?.focus({ preventScroll: true });
    return () => {
      // That element is hidden until the page is drawn again.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        const canReturn = before instanceof HTMLElement && before !== document.body && before.isConnected;
        (canReturn ? before : document.getElementById('content'))?.focus({ preventScroll: true });
      });
    };
  }, [root, before]);
}

/** Handles keys first: on a blank screen any key restores the picture; page keys of a clicker work even on a slider. */
function useCapturedKeys(isBlank: boolean, onShow: () => void): void {
  const { player } = useApp();
  const show = useEffectEvent(onShow);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || /^(Shift|Control|Alt|Meta)$/.test(event.key)) return;
      const isPaging = event.key === 'PageDown' || event.key === 'PageUp';
      const isOnSlider =
        event.target instanceof Element && event.target.closest('[role=slider], [type=range]') !== null;
      if (!isBlank && !(isPaging && isOnSlider)) return;
      event.preventDefault();
      event.stopPropagation();
      if (isBlank) show();
      else if (event.key === 'PageDown') player.next();
      else player.previous();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isBlank, player]);
}

/** Selector of controls: a click on one operates it, and does not go on to the next frame. */
const CONTROLS = 'button, a, input, select, textarea, label, [role=slider], [role=button], [role=switch]';

/** A click goes on to the next frame or step, or brings back the picture from a blank screen. */
function useClicks(root: React.RefObject<HTMLElement | null>, isBlank: boolean, onShow: () => void): void {
  const { player } = useApp();
  const show = useEffectEvent(onShow);
  useEffect(() => {
    const element = root.current;
    const onClick = ({ target }: MouseEvent): void => {
      if (isBlank) return show();
      const isOnControl = target instanceof Element && target.closest(CONTROLS) !== null;
      // A click that selects text does not go on.
      if (!isOnControl && getSelection()?.isCollapsed !== false) player.next();
    };
    element?.addEventListener('click', onClick);
    return () => element?.removeEventListener('click', onClick);
  }, [root, player, isBlank]);
}

function toggleFullScreen(): void {
  // The browser rejects this without a user gesture.
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  else document.documentElement.requestFullscreen().catch(() => {});
}
