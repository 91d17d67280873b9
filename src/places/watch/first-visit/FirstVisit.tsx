import './first-visit.css';
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Device } from '../../../state/devices/device.ts';
import { dayText } from '../../../state/devices/devices.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { AddressLink, FollowLink } from '../../../kit/browser/AddressLink.tsx';
import { Icon } from '../../../kit/controls/Icon.tsx';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { recordingsOf } from '../../../kit/devices/recordings-of.ts';
import { shapeKey, type ShownDevice, useDevice } from '../../../kit/devices/use-device.ts';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import { SOFTWARE_GPU, withMark } from '../../../kit/words/no-card.ts';
import { useAnswer, useShell } from '../../../kit/frame/shell-context.ts';
import type { Words } from '../../../core/story/scene.ts';
import { say, strong } from '../../../core/story/words.ts';
import { playOnceReady, watchFormat, withWorked } from '../watch-format.ts';
import { type VisitFacts, visitFacts, type VisitTimes, visitTimes } from './facts.ts';
import { layoutOf, MAX_COLUMNS, instantAt, type Paint, slowed, UNTIMED_READ_MS } from './picture.ts';
import { afterVisit } from './use-first-visit.ts';
import { DONE_IN, endOf, megabytes, paceOf, pairOf, unprunedWords, zerosOf } from './visit-words.ts';
import { useMedia } from '../../../kit/browser/use-media.ts';
import { useWidth } from '../../../kit/browser/use-size.ts';
import { Row } from './Row.tsx';
import { cssTextColorOf } from '../../../kit/format-color.ts';
import { percent, time } from '../../../kit/words/quantity.ts';

const CardPasses = lazyPart(async () => (await import('./CardPasses.tsx')).CardPasses);
const InSoftware = lazyPart(async () => (await import('../../../kit/devices/InSoftware.tsx')).InSoftware);

interface MovingRowProps {
  readonly facts: VisitFacts;
  /** undefined while nobody knows whether there are any */
  readonly times: VisitTimes | null | undefined;
  /** the ways on: they share a line with what stops the movement */
  readonly children: ReactNode;
  /** those below */
  readonly more: ReactNode;
}

/** A row of the matrix on its way into the format's arrays, and the bytes of both formats as they are read. */
function MovingRow({ facts, times, children, more }: MovingRowProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const pace = slowed(times?.b ?? null);
  const readMs = pace?.readMs ?? UNTIMED_READ_MS;
  const painters = useRef<Record<'row' | 'bars', Paint | null>>({ row: null, bars: null });
  const clock = useClock(readMs, painters);
  const isLow = useMedia('(height < 54rem)');
  const flight = isLow || width < NARROW ? 44 : 84;
  const layout = useMemo(() => (width === 0 ? null : layoutOf(width, flight)), [width, flight]);
  return (
    <>
      <div
        ref={frame}
        className="visit-row shrink-0 relative"
        style={{ height: layoutOf(Math.max(MIN, width), flight).height }}
      >
        {layout && (
          <Row
            facts={facts}
            layout={layout}
            isNarrow={width < NARROW}
            onPaint={(paint) => {
              painters.current.row = paint;
              clock.repaint();
            }}
          />
        )}
      </div>
      <Bars
        facts={facts}
        times={times}
        by={pace?.by ?? null}
        onPaint={(paint) => {
          painters.current.bars = paint;
          clock.repaint();
        }}
      />
      <div className="visit-ways row gap-3 shrink-0">
        {children}
        <button type="button" className="button visit-pause ms-auto" onClick={clock.toggle}>
          <Icon name={clock.state === 'moving' ? 'pause' : 'play'} />
          <span>{clock.state === 'moving' ? 'Pause' : clock.state === 'paused' ? 'Go on' : 'Again'}</span>
        </button>
        {more}
      </div>
    </>
  );
}

/** Before the first measurement; the height hardly depends on the width. */
const MIN = 320;

/** Below, there is room for fewer words. */
const NARROW = 640;

/** A frame that was late, as of a page that was hidden, makes up for no more than this. */
const MAX_STEP_MS = 100;

