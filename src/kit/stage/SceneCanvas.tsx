import { type RefObject, Suspense, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Cell } from '../../core/matrix/index.ts';
import { threadPace } from '../../core/pace.ts';
import type { Frame } from '../../story/frames.ts';
import { type Mark, narrationText, type Scene } from '../../story/scene.ts';
import { type ZoomLimits, SceneView, formatColor, type Theme } from '../../render/index.ts';
import { useApp, useSession } from '../app-context.ts';
import { lazyPart } from '../browser/lazy-part.ts';
import { useMedia } from '../browser/use-media.ts';
import { useShell } from '../frame/shell-context.ts';
import type { CellFieldProps } from './CellField.tsx';
import { currentSceneView } from './current-scene-view.ts';
import { lastPictureOf, scriptFrameOf, type SceneSource, storySource } from './use-scene.ts';
import { visibleStory } from '../../state/index.ts';

const CellField = lazyPart(async () => (await import('./CellField.tsx')).CellField);
const RecordedTimesLoader = lazyPart(async () => (await import('./RecordedTimesLoader.tsx')).RecordedTimesLoader);

/** For a frame whose pictures a paper's story draws itself: no other scene limits their size. */
const NO_SIZE_GROUP: readonly Scene[] = [];

/** What a view shows, to decide whether the next scene is animated. */
interface VisibleScene {
  readonly view: SceneView;
  readonly scene: Scene;
  readonly format: string;
  /** number of the matrix; every opened or edited matrix has a new one */
  readonly generation: number | undefined;
  readonly step: number;
  readonly shownAtMs: number;
  /** the frame of a script, and whether it was moving when it was last drawn */
  readonly scriptFrame: Frame | null;
  readonly moving: boolean;
}

/** Steps faster than this appear at once, since there is no time to animate, ms. */
const MIN_MOTION_MS = 120;

/** Continues the work that `view.prepare` began, in later tasks. Returns false if it was cancelled. */
async function finishPreparing(view: RefObject<SceneView | null>, cancelled: AbortSignal): Promise<boolean> {
  while (!cancelled.aborted && view.current?.prepareMore()) await threadPace.pause();
  await threadPace.pause();
  return !cancelled.aborted;
}

/**
 * Shows each new scene in the view. Consecutive steps are animated; jumps and other stories appear at once. `scenes`:
 * source of the scene, by default the story of the shown format. `onOpened`: called when a first picture is drawn.
 *
 * While the story plays, the next step is prepared in parts, one in each animation frame of the browser. When the
 * player reaches that step, its scene is drawn before the words of the page change: measuring or drawing text makes the
 * browser lay out a changed page, for which an animation frame has no time.
 */
