import { memo, type ReactNode, useMemo } from 'react';
import { useStoredA } from '../curves/use-stored-a.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { onText } from '../../../kit/devices/DeviceLabel.tsx';
import { bandwidth, oneDecimal } from '../../../kit/words/rates.ts';
import { leftText } from '../../../kit/words/shares.ts';
import { isBound } from '../../../state/devices/device.ts';
import { isForWeights } from '../model/model-choices.ts';
import { publishedRun } from '../../../theory/models/published-models.ts';
import { CHART_FIELDS } from '../curves/curve-choices.ts';
import type { SizeQuestion } from '../curves/variants.ts';
import type { ComparedFormats } from '../rows/compare-row.ts';
import { ChartHead } from './ChartHead.tsx';
import { crossingWords, sizeWords } from './chart-words.ts';
import { denseRules, type SizeLine, sizeLines } from './lines.ts';
import { type ModelQuery, type ModelLine, type ModelRule, passesBelow, useModelLines } from './model-lines.ts';
import { crossingNote, lookOf, type PictureProps } from './picture-parts.ts';
import { SIZE_TITLE, type SizedLine, sizeFacts, SizePicture } from './SizePicture.tsx';
import type { ShareLeft } from '../curves/pruning-shares.ts';
import { useModelSpeeds } from './use-model-speeds.ts';
import { useTypedCurves } from '../curves/use-typed-curves.ts';
import { scaleLinear } from 'd3-scale';
import { largest } from '../../../core/number/statistics.ts';
import type { Axis } from '../../../kit/charts/axis.ts';
import { Chart } from '../../../kit/charts/Chart.tsx';
import type { ChartFigures } from '../../../kit/charts/chart-csv.ts';
import type { ChartNote } from '../../../kit/charts/ChartNotes.tsx';
import type { ChartPoint, Rule, Series } from '../../../kit/charts/series.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { LEFT_AXIS } from '../curves/left-axis.ts';
import { atShare, GRID } from '../curves/size-curves.ts';
import { EndNames } from './EndNames.tsx';
import { ThumbText } from '../../../kit/charts/ThumbText.tsx';

interface TokensDot {
  readonly format: string;
  readonly title: string;
  readonly left: number;
  readonly tokensPerSecond: number;
}

interface Crossing {
  readonly line: SizeLine;
  readonly rule: ModelRule;
  readonly at: number;
}

interface TokensPictureProps extends PictureProps {
  /** 'Llama-3.1-8B' */
  readonly subject: string;
  readonly lines: readonly ModelLine[];
  readonly rules: readonly ModelRule[];
  readonly crossings: readonly Crossing[];
  readonly dots: readonly TokensDot[];
  readonly published: readonly TokensDot[];
  /** name of the device, following 'on' */
  readonly on: string;
}

/** Tokens per second by weights left: lines are upper bounds from bytes and dispatches; dots were measured. */
export const TokensPicture = memo(function TokensPicture(props: TokensPictureProps) {
  const { subject, lines, rules, crossings, dots, published, on, cursor, narrow = false } = props;
  const y = useMemo((): Axis => {
    const flat = rules.map(({ ns }) => rate(ns));
    // bounded: a few rules and measurements
    const max = largest([1, ...flat, ...[...dots, ...published].map(({ tokensPerSecond }) => tokensPerSecond)]);
    const nice = scaleLinear([0, 1.3 * max], [0, 1]).nice(4);
    const [min, top] = nice.domain();
    const title = 'tokens/s';
    return { scale: 'linear', domain: [min, top], ticks: nice.ticks(4), text: String, title };
  }, [rules, dots, published]);
  const series = useMemo(
    () => [
      ...lines.map(({ line, sizes }): Series => ({
        ...lookOf(line),
        // A line that ends before the others is labelled at its end.
        title: !narrow && sizes[sizes.length - 1] === null ? null : line.title,
        points: ratesOf(sizes),
      })),
      ...dotSeries(published, 'published'),
      ...dotSeries(dots, 'encoded'),
    ],
    [lines, dots, published, narrow],
  );
  const ends = useMemo(
    () =>
      lines
        .filter(({ sizes }) => sizes[sizes.length - 1] === null)
        .map(({ line, sizes }) => ({
          key: line.key,
          title: line.title,
          color: cssTextColorOf(line.curve.variant.format.id),
          points: ratesOf(sizes),
        })),
    [lines],
  );
  const across = useMemo(
    () =>
      rules.map(({ id, title, ns }): Rule => ({
        id,
        title,
        at: rate(ns),
        kind: id === 'f16' ? 'solid' : 'dotted',
      })),
    [rules],
  );
  const notes = useMemo(
    () => [
      ...crossings.map(({ line, rule, at }): ChartNote => crossingNote(at, rate(rule.ns), line)),
      ...dots
        .filter(({ left }) => left === cursor.at)
        .map(({ format, title, left, tokensPerSecond }): ChartNote => ({
          x: left,
          y: tokensPerSecond,
          text: `${title} measured ${oneDecimal(tokensPerSecond)}`,
          color: cssTextColorOf(format),
        })),
    ],
    [crossings, dots, cursor.at],
  );
  const said = [
    ...across.map(({ title, at }) => `${title} at most ${oneDecimal(at)}`),
    ...dots.map(({ title, left, tokensPerSecond }) => {
      return `${title} with ${leftText(left)} left measured ${oneDecimal(tokensPerSecond)}`;
    }),
  ];
  return (
    <Chart
      id="tokens-by-left"
      heading={{
        title: `${subject}: tokens per second over what is left`,
        caption: `lines: at most, by bytes and dispatches, ${on}`,
      }}
      spoken={`Tokens per second of ${subject} over what is left: ${said.join(', ')}.`}
      x={LEFT_AXIS}
      y={y}
      height={props.height}
      series={series}
      rules={across}
      notes={notes}
      cursor={cursor}
      strong={props.strong}
      onStrong={props.onStrong}
      figures={() => tokenFigures(props)}
    >
      {(plot) => (
        <>
          {/* On a phone the legend has all of them. */}
          {!narrow && <EndNames plot={plot} ends={ends} rules={across} domain={y.domain} at={cursor.at} />}
          <ThumbText plot={plot} at={cursor.at} />
        </>
      )}
    </Chart>
  );
});

