import { type ReactNode, useMemo } from 'react';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { onText } from '../../../kit/devices/DeviceLabel.tsx';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { roughLeft } from '../../../kit/words/shares.ts';
import { isBound } from '../../../state/devices/device.ts';
import { publishedId } from '../../../state/devices/ids.ts';
import { CHART_FIELDS, wayOf } from '../curves/curve-choices.ts';
import { LEFT_AXES } from '../curves/left-axis.ts';
import { comingDots } from '../curves/measured-speeds.ts';
import { publishedNotes } from '../curves/references.ts';
import { useSpeeds } from '../curves/use-speeds.ts';
import { type PublishedLine, usePublished } from '../curves/use-published.ts';
import { ChartHead } from './ChartHead.tsx';
import { LiveSwitch } from './LiveSwitch.tsx';
import { liveWords } from './live-words.ts';
import type { PictureProps } from './picture-parts.ts';
import { cardsWith, PUBLISHED_CARD } from './published-cards.ts';
import { SpeedChart } from './SpeedChart.tsx';
import { useLive } from './use-live.ts';
import type { Left } from '../curves/left.ts';
import { WinnerStrips } from './WinnerStrips.tsx';

interface MatrixSpeedProps {
  readonly left: Left;
  readonly picture: PictureProps;
  /** what else can be shown */
  readonly tools: ReactNode;
  /** told of a share that is chosen */
  readonly onPick: (share: number) => void;
}

/** Speed against dense over what is left: at most, by bytes; measured; and live, while the thumb is dragged. */
export function MatrixSpeed({ left, picture, onPick, tools }: MatrixSpeedProps) {
  const { formats } = useApp();
  const [chart, choose] = useChoices(CHART_FIELDS);
  const way = wayOf(left.pruning);
  const device = useSession((s) => s.device);
  const running = useSession((s) => s.bench.running);
  const { shown, curves, measured, fastest, speeds, besides, quantised } = useSpeeds(chart, way);
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
        : comingDots(running.request.entries, [axis], speeds, quantised),
    [running, axis, shown.device, speeds, quantised],
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
  const ahead = fastest.filter(({ winner }) => winner !== referenceFormat.title);
  const idOf = (title: string): string =>
    measured.find(({ format }) => format.title === title)?.format.id ?? referenceFormat.id;
  return (
    <>
      <ChartHead
        tools={tools}
        title="Speed against what is left"
        said={ahead.toReversed().map(({ winner, to }, i) => ({
          before: `${i === 0 ? `On ${on} ` : ''}${winner} ${i === 0 ? 'is the fastest ' : ''}`,
          strong: `to ${roughLeft(to)}`,
        }))}
        note={`y = A x, one token, cold, against dense f16. ${isBound(shown.device) ? '' : 'Thick: measured, p10 to p90. '}Thin: at most, by bytes.${squares.length > 0 ? ` Squares: published, ${card}.` : ''}`}
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
        fastest={fastest}
        coming={coming}
        live={live.speeds}
        titles={titles}
        published={squares}
        scale={picture.scale}
        cursor={cursor}
        reference={referenceFormat.id}
        strong={picture.strong}
        onStrong={picture.onStrong}
        height={picture.height}
      />
      <WinnerStrips
        axis={LEFT_AXES[picture.scale]}
        onPick={onPick}
        strips={[
          {
            name: 'fastest',
            says: 'is the fastest',
            parts: fastest.map(({ from, to, winner }) => ({
              key: `${winner} ${from}`,
              from,
              to,
              title: winner,
              detail: '',
              color: cssColorOf(idOf(winner)),
              textColor: cssTextColorOf(idOf(winner)),
            })),
            empty: isBound(shown.device) ? 'not measured: only bounds are known' : `not measured on ${on} yet`,
          },
        ]}
      />
      {publishedNotes(squares.map(({ figures }) => figures)).map((note) => (
        <p key={note} className="field-hint">
          {note}
        </p>
      ))}
    </>
  );
}

const NONE: readonly PublishedLine[] = [];
