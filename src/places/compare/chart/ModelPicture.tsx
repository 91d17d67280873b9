import { type ReactNode, useMemo } from 'react';
import { useStoredA } from '../curves/use-stored-a.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { onText } from '../../../kit/devices/DeviceLabel.tsx';
import { bandwidth } from '../../../kit/words/rates.ts';
import { roughLeft } from '../../../kit/words/shares.ts';
import { isBound } from '../../../state/devices/device.ts';
import { paramFields } from '../../../state/index.ts';
import { publishedRun } from '../../../theory/models/published-models.ts';
import { CHART_FIELDS } from '../curves/curve-choices.ts';
import type { SizeQuestion } from '../curves/variants.ts';
import type { Compared } from '../rows/compare-row.ts';
import { ChartHead } from './ChartHead.tsx';
import { denseRules, leftLines } from './lines.ts';
import { type ModelAsked, passesBelow, useModelLines } from './model-lines.ts';
import type { PictureProps } from './picture-parts.ts';
import { type SizedLine, SizePicture } from './SizePicture.tsx';
import { type Crossing, TokensPicture, type TokensDot } from './TokensPicture.tsx';
import type { Left } from '../curves/left.ts';
import { useModelSpeeds } from './use-model-speeds.ts';
import { useTypedCurves } from './use-typed-curves.ts';

interface ModelPictureProps {
  readonly compared: Compared;
  readonly asked: ModelAsked;
  readonly shown: 'size' | 'speed';
  readonly left: Left;
  readonly at: number;
  readonly picture: PictureProps;
  /** what else can be shown */
  readonly tools: ReactNode;
}

const TYPES = ['f16', 'i8', 'i4'] as const;

/** A whole model over what is left: tokens per second at most and measured, or its bytes. */
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
  // Which lines there are follows from its largest matrix; their bytes from all.
  const question = useMemo(
    (): SizeQuestion => ({ rows, cols, valueType: 'f16', placement: isEven ? 'even' : 'independent' }),
    [rows, cols, isEven],
  );
  const weights = useMemo(() => formats.filter((format) => !isOfActivations(format)), [formats]);
  const sampled = useTypedCurves(weights, params, question, TYPES);
  const curves = useMemo(() => sampled.filter(({ format }) => chosen.includes(format.id)), [sampled, chosen]);
  const flat = useMemo(() => denseRules(curves), [curves]);
  const all = useMemo(() => leftLines(curves, a, b), [curves, a, b]);
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
      const found = isAsked ? passesBelow(asked, line, 'read', i4.read) : null;
      return found === null ? [] : [{ line: line.line, rule: i4, at: found }];
    });
  }, [lines, rules, dense, asked, a.format]);

  if (shown === 'size' || readGBps === null || tokens > 1) {
    const why =
      shown === 'size'
        ? null
        : tokens > 1
          ? `How long ${tokens} tokens take has to be measured: bytes alone cannot say. Here are the bytes.`
          : `How fast ${device.name} reads is not known until something is measured on it. Here are the bytes.`;
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
        said={crossings.map(({ line, rule, at: share }, i) => ({
          before: i === 0 ? `${line.title} passes ${rule.title} once less than ` : `${line.title} `,
          strong: `${roughLeft(share)}${i === 0 ? ' is left' : ''}`,
        }))}
        note={`Line: at most, what the bytes allow at ${bandwidth(readGBps)}, ${isBound(device) ? 'published' : 'measured'}. Dot: measured, all shapes. ${run === null ? '' : `Square: published, ${run.device}, ${run.place}. `}The thumb is the word in the sentence.`}
      />
      <TokensPicture
        {...picture}
        subject={name}
        lines={lines}
        rules={rules}
        crossings={crossings}
        dots={dots}
        published={publishedDots(run, a.format)}
        readGBps={readGBps}
        on={on}
      />
    </>
  );
}

interface ModelSizeProps {
  readonly asked: ModelAsked;
  readonly lines: ReturnType<typeof useModelLines>['lines'];
  readonly rules: ReturnType<typeof useModelLines>['rules'];
  /** why it is shown though something else was asked for, as a sentence or two */
  readonly why: string | null;
  readonly picture: PictureProps;
  /** what else can be shown */
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
        title="Size against what is left"
        said={said.map(({ line, evenAt }, i) => ({
          before: `${line.title} ${i === 0 ? 'is smaller than f16 ' : ''}`,
          strong: evenAt === null ? 'at every share' : `below ${roughLeft(evenAt)}`,
        }))}
        note={why ?? 'Line: expected. All weights, with what stays dense. The thumb is the word in the sentence.'}
      />
      <SizePicture
        {...picture}
        subject={asked.model.name}
        lines={sized}
        rules={across}
        dots={[]}
        published={[]}
        others={[]}
      />
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

/** Activations exist in bf16 alone. */
function isOfActivations({ params }: ReturnType<typeof useApp>['formats'][number]): boolean {
  const field = paramFields(params).find(([name]) => name === 'valueType')?.[1];
  return field?.kind === 'choice' && field.options.every(({ value }) => value === 'bf16');
}