function ratesOf(sizes: ModelLine['sizes']): readonly ChartPoint[] {
  return GRID.flatMap((x, i) => {
    const size = sizes[i];
    return size === null ? [] : [{ x, y: rate(size.ns) }];
  });
}

function rate(ns: number): number {
  return 1e9 / ns;
}

function dotSeries(dots: readonly TokensDot[], kind: 'encoded' | 'published'): readonly Series[] {
  return [...new Set(dots.map(({ title }) => title))].map((title): Series => {
    const own = dots.filter((dot) => dot.title === title);
    return {
      id: title,
      kind,
      title: null,
      group: own[0].format,
      color: cssColorOf(own[0].format),
      textColor: cssTextColorOf(own[0].format),
      points: own.map(({ left, tokensPerSecond }) => ({ x: left, y: tokensPerSecond })),
    };
  });
}

const TABLE = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

export function tokenFigures({ lines, rules, dots, published }: TokensPictureProps): ChartFigures {
  const all = [
    ...dots.map((dot) => ({ ...dot, name: `${dot.title}, measured` })),
    ...published.map((dot) => ({ ...dot, name: `${dot.title}, published` })),
  ];
  const names = [...new Set(all.map(({ name }) => name))];
  const shares = [...new Set([...TABLE, ...all.map(({ left }) => left)])].toSorted((a, b) => a - b);
  return {
    head: [
      'left',
      ...lines.map(({ line }) => `${line.title}, at most`),
      ...rules.map(({ title }) => `${title}, at most`),
      ...names,
    ],
    rows: shares.map((left) => {
      const values = [
        ...lines.map(({ sizes }) => {
          const ns = atShare(
            sizes.map((size) => size?.ns ?? Number.NaN),
            left,
          );
          return Number.isNaN(ns) ? null : rate(ns);
        }),
        ...rules.map(({ ns }) => rate(ns)),
        ...names.map(
          (name) => all.find((dot) => dot.name === name && Math.abs(dot.left - left) < 1e-9)?.tokensPerSecond ?? null,
        ),
      ];
      return {
        name: leftText(left),
        cells: values.map((value) => (value === null ? '–' : oneDecimal(value))),
        values: [left, ...values],
      };
    }),
  };
}

interface ModelPictureProps {
  readonly compared: ComparedFormats;
  readonly asked: ModelQuery;
  readonly shown: 'size' | 'speed';
  readonly left: ShareLeft;
  readonly at: number;
  readonly picture: PictureProps;
  readonly tools: ReactNode;
}

const TYPES = ['f16', 'i8', 'i4'] as const;

