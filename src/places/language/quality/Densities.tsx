import type { RecordedTry } from '../../../language/quality/recorded.ts';
import { BLOCK_MATRICES, type BlockMatrix, blockMatrixShape } from '../../../language/decoder.ts';
import { type DensityMap, meanDensity } from '../../../language/stored/recipe.ts';
import type { ModelShape } from '../../../theory/models/model-shape.ts';
import { roughDensity } from '../../../kit/words/shares.ts';
import type { Mean, SearchFound, Try } from '../service/quality-types.ts';

/** Bits a tale against the same density everywhere. */
export interface TriedDensities {
  readonly name: string;
  readonly lost: number;
  readonly isBest: boolean;
}

/** Tries of a search that are listed. */
const MOST_TRIES = 8;

interface DensitiesProps {
  readonly tried: readonly TriedDensities[];
  readonly found: SearchFound | null;
  readonly shape: ModelShape;
  /** of all matrices together, as the search keeps it */
  readonly density: number;
  /** what the listed tries are compared with: '0.50 everywhere' */
  readonly against: string;
  readonly isBusy: boolean;
  /** of the layers, while they are edited; null: they are not */
  readonly edited: DensityMap | null;
  /** what the edited densities cost against the even ones; null: not measured */
  readonly editedLost: Mean | null;
  readonly chosen: number | null;
  readonly onSearch: () => void;
  /** null: closed; empty: opened with what was found, or with the same everywhere */
  readonly onEdit: (densities: DensityMap | null) => void;
  readonly onMeasure: () => void;
}

/** Densities of their own for layers: tried, searched, or set by hand. */
export function Densities(props: DensitiesProps) {
  const { tried, found, shape, density, against, isBusy, edited, editedLost, chosen, onSearch, onEdit, onMeasure } =
    props;
  const most = Math.max(1e-9, ...tried.map(({ lost }) => Math.abs(lost))); // bounded: the tries of one search
  return (
    <section className="quality-densities">
      <h3>
        Density per layer <span className="quiet">bits a tale against {against}</span>
      </h3>
      {tried.length > 0 && (
        <ul className="tries">
          {tried.map(({ name, lost, isBest }) => (
            <li key={name} data-best={isBest || undefined}>
              <span className="tries-name">{name}</span>
              <span className="tries-bar">
                <span data-better={lost < 0 || undefined} style={{ inlineSize: `${(100 * Math.abs(lost)) / most}%` }} />
              </span>
              <span className="number">{signed(lost)}</span>
            </li>
          ))}
        </ul>
      )}
      {found && <p className="quiet">{foundWords(found, shape, density)}</p>}
      {edited && (
        <ul className="layer-densities">
          {edited.map((_, layer) => {
            const name = `layer ${layer}`;
            const value = layerDensity(edited, layer, shape);
            return (
              <li key={name} data-chosen={chosen === layer || undefined}>
                <label>
                  <span>{name}</span>
                  <input
                    type="range"
                    min={0.05}
                    max={1}
                    step={0.01}
                    value={value}
                    onChange={(event) =>
                      onEdit(withLayerDensity(edited, layer, Number(event.currentTarget.value), shape))
                    }
                  />
                  <span className="number">{value.toFixed(2)}</span>
                </label>
              </li>
            );
          })}
        </ul>
      )}
      {edited && (
        <p className="quiet">
          {editedWords(meanDensity({ way: 'rows', density: edited }, shape), density, editedLost)}
        </p>
      )}
      <p className="quality-actions">
        {edited ? (
          <button
            type="button"
            className="button button--solid"
            aria-disabled={isBusy}
            onClick={isBusy ? undefined : onMeasure}
          >
            Measure these densities
          </button>
        ) : (
          <button
            type="button"
            className="button button--solid"
            aria-disabled={isBusy}
            onClick={isBusy ? undefined : onSearch}
          >
            Search at these bytes
          </button>
        )}
        <button type="button" className="button" onClick={() => onEdit(edited ? null : [])}>
          {edited ? 'Close' : 'Edit densities'}
        </button>
      </p>
    </section>
  );
}

function signed(lost: number): string {
  if (Math.abs(lost) < 0.005) return '0';
  return `${lost > 0 ? '+' : '−'}${Math.abs(lost).toFixed(2)}`;
}

