/**
 * A reference implementation of EC-SpMV's extraction of blocks, written like its definition on sets of columns, without any
 * bound on time. Tests compare stories and their texts with it. It shares no code with the encoder.
 */

interface ExtractionParams {
  readonly lanes: number;
  readonly vectorSize: number;
  readonly deltaBits: number;
  readonly maxGranularity: number;
  readonly maxRounds: number;
  readonly witnesses: string;
}

/** Rows of the matrix, in the order of pairing, and the columns that all of them have, ascending. */
export interface Unit {
  readonly rows: readonly number[];
  columns: readonly number[];
}

/** A pair of units that a round has chosen. Units are referred to by their indices in the level. */
export interface UnitPair {
  readonly unit: number;
  readonly partner: number;
  /** the columns of both units */
  readonly shared: readonly number[];
  readonly blocks: readonly (readonly number[])[];
  /** at most two more units; if there are any, the blocks consist of columns that all of them share */
  readonly witnesses: readonly number[];
}

/** A level pairs units of equally many rows; its blocks are the units of the next level. */
export interface Level {
  /** the units at the beginning of the level */
  readonly units: readonly Unit[];
  readonly rounds: readonly (readonly UnitPair[])[];
  /** the units at the end of the level, without the columns that went into blocks */
  readonly rest: readonly Unit[];
}

/** The number of columns of all blocks. */
const total = (blocks: readonly (readonly number[])[]): number => blocks.reduce((sum, block) => sum + block.length, 0);

/**
 * Splits columns into blocks: L lanes of s columns each, with s as large as possible, until no further block is possible. Within a
 * lane, the distances of columns fit in a delta.
 */
function blocksOf(columns: readonly number[], p: ExtractionParams): number[][] {
  const reach = 2 ** p.deltaBits - 1;
  // Runs of columns without a gap that is too wide for a delta.
  let runs: number[][] = [];
  for (const column of columns) {
    const run = runs.at(-1);
    if (run && column - run[run.length - 1] <= reach) run.push(column);
    else runs.push([column]);
  }
  const blocks: number[][] = [];
  const lanesOf = (perLane: number): number => runs.reduce((sum, { length }) => sum + Math.floor(length / perLane), 0);
  for (;;) {
    let perLane = 0;
    for (let s = p.vectorSize; s <= columns.length; s += p.vectorSize) if (lanesOf(s) >= p.lanes) perLane = s;
    if (perLane === 0) return blocks;
    const block: number[] = [];
    runs = runs.map((run) => {
      const lanes = Math.min(p.lanes - block.length / perLane, Math.floor(run.length / perLane));
      block.push(...run.slice(0, lanes * perLane));
      return run.slice(lanes * perLane);
    });
    blocks.push(block);
  }
}

/** One round: pairs each free unit with the free unit after it with which it shares most columns. */
function roundOf(units: readonly Unit[], p: ExtractionParams, isFirst: boolean): readonly UnitPair[] {
  // The columns of the smallest block.
  const min = p.lanes * p.vectorSize;
  const sets = units.map(({ columns }) => new Set(columns));
  const isLongEnough = units.map(({ columns }) => columns.length >= min);
  const isFree = [...isLongEnough];
  const pairs: UnitPair[] = [];
  for (const [unit, { columns }] of units.entries()) {
    if (!isFree[unit]) continue;
    isFree[unit] = false;
    let partner = -1;
    let shared: readonly number[] = [];
    for (let other = unit + 1; other < units.length; other++) {
      const common = isFree[other] ? columns.filter((column) => sets[other].has(column)) : [];
      if (common.length < min || common.length <= shared.length) continue;
      [partner, shared] = [other, common];
    }
    if (partner < 0) continue;
    isFree[partner] = false;
    let blocks = blocksOf(shared, p);
    let witnesses: readonly number[] = [];
    const blockColumns = total(blocks);
    if (isFirst && p.witnesses === 'two' && blockColumns > 0 && blockColumns < shared.length) {
      // Units that share at least as many of these columns as the blocks have, most first.
      const candidates = [...units.keys()]
        .filter((other) => other !== unit && other !== partner && isLongEnough[other])
        .map((other) => ({ other, count: shared.filter((column) => sets[other].has(column)).length }))
        .filter(({ count }) => count >= blockColumns)
        .toSorted((a, b) => b.count - a.count)
        .slice(0, 2)
        .map(({ other }) => other);
      // Columns that the witnesses also have are preferred, if they form blocks with as many columns.
      for (const witnessSet of [candidates, candidates.slice(0, 1)]) {
        const confirmed = blocksOf(
          shared.filter((column) => witnessSet.every((other) => sets[other].has(column))),
          p,
        );
        if (total(confirmed) < blockColumns) continue;
        [blocks, witnesses] = [confirmed, witnessSet];
        break;
      }
    }
    pairs.push({ unit, partner, shared, blocks, witnesses });
  }
  return pairs;
}

