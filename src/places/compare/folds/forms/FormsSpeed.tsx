import { useMemo } from 'react';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { useApp, useSession } from '../../../../kit/app-context.ts';
import { SectionHead } from '../../../../kit/controls/Section.tsx';
import { onText } from '../../../../kit/devices/DeviceLabel.tsx';
import { isBound } from '../../../../state/devices/device.ts';
import { publishedId } from '../../../../state/devices/ids.ts';
import type { PictureProps } from '../../chart/picture-parts.ts';
import { cardsWith, PUBLISHED_CARD } from '../../chart/published-cards.ts';
import { SpeedChart } from '../../chart/SpeedChart.tsx';
import { useLive } from '../../chart/use-live.ts';
import type { CurveChoices } from '../../curves/curve-choices.ts';
import { comingDots } from '../../curves/measured-speeds.ts';
import type { Density } from '../../curves/use-curves.ts';
import type { PublishedLine } from '../../curves/use-published.ts';
import { PublishedNotes } from './PublishedNotes.tsx';
import type { FormsMeasuring } from './use-forms-measuring.ts';

interface FormsSpeedProps {
  readonly choices: CurveChoices;
  readonly density: Density;
  readonly measuring: FormsMeasuring;
  /** of the values that are asked about; none where they are not wanted */
  readonly published: readonly PublishedLine[];
  readonly picture: PictureProps;
}

/** Speed against dense: at most, measured, published, live, and still to come. */
export function FormsSpeed({ choices, density, measuring, published, picture }: FormsSpeedProps) {
  const { formats } = useApp();
  const device = useSession((s) => s.device);
  const running = useSession((s) => s.bench.running);
  const live = useLive(choices);
  const titles = useMemo(() => new Map(formats.map((format) => [format.id, format.title])), [formats]);
  const { shown, curves, measured, fastest, quantised, besides } = density;
  const on = onText(shown.device, device);
  const cards = useMemo(() => cardsWith(published), [published]);
  // Of a device without published speeds, those of the first card are shown, as its paper does.
  const card = cards.find((one) => publishedId(one) === shown.device.id) ?? PUBLISHED_CARD;
  const speedsPublished = useMemo(
    () =>
      published.filter((p) => p.figures.of === 'speed' && p.figures.on === card && choices.formats.includes(p.format)),
    [published, choices.formats, card],
  );
  const publishedWords = !choices.beside.includes('published')
    ? ''
    : speedsPublished.length > 0
      ? ` · squares: published, ${card}`
      : ` · nothing published for ${card} in ${choices.values}`;
  const coming = useMemo(
    () =>
      running === null || shown.device.kind !== 'this'
        ? []
        : comingDots(running.request.entries, measuring.asked, density.speeds, quantised),
    // The densities depend on the choices only.
    // oxlint-disable-next-line react/exhaustive-deps
    [running, shown.device, choices, density.speeds, quantised],
  );
  return (
    <>
      <SectionHead
        level={3}
        title="Speed"
        caption={`against dense on ${on}, y = A x, cold · ${isBound(shown.device) ? '' : 'thick: measured, p10 to p90 · '}thin: at most, by bytes${publishedWords}`}
      />
      <SpeedChart
        curves={curves}
        measured={measured}
        besides={besides}
        fastest={fastest}
        coming={coming}
        live={live.speeds}
        titles={titles}
        published={speedsPublished}
        {...picture}
        cursor={{ ...picture.cursor, handle: false }}
        reference={referenceFormat.id}
      />
      <PublishedNotes published={speedsPublished} />
    </>
  );
}