function useVisibleScene(
  view: RefObject<SceneView | null>,
  scene: Scene,
  format: string,
  scenes: SceneSource | null,
  onOpened: () => void,
): void {
  const {
    player,
    session: { store },
  } = useApp();
  const playing = useStore(player.store, (state) => state.playing);
  const loaded = useSession((s) => visibleStory(s.trace));
  const timeline = useSession((s) => s.timeline);
  const source = scenes ?? (loaded && storySource(loaded, timeline));
  const shown = useRef<VisibleScene | null>(null);
  const sizeGroup = useRef<readonly Scene[]>([]);

  /** The scenes that limit the size of the current picture. */
  const currentSizeGroup = (): readonly Scene[] => {
    const state = player.store.getState();
    if (scriptFrameOf(state)) return NO_SIZE_GROUP;
    // While the user moves a pruning slider, the story changes in every animation frame, and its size stays.
    if (!source || store.getState().previewing) return sizeGroup.current;
    return source.sizeGroup(Math.min(state.step, source.tickCount));
  };
  const generation = (): number | undefined => store.getState().summary?.generation;

  const show = useEffectEvent((next: Scene): void => {
    const target = view.current;
    const previous = shown.current?.view === target ? shown.current : null;
    if (!target || previous?.scene === next) return;
    const state = player.store.getState();
    const { step, stops, moving, picture, speed } = state;
    const scriptFrame = scriptFrameOf(state);
    sizeGroup.current = currentSizeGroup();
    const shownAtMs = performance.now();
    const isSameStory = previous !== null && previous.format === format;
    const isNext = (from: number, to: number): boolean => to === from + 1 || to === stops.find((stop) => stop > from);
    const isNeighbour = isSameStory && (isNext(previous.step, step) || isNext(step, previous.step));
    const hasTime = !moving || (previous !== null && shownAtMs - previous.shownAtMs >= MIN_MOTION_MS);
    const animate = scriptFrame ? isSameStory && moving : isNeighbour && hasTime;
    // If the user leaves a frame while it moves, its last picture is drawn before the next frame begins to move.
    const leftFrame = animate && previous?.scriptFrame !== scriptFrame ? previous?.scriptFrame : null;
    const lastPicture = leftFrame && previous?.moving ? lastPictureOf(leftFrame) : null;
    if (lastPicture) target.show(lastPicture, { animate: false, sizeGroup: NO_SIZE_GROUP });
    target.show(next, {
      animate,
      sizeGroup: sizeGroup.current,
      ...(scriptFrame && { ms: scriptFrame.moves[picture] / speed }),
    });
    target.canvas.setAttribute('aria-label', narrationText(next));
    shown.current = {
      view: target,
      scene: next,
      format,
      generation: generation(),
      step,
      shownAtMs,
      scriptFrame,
      moving,
    };
  });

  const draw = useEffectEvent(async (next: Scene, cancelled: AbortSignal): Promise<void> => {
    const previous = shown.current;
    const isNewStory =
      previous?.view !== view.current || previous?.format !== format || previous.generation !== generation();
    // The current task already draws the page around a new story.
    if (isNewStory) await threadPace.pause();
    if (cancelled.aborted) return;
    // New data of the same frame, such as loaded times, may change the sizes of all pictures. It is prepared in later tasks.
    const scriptFrame = scriptFrameOf(player.store.getState());
    const isUpdate = scriptFrame !== null && previous?.scriptFrame === scriptFrame && previous.scene !== next;
    if (isNewStory || isUpdate) {
      view.current?.prepare(next, currentSizeGroup());
      if (view.current?.prepareMore() && !(await finishPreparing(view, cancelled))) return;
    }
    show(next);
    if (isNewStory) onOpened();
  });

  useEffect(() => {
    const cancellation = new AbortController();
    void draw(scene, cancellation.signal);
    return () => cancellation.abort();
  }, [scene, format]);

  useEffect(() => {
    const state = player.store.getState();
    const next = state.stops.find((stop) => stop > state.step) ?? state.step + 1;
    if (!playing || !source || next > source.tickCount || scriptFrameOf(state)) return;
    const { trace, storyB } = store.getState();
    let nextScene: Scene | null = null;
    // The next scene is made in one animation frame, its preparation begins in the second, and continues in later ones.
    let request = requestAnimationFrame(() => {
      nextScene = source.at(next);
      request = requestAnimationFrame(() => {
        if (nextScene) view.current?.prepare(nextScene, source.sizeGroup(next));
        request = requestAnimationFrame(function more() {
          if (view.current?.prepareMore()) request = requestAnimationFrame(more);
        });
      });
    });
    const unsubscribe = player.store.subscribe(({ step }) => {
      const now = store.getState();
      if (nextScene && step === next && now.trace === trace && now.storyB === storyB) show(nextScene);
    });
    return () => {
      cancelAnimationFrame(request);
      unsubscribe();
    };
  }, [scene, playing, player, store, source, view]);
}

interface Rejection {
  readonly text: string;
  readonly cell: Cell;
}

