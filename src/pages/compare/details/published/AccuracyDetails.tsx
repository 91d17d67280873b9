import { capitalised } from '../../../../core/text/words.ts';
import { Chart } from '../../../../kit/charts/Chart.tsx';
import type { Axis } from '../../../../kit/charts/axis.ts';
import type { ChartLabel } from '../../../../kit/charts/ChartWords.tsx';
import type { Series } from '../../../../kit/charts/series.ts';
import { Section } from '../../../../kit/controls/Section.tsx';
import { percent, THIN } from '../../../../kit/words/quantity.ts';
import { densityText } from '../../../../kit/words/shares.ts';
import { L1_ACCURACY, PRUNED_ACCURACY, PRUNED_PERPLEXITY } from '../../../../theory/models/published-losses.ts';

/** Height of each chart, px. */
const HEIGHT = 220;

/** The vertical axis of both charts, so that they can be compared. */
const ACCURACY: Axis = {
  scale: 'linear',
  domain: [0, 60],
  ticks: [0, 20, 40, 60],
  text: accuracyText,
  title: 'mean accuracy',
};

/** Distance from a point to its label, in percentage points. */
const LABEL_DISTANCE = 6;

/** The section 'what pruning costs in accuracy': how much pruned language models lose, as papers report it. */
export function AccuracyDetails() {
  return (
    <div className="published">
      <PrunedWeights />
      <SparseActivations />
    </div>
  );
}

const DENSITY: Axis = {
  scale: 'linear',
  domain: [0.4, 1.12],
  ticks: PRUNED_ACCURACY.points.map(({ density }) => density).toReversed(),
  text: densityText,
  title: 'density',
};

const BY_PATTERN: readonly Series[] = [
  {
    id: 'accuracy',
    kind: 'published',
    title: null,
    color: 'var(--text)',
    points: PRUNED_ACCURACY.points.map(({ density, accuracy }) => ({ x: density, y: accuracy })),
  },
];

const PATTERN_LABELS: readonly ChartLabel[] = PRUNED_ACCURACY.points.map(({ pruning, density, accuracy }) => ({
  x: density,
  y: accuracy + LABEL_DISTANCE,
  text: `${pruning} ${accuracyText(accuracy, 1)}`,
}));

/** Accuracy of a language model by the pattern that its weights were pruned to. */
function PrunedWeights() {
  const { model, measure, points, source } = PRUNED_ACCURACY;
  const [unpruned, ...pruned] = points;
  const perplexity = PRUNED_PERPLEXITY;
  return (
    <Section level={3} title="Pruned weights" caption={`${model}, published`}>
      <Chart
        id="accuracy-by-pattern"
        heading={{ title: 'Accuracy by pruned weights', caption: `${model}, ${source.title}, ${source.place}` }}
        spoken={`${model} with nothing pruned answers ${accuracyText(unpruned.accuracy, 1)} right; ${pruned.map((p) => `pruned to ${p.pruning}, ${accuracyText(p.accuracy, 1)}`).join('; ')}.`}
        x={DENSITY}
        y={ACCURACY}
        height={HEIGHT}
        series={BY_PATTERN}
        labels={PATTERN_LABELS}
        table={() => ({
          head: ['pruned to', 'density', 'accuracy, %'],
          rows: points.map(({ pruning, density, accuracy }) => ({
            name: pruning,
            cells: [densityText(density), accuracy.toFixed(1)],
            values: [pruning, density, accuracy],
          })),
        })}
      />
      <p className="field-hint">
        {capitalised(measure)}: <Source {...source} />. {perplexity.model}, {densityText(perplexity.density)} left by{' '}
        {perplexity.pruning}: {perplexity.measure} {perplexity.pruned.toFixed(1)} instead of{' '}
        {perplexity.dense.toFixed(2)}: <Source {...perplexity.source} />.
      </p>
    </Section>
  );
}

/** Horizontal offset of the two points of a model, which would otherwise overlap, in billions of parameters. */
const MARK_OFFSET = 0.05;

const PARAMETERS: Axis = {
  scale: 'linear',
  domain: [0.25, 2.25],
  ticks: L1_ACCURACY.points.map(({ parameters }) => parameters),
  text: (billions) => `${billions}B`,
  title: 'parameters',
};

const BY_TERM: readonly Series[] = [
  {
    id: 'without',
    kind: 'published',
    title: 'without L1',
    color: 'var(--text-quiet)',
    textColor: 'var(--text-muted)',
    points: L1_ACCURACY.points.map(({ parameters, without }) => ({ x: parameters - MARK_OFFSET, y: without })),
  },
  {
    id: 'with',
    kind: 'published',
    title: 'with L1',
    color: 'var(--text)',
    textColor: 'var(--text)',
    points: L1_ACCURACY.points.map(({ parameters, withL1 }) => ({ x: parameters + MARK_OFFSET, y: withL1 })),
  },
];

const ACCURACY_LABELS: readonly ChartLabel[] = L1_ACCURACY.points.map(({ parameters, without, withL1 }, i) => ({
  x: parameters,
  // Alternately above and below: a narrow chart has no space side by side.
  y: i % 2 === 0 ? Math.max(without, withL1) + LABEL_DISTANCE : Math.min(without, withL1) - LABEL_DISTANCE,
  text: `${without}, ${withL1}`,
}));

/** Accuracy of language models trained without and with an L1 term on their activations. */
function SparseActivations() {
  const { measure, points, gate, source } = L1_ACCURACY;
  return (
    <Section level={3} title="Sparse activations" caption="L1 in training, published">
      <Chart
        id="accuracy-by-l1"
        heading={{
          title: 'Accuracy without and with an L1 term',
          caption: `language models, ${source.title}, ${source.place}`,
        }}
        spoken={`Without and with an L1 term, ${points.map((p) => `${p.parameters}B parameters: ${p.without} and ${accuracyText(p.withL1)} right`).join('; ')}.`}
        x={PARAMETERS}
        y={ACCURACY}
        height={HEIGHT}
        series={BY_TERM}
        labels={ACCURACY_LABELS}
        table={() => ({
          head: ['parameters', 'accuracy without L1, %', 'with L1, %'],
          rows: points.map(({ parameters, without, withL1 }) => ({
            name: `${parameters}B`,
            cells: [without.toFixed(1), withL1.toFixed(1)],
            values: [parameters * 1e9, without, withL1],
          })),
        })}
      />
      <p className="field-hint">
        {capitalised(measure)}: <Source {...source} />. With {gate.parameters}B parameters, {gate.withL1} of{' '}
        {gate.neurons} neurons fire for a token instead of {gate.without}; over {percent(gate.dead, 0)} never do.
      </p>
    </Section>
  );
}

function Source({ title, place, url }: { readonly title: string; readonly place: string; readonly url: string }) {
  return (
    <>
      <a href={url} rel="noreferrer">
        {title}
      </a>
      , {place}
    </>
  );
}

function accuracyText(accuracy: number, digits?: number): string {
  return `${digits === undefined ? accuracy : accuracy.toFixed(digits)}${THIN}%`;
}
