import { type ReactNode, useMemo, useState, useRef } from 'react';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { useMedia } from '../../../kit/browser/use-media.ts';
import { useWindowHeight } from '../../../kit/browser/use-window-height.ts';
import { Segmented } from '../../../kit/controls/Segmented.tsx';
import { CHART_FIELDS } from '../curves/curve-choices.ts';
import type { ComparedFormats } from '../rows/compare-row.ts';
import { visibleRows } from '../rows/table-rows.ts';
import { ModelChart } from './ModelChart.tsx';
import {
  type Dot,
  prunedTo,
  DENSITY_AXIS,
  densityCursor,
  type DensityChartBaseProps,
  squareSeries,
} from './chart-parts.ts';
import { useModelQuery } from './model-lines.ts';
import { type DensityChoice, useDensity } from '../../../kit/forms/use-density.ts';
import { listText } from '../../../core/text/words.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { evenWithDense } from '../curves/size-curves.ts';
import { usePublished, type PublishedLine } from '../../../kit/report/use-published.ts';
import { ChartHead } from './ChartHead.tsx';
import { speedWords } from './chart-words.ts';
import { useChartLines } from '../curves/chart-lines.ts';
import { SPENSE_LINE, spenseRow } from '../rows/spense-row.ts';
import { LosslessNote, losslessRule, useLossless } from './Lossless.tsx';
import { type SizeChartLine, SizeSection } from './SizeChart.tsx';
import { BY_BYTES } from '../../../kit/words/speed-of.ts';
import { deviceAfterOn } from '../../../kit/devices/DeviceLabel.tsx';
import { withSubstitute } from '../../../kit/words/ran-instead.ts';
import { hasOnlyBounds } from '../../../state/index.ts';
import { publishedId } from '../../../theory/roofline/devices.ts';
import type { Stretch } from '../curves/fastest-along.ts';
import {
  type DenseSpeeds,
  type fastestOf,
  type FormatSpeeds,
  useMeasuredSpeeds,
} from '../curves/use-measured-speeds.ts';
import { FALLBACK_CARD, publishedCards, publishedNotes } from './published-cards.ts';
import { SpeedChart } from './SpeedChart.tsx';
import { type Axis, scaleOf, plotEdges } from '../../../kit/charts/axis.ts';
import { textWidth } from '../../../kit/charts/label-space.ts';
import { useWidth } from '../../../kit/browser/use-width.ts';
import { roughDensityText } from '../../../kit/words/shares.ts';

interface MatrixChartProps {
  readonly densityChoice: DensityChoice;
  readonly chartProps: DensityChartBaseProps;
  /** the switch between bytes and speed */
  readonly tools: ReactNode;
}