/** Why a format rejects a cell, shown below it. */
function CellRejection({ text, cell, view }: Rejection & { readonly view: RefObject<SceneView | null> }) {
  const element = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const position = view.current?.positionOf(cell);
    if (!element.current) return;
    element.current.hidden = !position;
    if (!position) return;
    element.current.style.setProperty('--x', `${position.x + position.w / 2}px`);
    element.current.style.top = `${position.y + position.h}px`;
  });
  return (
    <p
      ref={element}
      className="cell-refusal absolute z-3 left-[clamp(0px,calc(var(--x)_-_3rem),calc(100%_-_min(24rem,100%)))] w-max max-w-[min(24rem,100%)] mt-[6px] px-2 py-1 pointer-events-none border border-current shadow-float rounded-[4px] bg-control text-13 text-danger"
      aria-hidden="true"
    >
      {text}
    </p>
  );
}

/** How the cells of a picture are edited: event handlers that set, clear and move them, and callbacks of the canvas. */
export interface CanvasEditing {
  readonly handlers: React.ComponentProps<'div'>;
  /** called with the view that shows the picture; with null when it is removed */
  onView(view: SceneView | null): void;
  /** called when the first picture of a story is drawn */
  onOpened(): void;
  /** the cell of the keyboard's cursor, in words; null: none */
  readonly label: string | null;
  /** why a format rejects the cell that was pressed */
  readonly rejection: Rejection | null;
  /** the cell that a finger has pressed: a field below it takes a number; null: none */
  readonly field: CellFieldProps | null;
}

interface SceneCanvasProps {
  readonly scene: Scene;
  /** id of the scene's format: it determines the colour, and identifies the story */
  readonly format: string;
  /** id of the other format in a picture of two */
  readonly otherFormat?: string | null;
  /** whether lines move closer together before rows of a picture are hidden; default: in pictures of two formats */
  readonly squeeze?: boolean;
  /** the picture to save, if it is more than this canvas shows */
  readonly wholeScene?: Scene;
  /** another canvas shows the rest of the picture, and is the one to save */
  readonly isPart?: boolean;
  /** default: cells cannot be edited */
  readonly editing?: CanvasEditing | undefined;
  /** how much the picture grows into free space */
  readonly zoomLimits?: ZoomLimits;
  /** the source of the scene, for preparing the next one; default: the story of the shown format */
  readonly source?: SceneSource;
}

