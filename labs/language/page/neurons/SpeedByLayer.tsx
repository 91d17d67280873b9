// The chart of the speed that each layer could have by its firing neurons.

import { scaleLinear } from 'd3-scale';
import { useMemo } from 'react';
import { largest } from '../../../../src/core/number/statistics.ts';
import { countText } from '../../../../src/core/text/words.ts';
import type { Axis } from '../../../../src/kit/charts/axis.ts';
import { Chart } from '../../../../src/kit/charts/Chart.tsx';
import type { Series } from '../../../../src/kit/charts/series.ts';
import { cssColorOf } from '../../../../src/kit/format-color.ts';
import { Stack } from '../../../../src/kit/primitives/Layout.tsx';
import { Note } from '../../../../src/kit/primitives/Text.tsx';
import { percent, ratio } from '../../../../src/kit/words/quantity.ts';
import type { FiringCounts } from './firing-counts.ts';
import { blockSpeed, RECORDED_BLOCK, SPEED_NOTE, speedByLayer, speedWords } from './speed-by-layer.ts';

/** Shares of the x axis at which the line has points. */
const LINE = Array.from({ length: 121 }, (_, i) => i / 120);

const SPEED: Axis = {
  scale: 'linear',
  domain: [1, 3],
  ticks: [1, 1.5, 2, 2.5, 3],
  text: (speed) => `${speed}×`,
  title: 'block, times as fast as dense',
};

/**
 * Firing neurons (non-zeros) of every layer, and the speed of a feed-forward block with the same share of firing
 * neurons, timed on a GPU. A tile of TwELL overflows if more neurons fire in it than fit.
 */
export function SpeedByLayer({ counted }: { readonly counted: FiringCounts }) {
  const layers = useMemo(() => speedByLayer(counted), [counted]);
  const words = useMemo(() => speedWords(layers), [layers]);
  const { neurons } = counted;
  const xAxis = useMemo((): Axis => {
    const end =
      1.1 *
      largest(
        layers.map(({ meanActive }) => meanActive),
        1,
      );
    return {
      scale: 'linear',
      domain: [0, end],
      ticks: scaleLinear([0, end], [0, 1]).ticks(5),
      text: String,
      title: `of ${countText(neurons)} neurons, non-zeros per token`,
    };
  }, [layers, neurons]);
  const dots = layers.flatMap(({ layer, meanActive, speed }) =>
    speed === null ? [] : [{ layer, x: meanActive, y: speed }],
  );
  const color = cssColorOf(RECORDED_BLOCK.format);
  // Kinds are chosen by their style: limit is a line without dots, encoded dots without a line.
  const series: readonly Series[] = [
    {
      id: 'recorded',
      kind: 'limit',
      title: null,
      join: 'straight',
      color,
      points: LINE.flatMap((part) => {
        const x = part * xAxis.domain[1];
        const y = blockSpeed(x / neurons);
        return y === null ? [] : [{ x, y }];
      }),
    },
    { id: 'layers', kind: 'encoded', title: null, color, points: dots },
  ];
  const spoken = words.map(({ text }) => text).join('');
  return (
    <Stack gap={4}>
      <p>
        {words.map(({ text, strong }) =>
          strong ? <strong key={text}>{text}</strong> : <span key={text}>{text}</span>,
        )}
      </p>
      <Chart
        id="speed-by-layer"
        heading={{ title: 'Speed by layer', caption: 'dots: layers; line: the recorded block' }}
        spoken={spoken}
        x={xAxis}
        y={SPEED}
        height={260}
        series={series}
        notes={dots.map(({ layer, x, y }) => ({ x, y, text: `layer ${layer}`, color }))}
        table={() => ({
          head: ['layer', 'non-zeros', 'of the neurons', 'dead', 'tiles that overflow', 'times as fast'],
          rows: layers.map(({ layer, meanActive, deadNeurons, overflowShare, speed }) => ({
            name: `layer ${layer}`,
            cells: [
              meanActive.toFixed(1),
              percent(meanActive / neurons, 1),
              countText(deadNeurons),
              percent(overflowShare, 2),
              speed === null ? '–' : ratio(speed),
            ],
            values: [meanActive, meanActive / neurons, deadNeurons, overflowShare, speed],
          })),
        })}
      />
      <Note>{SPEED_NOTE}</Note>
    </Stack>
  );
}
