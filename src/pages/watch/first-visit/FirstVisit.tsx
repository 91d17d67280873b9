import './first-visit.css';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { type Device, dayText } from '../../../state/index.ts';
import type { Pruning } from '../../../engine/matrix/source-types.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { AddressLink, PageLink } from '../../../kit/browser/AddressLink.tsx';
import { Icon } from '../../../kit/controls/Icon.tsx';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { pageRecordings } from '../../../kit/devices/page-recordings.ts';
import { shapeKey, useDevice } from '../../../kit/devices/use-device.ts';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import { withSubstitute } from '../../../kit/words/ran-instead.ts';
import { useVisibleAnswer, useShell } from '../../../kit/frame/shell-context.ts';
import { largest } from '../../../core/number/statistics.ts';
import { say, strong } from '../../../core/text/words.ts';
import { valueBits } from '../../../theory/expected-bytes.ts';
import { playOnceReady, playStory, withStoryExample } from '../play-story.ts';
import { type VisitFacts, visitFacts } from './visit-facts.ts';
import { overtakenAt, timedShares, timesAt, type VisitTimes } from './visit-times.ts';
import { layoutOf, MAX_COLUMNS, instantAt, type PaintInstant, slowMotion, UNTIMED_READ_MS } from './row-animation.ts';
import { afterVisit } from './use-first-visit.ts';
import { headlineEnding, megabytes, paceText, zerosText } from './visit-words.ts';
import { useMedia } from '../../../kit/browser/use-media.ts';
import { useWidth } from '../../../kit/browser/use-width.ts';
import { RowToArray } from './RowToArray.tsx';
import { cssTextColorOf } from '../../../kit/format-color.ts';
import { MarkedSlider } from '../../../kit/forms/MarkedSlider.tsx';
import { type DensityChoice, useDensity } from '../../../kit/forms/use-density.ts';
import { time } from '../../../kit/words/quantity.ts';
import { densityText } from '../../../kit/words/shares.ts';
import { classes } from '../../../kit/primitives/classes.ts';
import { Button } from '../../../kit/controls/Button.tsx';

const PublishedCrossover = lazyPart(async () => (await import('./PublishedCrossover.tsx')).PublishedCrossover);
const SoftwareNote = lazyPart(async () => (await import('../../../kit/devices/SoftwareNote.tsx')).SoftwareNote);

interface MovingRowProps {
  readonly facts: VisitFacts;
  /** null without times; undefined while this is unknown */
  readonly times: VisitTimes | null | undefined;
}

/** The moving picture: a row of the matrix flies into the array of format A; below, bars fill as A and B are read. */
function MovingRow({ facts, times }: MovingRowProps) {
  const { session } = useApp();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const pace = slowMotion(times?.b ?? null);
  const readMs = pace?.readMs ?? UNTIMED_READ_MS;
  const painters = useRef<Record<'row' | 'bars', PaintInstant | null>>({ row: null, bars: null });
  const clock = useClock(readMs, painters);
  const isLowWindow = useMedia('(height < 54rem)');
  const flight = width < NARROW ? 16 : isLowWindow ? 8 : 64; // from the row to the array, px
  const layout = useMemo(() => (width === 0 ? null : layoutOf(width, flight)), [width, flight]);
  return (
    <>
      <div
        ref={frame}
        className="box-content pt-6 mt-[clamp(1rem,3.6vh,2.25rem)] max-sm:mt-2 flex-none relative"
        style={{ minHeight: layoutOf(Math.max(MIN_WIDTH, width), flight).height }}
      >
        {layout && (
          <RowToArray
            facts={facts}
            layout={layout}
            onToggle={(col) => void session.changeCell({ row: 0, col })}
            onPaint={(paint) => {
              painters.current.row = paint;
              clock.repaint();
            }}
          />
        )}
        <Button kind="icon" className="absolute right-0 bottom-0" onClick={clock.toggle}>
          <Icon name={clock.state === 'moving' ? 'pause' : 'play'} />
          <span className="unseen">
            {clock.state === 'moving' ? 'Pause' : clock.state === 'paused' ? 'Continue' : 'Again'}
          </span>
        </Button>
      </div>
      <Bars
        facts={facts}
        times={times}
        slowdown={pace?.by ?? null}
        onPaint={(paint) => {
          painters.current.bars = paint;
          clock.repaint();
        }}
      />
    </>
  );
}

