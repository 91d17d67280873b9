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
  readonly clipColumns: number;
  readonly remainder: string;
}

/** Rows of the matrix that share a list of columns, ascending. */
export interface Unit {
  readonly rows: readonly number[];
  columns: readonly number[];
}

/** A pair of units that a round found, by their numbers in the level. */
export interface Found {
  readonly unit: number;
  readonly partner: number;
  /** the columns of both units */
  readonly shared: readonly number[];
  readonly blocks: readonly (readonly number[])[];
  /** at most two more units; if there are any, the blocks consist of columns that all of them share */
  readonly witnesses: readonly number[];
}

export interface Level {
  /** the units at the beginning of the level */
  readonly units: readonly Unit[];
  readonly rounds: readonly (readonly Found[])[];
  /** the units at the end of the level, without the columns that went into blocks */
  readonly rest: readonly Unit[];
  /** whether at the end any two units still share a block */
  readonly hasMore: boolean;
}

const total = (blocks: readonly (readonly number[])[]): number => blocks.reduce((sum, block) => sum + block.length, 0);

/** Splits columns into blocks: L lanes of s columns each, with s as large as possible, until fewer than L lanes are possible. */
function blocksOf(columns: readonly number[], p: ExtractionParams): number[][] {
  const reach = 2 ** p.deltaBits - 1;
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

/** One round: pairs each free unit with the unit with which it shares most columns. */
function roundOf(units: readonly Unit[], p: ExtractionParams, isFirst: boolean): readonly Found[] {
  const min = p.lanes * p.vectorSize;
  const sets = units.map(({ columns }) => new Set(columns));
  const among = units.map(({ columns }) => columns.length >= min);
  const free = [...among];
  const found: Found[] = [];
  for (const [unit, { columns }] of units.entries()) {
    if (!free[unit]) continue;
    free[unit] = false;
    let partner = -1;
    let shared: readonly number[] = [];
    for (let other = unit + 1; other < units.length; other++) {
      const both = free[other] ? columns.filter((column) => sets[other].has(column)) : [];
      if (both.length < min || both.length <= shared.length) continue;
      [partner, shared] = [other, both];
    }
    if (partner < 0) continue;
    free[partner] = false;
    let blocks = blocksOf(shared, p);
    let witnesses: readonly number[] = [];
    const taken = total(blocks);
    if (isFirst && p.witnesses === 'two' && taken > 0 && taken < shared.length) {
      // Units that share at least as many of these columns as the blocks have, most first.
      const candidates = [...units.keys()]
        .filter((other) => other !== unit && other !== partner && among[other])
        .map((other) => ({ other, count: shared.filter((column) => sets[other].has(column)).length }))
        .filter(({ count }) => count >= taken)
        .toSorted((a, b) => b.count - a.count)
        .slice(0, 2)
        .map(({ other }) => other);
      for (const witnessSet of [candidates, candidates.slice(0, 1)]) {
        const confirmed = blocksOf(
          shared.filter((column) => witnessSet.every((other) => sets[other].has(column))),
          p,
        );
        if (total(confirmed) < taken) continue;
        [blocks, witnesses] = [confirmed, witnessSet];
        break;
      }
    }
    found.push({ unit, partner, shared, blocks, witnesses });
  }
  return found;
}

/** All levels, from the rows on. */
export function extracted(columns: readonly (readonly number[])[], p: ExtractionParams): readonly Level[] {
  const levels: Level[] = [];
  let units: readonly Unit[] = columns.map((inRow, row) => ({ rows: [row], columns: inRow }));
  for (let size = 1; ; size *= 2) {
    const rest = units.map((unit) => ({ ...unit }));
    const rounds: (readonly Found[])[] = [];
    const next: Unit[] = [];
    const hasMore = units.some((a, i) =>
      units.some(
        (b, j) =>
          j > i &&
          blocksOf(
            a.columns.filter((column) => b.columns.includes(column)),
            p,
          ).length > 0,
      ),
    );
    while (size < p.maxGranularity && (p.maxRounds === 0 || rounds.length < p.maxRounds)) {
      const before = next.length;
      const round = roundOf(rest, p, rounds.length === 0);
      rounds.push(round);
      for (const { unit, partner, blocks } of round) {
        for (const block of blocks) {
          next.push({ rows: [...units[unit].rows, ...units[partner].rows], columns: block });
          for (const at of [unit, partner]) rest[at].columns = rest[at].columns.filter((c) => !block.includes(c));
        }
      }
      if (next.length === before) break;
    }
    levels.push({ units, rounds, rest, hasMore });
    if (next.length === 0) return levels;
    units = next;
  }
}

/** Lengths of the stored arrays of a matrix, from its blocks. */
interface PackedLengths {
  /** whether a list is longer than `clipColumns` allows, and is therefore split */
  readonly isTruncated: boolean;
  /** number of lists that end in a block with fewer columns than lanes × vector size */
  readonly short: number;
  /** columns that bridge gaps, and columns that fill lanes; with their values in all rows of a block */
  readonly gaps: number;
  readonly tails: number;
  readonly gapValues: number;
  readonly tailValues: number;
  /** by level, whether a block of it fills vectors of all lanes */
  readonly hasLong: readonly boolean[];
}

/** Computes the lengths of the stored arrays, including columns that bridge gaps and fill lanes. */
export function packedLengths(levels: readonly Level[], nnz: number, p: ExtractionParams): PackedLengths {
  const min = p.lanes * p.vectorSize;
  const step = Math.max(p.lanes, p.vectorSize);
  const reach = 2 ** p.deltaBits - 1;
  const found = {
    isTruncated: false,
    short: 0,
    gaps: 0,
    tails: 0,
    gapValues: 0,
    tailValues: 0,
    hasLong: levels.map(() => false),
  };
  for (const [level, { rest }] of levels.entries()) {
    // The automatic bound of src/formats/ec-csr: 1/4096 of the non-zeros, at least 16 vectors of all lanes, half in each level.
    const clip =
      p.clipColumns > 0
        ? Math.max(min, Math.floor(p.clipColumns / min) * min)
        : Math.ceil(Math.max(16, nnz / 4096 / min) / 2 ** level) * min;
    for (const { columns } of rest) {
      if (columns.length === 0) continue;
      const whole = level === 0 ? [] : isBlock(columns, p) ? [columns] : blocksOf(columns, p);
      const taken = new Set(whole.flat());
      const others = columns.filter((column) => !taken.has(column));
      let bridges = 0;
      for (const [i, column] of others.entries()) {
        if (i > 0) bridges += Math.ceil((column - others[i - 1]) / reach) - 1;
      }
      const used = others.length + bridges;
      const filled = Math.ceil(used / step) * step;
      found.gaps += bridges;
      found.tails += filled - used;
      found.gapValues += bridges * 2 ** level;
      found.tailValues += (filled - used) * 2 ** level;
      if (used % min > 0) found.short++;
      if (whole.length > 0 || used >= min) found.hasLong[level] = true;
      const longest = p.remainder === 'short-block' ? used - (used % min) : filled;
      if (Math.max(longest, ...whole.map(({ length }) => length)) > clip) found.isTruncated = true;
    }
  }
  return { ...found, short: p.remainder === 'short-block' ? found.short : 0 };
}

function isBlock(columns: readonly number[], p: ExtractionParams): boolean {
  if (columns.length % (p.lanes * p.vectorSize) > 0) return false;
  const perLane = columns.length / p.lanes;
  const reach = 2 ** p.deltaBits - 1;
  return columns.every((column, i) => i % perLane === 0 || column - columns[i - 1] <= reach);
}
