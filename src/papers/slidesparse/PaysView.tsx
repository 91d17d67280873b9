import { countText } from '../../core/text/words.ts';
import { largest, smallest } from '../../core/number/statistics.ts';
import type { BenchReport } from '../../core/report.ts';
import { gammaOf } from '../../theory/sliding-windows.ts';
import { Narration } from '../../kit/stage/Narration.tsx';
import { ratio as ratioText } from '../../kit/words/quantity.ts';
import { formulaOf } from '../../kit/report/operation-words.ts';
import { SLIDING_FORMAT } from './group-details.ts';
import { type Payoff, payoffWords, TENSOR_CORE_ALPHA } from './pays.ts';
import { domainOf } from '../../kit/charts/axis.ts';
import { Chart } from '../../kit/charts/Chart.tsx';
import { BREAK_EVEN_RULES, type Series } from '../../kit/charts/series.ts';
import { hasArithmeticLimits } from '../../kit/report/report-view.ts';
import { speedCaption, speedLines, speedAxis } from '../../kit/report/SweepChart.tsx';
import { cssColorOf } from '../../kit/format-color.ts';
import { SectionHead } from '../../kit/controls/Section.tsx';

/** Points of a predicted curve from one pattern to the next. */
const STEPS = 8;

const QUESTION = 'When does it pay?';
const PUBLISHED = 'published, A100';
const WITH_TENSOR_CORES = 'with an alpha of 2';

/**
 * When SlideSparse pays off: a chart of its speed against dense, by pattern: measured, published, and predicted, which
 * is alpha / gamma. Alpha: the measured speed of 2:4 against dense; gamma: how many times as long sliding makes a row.
 */
export function PaysView({ payoff, report }: { readonly payoff: Payoff; readonly report: BenchReport }) {
  const { alpha, patterns, breakEven } = payoff;
  const halfGroups = patterns.map((p) => p.halfGroup);
  const from = smallest(halfGroups);
  const to = largest(halfGroups);
  /** positions on the x axis at which the predicted curves are computed */
  const curveHalfGroups = Array.from({ length: (to - from) * STEPS + 1 }, (_, i) => from + i / STEPS);
  const nameOf = (halfGroup: number): string => `${2 * halfGroup - 2}:${2 * halfGroup}`;
  const published = patterns.flatMap((p) => (p.published === null ? [] : [{ x: p.halfGroup, y: p.published }]));
  const points = patterns.map((p) => p.measured);
  const lines: readonly Series[] = [
    ...speedLines(SLIDING_FORMAT, 'measured', points),
    {
      kind: 'predicted',
      id: 'alpha',
      title: 'alpha / gamma',
      color: cssColorOf(SLIDING_FORMAT),
      points: curveHalfGroups.map((n) => ({ x: n, y: alpha / gammaOf(n) })),
    },
    {
      kind: 'predicted',
      id: 'tensor cores',
      title: WITH_TENSOR_CORES,
      color: 'var(--text-quiet)',
      points: curveHalfGroups.map((n) => ({ x: n, y: TENSOR_CORE_ALPHA / gammaOf(n) })),
    },
    ...(published.length === 0
      ? []
      : ([
          { kind: 'published', id: 'a100', title: PUBLISHED, color: 'var(--text-muted)', points: published },
        ] as const)),
  ];
  const heading = { title: QUESTION, caption: speedCaption(hasArithmeticLimits(report), report) };
  const isInside = breakEven !== null && breakEven > from && breakEven < to;
  const spoken = patterns.map(
    (p) => `${p.pattern} measured ${ratioText(p.measured.ratio)}, predicted ${ratioText(p.predicted)}`,
  );
  return (
    <section className="sweep mt-8" aria-label={QUESTION}>
      <SectionHead {...heading} />
      <div className="bench-verdict max-w-[48rem]">
        <Narration words={payoffWords(payoff)} />
      </div>
      <figure>
        <Chart
          heading={{ ...heading, title: `SlideSparse, ${formulaOf(report.workload.operation)}` }}
          id="when-it-pays"
          spoken={`Speed of SlideSparse against dense by pattern: ${spoken.join('; ')}.`}
          x={{ scale: 'linear', title: 'pattern', domain: domainOf(halfGroups), ticks: halfGroups, text: nameOf }}
          y={speedAxis(
            points,
            lines.flatMap((l) => l.points.map((p) => p.y)),
          )}
          series={lines}
          rules={BREAK_EVEN_RULES}
          notes={isInside ? [{ x: breakEven, y: 1, text: 'predicted to break even' }] : []}
          table={() => ({
            head: ['pattern', 'gamma', 'alpha / gamma', 'measured', 'limit', WITH_TENSOR_CORES, PUBLISHED],
            rows: patterns.map((p) => ({
              name: p.pattern,
              cells: [
                p.gamma.toFixed(2),
                ratioText(p.predicted),
                ratioText(p.measured.ratio),
                ratioText(p.measured.limit),
                ratioText(TENSOR_CORE_ALPHA / p.gamma),
                p.published === null ? '–' : ratioText(p.published),
              ],
            })),
          })}
        />
        <p className="field-hint max-w-[48rem] mt-2 mb-2">
          Published: int8 GEMM kernels of Qwen2.5-7B, {countText(16_384)} tokens, NVIDIA A100 with sparse tensor cores.
        </p>
      </figure>
    </section>
  );
}