/** A scene on a canvas, with its tooltip; animated as the player goes through the story. */
export function SceneCanvas(props: SceneCanvasProps) {
  const { scene, format, otherFormat = null, zoomLimits, source, squeeze, wholeScene, isPart = false, editing } = props;
  const { hover, player } = useApp();
  const { theme } = useShell();
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)');
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<SceneView | null>(null);
  const keysId = useId();
  const notifyView = useEffectEvent((shown: SceneView | null) => editing?.onView(shown));
  const createView = useEffectEvent((into: HTMLElement) => {
    const onHover = (mark: Mark | null): void => hover.setState({ mark });
    const colors = { formatColor: formatColor(theme, format), againstColor: againstColor(theme, otherFormat) };
    return new SceneView(into, { theme, ...colors, reducedMotion, zoomLimits, squeeze, onHover });
  });

  useEffect(() => {
    if (!container.current) return;
    const created = createView(container.current);
    view.current = created;
    notifyView(created);
    if (!isPart) currentSceneView.setState(created, true);
    return () => {
      if (!isPart) currentSceneView.setState(null, true);
      hover.setState({ mark: null });
      view.current = null;
      notifyView(null);
      created.dispose();
    };
  }, [hover, isPart]);

  useEffect(() => {
    view.current?.setTheme(theme, formatColor(theme, format), againstColor(theme, otherFormat));
  }, [theme, format, otherFormat]);
  useEffect(() => view.current?.setWhole(wholeScene ?? null), [wholeScene]);
  // Marks under the pointer elsewhere, in a table or on another canvas, are highlighted here too.
  useEffect(() => hover.subscribe(({ mark }) => view.current?.setHighlight(mark?.highlightNames ?? null)), [hover]);
  useEffect(() => {
    view.current?.setReducedMotion(reducedMotion);
    player.setReducedMotion(reducedMotion);
  }, [reducedMotion, player]);

  // Recorded times are loaded from the middle of a scripted story on: its last frame shows some, as earlier frames may.
  const needsTimes = useStore(
    player.store,
    ({ frame, frames }) => frames.at(-1)?.scriptFrame != null && 2 * (frame ?? 0) >= frames.length,
  );
  useVisibleScene(view, scene, otherFormat === null ? format : `${format} ${otherFormat}`, source ?? null, () =>
    editing?.onOpened(),
  );

  return (
    <div className="scene-area min-h-0 relative">
      {editing ? (
        <>
          {/* The arrow keys move a cursor from cell to cell; the label names the cell. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a composite widget of its own */}
          <div
            ref={container}
            className="scene-view w-full h-full min-h-80 data-[over=empty]:cursor-pointer data-[over=weight]:cursor-grab data-[over=drag]:cursor-grabbing"
            role="application"
            aria-label={editing.label ?? 'Cells of the picture'}
            aria-roledescription="matrix"
            aria-describedby={keysId}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard has to reach the cells
            tabIndex={0}
            {...editing.handlers}
          />
          <p id={keysId} className="unseen">
            Arrow keys move, Enter sets or clears, Shift with an arrow key moves a weight, Escape leaves.
          </p>
          {editing.rejection && !editing.field && <CellRejection {...editing.rejection} view={view} />}
          {editing.field && (
            <Suspense fallback={null}>
              <CellField
                key={editing.field.label}
                {...editing.field}
                rejection={editing.rejection?.text ?? null}
                view={view}
              />
            </Suspense>
          )}
        </>
      ) : (
        <div ref={container} className="scene-view w-full h-full min-h-80" />
      )}
      {needsTimes && (
        <Suspense fallback={null}>
          <RecordedTimesLoader format={format} />
        </Suspense>
      )}
      {!editing?.field && <HoverTooltip container={container} />}
    </div>
  );
}

function againstColor(theme: Theme, against: string | null): string | undefined {
  return against === null ? undefined : formatColor(theme, against);
}

/** The tooltip of the mark under the pointer. */
function HoverTooltip({ container }: { readonly container: RefObject<HTMLDivElement | null> }) {
  const { hover } = useApp();
  const text = useStore(hover, (state) => state.mark?.label ?? null);
  const [isHere, setIsHere] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const area = container.current;
    if (!area) return;
    const place = (event: PointerEvent): void => {
      const tooltip = element.current;
      if (!tooltip) return;
      // Kept inside the page by its width, which depends on its words.
      const right = event.clientX + 14;
      const below = event.clientY + 18;
      const top = below + tooltip.offsetHeight > innerHeight ? event.clientY - tooltip.offsetHeight - 10 : below;
      tooltip.style.transform = `translate(max(4px, min(${right}px, 100vw - 100% - 4px)), ${Math.max(4, top)}px)`;
    };
    const leave = (event: PointerEvent): void => {
      // A lifted finger ends the hover; the tooltip of a touch stays.
      if (event.pointerType !== 'touch') setIsHere(false);
    };
    const end = new AbortController();
    area.addEventListener('pointerenter', () => setIsHere(true), end);
    area.addEventListener('pointerleave', leave, end);
    area.addEventListener('pointerdown', place, end);
    area.addEventListener('pointermove', place, end);
    return () => end.abort();
  }, [container]);
  return (
    <div
      ref={element}
      className="tooltip z-15 left-0 max-w-80 px-2 py-1 text-12 pointer-events-none border border-control-border shadow-float rounded-[4px] bg-control fixed top-0"
      hidden={text === null || !isHere}
      aria-hidden="true"
    >
      {text}
    </div>
  );
}