/** A whole model by weights left: tokens per second, as an upper bound and measured, or its bytes. */
export function ModelPicture({ compared, asked, shown, left, at, picture, tools }: ModelPictureProps) {
  const { formats } = useApp();
  const [{ formats: chosen, beside }] = useChoices(CHART_FIELDS);
  const summary = useSession((s) => s.summary);
  const status = useSession((s) => s.device);
  const a = useStoredA();
  const b = useDocument((doc) => doc.against);
  const params = useDocument((doc) => doc.params);
  const tokens = useDocument((doc) => doc.tokens);
  const [rows, cols] = [summary?.rows ?? 0, summary?.cols ?? 0];
  const isEven = left.pruning?.way === 'n-of-m';
  // Its largest matrix decides which lines there are; their bytes include all matrices.
  const question = useMemo(
    (): SizeQuestion => ({ rows, cols, valueType: 'f16', placement: isEven ? 'even' : 'independent' }),
    [rows, cols, isEven],
  );
  const weights = useMemo(() => formats.filter(isForWeights), [formats]);
  const sampled = useTypedCurves(weights, params, question, TYPES);
  const curves = useMemo(() => sampled.filter(({ format }) => chosen.includes(format.id)), [sampled, chosen]);
  const flat = useMemo(() => denseRules(curves), [curves]);
  const all = useMemo(() => sizeLines(curves, a, b), [curves, a, b]);
  const { lines, rules } = useModelLines(asked, all, flat);
  const { device } = compared.shown;
  const speeds = useModelSpeeds(asked, device);
  const { readGBps } = compared;
  const dense = rules[0] ?? null;
  const { name } = asked.model;

  const crossings = useMemo(() => {
    const i4 = rules.at(-1);
    if (i4 === undefined || i4 === dense) return [];
    return lines.flatMap((line): readonly Crossing[] => {
      const { side, isQuantised, curve } = line.line;
      const isAsked = side !== null || (isQuantised && curve.variant.format.id === a.format);
      const found = isAsked ? passesBelow(asked, line, 'ns', i4.ns) : null;
      return found === null ? [] : [{ line: line.line, rule: i4, at: found }];
    });
  }, [lines, rules, dense, asked, a.format]);

  if (shown === 'size' || readGBps === null || tokens > 1) {
    const why =
      shown === 'size'
        ? null
        : tokens > 1
          ? `How long ${tokens} tokens take is unmeasured.`
          : `How fast ${device.name} reads was not measured.`;
    return <ModelSize asked={asked} lines={lines} rules={rules} why={why} picture={picture} tools={tools} />;
  }
  const dots = [
    ...dotsOf(speeds.a, a.format),
    ...(speeds.b === null ? [] : dotsOf(speeds.b, b?.format ?? '')),
    ...compared.rows.flatMap(({ format, detail, stored, measuredNs }): readonly TokensDot[] =>
      measuredNs === null || stored.format === a.format || stored.format === b?.format
        ? []
        : [{ format: format.id, title: `${format.title} ${detail}`, left: at, tokensPerSecond: 1e9 / measuredNs }],
    ),
  ];
  const run = beside.includes('published') ? publishedRun(sourceOf(formats, a.format), name) : null;
  const on = onText(device, status);
  return (
    <>
      <ChartHead
        tools={tools}
        title="Tokens per second"
        said={crossingWords(
          crossings.map(({ line, rule, at: share }) => ({ title: line.title, rule: rule.title, at: share })),
        )}
        marks={[
          [
            'expected',
            `at most: reading the bytes at ${bandwidth(readGBps)}${isBound(device) ? ' (published)' : ''}, and starting kernels`,
          ],
          ...(dots.length > 0 ? [['encoded', 'measured'] as const] : []),
          ...(run === null ? [] : [['published', `published, ${run.device}, ${run.place}`] as const]),
        ]}
      />
      <TokensPicture
        {...picture}
        subject={name}
        lines={lines}
        rules={rules}
        crossings={crossings}
        dots={dots}
        published={publishedDots(run, a.format)}
        on={on}
      />
    </>
  );
}

interface ModelSizeProps {
  readonly asked: ModelQuery;
  readonly lines: ReturnType<typeof useModelLines>['lines'];
  readonly rules: ReturnType<typeof useModelLines>['rules'];
  /** why it is shown instead of the chosen picture, in a sentence or two */
  readonly why: string | null;
  readonly picture: PictureProps;
  readonly tools: ReactNode;
}

function ModelSize({ asked, lines, rules, why, picture, tools }: ModelSizeProps) {
  const dense = rules[0]?.stored ?? 1;
  const sized = useMemo(
    () =>
      lines.map((line): SizedLine => ({
        line: line.line,
        sizes: line.sizes.map((size) => (size === null ? Number.NaN : size.stored / dense)),
        evenAt: passesBelow(asked, line, 'stored', dense),
      })),
    [lines, asked, dense],
  );
  const across = useMemo(
    () => rules.map(({ id, title, stored }) => ({ id, title, size: stored / dense })),
    [rules, dense],
  );
  const said = sized.filter(({ line }) => line.side !== null);
  return (
    <>
      <ChartHead
        tools={tools}
        title={SIZE_TITLE}
        said={sizeWords(said.map(sizeFacts))}
        note={why ?? 'All weights, computed.'}
      />
      <SizePicture {...picture} subject={asked.model.name} lines={sized} rules={across} dots={[]} published={[]} />
    </>
  );
}

function dotsOf({ measured, title }: ReturnType<typeof useModelSpeeds>['a'], format: string): readonly TokensDot[] {
  return measured.map(({ density, tokensPerSecond }) => ({ format, title, left: density, tokensPerSecond }));
}

function publishedDots(run: ReturnType<typeof publishedRun>, format: string): readonly TokensDot[] {
  return (run?.points ?? []).flatMap(({ density, tokensPerSecond, denseTokensPerSecond }) => [
    { format, title: 'published', left: density, tokensPerSecond },
    {
      format: referenceFormat.id,
      title: `${referenceFormat.title}, published`,
      left: density,
      tokensPerSecond: denseTokensPerSecond,
    },
  ]);
}

function sourceOf(formats: ReturnType<typeof useApp>['formats'], id: string): string | undefined {
  return formats.find((format) => format.id === id)?.source?.url;
}
