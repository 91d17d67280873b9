import { type ReactNode, useMemo } from 'react';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { deviceAfterOn } from '../../../kit/devices/DeviceLabel.tsx';
import { bandwidth, oneDecimal } from '../../../kit/words/rates.ts';
import { densityText } from '../../../kit/words/shares.ts';
import { hasOnlyBounds, type Device, type FormatChoice } from '../../../state/index.ts';
import { isForWeights } from '../model/model-formats.ts';
import { publishedRun } from '../../../theory/models/published-models.ts';
import type { ComparedFormats } from '../rows/compare-row.ts';
import { ChartHead } from './ChartHead.tsx';
import { crossingWords } from './chart-words.ts';
import { DensityChart } from './DensityChart.tsx';
import { type ChartLine, useChartLines } from '../curves/chart-lines.ts';
import { type ModelQuery, type ModelLine, type ModelRule, largestDensityBelow, useModelLines } from './model-lines.ts';
import type { Dot, DensityChartBaseProps } from './chart-parts.ts';
import { crossingNote, dotColumns, dotSeries, densityTable, lineSeries } from './chart-parts.ts';
import { type SizeChartLine, SizeSection } from './SizeChart.tsx';
import type { DensityChoice } from '../../../kit/forms/use-density.ts';
import { defaultParams } from '../../../core/format.ts';
import { computes } from '../../../kit/report/operation-words.ts';
import { operationFor } from '../model/model-request.ts';
import { measuredCurve } from '../model/model-view.ts';
import { storedTitle } from '../rows/stored-variants.ts';
import { scaleLinear } from 'd3-scale';
import { largest } from '../../../core/number/statistics.ts';
import type { Axis } from '../../../kit/charts/axis.ts';
import type { ChartTable } from '../../../kit/charts/chart-csv.ts';
import type { ChartNote } from '../../../kit/charts/ChartWords.tsx';
import type { ChartPoint, Rule } from '../../../kit/charts/series.ts';
import { cssTextColorOf } from '../../../kit/format-color.ts';
import { valueAtDensity, GRID } from '../curves/size-curves.ts';

/** The density below which a format (`line`) takes less time than dense in 4 bits (`rule`). */
interface Crossing {
  readonly line: ChartLine;
  readonly rule: ModelRule;
  readonly density: number;
}

interface TokensChartProps extends DensityChartBaseProps {
  /** 'Llama-3.1-8B' */
  readonly matrixName: string;
  readonly lines: readonly ModelLine[];
  readonly rules: readonly ModelRule[];
  readonly crossings: readonly Crossing[];
  readonly dots: readonly Dot[];
  readonly published: readonly Dot[];
  /** name of the device as it follows the word 'on' */
  readonly deviceName: string;
}

/** Tokens per second by density: lines are upper bounds from bytes, dots were measured. */
export function TokensChart(props: TokensChartProps) {
  const { matrixName, lines, rules, crossings, dots, published, deviceName, ...chartProps } = props;
  const { x } = chartProps.cursor;
  const drawnLines = useMemo(() => lines.map(({ line, costs }) => lineSeries(line, ratesOf(costs))), [lines]);
  const drawnRules = rules.map(({ id, title, ns }): Rule => {
    return { id, title, position: rate(ns), kind: id === 'f16' ? 'solid' : 'dotted' };
  });
  const ratesInChart = [...drawnRules.map((rule) => rule.position), ...[...dots, ...published].map(({ y }) => y)];
  const notes = [
    ...crossings.map(({ line, rule, density }) => crossingNote(density, rate(rule.ns), line)),
    ...dots
      .filter(({ density }) => density === x)
      .map(({ format, title, density, y }): ChartNote => ({
        x: density,
        y,
        text: `${title} measured ${oneDecimal(y)}`,
        color: cssTextColorOf(format),
      })),
  ];
  const spoken = [
    ...drawnRules.map((rule) => `${rule.title} at most ${oneDecimal(rule.position)}`),
    ...dots.map(({ title, density, y }) => `${title} with ${densityText(density)} left measured ${oneDecimal(y)}`),
  ];
  return (
    <DensityChart
      {...chartProps}
      id="tokens-by-left"
      heading={{
        title: `${matrixName}: tokens per second by density`,
        caption: `lines: at most, by bytes, ${deviceName}`,
      }}
      spoken={`Tokens per second of ${matrixName} by density: ${spoken.join(', ')}.`}
      y={tokensAxis(largest(ratesInChart, 1))}
      lines={drawnLines}
      series={[...dotSeries(published, 'published'), ...dotSeries(dots, 'encoded')]}
      rules={drawnRules}
      notes={notes}
      table={() => tokenFigures(props)}
    />
  );
}

