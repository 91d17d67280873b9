import { box } from '../../../core/story/marks.ts';
import { pageStart, ticks } from '../../../core/story/scene-parts.ts';
import type { Mark, Panel } from '../../../core/story/scene.ts';
import type { Block } from '../extract.ts';
import { blockColumns } from '../params.ts';
import type { EcCsrTrace, Pair } from './trace.ts';

/** Unit rows that the heat map shows at once. */
const UNITS_SHOWN = 16;

/** Minimum columns of a heat map: room for its title next to the matrix. */
const MIN_COLUMNS = 5;

/** Shared columns of every two unit rows of a level, at the beginning of a step, as a heat map. Panel id 'overlap'. */
export function overlapPanel(t: EcCsrTrace, level: number, pair: Pair | null, stepNumber: number): Panel {
  const units = unitsAt(t, level, stepNumber);
  const shown = Math.min(units.length, UNITS_SHOWN);
  const top = pageStart(units.length, pair?.unit ?? 0, shown);
  const left = pageStart(units.length, pair?.partner ?? pair?.unit ?? 0, shown);
  const min = blockColumns(t.params);
  const sets = units.map((u) => new Set(u.columns));
  const counts: { a: number; b: number; count: number }[] = [];
  for (let a = top; a < top + shown; a++) {
    for (let b = left; b < left + shown; b++) {
      if (a !== b) counts.push({ a, b, count: sharedCount(units[a], sets[b]) });
    }
  }
  const max = counts.reduce((min, { count }) => Math.max(min, count), 1);
  const marks: Mark[] = counts.map(({ a, b, count }) =>
    box(`overlap ${level} ${a},${b}`, b - left, a - top, {
      tone: 'format',
      level: count / max,
      text: String(count),
      label: `${unitText(units[a])} and ${unitText(units[b])} share ${count} columns`,
      ...(count < min ? { state: 'dim' } : {}),
      ...(pair && a === pair.unit && b === pair.partner ? { focus: true } : {}),
    }),
  );
  return {
    id: 'overlap',
    title: 'shared columns',
    caption: level === 0 ? 'row by row' : `blocks of ${2 ** level} rows`,
    unit: 'cell',
    columns: Math.max(MIN_COLUMNS, shown),
    rows: Math.max(1, shown),
    band: 1,
    columnLabels: ticks(left, left + shown),
    rowLabels: ticks(top, top + shown),
    marks,
  };
}

/** The unit rows of a level without the columns that were extracted before a step. */
function unitsAt(t: EcCsrTrace, level: number, stepNumber: number): readonly Block[] {
  const units = t.levels[level] ?? [];
  const left = units.map(() => new Set<number>());
  for (const { detail } of t.steps.slice(0, Math.max(0, stepNumber - 1))) {
    if (detail.kind !== 'extract' || t.pairs[detail.pair].level !== level) continue;
    const { unit, partner, blocks } = t.pairs[detail.pair];
    for (const { columns } of blocks) {
      for (const c of columns) {
        left[unit].add(c);
        left[partner].add(c);
      }
    }
  }
  return units.map(({ rows, columns }, u) => ({ rows, columns: columns.filter((c) => !left[u].has(c)) }));
}

function sharedCount({ columns }: Block, other: ReadonlySet<number>): number {
  let count = 0;
  for (const c of columns) if (other.has(c)) count++;
  return count;
}

function unitText({ rows }: Block): string {
  return rows.length === 1 ? `row ${rows[0]}` : `rows ${rows.join(', ')}`;
}

/** Width of the tree, in units of a bar. */
const WIDTH = 100;
const MAX_BOXES = 24;

/** The blocks of every granularity so far, as rows of boxes. Panel id 'levels'. */
export function levelsPanel(t: EcCsrTrace, stepNumber: number, current: Pair | null): Panel {
  const found = blocksAt(t, stepNumber);
  const marks: Mark[] = [];
  const granularities = [2, 4, 8].filter((g) => g <= Math.max(2, t.params.maxGranularity));
  granularities.forEach((granularity, y) => {
    const blocks = found.get(granularity) ?? [];
    const all = t.levels[Math.log2(granularity)] ?? [];
    const boxes = Math.min(MAX_BOXES, all.length);
    const first = Math.max(0, blocks.length - boxes);
    const w = boxes === 0 ? WIDTH : Math.min(WIDTH / 3, WIDTH / boxes);
    for (let i = 0; i < Math.max(1, boxes); i++) {
      const block = blocks[first + i];
      const isNew = block !== undefined && current?.blocks.includes(block) === true;
      marks.push(
        box(`level ${granularity} ${i}`, i * w, y * 1.25, {
          w,
          tone: 'format',
          ...(block
            ? {
                level: isNew ? 1 : 0.35,
                text: `${block.rows.join('+')} · ${block.columns.length}`,
                label: `block of rows ${block.rows.join(', ')} and ${block.columns.length} columns`,
              }
            : { state: 'ghost', label: 'no block' }),
          ...(isNew ? { focus: true } : {}),
        }),
      );
    }
  });
  return {
    id: 'levels',
    title: 'blocks',
    caption: 'rows · columns',
    unit: 'bar',
    columns: WIDTH,
    rows: granularities.length * 1.25,
    rowLabels: granularities.map((g, y) => ({ at: y * 1.25, text: `${g} rows` })),
    marks,
  };
}

/** Blocks that have been extracted up to a step, by granularity. */
function blocksAt(t: EcCsrTrace, stepNumber: number): ReadonlyMap<number, readonly Block[]> {
  const found = new Map<number, Block[]>();
  for (let i = 0; i < stepNumber; i++) {
    const { detail } = t.steps[i];
    if (detail.kind !== 'extract') continue;
    const { level, blocks } = t.pairs[detail.pair];
    const list = found.get(2 ** (level + 1)) ?? [];
    for (const block of blocks) list.push(block);
    found.set(2 ** (level + 1), list);
  }
  return found;
}