/** All levels of the extraction, from the columns of each row. In the first level every row is a unit. */
export function extractLevels(columns: readonly (readonly number[])[], p: ExtractionParams): readonly Level[] {
  const levels: Level[] = [];
  let units: readonly Unit[] = columns.map((rowColumns, row) => ({ rows: [row], columns: rowColumns }));
  for (let size = 1; ; size *= 2) {
    const rest = units.map((unit) => ({ ...unit }));
    const rounds: (readonly UnitPair[])[] = [];
    const next: Unit[] = [];
    while (size < p.maxGranularity && (p.maxRounds === 0 || rounds.length < p.maxRounds)) {
      const countBefore = next.length;
      const round = roundOf(rest, p, rounds.length === 0);
      rounds.push(round);
      for (const { unit, partner, blocks } of round) {
        for (const block of blocks) {
          next.push({ rows: [...units[unit].rows, ...units[partner].rows], columns: block });
          for (const index of [unit, partner]) {
            rest[index].columns = rest[index].columns.filter((column) => !block.includes(column));
          }
        }
      }
      if (next.length === countBefore) break;
    }
    levels.push({ units, rounds, rest });
    if (next.length === 0) return levels;
    units = next;
  }
}

/** The padding of the stored arrays of a matrix. */
interface Padding {
  /** columns that bridge gaps between columns of a list, and columns that fill lanes */
  readonly gaps: number;
  readonly tails: number;
  /** the values of these columns, one for each row of a list */
  readonly gapValues: number;
  readonly tailValues: number;
}

/** Counts the columns, and their values, that bridge gaps and fill lanes. */
export function paddingOf(levels: readonly Level[], p: ExtractionParams): Padding {
  const step = Math.max(p.lanes, p.vectorSize);
  const reach = 2 ** p.deltaBits - 1;
  const padding = { gaps: 0, tails: 0, gapValues: 0, tailValues: 0 };
  for (const [level, { rest }] of levels.entries()) {
    for (const { columns } of rest) {
      // From the second level on, the columns that form blocks are stored as such; the other columns are one list.
      const blocks = level === 0 ? [] : isBlock(columns, p) ? [columns] : blocksOf(columns, p);
      const inBlocks = new Set(blocks.flat());
      const list = columns.filter((column) => !inBlocks.has(column));
      let bridges = 0;
      for (const [i, column] of list.entries()) {
        if (i > 0) bridges += Math.ceil((column - list[i - 1]) / reach) - 1;
      }
      const length = list.length + bridges;
      const fills = Math.ceil(length / step) * step - length;
      padding.gaps += bridges;
      padding.tails += fills;
      padding.gapValues += bridges * 2 ** level;
      padding.tailValues += fills * 2 ** level;
    }
  }
  return padding;
}

/** Whether columns form one block: equal parts for all lanes, of whole vectors and without wide gaps. */
function isBlock(columns: readonly number[], p: ExtractionParams): boolean {
  if (columns.length % (p.lanes * p.vectorSize) > 0) return false;
  const perLane = columns.length / p.lanes;
  const reach = 2 ** p.deltaBits - 1;
  return columns.every((column, i) => i % perLane === 0 || column - columns[i - 1] <= reach);
}
