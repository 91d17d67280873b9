import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { generate } from '../../generate/generate.ts';
import { ecCsr } from './index.ts';
import { type EcCsrEncoded, infosOfSets } from './layout.ts';
import { type BlockWork, blockWork, byCost } from './block-work.ts';
import { rowOwners } from './row-owners.ts';
import { NO_SLOT, assignBlocks, rowSlots, type SubgroupCounts } from './block-assignment.ts';

const COUNTS: SubgroupCounts = { workgroups: 6, subgroups: 4, blockCost: 100 };

function encoded(pattern: string, rows: number, cols: number, density = 0.3): EcCsrEncoded {
  const matrix = generate({ pattern, rows, cols, density, seed: 1, options: {} });
  return ecCsr.encode(matrix, { ...defaultParams(ecCsr.params), lanes: 8 });
}

/** Pattern, rows, columns, density. */
const MATRICES = [
  ['planted-blocks', 200, 512, 0.3],
  ['uniform', 150, 400, 0.3],
  ['uniform', 3, 400, 0.3],
  // mostly rows without a block
  ['uniform', 90, 20, 0.01],
] as const;

/** The rows of each block. */
const rowsOfBlocks = ({ rows, rowsAt }: BlockWork): readonly Uint32Array[] =>
  Array.from(rowsAt.subarray(1), (end, t) => rows.subarray(rowsAt[t], end));

/**
 * The work of each workgroup, read from the lists as the kernel does: tasks (blocks to multiply, each with the slots of
 * the sums of its rows) and rows (each with the slots that are added up).
 */
function readWork(e: EcCsrEncoded, counts: SubgroupCounts) {
  const { lists, places, maxTasks } = assignBlocks(e, counts);
  const { workgroups, subgroups } = counts;
  const listEntry = (at: number): Uint32Array => lists.subarray(4 * at, 4 * at + 4);
  return Array.from({ length: workgroups }, (_, w) => {
    const [positionsAt, rowAt, rowCount] = listEntry(w);
    const tasks = Array.from({ length: subgroups * maxTasks }, (_task, t) => {
      const [deltasAt, foursAt, basesAt, word] = listEntry(workgroups + w * subgroups * maxTasks + t);
      const granularity = 1 << ((word >>> 14) & 3);
      const first = positionsAt + (word >>> 16);
      return {
        block: { deltasAt, foursAt, basesAt, columns: word & 0x3fff, granularity },
        sumSlots: places.subarray(first, first + granularity),
      };
    }).filter(({ block }) => block.columns > 0);
    const rows = Array.from({ length: rowCount }, (_row, i) => {
      const [row, begin, end] = listEntry(rowAt + i);
      return { row, begin, end };
    });
    return { tasks, rows };
  });
}