/** The axis of tokens per second, with space above the largest. */
function tokensAxis(max: number): Axis {
  const scale = scaleLinear([0, 1.3 * max], [0, 1]).nice(4);
  const [bottom, top] = scale.domain();
  return { scale: 'linear', domain: [bottom, top], ticks: scale.ticks(4), text: String, title: 'tokens/s' };
}

/** The points of a line: tokens per second at every density of the grid. */
function ratesOf(costs: ModelLine['costs']): readonly ChartPoint[] {
  return GRID.flatMap((x, i) => {
    const cost = costs[i];
    return cost === null ? [] : [{ x, y: rate(cost.ns) }];
  });
}

/** Tokens per second if a token needs this time. */
function rate(ns: number): number {
  return 1e9 / ns;
}

/** The densities in the table of the chart. */
const LISTED_DENSITIES = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** The table of the chart of tokens per second. */
export function tokenFigures({ lines, rules, dots, published }: TokensChartProps): ChartTable {
  const columns = [
    ...lines.map(({ line, costs }) => {
      const times = costs.map((cost) => cost?.ns ?? Number.NaN);
      return { title: `${line.title}, at most`, valueAt: (density: number) => rate(valueAtDensity(times, density)) };
    }),
    ...rules.map(({ title, ns }) => ({ title: `${title}, at most`, valueAt: () => rate(ns) })),
    ...dotColumns(dots, 'measured'),
    ...dotColumns(published, 'published'),
  ];
  return densityTable(
    [...LISTED_DENSITIES, ...[...dots, ...published].map(({ density }) => density)],
    columns,
    oneDecimal,
  );
}

interface ModelChartProps {
  readonly compared: ComparedFormats;
  readonly query: ModelQuery;
  readonly picture: 'size' | 'speed';
  readonly densityChoice: DensityChoice;
  /** the current density */
  readonly density: number;
  readonly chartProps: DensityChartBaseProps;
  /** the switch between bytes and speed */
  readonly tools: ReactNode;
}

/** The chart of a whole model by density: tokens per second, as an upper bound and measured, or its bytes. */
export function ModelChart({
  compared,
  query,
  picture,
  densityChoice,
  density: currentDensity,
  chartProps,
  tools,
}: ModelChartProps) {
  const { formats } = useApp();
  const status = useSession((s) => s.device);
  const tokens = useDocument((doc) => doc.tokens);
  const weightFormats = useMemo(() => formats.filter(isForWeights), [formats]);
  // The open matrix decides which lines there are; their costs are summed over all matrices of the model.
  const {
    matrix,
    a,
    b,
    extraItems,
    lines: matrixLines,
    rules: matrixRules,
  } = useChartLines(weightFormats, densityChoice);
  const isRandom = matrix.placement === 'independent';
  const { lines, rules } = useModelLines(query, matrixLines, matrixRules);
  const { device } = compared.visibleDevice;
  const sideDots = useMeasuredDots(query, device, a, b, tokens);
  const { readGBps } = compared;
  const dense = rules[0] ?? null;
  const { name } = query.model;

  const crossings = useMemo(() => {
    // The rules are in order of size; with several, the last is dense in 4 bits.
    const i4 = rules.at(-1);
    if (i4 === undefined || i4 === dense) return [];
    return lines.flatMap((line): readonly Crossing[] => {
      const { side, isQuantised, format } = line.line;
      const isCompared = side !== null || (isQuantised && format.id === a.format);
      const density = isCompared ? largestDensityBelow(query, line, 'ns', i4.ns) : null;
      return density === null ? [] : [{ line: line.line, rule: i4, density }];
    });
  }, [lines, rules, dense, query, a.format]);

  if (picture === 'size' || readGBps === null || tokens > 1) {
    const why =
      picture === 'size'
        ? null
        : tokens > 1
          ? `How long ${tokens} tokens take is unmeasured.`
          : `How fast ${device.name} reads was not measured.`;
    return <ModelBytes {...{ query, lines, rules, why, isRandom, chartProps, tools }} />;
  }
  const dots = [
    ...sideDots,
    ...compared.rows.flatMap(({ format, detail, stored, measuredNs }): readonly Dot[] =>
      measuredNs === null || stored.format === a.format || stored.format === b?.format
        ? []
        : [{ format: format.id, title: `${format.title} ${detail}`, density: currentDensity, y: rate(measuredNs) }],
    ),
  ];
  const published = extraItems.includes('published')
    ? publishedRun(formats.find(({ id }) => id === a.format)?.source?.url, name)
    : null;
  const deviceName = deviceAfterOn(device, status);
  return (
    <>
      <ChartHead
        tools={tools}
        title="Tokens per second"
        caption={crossingWords(
          crossings.map(({ line, rule, density }) => ({ title: line.title, rule: rule.title, share: density })),
        )}
        marks={[
          [
            'expected',
            `at most: reading the bytes at ${bandwidth(readGBps)}${hasOnlyBounds(device) ? ' (published)' : ''}; starting kernels is not counted`,
          ],
          ...(dots.length > 0 ? [['encoded', 'measured'] as const] : []),
          ...(published === null ? [] : [['published', `published, ${published.device}, ${published.place}`] as const]),
        ]}
      />
      <TokensChart
        {...chartProps}
        matrixName={name}
        lines={lines}
        rules={rules}
        crossings={crossings}
        dots={dots}
        published={publishedDots(published, a.format)}
        deviceName={deviceName}
      />
    </>
  );
}

