// The chart of a custom format's bytes by density.

import { useMemo } from 'react';
import { defaultParams } from '../../../../../src/core/format.ts';
import { baselineFormat } from '../../../../../src/formats/catalog.ts';
import { useApp, useDocument, useSession } from '../../../../../src/kit/app-context.ts';
import type { Axis } from '../../../../../src/kit/charts/axis.ts';
import { Chart } from '../../../../../src/kit/charts/Chart.tsx';
import type { Rule, Series } from '../../../../../src/kit/charts/series.ts';
import { cssColorOf, cssTextColorOf } from '../../../../../src/kit/format-color.ts';
import { Section } from '../../../../../src/kit/controls/Section.tsx';
import { shareText } from '../../../../../src/core/text/rounded.ts';
import { densityText } from '../../../../../src/kit/words/shares.ts';
import { DENSITY_SIZE } from '../live/measured-matrices.ts';
import { type ModuleWithPlayer, useModuleState } from '../use-live-module.ts';

const HEIGHT = 232;
const X: Axis = {
  scale: 'linear',
  domain: [0, 1],
  ticks: [0, 0.25, 0.5, 0.75, 1],
  text: (x) => String(100 * x),
  title: '% left',
};
const Y: Axis = {
  scale: 'linear',
  domain: [0, 1.25],
  ticks: [0, 0.5, 1],
  text: (y) => String(100 * y),
  title: '% of the bytes of dense',
};
/** Densities at which the curves (closed forms) are sampled: more near 0, where they bend; not 0, where some jump. */
const SAMPLED_DENSITIES = Array.from({ length: 65 }, (_, i) => Math.max(1e-6, (i / 64) ** 1.5));
/** Unit of the y axis in captions and tables. */
const UNIT = 'bytes relative to dense';
/** A line across the chart, where a matrix has as many bytes as dense. */
const AS_DENSE: readonly Rule[] = [{ id: 'even', position: 1, title: null, kind: 'solid' }];

/** A chart of bytes by density: random matrices in the format in the editor as dots, other formats as curves. */
export function DensityDots({ live }: { readonly live: ModuleWithPlayer }) {
  const { formats } = useApp();
  const dots = useModuleState(live, (s) => s.dots);
  const title = useModuleState(live, (s) => s.description?.title ?? 'It');
  const size = useModuleState(live, (s) => s.wholeBytes?.ledger?.effectiveDensity ?? null);
  const density = useSession((s) => s.summary?.density ?? null);
  const pageFormat = useDocument((doc) => doc.format);
  const pageParams = useDocument((doc) => doc.params[doc.format]);
  const curves = useMemo(() => {
    const shape = { rows: DENSITY_SIZE, cols: DENSITY_SIZE };
    return [...new Set([baselineFormat.id, pageFormat])].flatMap((id): Series[] => {
      const format = formats.find((candidate) => candidate.id === id);
      if (!format) return [];
      const params = id === pageFormat ? pageParams : defaultParams<Record<string, unknown>>(format.params);
      const sizeAt = format.expectedEffectiveDensity;
      if (!sizeAt) return [];
      const points = SAMPLED_DENSITIES.map((x) => ({ x, y: sizeAt(x, params ?? {}, shape).expected }));
      const colors = { color: cssColorOf(id), textColor: cssTextColorOf(id) };
      return [{ ...colors, id, kind: 'limit', title: format.title, join: 'straight', points }];
    });
  }, [formats, pageFormat, pageParams]);
  const series = useMemo((): readonly Series[] => {
    const points = dots.map(({ density: x, effectiveDensity: y }) => ({ x, y }));
    return [...curves, { id: 'mine', kind: 'encoded', title, color: 'var(--text)', textColor: 'var(--text)', points }];
  }, [curves, dots, title]);
  if (dots.length === 0) return null;
  const isMeasured = density !== null && size !== null;
  return (
    <Section title="Size by density" aside={`random, ${DENSITY_SIZE} × ${DENSITY_SIZE}`}>
      <Chart
        id="own-size-by-density"
        heading={{ title: `${title} on random matrices`, caption: UNIT }}
        spoken={`Sizes of ${title} on random matrices: ${dots.map((d) => `${shareText(d.effectiveDensity)} of dense with ${densityText(d.density)} left`).join(', ')}.`}
        x={X}
        y={Y}
        height={HEIGHT}
        series={series}
        rules={AS_DENSE}
        notes={isMeasured ? [{ x: density, y: Math.min(size, Y.domain[1]), text: `${shareText(size)} here` }] : []}
        table={() => ({
          head: ['left', UNIT],
          rows: dots.map((d) => ({
            name: densityText(d.density),
            cells: [shareText(d.effectiveDensity)],
            values: [d.density, d.effectiveDensity],
          })),
        })}
      />
    </Section>
  );
}