/** Width assumed before it is measured, px: the height hardly depends on it. */
const MIN_WIDTH = 320;

/** Below this width the row and the array are closer together, px. */
const NARROW = 640;

/** The most time that one animation frame adds to the clock, ms: a hidden page draws none for long. */
const MAX_STEP_MS = 100;

/** The clock of the moving picture, which runs twice; with reduced motion it waits for its button. */
function useClock(readMs: number, painters: { readonly current: Readonly<Record<string, PaintInstant | null>> }) {
  const hasReducedMotion = useMedia('(prefers-reduced-motion: reduce)');
  const [playState, setPlayState] = useState<'moving' | 'paused' | 'over'>('moving');
  const [isPressed, setPressed] = useState(false);
  const state = hasReducedMotion && !isPressed ? 'over' : playState;
  const playback = useRef({ ms: 0, runs: undefined as number | undefined }); // time, and number of runs unless the usual one
  const latestReadMs = useRef(readMs);
  const paint = useRef(() => {});
  useEffect(() => {
    // A time that arrives during a run does not change the share of the run that has passed.
    playback.current.ms *= readMs / latestReadMs.current;
    latestReadMs.current = readMs;
    paint.current = () => {
      const end = { ms: Number.POSITIVE_INFINITY, isOver: true };
      const instant = state === 'over' ? end : instantAt(playback.current.ms, readMs, playback.current.runs);
      for (const paintPart of Object.values(painters.current)) paintPart?.(instant, readMs);
      if (instant.isOver && state === 'moving') setPlayState('over');
    };
    paint.current();
    if (state !== 'moving') return undefined;
    let previousMs: number | null = null;
    let frame = requestAnimationFrame(function step(nowMs) {
      playback.current.ms += Math.min(MAX_STEP_MS, nowMs - (previousMs ?? nowMs));
      previousMs = nowMs;
      paint.current();
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [state, readMs, painters]);
  return {
    state,
    repaint: () => paint.current(),
    toggle: () => {
      if (state === 'over') playback.current = { ms: 0, runs: 1 };
      setPressed(true);
      setPlayState(state === 'moving' ? 'paused' : 'moving');
    },
  };
}

interface BarsProps extends MovingRowProps {
  /** how many times slower than real time; null without a time */
  readonly slowdown: number | null;
  /** receives the function that draws an instant of the animation; null: none */
  readonly onPaint: (paint: PaintInstant | null) => void;
}

/** Minimum length of the bars' axis, relative to the bar of B. */
const MIN_AXIS = 1.4;

/** The bytes of each format, and below them its time, as bars relative to B, which fill up as the matrix is read. */
function Bars({ facts, times, slowdown, onPaint }: BarsProps) {
  const { a, b, keptBytes, unpruned } = facts;
  const bars = useRef<(HTMLElement | null)[]>([]);
  // First B, then A, then the unpruned matrix: all weights in B, in few bits. `weightShare`: share of the remaining
  // weights in the line's bytes.
  const lines = [
    { ...b, weightShare: keptBytes / b.bytes, ns: times?.b, isComputed: false },
    { ...a, weightShare: Math.min(1, keptBytes / a.bytes), ns: times?.a, isComputed: times?.isComputed === true },
    ...(unpruned ? [{ ...b, ...unpruned, weightShare: 1, ns: times?.unpruned ?? undefined, isComputed: false }] : []),
  ];
  const nsByLine = times === undefined ? undefined : times && lines.map(({ ns }) => ns);
  const shortestNs = Math.min(...lines.map(({ ns = Number.POSITIVE_INFINITY }) => ns)); // bounded: three
  const longest = largest(
    lines.map(({ ns, bytes }) => Math.max((ns ?? 0) / (times?.b ?? 1), bytes / b.bytes)),
    MIN_AXIS,
  );
  useEffect(() => {
    onPaint(({ ms, isOver }, readMs) => {
      const ns = isOver ? Number.POSITIVE_INFINITY : Math.min(1, ms / readMs) * (times?.b ?? 0);
      bars.current.forEach((bar, i) => {
        // Without times all bars are full; while this is unknown, they are empty.
        const share = nsByLine === undefined ? 0 : nsByLine ? Math.min(1, ns / (nsByLine[i] ?? 1)) : 1;
        bar?.style.setProperty('--read', String(share));
      });
    });
    return () => onPaint(null);
  });
  return (
    <div className="grid gap-3 max-sm:gap-2 mt-[clamp(0.75rem,3vh,2rem)] max-sm:mt-2 flex-none">
      <p className="text-muted text-15 max-sm:text-13 leading-5 min-h-6 flex justify-between gap-4">
        <span>What the GPU reads for one word{slowdown === null ? '' : `, ${paceText(slowdown)}`}</span>
        <span className="flex gap-4 items-center max-sm:hidden" aria-hidden="true">
          <span className="flex gap-2 items-center">
            <i className="w-6 h-3 bg-values" /> bytes
          </span>
          {times !== null && (
            <span className="flex gap-2 items-center">
              <i className="w-6 h-1.5 bg-ink" /> time
            </span>
          )}
        </span>
      </p>
      {lines.map(({ format, params, bytes, weightShare, ns, isComputed }, i) => (
        <div
          className="grid grid-cols-[clamp(5rem,19.4vw,7.75rem)_minmax(0,1fr)] items-center"
          key={`${format.id} ${String(params.valueType)}`}
        >
          <b className="text-15" style={{ color: cssTextColorOf(format.id) }}>
            {i === 1 ? format.title : `${format.title} ${String(params.valueType)}`}
          </b>
          <div
            className="relative h-9.5 max-sm:h-8 [--read:0]"
            style={{
              '--width': bytes / b.bytes / longest,
              '--time': (ns ?? 0) / (times?.b ?? 1) / longest,
              '--own': weightShare,
            }}
            ref={(element) => {
              bars.current[i] = element;
            }}
          >
            <div
              className="visit-bar-whole relative w-[calc(var(--width)*(100%-6rem))] h-6.5 max-sm:h-5"
              data-rest={i === 0 ? 'zeros' : 'places'}
            >
              <i className="absolute inset-0" />
              <i className="absolute inset-0" />
            </div>
            <div
              className="visit-bar-time w-[calc(var(--time)*(100%-6rem))] h-1.5 mt-[3px]"
              data-computed={isComputed || undefined}
            />
            <p className="visit-bar-figures whitespace-nowrap absolute bottom-1/2 translate-y-1/2 *:block *:leading-[1.3]">
              <b className="text-15">
                {megabytes(bytes)}
                {i === 2 && (
                  <span className="ms-4 font-normal text-muted max-sm:hidden">
                    {valueBits(params)}-bit rounding instead of pruning
                  </span>
                )}
              </b>{' '}
              <span
                className={classes(
                  'min-h-[1.3em] text-13',
                  ns === shortestNs ? 'font-semibold' : times?.isSoftware || isComputed ? 'text-quiet' : 'text-muted',
                )}
              >
                {ns === undefined ? '' : withSubstitute(time(ns), times?.isSoftware ? 'software' : null)}
              </span>
            </p>
          </div>
        </div>
      ))}
    </div>
  );
}

/** The pruning for a position of the slider: by magnitude. */
const prunedTo = (_current: Pruning | null, density: number): Pruning => ({ way: 'magnitude', density });

interface DensitySliderProps {
  readonly densityChoice: DensityChoice;
  /** at a density, or null if B never becomes faster; with the name and the format of the line that does */
  readonly marks: readonly { readonly density: number | null; readonly name: string; readonly format: string }[];
}

/** The slider for the density, with marks where B, also in fewer bits, becomes faster than A. */
function DensitySlider({ densityChoice, marks }: DensitySliderProps) {
  const currentDensity = densityChoice.density ?? 0;
  return (
    <MarkedSlider
      name="Share of the weights left"
      text={`${densityText(currentDensity)} left`}
      value={currentDensity}
      max={1}
      step={0.01}
      marks={marks.flatMap(({ density, name, format }) => {
        const title = `${name} is faster from ${densityText(density ?? 0)} left`;
        return density === null ? [] : [{ name, position: density, color: cssTextColorOf(format), title }];
      })}
      onMove={densityChoice.preview}
      onCommit={densityChoice.commit}
    >
      <b>{densityText(currentDensity)}</b> of the weights left
    </MarkedSlider>
  );
}

/** The first screen, an animation with a slider: how A omits zeros, and what that saves compared with B, dense. */
export function FirstVisit() {
  const { formats } = useApp();
  const doc = useDocument((document) => document);
  const densityChoice = useDensity(prunedTo);
  // null: the document is not of a pruned matrix in two formats.
  const committed = useMemo(() => visitFacts(doc, formats, MAX_COLUMNS), [doc, formats]);
  const previewed = useMemo(() => {
    const { source } = doc;
    if (source.kind !== 'pruned' || densityChoice.pruning === null || densityChoice.pruning === source.pruning)
      return committed;
    return visitFacts(
      { ...doc, source: { ...source, pruning: densityChoice.pruning }, edited: null },
      formats,
      MAX_COLUMNS,
    );
  }, [doc, densityChoice.pruning, committed, formats]);
  return (
    <main
      className="visit min-h-0 flex-1 overflow-x-hidden overflow-y-auto [scrollbar-gutter:stable]"
      id="content"
      tabIndex={-1}
    >
      {committed && previewed && <Visit committed={committed} facts={previewed} densityChoice={densityChoice} />}
    </main>
  );
}

/** The times of A and B, null without any, undefined while unknown. `committed`, `facts`: see `VisitProps`. */
function useTimes(committed: VisitFacts, facts: VisitFacts) {
  const app = useApp();
  const hasTimes = useCallback(({ reports }: Device) => timedShares(reports, committed).length > 0, [committed]);
  const shapes = useMemo(() => [shapeKey(committed.shape)], [committed]);
  const visibleDevice = useDevice(hasTimes, { shapes });
  const { device, problem } = visibleDevice; // `device.changed`: absent until a recording is loaded
  const status = useSession((s) => s.device);
  const entries = useStore(pageRecordings(app).store, (recordings) => recordings.entries);
  const shares = useMemo(() => timedShares(device.reports, committed), [device, committed]);
  const times = useMemo(() => timesAt(shares, facts), [shares, facts]);
  const isAwaited =
    problem === null && (status === null || entries === null || (device.kind === 'recorded' && !device.changed));
  return { times: times ?? (isAwaited ? undefined : null), shares, visibleDevice };
}

/** '73.4 MB instead of 117.4' */
function bytesText({ a, b }: VisitFacts): string {
  return `${megabytes(a.bytes)} instead of ${megabytes(b.bytes, true)}`;
}

/** The answer of this page in one line (`useVisibleAnswer`): 'MACKO takes 73.4 MB instead of 117.4.' */
const answerWords = (facts: VisitFacts) => say`${facts.a.format.title} takes ${strong(bytesText(facts))}.`;

interface VisitProps {
  /** for the density of the open matrix, before the slider is dragged */
  readonly committed: VisitFacts;
  /** for the density at the slider's current position */
  readonly facts: VisitFacts;
  readonly densityChoice: DensityChoice;
}

function Visit({ committed, facts, densityChoice }: VisitProps) {
  const { times, shares, visibleDevice } = useTimes(committed, facts);
  const { a, b, unpruned } = facts;
  const answer = useMemo(() => answerWords(committed), [committed]);
  useVisibleAnswer(answer);
  const marks = useMemo(() => {
    const crossings = overtakenAt(shares, committed);
    const nameOf = (params: Readonly<Record<string, unknown>>): string =>
      `${b.format.title} ${String(params.valueType)}`;
    return [
      { density: crossings.unpruned, name: unpruned ? nameOf(unpruned.params) : '', format: b.format.id },
      { density: crossings.b, name: nameOf(b.params), format: b.format.id },
    ];
  }, [shares, committed, b, unpruned]);
  return (
    // The height is limited, so that on a large screen the foot is not far below the rest.
    <section
      className="px-(--page-margin) pt-[clamp(0.75rem,3.4vh,2.25rem)] pb-4 max-sm:px-4 max-sm:pt-4 max-sm:pb-3 min-h-[min(100%,60rem)] flex flex-col"
      aria-label="At first sight"
    >
      <h2 className="text-[clamp(1.375rem,2.3vw,2rem)] leading-[1.3] font-normal text-pretty">
        {zerosText(facts.density)} of this matrix is zeros. {a.format.title} leaves them out
        <HeadlineEnding facts={facts} times={times} />
      </h2>
      {times === null && (
        <p className="leading-[1.45] text-muted text-16 max-sm:text-15 text-pretty not-empty:mt-3">
          <Suspense fallback={null}>
            <PublishedCrossover facts={committed} device={visibleDevice.device} />
          </Suspense>
        </p>
      )}
      <DensitySlider densityChoice={densityChoice} marks={marks} />
      <MovingRow facts={facts} times={times} />
      <NextSteps />
      {times && (
        <footer className="visit-foot flex max-sm:flex-col max-sm:items-start pt-3 mt-auto justify-between gap-y-2 gap-x-6 text-muted text-13 flex-none">
          <PageLink className="text-button" link="runs" target={[]}>
            {times.isComputed ? 'Computed from times of' : 'Measured'}{' '}
            {dayText(visibleDevice.device.recorded?.date ?? times.report.createdAt)}
          </PageLink>
          {times.isSoftware && (
            <Suspense fallback={null}>
              <SoftwareNote visibleDevice={visibleDevice} />
            </Suspense>
          )}
        </footer>
      )}
    </section>
  );
}

/** The end of the headline: ' and takes 24.0 µs instead of 30.4.'; without times the bytes, a gap while they load. */
function HeadlineEnding({ facts, times }: MovingRowProps) {
  if (times === null)
    return (
      <>
        : <strong>{bytesText(facts)}</strong>.
      </>
    );
  if (times === undefined)
    return (
      <>
        {' '}
        and takes <span className="w-[7.2em] h-[0.6em] rounded-[4px] bg-cell inline-block" role="img" aria-label="…" />
      </>
    );
  const [before, comparison, after] = headlineEnding(times);
  return (
    <>
      {before} <strong className={times.isSoftware || times.isComputed ? 'text-quiet' : undefined}>{comparison}</strong>
      {after}.
      {facts.unpruned && times.unpruned !== null && (
        <span className="block mt-1 text-muted text-16 max-sm:text-15">
          Rounded to {valueBits(facts.unpruned.params)} bits, {facts.b.format.title} takes {time(times.unpruned)}.
        </span>
      )}
    </>
  );
}

/** Buttons: the story of this format, its time on this device, and the stories of the four papers. */
function NextSteps() {
  const app = useApp();
  const { document } = app;
  const { run } = useShell();
  const device = useSession((state) => state.device);
  return (
    <div className="mt-[clamp(1rem,3.4vh,2.25rem)] mb-4 flex max-sm:grid max-sm:grid-cols-2 max-sm:my-3 flex-wrap items-center gap-2 flex-none">
      <AddressLink
        className="button button--solid visit-way"
        to={afterVisit}
        onFollow={() => {
          document.setState(afterVisit(document.getState()));
          playOnceReady(app);
        }}
      >
        <Icon name="play" />
        Watch how
      </AddressLink>
      {/* Invisible until the device is known, so that nothing moves then. */}
      {device === null || device.kind === 'ready' ? (
        <Button className="visit-way" style={device === null ? { visibility: 'hidden' } : {}} onClick={run}>
          Time it here
        </Button>
      ) : (
        <PageLink className="button visit-way" link="runs" target={[]}>
          See recorded times
        </PageLink>
      )}
      {app.formats.map(
        (format) =>
          format.headline && (
            <AddressLink
              key={format.id}
              className="button visit-way"
              title={`The story in which ${format.headline.name} ${format.headline.does}`}
              to={(doc) => withStoryExample(app, doc, format)}
              onFollow={() => void playStory(app, format)}
            >
              <Swatch format={format.id} />
              <span>
                {format.headline.name}: <span className="font-normal">{format.headline.invites}</span>
              </span>
            </AddressLink>
          ),
      )}
    </div>
  );
}
