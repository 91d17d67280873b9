import { type ReactNode, useId, useMemo } from 'react';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { onText } from '../../../kit/devices/DeviceLabel.tsx';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { withMark } from '../../../kit/words/no-card.ts';
import { isBound } from '../../../state/devices/device.ts';
import { publishedId } from '../../../theory/roofline/devices.ts';
import { CHART_FIELDS, wayOf } from '../curves/curve-choices.ts';
import { LEFT_AXIS } from '../curves/left-axis.ts';
import { comingDots } from '../curves/measured-speeds.ts';
import { publishedNotes } from '../curves/references.ts';
import { useSpeeds } from '../curves/use-speeds.ts';
import { type PublishedLine, usePublished } from '../../../kit/report/use-published.ts';
import { speedWords } from './chart-words.ts';
import { ChartHead } from './ChartHead.tsx';
import type { PictureProps } from './picture-parts.ts';
import { cardsWith, PUBLISHED_CARD } from './published-cards.ts';
import { SpeedChart } from './SpeedChart.tsx';
import { type LiveTimesOfPage, useLive } from './use-live.ts';
import type { Left } from '../curves/left.ts';
import { type Strip, WinnerStrips } from './WinnerStrips.tsx';
import { Check } from '../../../kit/controls/Check.tsx';
import type { BenchReport } from '../../../core/report.ts';
import { countText, listText } from '../../../core/story/words.ts';
import { density as densityText, shape } from '../../../kit/words/quantity.ts';
import type { LiveState } from './live-times.ts';

interface MatrixSpeedProps {
  readonly left: Left;
  readonly picture: PictureProps;
  /** what else can be shown */
  readonly tools: ReactNode;
  /** told of a share that is chosen */
  readonly onPick: (share: number) => void;
}

/** Speed against dense over what is left: by bytes alone; measured; and live, while the thumb is dragged. */
export function MatrixSpeed({ left, picture, onPick, tools }: MatrixSpeedProps) {
  const { formats } = useApp();
  const [chart, choose] = useChoices(CHART_FIELDS);
  const way = wayOf(left.pruning);
  const device = useSession((s) => s.device);
  const running = useSession((s) => s.bench.running);
  const { shown, mark, curves, measured, fastest, besides, quantised, pointsOf } = useSpeeds(chart, way);
  const live = useLive({ ...chart, way, at: left.at ?? 1 });
  const published = usePublished(formats);
  const titles = useMemo(() => new Map(formats.map((format) => [format.id, format.title])), [formats]);
  const on = onText(shown.device, device);
  const cards = useMemo(() => cardsWith(published), [published]);
  const card = cards.find((one) => publishedId(one) === shown.device.id) ?? PUBLISHED_CARD;
  const squares = useMemo(
    () =>
      chart.beside.includes('published')
        ? published.filter(
            ({ figures, format }) => figures.of === 'speed' && figures.on === card && chart.formats.includes(format),
          )
        : NONE,
    [chart.beside, chart.formats, published, card],
  );
  const axis = running?.request.workload.kind === 'generated' ? running.request.workload.spec.density : null;
  const coming = useMemo(
    () =>
      running === null || axis === null || shown.device.kind !== 'this'
        ? []
        : comingDots(running.request.entries, [axis], pointsOf, quantised),
    [running, axis, shown.device, pointsOf, quantised],
  );
  const { ask } = live;
  const cursor = useMemo(
    () => ({
      ...picture.cursor,
      onMove: (to: number) => {
        picture.cursor.onMove(to);
        ask(to);
      },
    }),
    [picture.cursor, ask],
  );
  const liveLine = liveWords(live);
  const said = speedWords({
    on,
    formats: measured.length + 1,
    ...fastest,
    quantised: fastest.quantised.map(({ title, points }) => ({ title, isTimed: points.length > 0 })),
    reference: referenceFormat.title,
  });
  return (
    <>
      <ChartHead
        tools={tools}
        title="Speed against what is left"
        said={said}
        note="One token, cold, against dense f16."
        marks={[
          ...(isBound(shown.device) ? [] : [['measured', withMark('measured, p10 to p90', mark)] as const]),
          ['limit', 'by bytes alone'],
          ...(squares.length > 0 ? [['published', `published, ${card}`] as const] : []),
        ]}
      />
      <LiveSwitch
        live={live}
        isLinked={chart.live}
        isRefused={(format, share) =>
          curves.some(
            ({ format: { id: of }, variants: [current] }) => of === format && current && share > current.heldUpTo,
          )
        }
        onToggle={() => {
          live.toggle();
          choose({ live: !live.on });
        }}
      />
      {liveLine !== null && <p className="left-live">{liveLine}</p>}
      <SpeedChart
        curves={curves}
        measured={measured}
        besides={besides}
        fastest={fastest.ofFormats}
        coming={coming}
        live={live.speeds}
        titles={titles}
        mark={mark}
        published={squares}
        cursor={cursor}
        reference={referenceFormat.id}
        strong={picture.strong}
        onStrong={picture.onStrong}
        height={picture.height}
      />
      <WinnerStrips
        axis={LEFT_AXIS}
        onPick={onPick}
        strips={stripsOf(
          fastest,
          measured,
          isBound(shown.device)
            ? 'not measured: only bounds are known'
            : mark === 'software'
              ? 'measured in software, which says nothing about cards'
              : `not measured on ${on} yet`,
        )}
      />
      {publishedNotes(squares.map(({ figures }) => figures)).map((note) => (
        <p key={note} className="field-hint">
          {note}
        </p>
      ))}
    </>
  );
}

