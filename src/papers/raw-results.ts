import macko from './macko/shapes.json';
import slideSparse from './slidesparse/by-tokens.json';

/** Speeds against dense that authors publish beside their papers, with sources; `macko.own`: measured here. */
export const RAW_RESULTS = { macko, slideSparse };

/** A shape of the MACKO paper. `speeds`: published, by GPU (`macko.cards`), then by density; null: not timed. */
export interface RawShape {
  readonly rows: number;
  readonly cols: number;
  readonly speeds: readonly (readonly (number | null)[])[];
}

/** The shapes of the MACKO paper. */
export const MACKO_SHAPES: readonly RawShape[] = macko.shapes.map(([rows, cols, ...speeds]) => ({
  rows: Number(rows),
  cols: Number(cols),
  speeds: speeds as readonly (readonly (number | null)[])[],
}));
