import { largest } from '../../../core/number/statistics.ts';
import { defaultParams } from '../../../core/format.ts';
import type { Words } from '../../../core/story/scene.ts';
import { capitalised, counted, listText, say, strong, valueText } from '../../../core/story/words.ts';
import { blockName, packBlocks, type PackedSet } from '../pack.ts';
import { blockColumns, type EcCsrParams, params, reachOf } from '../params.ts';
import { type BarsStage, type EcCsrStep, type EcCsrTrace, type Pair, segmentColumns, segmentsOf } from './trace.ts';

/** Describes a step in one or two sentences with the numbers of this window. */
export function narrate(t: EcCsrTrace, step: EcCsrStep | null): readonly Words[] {
  switch (step?.kind) {
    case undefined:
      return start(t.params);
    case 'overlaps':
      return overlaps(t, step.level);
    case 'round':
      return round(t, step.level, step.round);
    case 'match':
      return match(t, t.pairs[step.pair]);
    case 'extract':
      return extract(t, t.pairs[step.pair]);
    case 'level-ends':
      return levelEnds(t, step.level);
    case 'bars':
      return bars(t, step.stage);
    case 'lanes': {
      const { granularity, part } = t.sets[step.set];
      const { columns } = t.sets[step.set].blocks[step.block];
      return say`${counted(t.params.lanes, 'lane')} share ${strong(counted(columns.length, 'column'))} of a ${blockName(part)} of ${counted(granularity, 'row')}. Every lane stores its ${strong('first column')}, then the distance to each next one.`;
    }
    case 'memory':
      return say`In memory, ${strong('neighbouring lanes')} read neighbouring bytes.`;
    case 'sets':
      return sets(t);
    case 'gather':
      return gather(t, step);
    case 'partials': {
      const rows = t.sets[step.set].blocks[step.block].rows;
      return say`The lanes add up: ${strong(counted(rows.length, 'partial sum'))} for ${rows.length === 1 ? 'row' : 'rows'} ${listText(Array.from(rows, String))} ${rows.length === 1 ? 'is' : 'are'} ready.`;
    }
    case 'row':
      return row(t, step.row);
  }
}

/** The requirements of blocks, and why the animation lowers a kernel's defaults. */
function start(p: EcCsrParams): readonly Words[] {
  const usual = defaultParams(params);
  if (p.maxGranularity === 1) return say`At most 1 row to a block: every row keeps ${strong('its own list')}.`;
  const min = strong(counted(blockColumns(p), 'column'));
  const drawn = say`Rows that share at least ${min} go into one block, which lists the columns once.`;
  return blockColumns(p) >= blockColumns(usual)
    ? drawn
    : [...drawn, ...say` On a GPU, a block needs ${counted(blockColumns(usual), 'column')}.`];
}

/** Non-zeros in blocks of at least two rows. */
function inBlocks(t: EcCsrTrace): number {
  return t.infos.reduce((sum, set) => sum + (set.granularity > 1 ? set.nnz : 0), 0);
}

function unitName(t: EcCsrTrace, level: number, unit: number): string {
  const { rows } = t.levels[level][unit];
  return rows.length === 1 ? `row ${rows[0]}` : `the block of rows ${listText(Array.from(rows, String))}`;
}

function overlaps(t: EcCsrTrace, level: number): readonly Words[] {
  const units = t.levels[level].length;
  if (level > 0) {
    return say`The search starts again among ${strong(counted(units, 'block'))} of ${2 ** level} rows, for blocks of ${strong(2 ** (level + 1))} rows.`;
  }
  return say`How many columns does each pair of the ${strong(counted(units, 'row'))} share? A pair with fewer than ${blockColumns(t.params)} cannot give a block.`;
}

function round(t: EcCsrTrace, level: number, number: number): readonly Words[] {
  const unit = level === 0 ? 'row' : `block of ${2 ** level} rows`;
  const found = t.pairs.some((p) => p.level === level && p.round === number && p.blocks.length > 0);
  const end = found
    ? ''
    : `, but no two that are paired share ${counted(blockColumns(t.params), 'column')} within reach any more`;
  return say`${strong(`Round ${number + 1}`)}: every ${unit} is free again, with its remaining columns${end}.`;
}

function match(t: EcCsrTrace, { level, unit, partner, shared }: Pair): readonly Words[] {
  const free = level === 0 ? 'rows' : 'blocks';
  return say`Of the free ${free}, ${unitName(t, level, partner)} shares the most with ${unitName(t, level, unit)}: ${strong(counted(shared.length, 'column'))}. They become a pair.`;
}

function extract(t: EcCsrTrace, { level, unit, partner, shared, blocks, witnesses }: Pair): readonly Words[] {
  const taken = blocks.reduce((sum, b) => sum + b.columns.length, 0);
  const left = shared.length - taken;
  const min = blockColumns(t.params);
  const head = say`${capitalised(unitName(t, level, unit))} and ${unitName(t, level, partner)} share ${counted(shared.length, 'column')}. A block takes ${min}, ${2 * min}, ${3 * min} ...: ${strong(taken)} go ${blocks.length === 1 ? 'in' : `into ${blocks.length} blocks`}`;
  if (left === 0) return [...head, ...say`, none stays.`];
  const asked = listText(witnesses.map((witness) => unitName(t, level, witness)));
  const grows = 2 ** (level + 2) <= t.params.maxGranularity;
  const purpose = grows ? `, so that the ${blocks.length === 1 ? 'block' : 'blocks'} can still grow` : '';
  const isLacked = shared.some((column) =>
    witnesses.some((witness) => !t.levels[level][witness].columns.includes(column)),
  );
  const first = isLacked
    ? ` Columns that ${asked} ${witnesses.length === 1 ? 'lacks' : 'lack'} stay first${purpose}.`
    : '';
  return [...head, ...say`, ${left} ${left === 1 ? 'stays' : 'stay'}.${first}`];
}

