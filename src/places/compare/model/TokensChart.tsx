import { useMemo } from 'react';
import { scaleLinear } from 'd3';
import { largest } from '../../../core/number/statistics.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { publishedRun } from '../../../theory/models/published-models.ts';
import type { Axis } from '../../../kit/charts/axis.ts';
import { Chart } from '../../../kit/charts/Chart.tsx';
import type { ChartNote } from '../../../kit/charts/ChartNotes.tsx';
import { type ChartCursor, linearSteps } from '../../../kit/charts/cursor.ts';
import type { Rule, Series } from '../../../kit/charts/series.ts';
import { DENSITIES } from './model-choices.ts';
import { fasterBelow, tokensPerSecond } from './model-view.ts';
import { tokensFigures } from './tokens-figures.ts';
import type { ModelPageState } from './use-model.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { density } from '../../../kit/words/quantity.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { oneDecimal } from '../../../kit/words/rates.ts';

const X: Axis = {
  scale: 'linear',
  domain: [0, 1],
  ticks: [0, 0.2, 0.4, 0.6, 0.8, 1],
  text: String,
  title: 'density',
};

const WORDS = { this: 'here', recorded: 'recorded', report: 'measured', published: '', typed: '' } as const;

/** Tokens per second by density: measured, allowed by bytes, and published. The thumb is the slider's. */
export function TokensChart({ state }: { readonly state: ModelPageState }) {
  const { view, format, title, curve, limit, choices, choose } = state;
  const { model, storage } = view;
  const published = view.tokens === 1 ? publishedRun(format.source?.url, model.name) : null;
  const dense = view.dense === null ? null : tokensPerSecond(view.dense, view.tokens);
  const faster = dense !== null && view.dense?.from === 'measured' ? fasterBelow(curve, dense) : null;
  const color = cssColorOf(format.id);
  const textColor = cssTextColorOf(format.id);
  const reads = view.reads;
  const here = `${title} ${WORDS[state.shown.device.kind]}`;

  const series = useMemo((): readonly Series[] => {
    const all: Series[] = [
      {
        id: 'limit',
        kind: reads?.from === 'published' ? 'predicted' : 'limit',
        title: 'limit by bytes',
        color,
        points: limit.map((p) => ({ x: p.density, y: p.tokensPerSecond })),
        group: format.id,
      },
      {
        id: 'here',
        kind: 'measured',
        title: here,
        color,
        textColor,
        points: curve.map((p) => ({ x: p.density, y: p.tokensPerSecond })),
        group: format.id,
      },
      {
        id: 'published',
        kind: 'published',
        title: published ? `published: ${published.device}` : null,
        color,
        points: (published?.points ?? []).map((p) => ({ x: p.density, y: p.tokensPerSecond })),
        group: 'published',
      },
    ];
    return all.filter(({ points }) => points.length > 0);
  }, [limit, curve, published, color, textColor, format, reads?.from, here]);

  const most = largest(
    [
      ...curve.map((p) => p.tokensPerSecond),
      ...(published?.points ?? []).map((p) => p.tokensPerSecond),
      ...(dense === null ? [] : [dense * 1.6]),
      ...(curve.length === 0 ? limit.filter((p) => p.density >= 0.25).map((p) => p.tokensPerSecond) : []),
    ],
    0,
  );
  const y = useMemo((): Axis => {
    const scale = scaleLinear([0, most * 1.08], [0, 1]).nice(5);
    return {
      scale: 'linear',
      domain: [0, scale.domain()[1]],
      ticks: scale.ticks(5),
      text: String,
      title: 'tokens per second',
    };
  }, [most]);
  if (series.length === 0) {
    return (
      <Section title="Tokens per second" level={3}>
        <p className="faint">Nothing is measured yet.</p>
      </Section>
    );
  }

  const denseColor = cssColorOf(referenceFormat.id);
  const publishedDense = published?.points.at(0)?.denseTokensPerSecond ?? null;
  const rules: Rule[] = [
    ...(dense === null
      ? []
      : [
          {
            id: 'reference',
            at: dense,
            title: `dense ${view.dense?.from === 'bytes' ? '≈ ' : ''}${oneDecimal(dense)}`,
            kind: view.dense?.from === 'measured' ? ('solid' as const) : ('dotted' as const),
            color: denseColor,
          },
        ]),
    ...(publishedDense === null
      ? []
      : [
          {
            id: 'published reference',
            at: publishedDense,
            title: `dense there ${oneDecimal(publishedDense)}`,
            kind: 'dotted' as const,
          },
        ]),
  ];
  const at = curve.find((p) => Math.abs(p.density - choices.density) < 1e-9);
  const notes: ChartNote[] = [
    ...(at ? [{ x: at.density, y: at.tokensPerSecond, text: oneDecimal(at.tokensPerSecond), color: textColor }] : []),
    ...(faster === null || dense === null ? [] : [{ x: faster, y: dense, text: `faster below ${density(faster, 2)}` }]),
  ];
  const cursor: ChartCursor = {
    at: choices.density,
    label: 'density',
    text: `density ${density(choices.density, 2)}`,
    step: (at, steps) => within(linearSteps(DENSITIES.step)(at, steps)),
    onMove: (at) => choose({ density: within(Math.round(at * 100) / 100) }),
  };
  const heading = {
    title: `${model.name} in ${title}: tokens per second at most, against density`,
    caption: `matrices alone, ${view.tokens === 1 ? 'one token at a time' : `${view.tokens} tokens at once`}${state.device === null ? '' : `, ${state.device}`}`,
  };
  const figures = (): ReturnType<typeof tokensFigures> => tokensFigures({ title, curve, limit, published });
  const spoken = [
    ...curve.map((p) => `measured ${oneDecimal(p.tokensPerSecond)} at density ${p.density}`),
    ...(dense === null ? [] : [`dense ${oneDecimal(dense)}`]),
    ...(published ? [`published for the ${published.device}: ${published.points.length} densities`] : []),
  ].join(', ');
  return (
    <Section title="Tokens per second" aside="at most, against density" level={3}>
      <Chart
        id="tokens-by-density"
        heading={heading}
        spoken={`Tokens per second of ${model.name} against density, ${storage.fusion}: ${spoken}.`}
        x={X}
        y={y}
        series={series}
        rules={rules}
        notes={notes}
        cursor={cursor}
        figures={figures}
      />
    </Section>
  );
}

function within(density: number): number {
  return Math.min(DENSITIES.max, Math.max(DENSITIES.min, density));
}