describe.each(MATRICES)('assignBlocks: %s, %d x %d at %d', (pattern, rows, cols, density) => {
  const e = encoded(pattern, rows, cols, density);
  const work = blockWork(e, 0);
  const infos = infosOfSets(e);
  const blocks = new Map(
    rowsOfBlocks(work).map((blockRows, t) => {
      const set = infos[work.set[t]];
      const start = e.blockPtr[set.blockPtrAt + work.indexInSet[t]];
      const words = {
        deltasAt: set.deltaWordAt + start / 4,
        foursAt: (set.valuesAt + set.granularity * start) / 4,
        basesAt: set.baseIndicesAt + e.lanes * work.indexInSet[t],
        columns: work.columns[t] / e.lanes,
        granularity: set.granularity,
      };
      return [words.basesAt, { words, blockRows }] as const;
    }),
  );

  it('assigns every row to one workgroup', () => {
    const all = readWork(e, COUNTS).flatMap((workgroup) => workgroup.rows.map(({ row }) => row));
    expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: rows }, (_, row) => row));
  });

  it('computes every block of a row in the workgroup of the row, once, with a separate slot for its sum', () => {
    const { maxSums } = assignBlocks(e, COUNTS);
    const sumsOfRow = new Uint32Array(rows);
    for (const { tasks, rows: workgroupRows } of readWork(e, COUNTS)) {
      const byRow = new Map(workgroupRows.map((entry) => [entry.row, entry]));
      const taken = new Set<number>();
      for (const { block, sumSlots } of tasks) {
        const encodedBlock = blocks.get(block.basesAt);
        expect(block).toEqual(encodedBlock?.words);
        for (const [i, row] of (encodedBlock?.blockRows ?? []).entries()) {
          const slots = byRow.get(row);
          // a row of another workgroup: its sum goes to the last slot, which no one reads
          if (slots === undefined) {
            expect(sumSlots[i]).toBe(maxSums - 1);
            continue;
          }
          expect(sumSlots[i] >= slots.begin && sumSlots[i] < slots.end).toBe(true);
          expect(taken.has(sumSlots[i])).toBe(false);
          taken.add(sumSlots[i]);
          sumsOfRow[row]++;
        }
      }
      // Every slot is used, so nothing is added that was not written.
      expect(taken.size).toBe(workgroupRows.reduce((sum, { begin, end }) => sum + end - begin, 0));
      expect(taken.size).toBeLessThan(maxSums);
    }
    const expected = new Uint32Array(rows);
    for (const row of e.rowIndices) expected[row]++;
    expect(sumsOfRow).toEqual(expected);
  });

  it('rowSlots returns for each row of a task its number among the rows of the workgroup', () => {
    const assignment = assignBlocks(e, COUNTS);
    const slots = rowSlots(assignment, COUNTS);
    const workgroupTasks = COUNTS.subgroups * assignment.maxTasks;
    expect(slots.length).toBe(8 * COUNTS.workgroups * workgroupTasks);
    for (const [w, { rows: workgroupRows }] of readWork(e, COUNTS).entries()) {
      for (let t = w * workgroupTasks; t < (w + 1) * workgroupTasks; t++) {
        const [, , basesAt, word] = assignment.lists.subarray(4 * (COUNTS.workgroups + t));
        if ((word & 0x3fff) === 0) continue;
        const expected = Array.from(blocks.get(basesAt)?.blockRows ?? [], (row) =>
          workgroupRows.findIndex((entry) => entry.row === row),
        );
        const taskSlots = slots.subarray(8 * t, 8 * t + expected.length); // 8: the most rows of a block
        expect(Array.from(taskSlots, (slot) => (slot === NO_SLOT ? -1 : slot))).toEqual(expected);
      }
    }
  });

  it('reports the maximum of every count', () => {
    const { maxTasks, maxTaskRows, maxRows } = assignBlocks(e, COUNTS);
    const all = readWork(e, COUNTS);
    expect(maxRows).toBe(Math.max(...all.map((workgroup) => workgroup.rows.length)));
    expect(maxTaskRows).toBe(
      Math.max(...all.map((w) => w.tasks.reduce((sum, { sumSlots }) => sum + sumSlots.length, 0))),
    );
    expect(maxTasks).toBeGreaterThanOrEqual(Math.max(...all.map((w) => Math.ceil(w.tasks.length / COUNTS.subgroups))));
  });
});

it('assignBlocks is cached for the same counts', () => {
  const e = encoded('uniform', 40, 100);
  expect(assignBlocks(e, COUNTS)).toBe(assignBlocks(e, { ...COUNTS }));
  expect(assignBlocks(e, { ...COUNTS, workgroups: 5 })).not.toBe(assignBlocks(e, COUNTS));
});

describe('rowOwners', () => {
  it('keeps rows together that share nearly everything', () => {
    const e = encoded('planted-blocks', 256, 512);
    const work = blockWork(e, 100);
    const owners = rowOwners(e.rows, work, 4);
    const splitBlocks = rowsOfBlocks(work).filter((rows) => new Set(Array.from(rows, (row) => owners[row])).size > 1);
    expect(splitBlocks.length).toBeLessThan(work.count / 20);
  });

  it('keeps nearly every group of rows in one workgroup, if there is a workgroup for each group', () => {
    const work = blockWork(encoded('planted-blocks', 256, 512), 100);
    const owners = rowOwners(256, work, 32);
    // Every workgroup that owns a row of a block computes the block.
    const computedBlocks = rowsOfBlocks(work).reduce(
      (sum, rows) => sum + new Set(Array.from(rows, (r) => owners[r])).size,
      0,
    );
    expect(computedBlocks).toBeLessThan(1.1 * work.count);
  });

  it('distributes the cost evenly, and also rows without blocks', () => {
    const e = encoded('uniform', 300, 400);
    const work = blockWork(e, 100);
    const owners = rowOwners(e.rows, work, 5);
    const costs = new Float64Array(5);
    for (const [t, rows] of rowsOfBlocks(work).entries())
      for (const w of new Set(Array.from(rows, (row) => owners[row]))) costs[w] += work.cost[t];
    expect(Math.max(...costs)).toBeLessThan(1.1 * Math.min(...costs));
    const none = blockWork(encoded('uniform', 10, 20, 0), 100);
    expect(none.count).toBe(0);
    expect(new Set(rowOwners(10, none, 5)).size).toBe(5);
  });
});

it('byCost sorts by descending cost, and equal costs in their order', () => {
  expect(byCost(Float64Array.of(5, 1, 4, 5, 4))).toEqual(Uint32Array.of(0, 3, 2, 4, 1));
});