/** Runs the picture twice, unless there is to be less motion; then it rests at its end. */
function useClock(readMs: number, painters: { readonly current: Readonly<Record<string, Paint | null>> }) {
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const [wanted, setWanted] = useState<'moving' | 'paused' | 'over'>(() => 'moving');
  const [asked, setAsked] = useState(false);
  const state = isStill && !asked ? 'over' : wanted;
  const now = useRef({ ms: 0, runs: undefined as number | undefined });
  const latest = useRef(readMs);
  const paint = useRef(() => {});
  useEffect(() => {
    // What is known late keeps the share of the run that has passed.
    now.current.ms *= readMs / latest.current;
    latest.current = readMs;
    paint.current = () => {
      const over = { ms: Number.POSITIVE_INFINITY, isOver: true };
      const instant = state === 'over' ? over : instantAt(now.current.ms, readMs, now.current.runs);
      for (const one of Object.values(painters.current)) one?.(instant, readMs);
      if (instant.isOver && state === 'moving') setWanted('over');
    };
    paint.current();
    if (state !== 'moving') return undefined;
    let before: number | null = null;
    let frame = requestAnimationFrame(function step(at) {
      now.current.ms += Math.min(MAX_STEP_MS, at - (before ?? at));
      before = at;
      paint.current();
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [state, readMs, painters]);
  return {
    state,
    repaint: () => paint.current(),
    toggle: () => {
      if (state === 'over') now.current = { ms: 0, runs: 1 };
      setAsked(true);
      setWanted(state === 'moving' ? 'paused' : 'moving');
    },
  };
}

interface BarsProps {
  readonly facts: VisitFacts;
  readonly times: VisitTimes | null | undefined;
  /** how much slower than it is */
  readonly by: number | null;
  readonly onPaint: (paint: Paint | null) => void;
}

/** The bytes of both formats; what has been read of them is full. */
function Bars({ facts, times, by, onPaint }: BarsProps) {
  const { a, b, leftBytes } = facts;
  const bars = useRef<(HTMLElement | null)[]>([]);
  const soFar = useRef<HTMLElement>(null);
  useEffect(() => {
    const sides = times && [times.b, times.a];
    onPaint(({ ms, isOver }, readMs) => {
      const ns = isOver ? Number.POSITIVE_INFINITY : Math.min(1, ms / readMs) * (times?.b ?? 0);
      bars.current.forEach((bar, i) => {
        const share = times === undefined ? 0 : sides ? Math.min(1, ns / sides[i]) : 1;
        bar?.style.setProperty('--read', String(share));
      });
      if (soFar.current && times) soFar.current.textContent = time(Math.min(ns, times.b));
    });
    return () => onPaint(null);
  }, [times, onPaint]);
  const markClass = times?.isSoftware ? 'visit-software' : undefined;
  const bar = (side: typeof a, i: number, ns: number | undefined): ReactNode => {
    const own = Math.min(1, leftBytes / side.bytes);
    const { title } = side.format;
    return (
      <div className="visit-bar stack one-column-below-40 items-center" key={i}>
        <p className="visit-bar-name gone-below-40">
          <b className="size-15" style={{ color: cssTextColorOf(side.format.id) }}>
            {title}
          </b>{' '}
          <span>{detailOf(side, i === 0)}</span>
        </p>
        <div
          className="visit-bar-room stack relative"
          ref={(element) => {
            bars.current[i] = element;
          }}
        >
          <div
            className="visit-bar-whole relative h-full"
            style={{ '--width': side.bytes / b.bytes, '--own': own }}
            data-rest={i === 0 ? 'zeros' : 'places'}
          >
            <i className="absolute inset-0" />
            <i className="absolute inset-0" />
          </div>
          <p className="visit-bar-figures nowrap absolute" style={{ '--width': side.bytes / b.bytes }}>
            <b className="size-15">
              <span className="visit-bar-short">
                {title} {String(side.params.valueType)},{' '}
              </span>
              {megabytes(side.bytes)}
            </b>{' '}
            <span className={markClass}>
              {ns === undefined ? '' : withMark(time(ns), times?.isSoftware ? 'software' : null)}
            </span>
          </p>
        </div>
      </div>
    );
  };
  return (
    <div className="visit-bars stack gap-4 shrink-0">
      <p className="visit-caption quiet size-13 min-h-6 flex">
        <b>What the GPU has to read</b>
        <span className="gone-below-40">for each word{paceOf(by)}</span>
        {times && (
          <span className="visit-so-far">
            <span className="gone-below-40">so far</span> <b className={markClass} ref={soFar} />
          </span>
        )}
      </p>
      {bar(b, 0, times?.b)}
      {bar(a, 1, times?.a)}
      <ul className="visit-key gone-below-40 flex wrap gap-1-6 size-13" aria-label="Colours">
        <li className="flex items-center gap-2">
          <Swatch color="var(--values)" /> weights that are left
        </li>
        <li className="flex items-center gap-2">
          <Swatch padding /> zeros, {percent(1 - facts.left, 0)}
        </li>
        <li className="flex items-center gap-2">
          <Swatch color="var(--indices)" /> where they are
        </li>
      </ul>
    </div>
  );
}

/** 'f16, zeros too', 'f16, 4 bits' */
function detailOf({ params }: VisitFacts['a'], isWhole: boolean): string {
  const [type, ...rest] = [
    params.valueType,
    ...Object.entries(params).flatMap(([name, v]) => (name === 'valueType' ? [] : [v])),
  ];
  return [String(type), ...(isWhole ? ['zeros too'] : rest.map((bits) => `${String(bits)} bits`))].join(', ');
}

/** The first visit: why this matters, in one moving picture, and where to go next. */
export function FirstVisit() {
  const { document, formats } = useApp();
  // Whatever changes one of its words ends the visit.
  const facts = useMemo(() => visitFacts(document.getState(), formats, MAX_COLUMNS), [document, formats]);
  return (
    <main className="visit min-h-0 grow scroll-y stable-gutter" id="content" tabIndex={-1}>
      {facts && <Visit facts={facts} />}
    </main>
  );
}

/** undefined while nobody knows yet whether there are any. */
function useTimes(facts: VisitFacts): { readonly times: VisitTimes | null | undefined; readonly shown: ShownDevice } {
  const app = useApp();
  const has = useCallback(({ reports }: Device) => visitTimes(reports, facts) !== null, [facts]);
  const shapes = useMemo(() => [shapeKey(facts.shape)], [facts]);
  const shown = useDevice(has, { shapes });
  const { device, problem } = shown;
  const status = useSession((s) => s.device);
  const entries = useStore(recordingsOf(app).store, (recordings) => recordings.entries);
  const times = useMemo(() => visitTimes(device.reports, facts), [device, facts]);
  const isAwaited =
    problem === null && (status === null || entries === null || (device.kind === 'recorded' && !device.changed));
  return { times: times ?? (isAwaited ? undefined : null), shown };
}

/** '73.4 MB instead of 117.4' */
function bytesOf({ a, b }: VisitFacts): string {
  return `${megabytes(a.bytes)} instead of ${megabytes(b.bytes, true)}`;
}

function answerOf(facts: VisitFacts): readonly Words[] {
  return say`${facts.a.format.title} takes ${strong(bytesOf(facts))}.`;
}

function Visit({ facts }: { readonly facts: VisitFacts }) {
  const { times, shown } = useTimes(facts);
  const { a, left } = facts;
  const answer = useMemo(() => answerOf(facts), [facts]);
  useAnswer(answer);
  return (
    <section className="visit-content flex flex-col" aria-label="At first sight">
      <h2 className="visit-headline leading-13 weight-400 pretty min-h-2lh">
        {zerosOf(left)} of this matrix is zeros. {a.format.title} leaves them out: <strong>{bytesOf(facts)}</strong>
        <Ending times={times} />
      </h2>
      <p className="visit-why leading-145 quiet size-16 pretty mt-3">
        For each <dfn>token</dfn>, about a word, the GPU reads every weight.{' '}
        {times === null && (
          <Suspense fallback={null}>
            <CardPasses facts={facts} device={shown.device} />
          </Suspense>
        )}
      </p>
      <MovingRow facts={facts} times={times} more={<Animations />}>
        <Ways facts={facts} times={times} />
      </MovingRow>
      <footer className="visit-foot flex justify-between gap-2-6 quiet size-13 shrink-0 line-above">
        <div>
          {times && <p>Measured on {whereOf(shown.device, times)}.</p>}
          {times?.isSoftware && (
            <Suspense fallback={null}>
              <InSoftware shown={shown} />
            </Suspense>
          )}
        </div>
        {times && <Measured />}
      </footer>
    </section>
  );
}

const THIS_GPU = 'this GPU';

function whereOf(device: Device, { report }: VisitTimes): string {
  return device.recorded
    ? `${device.name}, ${dayText(device.recorded.date)}`
    : `${device.isSoftware ? SOFTWARE_GPU : device.kind === 'this' ? THIS_GPU : device.name}, ${dayText(report.createdAt)}`;
}

/** ', so the GPU is done with it in 23.9 µs instead of 30.1.'; its room is kept while times are on their way. */
function Ending({ times }: { readonly times: VisitTimes | null | undefined }) {
  if (times === null) return <>.</>;
  if (times === undefined)
    return (
      <>
        , {DONE_IN} <span className="visit-awaited round-4 cell-ground inline-block" role="img" aria-label="…" />
      </>
    );
  return (
    <>
      , {endOf(times)}{' '}
      <strong className={times.isSoftware ? 'visit-software' : undefined}>{pairOf(times.a, times.b)}</strong>.
    </>
  );
}

function Measured() {
  return (
    <FollowLink className="text-button" link="runs" target={[]}>
      › how this was measured
    </FollowLink>
  );
}

/** The ways on from here, and what the matrix takes without being pruned. */
function Ways({ facts: { unpruned }, times }: Pick<BarsProps, 'facts' | 'times'>) {
  const app = useApp();
  const { document } = app;
  const { run } = useShell();
  const device = useSession((state) => state.device);
  const gpu = device?.kind === 'ready' ? (device.environment.isFallback ? SOFTWARE_GPU : THIS_GPU) : null;
  return (
    <>
      <AddressLink
        className="button button--solid visit-way min-h-11 size-16"
        to={afterVisit}
        onFollow={() => {
          document.setState(afterVisit(document.getState()));
          playOnceReady(app);
        }}
      >
        <Icon name="play" />
        Watch how
      </AddressLink>
      <FollowLink className="button visit-way min-h-11 size-16" link="lessons" target={[]}>
        Learn from the start
      </FollowLink>
      {/* Its room is kept until the device is known, so that nothing moves then. */}
      {(device === null || gpu !== null) && (
        <button
          type="button"
          className="button visit-way visit-time min-h-11 size-16"
          style={gpu === null ? { visibility: 'hidden' } : {}}
          onClick={run}
        >
          Time it on {gpu ?? THIS_GPU}
        </button>
      )}
      {unpruned && (
        <p className="visit-unpruned underlined size-15 ms-2">
          {unprunedWords(unpruned, times ?? null)}:{' '}
          <FollowLink className="text-button size-15" link="formats" target={[]}>
            compare all formats
          </FollowLink>
        </p>
      )}
    </>
  );
}

/** The animations by their papers' names, and a matrix of one's own. */
function Animations() {
  const app = useApp();
  const { openChooser } = useShell();
  return (
    <div className="visit-more flex wrap gap-2-3 items-center mt-2 quiet size-15">
      <span id="visit-more">Or watch how</span>
      <ul className="flex wrap gap-2" aria-labelledby="visit-more">
        {app.formats.flatMap((format) =>
          format.headline ? (
            <li key={format.id}>
              <AddressLink
                className="button text-ink size-13 weight-400"
                to={(doc) => withWorked(app, doc, format)}
                onFollow={() => void watchFormat(app, format)}
              >
                <Swatch format={format.id} />
                <span>
                  <b>{format.headline.name}</b> <span className="visit-does">{format.headline.does}</span>
                </span>
              </AddressLink>
            </li>
          ) : (
            []
          ),
        )}
      </ul>
      <div className="visit-own flex gap-2 ms-auto">
        <button type="button" className="button text-ink size-13 weight-400" onClick={() => openChooser()}>
          Open a matrix
        </button>
        <button type="button" className="button text-ink size-13 weight-400" onClick={() => openChooser('generate')}>
          Generate one
        </button>
      </div>
    </div>
  );
}