function levelEnds(t: EcCsrTrace, level: number): readonly Words[] {
  const next = t.levels[level + 1];
  const here = level === 0 ? 'rows' : `blocks of ${2 ** level} rows`;
  if (2 ** level >= t.params.maxGranularity) {
    return say`The settings allow at most ${strong(counted(2 ** level, 'row'))} to a block.`;
  }
  if (!next) {
    // A row is paired with the one that shares most with it, which need not be the one with which it would give a block.
    const paired = t.pairs.some((pair) => pair.level === level) ? ' that are paired' : '';
    return say`No two ${here}${paired} share ${strong(counted(blockColumns(t.params), 'column'))} within reach.`;
  }
  const last = t.pairs.reduce((round, pair) => (pair.level === level ? Math.max(round, pair.round) : round), 0);
  const isOver =
    last + 1 === t.params.maxRounds &&
    t.pairs.some((pair) => pair.level === level && pair.round === last && pair.blocks.length > 0);
  const why = isOver ? 'The settings allow no further round' : 'No pair gives a block any more';
  return say`${why}. There ${next.length === 1 ? 'is' : 'are'} ${strong(counted(next.length, 'block'))} of ${2 ** (level + 1)} rows.`;
}

function bars(t: EcCsrTrace, stage: BarsStage): readonly Words[] {
  const lengths = t.sets.flatMap((set) => set.blocks.map((b) => b.columns.length));
  const longest = largest(lengths, 0);
  switch (stage) {
    case 'found':
      return say`A group of ${t.params.lanes} lanes works on one block. ${strong('Long blocks keep their group busy')} after the others have finished.`;
    case 'clipped':
      return [...clipping(t, longest), ...shortBlocks(t), ...filling(t)];
    default: {
      if (t.params.order === 'as-found')
        return say`Blocks of a set stay ${strong('in the order they were found')}. The paper puts large blocks first.`;
      return say`${strong('Large blocks first')}, so that no group finishes late.`;
    }
  }
}

function clipping(t: EcCsrTrace, longest: number): readonly Words[] {
  if (longest === 0) return say`There is ${strong('no block')} to cut.`;
  const blocks = (sets: readonly PackedSet[]): number => sets.reduce((sum, set) => sum + set.blocks.length, 0);
  const uncut = packBlocks(t.extraction, { ...t.params, clipColumns: t.window.cols * t.params.lanes });
  if (blocks(t.sets) === blocks(uncut.sets[t.params.remainder])) {
    return say`The longest block has ${counted(longest, 'column')}: ${strong('none is cut')}.`;
  }
  return say`Blocks are ${strong('clipped')}: none is now longer than ${counted(longest, 'column')}.`;
}

/** What became of remainders, if they have separate blocks. */
function shortBlocks(t: EcCsrTrace): readonly Words[] {
  const short = t.sets.reduce((sum, set) => sum + (set.part === 'short' ? set.blocks.length : 0), 0);
  if (short === 0) return [];
  return say` Columns beyond multiples of ${blockColumns(t.params)} became ${strong(counted(short, 'short block'))}.`;
}

function filling(t: EcCsrTrace): readonly Words[] {
  const { gapColumns, tailColumns } = t.encoded.padding;
  const done = [
    ...(gapColumns > 0 ? [`bridge gaps beyond ${counted(reachOf(t.params), 'column')}`] : []),
    ...(tailColumns > 0 ? ['fill the last lanes'] : []),
  ];
  return done.length === 0 ? [] : say` Zeros ${listText(done)}.`;
}

/** The last step of the layout: the blocks in their final order. */
function sets(t: EcCsrTrace): readonly Words[] {
  const order =
    t.params.remainder === 'short-block' ? 'larger blocks first and long before short' : 'larger blocks first';
  return say`${strong(counted(t.sets.length, 'set'))}, ${order}. Of ${counted(t.encoded.nnz, 'non-zero')}, ${strong(inBlocks(t))} are in blocks of two or more rows.`;
}

function row(t: EcCsrTrace, at: number): readonly Words[] {
  const parts = t.sets.reduce((sum, set) => sum + set.blocks.filter((b) => b.rows.includes(at)).length, 0);
  if (parts === 0) return say`Row ${at} has no non-zeros: ${strong(`y[${at}] = 0`)}.`;
  return say`${strong(counted(parts, 'partial sum'))} of row ${at} ${parts === 1 ? 'is' : 'are'} added: ${strong(`y[${at}] = ${valueText(t.y[at])}`)}.`;
}

function gather(t: EcCsrTrace, step: Extract<EcCsrStep, { kind: 'gather' }>): readonly Words[] {
  const info = t.infos[step.set];
  const segment = segmentsOf(t.encoded, info, step.block)[step.segment];
  const columns = segmentColumns(t.encoded, info, step.block, segment);
  if (info.granularity === 1) {
    return say`A block of one row: every x is gathered for ${strong('one product')}, as in CSR.`;
  }
  const products = columns.length * info.granularity;
  return say`x is fetched ${strong(counted(columns.length, 'time'))} and used ${strong(counted(products, 'time'))}.`;
}
