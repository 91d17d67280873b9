import { countText } from '../../../core/story/words.ts';
import type { FiredToken } from '../service/types.ts';
import type { Counted } from './counted.ts';
import { Histogram } from './Histogram.tsx';
import type { RasterPlan } from './raster.ts';

interface LayerTableProps {
  readonly record: Counted;
  /** under the pen; null before anything is written */
  readonly token: FiredToken | null;
  readonly open: number;
  /** rows lie at the right of their layers; null: below each other */
  readonly plan: RasterPlan | null;
  readonly onOpen: (layer: number) => void;
}

/** What was counted of every layer, and what fires now. */
export function LayerTable({ record, token, open, plan, onOpen }: LayerTableProps) {
  const { meanByLayer, maxByLayer, deadByLayer, tilesOver, tiles, counts } = record;
  return (
    <div className="layer-figures">
      <table className="layer-table">
        <thead>
          <tr {...(plan && { style: { blockSize: plan.top } })}>
            <th scope="col" className={plan ? 'unseen' : ''}>
              layer
            </th>
            <th scope="col">mean</th>
            <th scope="col">at most</th>
            <th scope="col">dead</th>
            <th scope="col">now</th>
            <th scope="col">
              of {countText(tiles)}
              <br />
              tiles &gt; 31
            </th>
          </tr>
        </thead>
        <tbody>
          {meanByLayer.map((mean, layer) => {
            const place = plan?.layers[layer];
            const next = plan?.layers[layer + 1]?.top ?? plan?.height;
            return (
              // oxlint-disable-next-line react/no-array-index-key -- layers are known by their number alone
              <tr
                key={layer}
                data-open={layer === open || undefined}
                {...(place && next !== undefined && { style: { blockSize: next - place.top } })}
              >
                <th scope="row" className={plan ? 'unseen' : ''}>
                  <button
                    type="button"
                    className="layer-name"
                    aria-pressed={layer === open}
                    onClick={() => onOpen(layer)}
                  >
                    layer {layer}
                  </button>
                </th>
                <td className="layer-mean">{mean.toFixed(1)}</td>
                <td>{maxByLayer[layer]}</td>
                <td>{deadByLayer[layer].length}</td>
                <td className="layer-now">{token?.layers[layer]?.neurons.length ?? '–'}</td>
                <td data-over={tilesOver[layer] > 0.01 * tiles || undefined}>{countText(tilesOver[layer])}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className="layer-histogram" {...(plan && { style: { insetBlockStart: plan.layers[open].top + 24 } })}>
        <Histogram counts={counts[open]} layer={open} mean={meanByLayer[open]} />
      </div>
    </div>
  );
}