/** What a search came to, without promising more than it measured. `shape` and `even`: of the model, and its density. */
export function foundWords(
  { densities, tries, heldOut, isGain }: SearchFound,
  shape: ModelShape,
  even: number,
): string {
  const moves = `${tries} move${tries === 1 ? '' : 's'}`;
  if (heldOut.mean === 0 && heldOut.se === 0) {
    return `None of ${moves} was better than the same density everywhere.`;
  }
  const what = unevenParts(densities, shape, even)
    .map(({ name, density }) => `${name} ${density.toFixed(2)}`)
    .join(', ');
  const bits = Math.abs(heldOut.mean).toFixed(2);
  const interval = `between ${signless(-heldOut.high)} and ${signless(-heldOut.low)}`;
  if (isGain) return `${what}: gains ${bits} bits a tale on tales that the search has not seen (${interval}).`;
  const gains = heldOut.mean < 0 ? `gains ${bits}` : `loses ${bits}`;
  return `After ${moves}, ${what}: ${gains} bits a tale on tales that the search has not seen, too little to tell from nothing (${interval}).`;
}

function signless(bits: number): string {
  return bits.toFixed(2).replace('-', '−');
}

/** Layers and kinds whose mean density is another than that of all. */
function unevenParts(
  densities: DensityMap,
  shape: ModelShape,
  even: number,
): readonly { readonly name: string; readonly density: number }[] {
  const parts = [
    ...densities.map((_, layer) => ({ name: `layer ${layer}`, density: layerDensity(densities, layer, shape) })),
    ...PART_KINDS.map((kinds) => ({
      name: partName({ kinds }),
      density: meanOf(
        densities.flatMap((row) => kinds.map((kind) => ({ density: row[kind], weights: cellsOf(shape, kind) }))),
      ),
    })),
  ];
  return parts.filter(({ density }) => Math.abs(density - even) >= 0.005);
}

const PART_KINDS: readonly (readonly BlockMatrix[])[] = [['q', 'k', 'v', 'o'], ['gate', 'up'], ['down']];

/** A part that is moved, in words. */
function partName(part: Try['to']): string {
  if ('layer' in part) return `layer ${part.layer}`;
  if (part.kinds.length > 2) return 'attention';
  return part.kinds.join(' and ');
}

/** The share of weights that a layer keeps. */
export function layerDensity(densities: DensityMap, layer: number, shape: ModelShape): number {
  return meanOf(BLOCK_MATRICES.map((name) => ({ density: densities[layer][name], weights: cellsOf(shape, name) })));
}

/** The same with all matrices of a layer a little denser or sparser, so that it keeps this share; each from 0.02 to 1. */
export function withLayerDensity(densities: DensityMap, layer: number, share: number, shape: ModelShape): DensityMap {
  const by = share - layerDensity(densities, layer, shape);
  const row = { ...densities[layer] };
  for (const name of BLOCK_MATRICES) row[name] = Math.min(1, Math.max(0.02, Math.round(1e4 * (row[name] + by)) / 1e4));
  return densities.with(layer, row);
}

function cellsOf(shape: ModelShape, name: BlockMatrix): number {
  const [rows, cols] = blockMatrixShape(shape, name);
  return rows * cols;
}

function meanOf(parts: readonly { readonly density: number; readonly weights: number }[]): number {
  const weights = parts.reduce((sum, part) => sum + part.weights, 0);
  return parts.reduce((sum, part) => sum + part.density * part.weights, 0) / weights;
}

/** Densities set by hand: what they keep of all weights, and what they cost. */
function editedWords(mean: number, density: number, lost: Mean | null): string {
  const bytes = `Together ${mean.toFixed(3)} of the weights are left`;
  const more =
    Math.abs(mean - density) < 0.0005 ? '' : `, ${mean > density ? 'more' : 'fewer'} than ${roughDensity(density)}`;
  if (lost === null) return `${bytes}${more}.`;
  const told = lost.low > 0 || lost.high < 0 ? '' : ', which is too little to tell from nothing';
  return `${bytes}${more}. They ${lost.mean < 0 ? 'gain' : 'cost'} ${Math.abs(lost.mean).toFixed(2)} bits a tale against ${roughDensity(density)} everywhere (standard error ${lost.se.toFixed(2)})${told}.`;
}

/** Tries of a recording, the first of which is the even one. */
export function recordedTries(tries: readonly RecordedTry[]): readonly TriedDensities[] {
  const even = tries[0]?.lost ?? 0;
  const best = Math.min(...tries.slice(1).map(({ lost }) => lost)); // bounded: the tries of a recording
  return tries.slice(1).map(({ name, lost }) => ({ name, lost: lost - even, isBest: lost === best && lost < even }));
}

/** Tries of a search here, the last ones: only those that all of its tales were measured on. */
export function searchedTries(tries: readonly Try[], tales: number): readonly TriedDensities[] {
  const whole = tries.filter(({ texts }) => texts >= tales);
  const best = whole.findLast(({ isKept }) => isKept);
  return whole.slice(-MOST_TRIES).map((one) => ({
    name: `${partName(one.to)} +${String(one.by).replace(/^0/, '')} from ${partName(one.from)}`,
    lost: one.difference.mean,
    isBest: one === best,
  }));
}
