import './heat.css';
import type { BlockMatrix } from '../../decoders/decoder.ts';

/** The key of a part that is pruned alone: a matrix, a layer (`kind` null), or a kind in all layers (`layer` null). */
export function partKey(layer: number | null, kind: BlockMatrix | null): string {
  return `${layer ?? 'all'} ${kind ?? 'all'}`;
}

interface HeatMapProps {
  readonly layers: number;
  /** kinds of matrices that a block has */
  readonly kinds: readonly BlockMatrix[];
  /** how many more bits a text costs the model with that part pruned, by `partKey`, as far as measured */
  readonly lost: ReadonlyMap<string, number>;
}

/** A loss in bits; a dot while it is not measured. */
function lostText(lost: number | null): string {
  if (lost === null) return '·';
  if (Math.abs(lost) < 0.05) return '0';
  return Math.abs(lost) < 10 ? lost.toFixed(1).replace('-', '−') : lost.toFixed(0).replace('-', '−');
}

/** The tint of a loss: from 0, for less than 0.05 bits, to 1, for 10 bits and more. */
function tint(lost: number | null): number {
  if (lost === null || lost < 0.05) return 0;
  return Math.min(1, Math.max(0.06, Math.log10(lost / 0.1) / 2));
}

/** Returns the custom property by which heat.css tints a cell. */
function heatStyle(lost: number | null): Readonly<Record<'--heat', string>> {
  return { '--heat': `${Math.round(100 * tint(lost))}%` };
}

/** A table of how many more bits a text costs if only one matrix, layer or kind of matrix is pruned. */
export function HeatMap({ layers, kinds, lost }: HeatMapProps) {
  return (
    <table className="heat text-12 w-full">
      <thead>
        <tr>
          <td />
          {kinds.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <th scope="col" className="heat-sum font-semibold">
            layer
          </th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: layers }, (_, layer) => (
          <tr key={layer}>
            <th scope="row">layer {layer}</th>
            {kinds.map((name) => {
              const bits = lost.get(partKey(layer, name)) ?? null;
              return (
                <td key={name} className="number" style={heatStyle(bits)} data-waiting={bits === null || undefined}>
                  {lostText(bits)}
                </td>
              );
            })}
            <td className="number heat-sum font-semibold">{lostText(lost.get(partKey(layer, null)) ?? null)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">kind</th>
          {kinds.map((name) => (
            <td key={name} className="number heat-sum font-semibold">
              {lostText(lost.get(partKey(null, name)) ?? null)}
            </td>
          ))}
          <td />
        </tr>
      </tbody>
    </table>
  );
}