const NONE: readonly never[] = [];

interface ModelBytesProps extends Pick<ModelChartProps, 'query' | 'chartProps' | 'tools'> {
  readonly lines: readonly ModelLine[];
  readonly rules: readonly ModelRule[];
  /** why bytes are shown instead of the chosen speed; null if bytes were chosen */
  readonly why: string | null;
  readonly isRandom: boolean; // see SizeChart
}

/** The bytes of a whole model against dense f16. */
function ModelBytes({ query, lines, rules, why, isRandom, chartProps, tools }: ModelBytesProps) {
  const dense = rules[0]?.stored ?? 1;
  const sizeLines = useMemo(
    () =>
      lines.map((line): SizeChartLine => ({
        line: line.line,
        sizes: line.costs.map((cost) => (cost === null ? Number.NaN : cost.stored / dense)),
        evenAt: largestDensityBelow(query, line, 'stored', dense),
      })),
    [lines, query, dense],
  );
  const sizedRules = useMemo(
    () => rules.map(({ id, title, stored }) => ({ id, title, size: stored / dense })),
    [rules, dense],
  );
  return (
    <SizeSection
      {...chartProps}
      tools={tools}
      isRandom={isRandom}
      name={query.model.name}
      note={why ?? 'All weights, computed.'}
      lines={sizeLines}
      rules={sizedRules}
      dots={NONE}
      published={NONE}
    />
  );
}

/** Tokens per second of A and B on a device, at every density at which all shapes of the model were measured. */
function useMeasuredDots(
  { model, fusion, keepHead }: ModelQuery,
  { name, reports }: Device,
  a: FormatChoice,
  b: FormatChoice | null,
  tokens: number,
): readonly Dot[] {
  const { formats } = useApp();
  return useMemo(() => {
    const dense = { format: referenceFormat.id, params: defaultParams(referenceFormat.params) };
    const operation = operationFor(tokens);
    return [a, b].flatMap((choice): readonly Dot[] => {
      const format = formats.find(({ id }) => id === choice?.format);
      if (choice === null || format === undefined) return [];
      const hasKernel = computes(format, operation, choice.params, tokens);
      const query = { device: name, operation, tokens, stored: choice, dense, hasKernel };
      const title = storedTitle({ format, stored: choice });
      return measuredCurve(model, { format, params: choice.params, fusion, keepHead }, reports, query).map(
        ({ density, tokensPerSecond }) => ({ format: format.id, title, density, y: tokensPerSecond }),
      );
    });
  }, [formats, model, fusion, keepHead, name, reports, a, b, tokens]);
}

/** The published tokens per second of a format, and of dense in the same run. */
function publishedDots(run: ReturnType<typeof publishedRun>, format: string): readonly Dot[] {
  const dense = referenceFormat;
  return (run?.points ?? []).flatMap(({ density, tokensPerSecond, denseTokensPerSecond }) => [
    { format, title: 'published', density, y: tokensPerSecond },
    { format: dense.id, title: `${dense.title}, published`, density, y: denseTokensPerSecond },
  ]);
}
