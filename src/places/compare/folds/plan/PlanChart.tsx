import { useMemo } from 'react';
import { type Axis, powersBetween } from '../../../../kit/charts/axis.ts';
import { Chart } from '../../../../kit/charts/Chart.tsx';
import type { Rule, Series } from '../../../../kit/charts/series.ts';
import { oneDecimal } from '../../../../kit/words/rates.ts';
import { percent } from '../../../../kit/words/quantity.ts';
import { leftText } from '../../../../kit/words/shares.ts';
import type { ModelPlan, ModelPlans } from './model-plans.ts';
import type { Budget } from './plan-json.ts';
import { bitsText, planName, tokensOf } from './plan-words.ts';

interface PlanChartProps {
  readonly model: string;
  readonly plans: ModelPlans;
  /** null: none keeps to the budget */
  readonly chosen: ModelPlan | null;
  readonly budget: Budget;
}

/** Bits below which a loss is drawn at the bottom: nothing that 400 tales could show. */
const LEAST_BITS = 0.01;

/** Bits up to which a plan has its name: beyond, no tale is told without a mistake. */
const MOST_NAMED = 20;

const TITLES = { measured: 'measured', added: 'added up, at least', left: 'loss not known' } as const;
const COLORS = { measured: 'var(--text)', added: 'var(--text-muted)', left: 'var(--text)' } as const;

/** All plans worth choosing: what they take along, what they lose upwards, and the one within the budget. */
export function PlanChart({ model, plans: { plans, sure, cost, denseBytes }, chosen, budget }: PlanChartProps) {
  const isLeft = plans[0]?.kind === 'left';
  const xOf = (plan: ModelPlan): number => (cost === 'us' ? (tokensOf(plan) ?? 0) : plan.bytes / denseBytes);
  const yOf = (loss: number): number => (isLeft ? 1 - loss : Math.max(LEAST_BITS, loss));
  const x = useMemo((): Axis => {
    const most = cost === 'us' ? Math.max(1, ...plans.map((plan) => tokensOf(plan) ?? 0)) : 1; // bounded: 400 mixes and a few more
    const step = cost === 'us' ? niceStep(most) : 0.2;
    const end = Math.ceil(most / step) * step;
    return {
      scale: 'linear',
      domain: [0, end],
      ticks: Array.from({ length: Math.round(end / step) + 1 }, (_, i) => i * step),
      text: (value) => (cost === 'us' ? String(Math.round(value)) : percent(value, 0)),
      title: cost === 'us' ? 'tokens a second, at most: matrices alone' : 'bytes, of dense f16',
    };
  }, [plans, cost]);
  const y = useMemo((): Axis => {
    if (isLeft) {
      const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1];
      return { scale: 'linear', domain: [0, 1], ticks, text: (v) => percent(v, 0), title: 'left of every matrix' };
    }
    const most = Math.max(10, ...plans.map(({ loss }) => loss)); // bounded: as above
    const end = 10 ** Math.ceil(Math.log10(most));
    const text = (value: number): string => (value <= LEAST_BITS ? `≤ ${LEAST_BITS}` : bitsText(value));
    const ticks = powersBetween(LEAST_BITS, end);
    return { scale: 'log', domain: [LEAST_BITS, end], ticks, text, title: 'bits a tale lost' };
  }, [plans, isLeft]);
  const series = (['measured', 'added', 'left'] as const).flatMap((kind): Series[] => {
    const all = kind === 'added' ? plans : sure.plans;
    const points = all.filter((plan) => plan.kind === kind).map((plan) => ({ x: xOf(plan), y: yOf(plan.loss) }));
    if (points.length === 0) return [];
    // Lines only where plans are many: between two that were measured nothing is known.
    const drawn = kind === 'added' ? 'predicted' : kind === 'left' && cost === 'bytes' ? 'encoded' : 'measured';
    const join = kind === 'added' ? 'straight' : 'none';
    return [{ id: kind, kind: drawn, title: TITLES[kind], color: COLORS[kind], points, join }];
  });
  const rules: readonly Rule[] =
    budget.of === 'bytes'
      ? []
      : [
          {
            id: 'budget',
            at: yOf(budget.of === 'loss' ? budget.bitsATale : 1 - budget.least),
            title: 'budget',
            kind: 'dotted',
          },
        ];
  const notes = sure.plans.flatMap((plan) => {
    const text = plan.loss > MOST_NAMED ? null : planName(plan);
    return text === null ? [] : [{ x: xOf(plan), y: yOf(plan.loss), text }];
  });
  const title = cost === 'us' ? 'Plans by tokens a second' : 'Plans by bytes';
  return (
    <Chart
      id="plans"
      heading={{ title: `${title}: ${model}`, caption: isLeft ? 'losses not measured' : 'bits a tale lost' }}
      spoken={`${title}: ${plans.length} plans of ${model}, of which no other is better in both. ${chosen ? `The chosen one is at ${x.text(xOf(chosen))}, ${y.text(yOf(chosen.loss))}.` : 'None keeps to the budget.'}`}
      x={x}
      y={y}
      height={300}
      series={series}
      rules={rules}
      notes={notes}
      figures={() => ({
        head: [
          '',
          'bytes',
          'tokens a second, at most',
          isLeft ? 'left of every matrix' : 'bits a tale lost',
          'at most',
        ],
        rows: plans.map((plan, i) => {
          const tokens = tokensOf(plan);
          const values = [Math.round(plan.bytes), tokens, isLeft ? 1 - plan.loss : plan.loss, plan.most];
          return {
            name: `${i + 1}, ${TITLES[plan.kind]}`,
            cells: [
              String(values[0]),
              tokens === null ? '–' : oneDecimal(tokens),
              isLeft ? leftText(1 - plan.loss) : bitsText(plan.loss),
              plan.most === null ? '–' : bitsText(plan.most),
            ],
            values: [`${i + 1}`, ...values],
          };
        }),
      })}
    >
      {(plot) => (
        <>
          {budget.of === 'bytes' && (
            <line
              className="plot-dotted"
              x1={plot.x(budget.shareOfF16)}
              x2={plot.x(budget.shareOfF16)}
              y1={plot.top}
              y2={plot.bottom}
            />
          )}
          {chosen && chosen.kind === 'added' && chosen.most !== null && (
            <line
              className="plan-interval"
              x1={plot.x(xOf(chosen))}
              x2={plot.x(xOf(chosen))}
              y1={plot.y(yOf(chosen.loss))}
              y2={plot.y(yOf(chosen.most))}
            />
          )}
          {chosen && <circle className="plan-chosen" cx={plot.x(xOf(chosen))} cy={plot.y(yOf(chosen.loss))} r={7} />}
        </>
      )}
    </Chart>
  );
}

/** A step of 1, 2 or 5 times a power of ten that cuts `most` into at most eight. */
function niceStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 8));
  return ([1, 2, 5, 10].find((step) => step * power * 8 >= most) ?? 10) * power;
}
