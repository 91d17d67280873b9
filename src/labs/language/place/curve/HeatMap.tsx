import './heat.css';
import { BLOCK_MATRICES, type BlockMatrix } from '../../decoders/decoder.ts';

/** Bits per tale lost by parts; null until measured. */
export interface PartsLost {
  readonly matrix: (layer: number, kind: number) => number | null;
  readonly layer: (layer: number) => number | null;
  readonly kind: (kind: number) => number | null;
}

interface HeatMapProps {
  readonly layers: number;
  /** kinds of matrices that a block has */
  readonly kinds?: readonly BlockMatrix[];
  readonly lost: PartsLost;
}

/** A loss with its significant digits. */
function lostText(lost: number | null): string {
  if (lost === null) return '·';
  if (Math.abs(lost) < 0.05) return '0';
  return Math.abs(lost) < 10 ? lost.toFixed(1).replace('-', '−') : lost.toFixed(0).replace('-', '−');
}

/** The tint of a loss, from 0.1 bits to 10 and more. */
function tint(lost: number | null): number {
  if (lost === null || lost < 0.05) return 0;
  return Math.min(1, Math.max(0.06, Math.log10(lost / 0.1) / 2));
}

function heatStyle(lost: number | null): Readonly<Record<'--heat', string>> {
  return { '--heat': `${Math.round(100 * tint(lost))}%` };
}

/** The cost of each matrix if it is pruned alone, and of each layer and kind. */
export function HeatMap({ layers, kinds = BLOCK_MATRICES, lost }: HeatMapProps) {
  return (
    <table className="heat size-12 w-full">
      <thead>
        <tr>
          <td />
          {kinds.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <th scope="col" className="heat-sum weight-600">
            layer
          </th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: layers }, (_, layer) => (
          <tr key={layer}>
            <th scope="row">layer {layer}</th>
            {kinds.map((name) => {
              const kind = BLOCK_MATRICES.indexOf(name);
              const bits = lost.matrix(layer, kind);
              return (
                <td key={name} className="number" style={heatStyle(bits)} data-waiting={bits === null || undefined}>
                  {lostText(bits)}
                </td>
              );
            })}
            <td className="number heat-sum weight-600">{lostText(lost.layer(layer))}</td>
          </tr>
        ))}
        <tr className="heat-kinds">
          <th scope="row">kind</th>
          {kinds.map((name) => (
            <td key={name} className="number heat-sum weight-600">
              {lostText(lost.kind(BLOCK_MATRICES.indexOf(name)))}
            </td>
          ))}
          <td />
        </tr>
      </tbody>
    </table>
  );
}
