import { countText } from '../../core/text/words.ts';
import { largest, smallest } from '../../core/number/statistics.ts';
import { ratio as ratioText } from '../../kit/words/quantity.ts';
import { LIFTING_BY_BYTES_F16, type LiftingPoint, PUBLISHED_LIFTING } from './lifting.ts';
import { SLIDING_FORMAT } from './group-details.ts';
import { type Axis, domainOf } from '../../kit/charts/axis.ts';
import { Chart } from '../../kit/charts/Chart.tsx';
import { BREAK_EVEN_RULES, type Series } from '../../kit/charts/series.ts';
import { cssColorOf, cssTextColorOf } from '../../kit/format-color.ts';
import { SectionHead } from '../../kit/controls/Section.tsx';
import { times } from '../../kit/words/rates.ts';

const HEADING = { title: 'What lifting costs', caption: 'thin: by the bytes of these kernels · thick: measured here' };

/** What lifting (repeating activations for overlapping windows) costs: time relative to quantising alone, by tokens. */
export function LiftingView({ points }: { readonly points: readonly LiftingPoint[] }) {
  const color = cssColorOf(SLIDING_FORMAT);
  const tokens = points.map((p) => p.tokens);
  const published = PUBLISHED_LIFTING.map((p) => ({ x: p.tokens, y: p.overhead }));
  const ticks = [...new Set([...tokens, ...published.map((p) => p.x)])].toSorted((a, b) => a - b);
  const lines: readonly Series[] = [
    { kind: 'limit', id: 'bytes', title: null, color, points: points.map((p) => ({ x: p.tokens, y: p.byBytes })) },
    {
      kind: 'measured',
      id: 'lifting',
      title: 'measured',
      color,
      textColor: cssTextColorOf(SLIDING_FORMAT),
      points: points.map((p) => ({ x: p.tokens, y: p.overhead, low: p.p10, high: p.p90 })),
    },
    { kind: 'published', id: 'a100', title: 'published, A100', color: 'var(--text-muted)', points: published },
    {
      kind: 'predicted',
      id: 'bytes in f16',
      title: `${LIFTING_BY_BYTES_F16.toFixed(2)} by bytes, f16`,
      color: 'var(--text-quiet)',
      points: domainOf(ticks).map((x) => ({ x, y: LIFTING_BY_BYTES_F16 })),
    },
  ];
  const mostTokens = points.reduce((a, b) => (b.tokens > a.tokens ? b : a));
  const spoken = points.map((p) => `${ratioText(p.overhead)} at ${countText(p.tokens)} tokens`);
  return (
    <section className="sweep mt-8" aria-label={HEADING.title}>
      <SectionHead {...HEADING} />
      <div className="bench-verdict max-w-[48rem]">
        <p className="narration text-18 text-pretty mb-4 leading-[1.45] max-w-[48rem]">
          At {countText(mostTokens.tokens)} tokens quantising and lifting take{' '}
          <strong>{times(mostTokens.overhead)}</strong> as long as quantising alone; by bytes it would be{' '}
          {times(mostTokens.byBytes)}.
        </p>
      </div>
      <figure>
        <Chart
          heading={HEADING}
          id="lifting"
          spoken={`Time of quantising and lifting over quantising alone: ${spoken.join(', ')}.`}
          x={{ scale: 'log', title: 'tokens, logarithmic', domain: domainOf(ticks), ticks, text: countText }}
          y={timeAxis(lines.flatMap((l) => l.points.map((p) => p.y)).concat(points.flatMap((p) => [p.p10, p.p90])))}
          series={lines}
          rules={BREAK_EVEN_RULES}
          table={() => ({
            head: ['tokens', 'measured', 'by bytes'],
            rows: points.map((p) => ({
              name: countText(p.tokens),
              cells: [ratioText(p.overhead), ratioText(p.byBytes)],
            })),
          })}
        />
        <p className="field-hint max-w-[48rem] mt-2 mb-2">
          Published in appendix D.2, table 1: 6:8, NVIDIA A100, probably with 2560 columns.
        </p>
      </figure>
    </section>
  );
}

/** A linear axis of relative times that covers 1 and all values, with ticks every 0.1, 0.2, 0.5, 1 ... */
function timeAxis(values: readonly number[]): Axis {
  const low = smallest(values, 0.9);
  const high = largest(values, 1.3) * 1.04;
  const step = [0.1, 0.2, 0.5, 1, 2, 5].find((s) => (high - low) / s <= 7) ?? 10;
  const first = Math.ceil(low / step);
  const ticks = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
  return {
    scale: 'linear',
    domain: [low, high],
    ticks: ticks.map((tick) => Number(tick.toFixed(6))),
    text: (tick) => `${Number(tick.toFixed(2))}×`,
    title: 'time over quantising alone',
  };
}
