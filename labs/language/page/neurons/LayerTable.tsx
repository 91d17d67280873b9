// The table next to the raster: a line of counts for each layer.

import { countText } from '../../../../src/core/text/words.ts';
import type { FiredToken } from '../service/types.ts';
import type { FiringCounts } from './firing-counts.ts';
import type { RasterPlan } from './raster.ts';
import { COUNT_BIN } from './firing-record.ts';

/** The size of a histogram, in units of its viewBox. */
const WIDTH = 276;
const HEIGHT = 74;
/** Space above the tallest bar for the label, and below the axis for the ticks. */
const LABEL_HEIGHT = 16;
const TICKS_HEIGHT = 20;
/** Gap between two bars. */
const BAR_GAP = 0.7;

/** A layer is marked in the table if a larger share of its tiles overflows. */
const MAX_OVERFLOW_SHARE = 0.01;

interface HistogramProps {
  readonly counts: readonly number[];
  readonly layer: number;
  readonly mean: number;
}

/** A histogram of tokens by how many neurons of a layer fire (are not 0), without rare large counts. */
function Histogram({ counts, layer, mean }: HistogramProps) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let remaining = total;
  let bins = 0;
  // The histogram ends where at most one token in a thousand remains, with more firing neurons.
  while (bins < counts.length && remaining > total / 1000) remaining -= counts[bins++];
  bins = Math.max(4, bins);
  const max = counts.reduce((a, b) => Math.max(a, b), 1);
  const step = WIDTH / bins;
  const end = bins * COUNT_BIN;
  const x = (neurons: number): number => (neurons / end) * WIDTH;
  const tickStep = [10, 20, 50, 100, 200, 500].find((size) => end / size <= 5) ?? 1000;
  const ticks = Array.from({ length: Math.floor(end / tickStep) + 1 }, (_, i) => i * tickStep);
  /** The label is left of the line of the mean if there is too little space to its right. */
  const isLabelLeft = x(mean) > WIDTH * 0.6;
  return (
    <svg
      className="w-full"
      viewBox={`0 0 ${WIDTH} ${HEIGHT + TICKS_HEIGHT}`}
      role="img"
      aria-label={`Neurons of layer ${layer} that fire: on average ${mean.toFixed(1)}`}
    >
      {counts.slice(0, bins).map((count, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- bins are known by their number alone
        <rect
          key={i}
          className="fill-values"
          x={i * step}
          width={Math.max(1, step - BAR_GAP)}
          y={HEIGHT - (count / max) * (HEIGHT - LABEL_HEIGHT)}
          height={(count / max) * (HEIGHT - LABEL_HEIGHT)}
        />
      ))}
      <line className="stroke-muted" x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      <line className="stroke-[1.5px] stroke-ink" x1={x(mean)} x2={x(mean)} y1={2} y2={HEIGHT} />
      <text
        x={x(mean) + (isLabelLeft ? -5 : 5)}
        y={10}
        textAnchor={isLabelLeft ? 'end' : 'start'}
        className="font-sans [paint-order:stroke] stroke-[3px] stroke-ground"
      >
        layer {layer}: neurons that fire
      </text>
      {ticks.map((tick) => (
        <text
          key={tick}
          x={x(tick)}
          y={HEIGHT + 15}
          textAnchor={tick === 0 ? 'start' : x(tick) > WIDTH - 12 ? 'end' : 'middle'}
        >
          {tick}
        </text>
      ))}
    </svg>
  );
}

interface LayerTableProps {
  readonly record: FiringCounts;
  /** the current token; null before anything is written */
  readonly token: FiredToken | null;
  /** the layer with the histogram, which is drawn tall in the picture next to the table */
  readonly open: number;
  /** the plan of this picture, with whose layers the rows are aligned; null: there is no picture */
  readonly plan: RasterPlan | null;
  readonly onOpen: (layer: number) => void;
}

/** For each layer: how many neurons fire or never do, and how many TwELL tiles (256 neurons at a token) overflow. */
export function LayerTable({ record, token, open, plan, onOpen }: LayerTableProps) {
  const { meanByLayer, maxByLayer, deadByLayer, tilesOver, tiles, counts } = record;
  return (
    <div className="relative">
      <table className="layer-table cells-end tabular-nums text-12 w-full">
        <thead>
          <tr {...(plan && { style: { blockSize: plan.top } })}>
            <th scope="col" className={plan ? 'unseen' : ''}>
              layer
            </th>
            <th scope="col">mean</th>
            <th scope="col">at most</th>
            <th scope="col">dead</th>
            <th scope="col">here</th>
            <th scope="col">
              overflow, of
              <br />
              {countText(tiles)} tiles
            </th>
          </tr>
        </thead>
        <tbody className="text-muted font-mono">
          {meanByLayer.map((mean, layer) => {
            const strip = plan?.layers[layer];
            const next = plan?.layers[layer + 1]?.top ?? plan?.height;
            return (
              // oxlint-disable-next-line react/no-array-index-key -- layers are known by their number alone
              <tr
                key={layer}
                data-open={layer === open || undefined}
                {...(strip && next !== undefined && { style: { blockSize: next - strip.top } })}
              >
                <th scope="row" className={plan ? 'unseen font-sans' : 'font-sans'}>
                  <button
                    type="button"
                    className="layer-name -mt-0.5 text-muted text-12 whitespace-nowrap cursor-pointer min-h-6"
                    aria-pressed={layer === open}
                    onClick={() => onOpen(layer)}
                  >
                    layer {layer}
                  </button>
                </th>
                <td className="text-ink font-semibold">{mean.toFixed(1)}</td>
                <td>{maxByLayer[layer]}</td>
                <td>{deadByLayer[layer].length}</td>
                <td className="bytes-text--values">{token?.layers[layer]?.neurons.length ?? '–'}</td>
                <td className={tilesOver[layer] > MAX_OVERFLOW_SHARE * tiles ? 'text-danger font-semibold' : undefined}>
                  {countText(tilesOver[layer])}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div
        className="absolute start-4 end-0 max-[60rem]:static max-[60rem]:max-w-80 max-[60rem]:mt-4"
        {...(plan && { style: { insetBlockStart: plan.layers[open].top + 24 } })}
      >
        <Histogram counts={counts[open]} layer={open} mean={meanByLayer[open]} />
      </div>
    </div>
  );
}