/** Who is the fastest with values of 16 bits, and who is once dense in fewer bits is there as well. */
function stripsOf(
  { ofFormats, withDense, quantised }: Speeds['fastest'],
  measured: Speeds['measured'],
  empty: string,
): readonly Strip[] {
  const timed = quantised.filter(({ points }) => points.length > 0).toReversed();
  const idOf = (title: string): string =>
    measured.find(({ format }) => format.title === title)?.format.id ?? referenceFormat.id;
  const of = (name: string, says: string, stretches: typeof ofFormats): Strip => ({
    name,
    says,
    parts: stretches.map(({ from, to, winner }) => ({
      key: `${winner} ${from}`,
      from,
      to,
      title: winner,
      detail: '',
      color: cssColorOf(idOf(winner)),
      textColor: cssTextColorOf(idOf(winner)),
    })),
    empty,
  });
  const dense = of(
    `with dense ${timed.map(({ id }) => id).join(', ')}`,
    `is the fastest of those in ${listText(['f16', ...timed.map(({ title }) => title)])}`,
    withDense,
  );
  return [of('fastest in f16', 'is the fastest in f16', ofFormats), ...(timed.length > 0 ? [dense] : [])];
}

type Speeds = ReturnType<typeof useSpeeds>;

const NONE: readonly PublishedLine[] = [];

interface LiveSwitchProps {
  readonly live: LiveTimesOfPage;
  /** the link that opened the page requests it */
  readonly isLinked: boolean;
  /** whether the table already says that a format does not hold a density */
  readonly isRefused: (format: string, density: number) => boolean;
  readonly onToggle: () => void;
}

/** Switches live times on and off; if they are not available, says why. */
function LiveSwitch({ live, isLinked, isRefused, onToggle }: LiveSwitchProps) {
  const id = useId();
  const { formats } = useApp();
  const remarks = liveRemarks(live, (format) => formats.find((f) => f.id === format)?.title ?? format, isRefused);
  return (
    <>
      <Check
        isSwitch
        checked={live.on}
        disabled={live.refusal !== null && !live.on}
        describedBy={`${id}-live`}
        onChange={onToggle}
      >
        live: times at the cursor
      </Check>
      <p className="field-hint" id={`${id}-live`}>
        {live.refusal ??
          (live.on
            ? 'Moving the cursor measures at that density; slower encoders join once it rests. Passes are short: a full run may give ratios a tenth higher.'
            : isLinked
              ? 'The link asks for live times; nothing runs until you switch them on.'
              : 'Measures wherever you move the cursor, on a generated 4096 × 4096 matrix.')}
      </p>
      {live.problem !== null && (
        <p className="field-hint" role="alert">
          {live.problem}
        </p>
      )}
      {remarks !== null && <p className="field-hint">{remarks}</p>}
    </>
  );
}

/** Rounds completed by every kernel of a report. */
function roundsOf({ rows }: BenchReport): number {
  const timed = rows.filter(({ samplesNs }) => samplesNs.length > 0);
  return timed.reduce((few, { samplesNs }) => Math.min(few, samplesNs.length), Number.POSITIVE_INFINITY);
}

/** A one-line caption for the live times on the chart; null without any, and while switched off. */
export function liveWords({ on, waitingFor, shown }: LiveState): string | null {
  if (!on) return null;
  if (!shown) return 'Live: preparing the device, a few seconds the first time.';
  const { report, firstMs } = shown;
  const { workload } = report;
  const rounds = roundsOf(report);
  const formats = new Set(report.rows.filter((row) => row.vsDense !== null).map(({ format }) => format)).size;
  if (!Number.isFinite(rounds)) return `Live at density ${densityText(shown.request.density)}: nothing could be timed.`;
  const of = `generated ${shape(workload.rows, workload.cols)}, f16`;
  const spread = rounds > 1 ? `, whiskers p10 to p90` : '';
  const what = `${countText(formats)} ${formats === 1 ? 'format' : 'formats'}, ${rounds} ${rounds === 1 ? 'short round' : 'short rounds'}${spread}`;
  const more = waitingFor === null ? '' : ` · measuring ${densityText(waitingFor)} …`;
  return `Live at density ${densityText(shown.request.density)}: ${what} · ${of} · first times after ${Math.round(firstMs)} ms${more}`;
}

/**
 * The formats that could not be timed, with reasons, and notes on those that were, in sentences; null if there are
 * none. `isShown`: whether the table already says so of a format.
 */
export function liveRemarks(
  { on, shown }: LiveState,
  titleOf: (format: string) => string,
  isShown: (format: string, density: number) => boolean,
): string | null {
  if (!on || !shown) return null;
  const { refused, rows, notes } = shown.report;
  const said = [
    ...refused
      .filter(({ format }) => !isShown(format, shown.request.density))
      .map(({ format, reason }) => `${titleOf(format)} (${reason})`),
    ...rows
      .filter(({ verified }) => !verified.ok)
      .map(({ format, kernel }) => `${titleOf(format)} (${kernel} does not match the reference)`),
  ];
  const sentences = [
    ...notes.filter((note) => note.endsWith('.')),
    ...(said.length > 0 ? [`Not timed: ${said.join('; ')}.`] : []),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}
