import { BY_BYTES } from '../../../kit/words/speed-of.ts';
import { type ReactNode, useMemo } from 'react';
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
import { pendingDots } from '../curves/measured-speeds.ts';
import { publishedNotes } from '../curves/references.ts';
import { useSpeeds } from '../curves/use-speeds.ts';
import { type PublishedLine, usePublished } from '../../../kit/report/use-published.ts';
import { speedWords } from './chart-words.ts';
import { ChartHead } from './ChartHead.tsx';
import type { PictureProps } from './picture-parts.ts';
import { cardsWith, PUBLISHED_CARD } from './published-cards.ts';
import { SpeedChart } from './SpeedChart.tsx';
import type { ShareLeft } from '../curves/left.ts';
import { type Strip, WinnerStrips } from './WinnerStrips.tsx';
import { listText } from '../../../core/story/words.ts';

interface MatrixSpeedProps {
  readonly left: ShareLeft;
  readonly picture: PictureProps;
  /** further choices */
  readonly tools: ReactNode;
  /** called with a share that was chosen */
  readonly onPick: (share: number) => void;
}

/** Speed against dense by weights left: by bytes alone, and measured. */
export function MatrixSpeed({ left, picture, onPick, tools }: MatrixSpeedProps) {
  const { formats } = useApp();
  const [chart] = useChoices(CHART_FIELDS);
  const way = wayOf(left.pruning);
  const device = useSession((s) => s.device);
  const running = useSession((s) => s.bench.running);
  const { shown, mark, curves, measured, fastest, besides, quantised, pointsOf } = useSpeeds(chart, way);
  const published = usePublished(formats);
  const on = onText(shown.device, device);
  const cards = useMemo(() => cardsWith(published), [published]);
  const card = cards.find((one) => publishedId(one) === shown.device.id) ?? PUBLISHED_CARD;
  const squares = useMemo(
    () =>
      chart.beside.includes('published')
        ? published.filter(
            ({ figures, format }) =>
              figures.quantity === 'speed' && figures.device === card && chart.formats.includes(format),
          )
        : NONE,
    [chart.beside, chart.formats, published, card],
  );
  const axis = running?.request.workload.kind === 'generated' ? running.request.workload.spec.density : null;
  const coming = useMemo(
    () =>
      running === null || axis === null || shown.device.kind !== 'this'
        ? []
        : pendingDots(running.request.entries, [axis], pointsOf, quantised),
    [running, axis, shown.device, pointsOf, quantised],
  );
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
          ['limit', BY_BYTES],
          ...(squares.length > 0 ? [['published', `published, ${card}`] as const] : []),
        ]}
      />
      <SpeedChart
        curves={curves}
        measured={measured}
        besides={besides}
        fastest={fastest.ofFormats}
        coming={coming}
        mark={mark}
        published={squares}
        cursor={picture.cursor}
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
            ? 'not measured'
            : mark === 'software'
              ? 'measured in software'
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

/** The strips of the fastest format with 16-bit values, and of the fastest if dense in fewer bits is included. */
export function stripsOf(
  {
    ofFormats,
    withDense,
    quantised,
  }: Pick<Speeds['fastest'], 'ofFormats' | 'withDense'> & {
    readonly quantised: readonly Pick<Speeds['fastest']['quantised'][number], 'id' | 'title' | 'points'>[];
  },
  measured: readonly Pick<Speeds['measured'][number], 'format'>[],
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
    `is the fastest in ${listText(['f16', ...timed.map(({ title }) => title)])}`,
    withDense,
  );
  return [of('fastest in f16', 'is the fastest in f16', ofFormats), ...(timed.length > 0 ? [dense] : [])];
}

type Speeds = ReturnType<typeof useSpeeds>;

const NONE: readonly PublishedLine[] = [];