/** The speed of every format against dense, by density: computed from bytes alone, and measured. */
function MatrixSpeed({ densityChoice, chartProps, tools }: MatrixChartProps) {
  const { formats } = useApp();
  const device = useSession((s) => s.device);
  const summary = useSession((s) => s.summary);
  const { lines, dense, chosenFormats, extraItems } = useChartLines(formats, densityChoice, false);
  const { visibleDevice, substitute, formatSpeeds, fastest, denseSpeeds } = useMeasuredSpeeds(chosenFormats, dense);
  const measuredTitle = withSubstitute('measured, p10 to p90', substitute);
  const published = usePublished(formats, summary);
  const deviceName = deviceAfterOn(visibleDevice.device, device);
  const card = publishedCards(published).find((name) => publishedId(name) === visibleDevice.device.id) ?? FALLBACK_CARD;
  const squares = useMemo(
    () =>
      publishedOf(published, chosenFormats, extraItems).filter(
        ({ figures }) => figures.quantity === 'speed' && figures.device === card,
      ),
    [published, chosenFormats, extraItems, card],
  );
  const visibleDenseSpeeds = useMemo(
    () => (extraItems.includes('quantised') ? denseSpeeds : []),
    [extraItems, denseSpeeds],
  );
  const answerWords = speedWords({
    deviceName,
    formats: formatSpeeds.length + 1,
    ...fastest,
    quantised: fastest.quantised.map(({ title, points }) => ({ title, isTimed: points.length > 0 })),
    reference: referenceFormat.title,
  });
  return (
    <>
      <ChartHead
        tools={tools}
        title="Speed by density"
        caption={answerWords}
        note="One token, cold, against dense f16."
        marks={[
          ...(hasOnlyBounds(visibleDevice.device) ? [] : [['measured', measuredTitle] as const]),
          ['limit', BY_BYTES, 'dashed'],
          ...(squares.length > 0 ? [['published', `published, ${card}`] as const] : []),
        ]}
      />
      <SpeedChart
        {...chartProps}
        lines={lines}
        formatSpeeds={formatSpeeds}
        denseSpeeds={visibleDenseSpeeds}
        fastest={fastest.formatStretches}
        substitute={substitute}
        published={squares}
      />
      <WinnerStrips
        axis={DENSITY_AXIS}
        onPick={(share) => {
          densityChoice.preview(share);
          densityChoice.commit();
        }}
        strips={stripsOf(
          fastest,
          formatSpeeds,
          hasOnlyBounds(visibleDevice.device)
            ? 'not measured'
            : substitute === 'software'
              ? 'measured in software'
              : `not measured on ${deviceName} yet`,
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

/** Strips of the fastest formats: of those in f16, and of these and dense in fewer bits. `emptyText`: see `Strip`. */
export function stripsOf(
  { formatStretches, stretchesWithDense, quantised }: FastestFormats,
  formatSpeeds: readonly Pick<FormatSpeeds, 'format'>[],
  emptyText: string,
): readonly Strip[] {
  const timedDense = quantised.filter(({ points }) => points.length > 0).toReversed();
  const idOf = (title: string): string =>
    formatSpeeds.find(({ format }) => format.title === title)?.format.id ?? referenceFormat.id;
  const stripOf = (name: string, predicate: string, stretches: readonly Stretch[]): Strip => ({
    name,
    predicate,
    parts: stretches.map(({ from, to, winner }) => ({
      key: `${winner} ${from}`,
      from,
      to,
      title: winner,
      color: cssColorOf(idOf(winner)),
      textColor: cssTextColorOf(idOf(winner)),
    })),
    emptyText,
  });
  const dense = stripOf(
    `with dense ${timedDense.map(({ id }) => id).join(', ')}`,
    `is the fastest in ${listText(['f16', ...timedDense.map(({ title }) => title)])}`,
    stretchesWithDense,
  );
  return [
    stripOf('fastest in f16', 'is the fastest in f16', formatStretches),
    ...(timedDense.length > 0 ? [dense] : []),
  ];
}

interface FastestFormats extends Pick<ReturnType<typeof fastestOf>, 'formatStretches' | 'stretchesWithDense'> {
  readonly quantised: readonly Pick<DenseSpeeds, 'id' | 'title' | 'points'>[];
}

/** Published figures of the chosen formats; none unless `extraItems`, the chart's items other than formats, include them. */
function publishedOf(
  published: readonly PublishedLine[],
  chosenFormats: readonly string[],
  extraItems: readonly string[],
) {
  return extraItems.includes('published') ? published.filter(({ format }) => chosenFormats.includes(format)) : [];
}

/** The bytes of every format against dense f16, by density: computed, encoded and published. */
function MatrixSize({
  compared,
  densityChoice,
  chartProps,
  tools,
}: MatrixChartProps & { readonly compared: ComparedFormats }) {
  const { formats } = useApp();
  const summary = useSession((s) => s.summary);
  const { matrix, lines: curves, rules: denseRules, chosenFormats, extraItems } = useChartLines(formats, densityChoice);
  const lossless = useLossless(extraItems.includes('quantised') ? summary : null);
  const rules = useMemo(
    () => (lossless === null ? denseRules : [...denseRules, losslessRule(lossless)]),
    [denseRules, lossless],
  );
  const lines = useMemo(
    () =>
      curves.map((line): SizeChartLine => ({
        line,
        sizes: line.sizes,
        evenAt: evenWithDense(line, line, matrix),
      })),
    [curves, matrix],
  );
  const density = summary?.density ?? 0;
  const dots = useMemo(
    () =>
      compared.rows.flatMap(({ format, detail, bytes, isExpected, state }): readonly Dot[] =>
        bytes === null || isExpected || state !== 'known' || format.id === referenceFormat.id
          ? []
          : [{ format: format.id, title: `${format.title} ${detail}`, density, y: bytes / compared.f16Bytes }],
      ),
    [compared, density],
  );
  const published = usePublished(formats, summary);
  const squares = useMemo(
    () =>
      squareSeries(
        publishedOf(published, chosenFormats, extraItems).filter(({ figures }) => figures.quantity === 'size'),
      ),
    [published, chosenFormats, extraItems],
  );
  // The line of Spense is drawn only if the table has its row.
  const hasSpense = spenseRow(compared) !== null;
  const publishedSeries = useMemo(() => (hasSpense ? [...squares, SPENSE_LINE] : squares), [hasSpense, squares]);
  const publishedFormats = formats.filter(({ id }) => squares.some(({ group }) => group === id));
  const publishedTitles = listText(publishedFormats.map(({ title }) => title));
  return (
    <>
      <SizeSection
        {...chartProps}
        tools={tools}
        isRandom={matrix.placement === 'independent'}
        name="this matrix"
        marks={[
          ...(lines.some(({ line }) => line.isQuantised) ? [['limit', '8 bits', 'dashed'] as const] : []),
          ...(hasSpense ? [['predicted', 'Spense, by its closed form'] as const] : []),
          ...(dots.length > 0 ? [['encoded', 'this matrix, encoded'] as const] : []),
          ...(squares.length > 0 ? [['published', `published: ${publishedTitles}`] as const] : []),
        ]}
        lines={lines}
        rules={rules}
        dots={dots}
        published={publishedSeries}
      />
      {lossless && <LosslessNote lossless={lossless} />}
    </>
  );
}

/** If the table has more rows than this, the chart is lower. */
const LONG_TABLE = 10;

/** The chart of Compare: bytes or speed by density. Its slider prunes the matrix to another density. */
export function CompareChart({ compared }: { readonly compared: ComparedFormats }) {
  const [{ picture: chosenPicture }, choose] = useChoices(CHART_FIELDS);
  const densityChoice = useDensity(prunedTo);
  const summary = useSession((s) => s.summary);
  const windowHeight = useWindowHeight();
  const isNarrow = useMedia('(width < 34.5rem)');
  const modelQuery = useModelQuery(compared);
  const [emphasized, setEmphasized] = useState<string | null>(null);
  const isModel = modelQuery !== null;
  const picture = chosenPicture === '' ? (isModel ? 'speed' : 'size') : chosenPicture;
  const { density, preview, commit } = densityChoice;
  const isNextToTable = useMedia('(width >= 72rem)') && !isModel;
  // On a small screen the text above has more lines.
  const isSmall = useMedia('(width < 90rem)');
  const isLong = visibleRows(compared, false).length > LONG_TABLE;
  // Heights in px, within bounds. Next to the table: the window without everything above and below the chart.
  const heightOfRest = isSmall ? 392 : 364;
  const heightNextToTable = Math.min(Math.max(336, windowHeight - heightOfRest), 680);
  // Below the table: the rest of the first screen of a window that is 900 px high, and all that is higher.
  const heightBelow = Math.min((isLong ? 200 : 232) + Math.max(0, windowHeight - 900), 480);
  const wideHeight = isNextToTable ? heightNextToTable : heightBelow;
  const height = isNarrow ? 240 : wideHeight;
  const chartProps = useMemo((): DensityChartBaseProps | null => {
    if (density === null) return null;
    const emphasis = { strong: emphasized, onStrong: setEmphasized };
    return { cursor: densityCursor(density, preview, commit), height, narrow: isNarrow, ...emphasis };
  }, [density, preview, commit, isNarrow, emphasized, height]);
  const tools = (
    <div className="[&_.segmented_span]:px-3 [&_.segmented_span]:whitespace-nowrap unseen-legend flex flex-wrap gap-y-2 gap-x-4">
      <Segmented
        label="by density"
        value={picture}
        options={[
          { value: 'size', label: isModel ? 'GB' : 'size' },
          { value: 'speed', label: isModel ? 'tokens/s' : 'speed' },
        ]}
        onChange={(value) => choose({ picture: value })}
      />
    </div>
  );
  if (summary === null || density === null || chartProps === null)
    return <section className="by-density grid gap-1 mt-2 grid-cols-1" aria-busy="true" />;
  return (
    <section className="by-density grid gap-1 mt-2 grid-cols-1" aria-label="By density">
      {isModel ? (
        <ModelChart
          compared={compared}
          query={modelQuery}
          picture={picture}
          densityChoice={densityChoice}
          density={density}
          chartProps={chartProps}
          tools={tools}
        />
      ) : picture === 'size' ? (
        <MatrixSize compared={compared} densityChoice={densityChoice} chartProps={chartProps} tools={tools} />
      ) : (
        <MatrixSpeed densityChoice={densityChoice} chartProps={chartProps} tools={tools} />
      )}
    </section>
  );
}

/** A range of densities with one fastest format. */
interface StripPart {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly title: string;
  readonly color: string;
  readonly textColor: string;
}

/** A bar below the chart with the fastest format of each range of densities. */
interface Strip {
  /** 'fastest in f16' */
  readonly name: string;
  /** for screen readers, the description of a part's format: 'is the fastest in f16' */
  readonly predicate: string;
  readonly parts: readonly StripPart[];
  /** shown without parts */
  readonly emptyText: string;
}

interface WinnerStripsProps {
  readonly strips: readonly Strip[];
  readonly axis: Axis;
  readonly onPick: (share: number) => void;
}

/** Height of a strip with its gap, px. */
const ROW = 30;

/** Bars below the speed chart: the fastest format of each range of densities. A click chooses a density. */
export function WinnerStrips({ strips, axis, onPick }: WinnerStripsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = Math.max(240, useWidth(frame));
  const { left, right, narrow } = plotEdges(width, true);
  const x = scaleOf(axis, [left, right]);
  return (
    <div ref={frame} className="mt-1 relative" style={{ height: strips.length * ROW }}>
      {strips.map((strip, row) => (
        <div key={strip.name} role="group" aria-label={`${strip.name}, by density`}>
          {strip.parts.map((part) => {
            const from = Math.max(left, x(Math.max(part.from, axis.domain[0])));
            const to = x(part.to);
            const start = part.from <= axis.domain[0] ? '' : ` from ${roughDensityText(part.from)}`;
            const barWidth = to - from;
            const text = [`${part.title}${start}`, part.title].find((t) => 1.15 * textWidth(t) + 4 <= barWidth) ?? '';
            const spoken = `${part.title} ${strip.predicate} from ${roughDensityText(part.from)} to ${roughDensityText(part.to)}`;
            return barWidth < 1 ? null : (
              <button
                key={part.key}
                type="button"
                className="group flex flex-col justify-start h-[26px] text-start absolute cursor-pointer overflow-hidden focus-visible:-outline-offset-2"
                style={{ left: from, width: barWidth, top: row * ROW, color: part.textColor }}
                title={spoken}
                aria-label={spoken}
                onClick={() => onPick(Math.max(part.from, axis.domain[0]))}
              >
                <span className="block me-px h-[6px] group-hover:h-2" style={{ background: part.color }} />
                <span className="text-12 font-semibold whitespace-nowrap">{text}</span>
              </button>
            );
          })}
          {strip.parts.length === 0 && (
            <span className="text-muted text-12 absolute" style={{ left, top: row * ROW }}>
              {strip.emptyText}
            </span>
          )}
          {!narrow && (
            <span className="text-muted text-12 absolute" style={{ left: right + 10, top: row * ROW - 6 }}>
              {strip.name}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}
