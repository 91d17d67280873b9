import { describe, expect, it } from 'vitest';
import { columnsMatrix } from '../../../../test/matrices.ts';
import type { HybridParams } from '../params.ts';
import { story } from './index.ts';

const P: HybridParams = { rowSlots: 4, tailShare: 2, valueType: 'bf16' };

describe('the story of a hybrid', () => {
  // Rows of 2, 0 and 5 non-zeros: compact, empty, tail.
  const t = story.trace(columnsMatrix(12, [[3, 9], [], [0, 1, 5, 6, 11]]), P);
  const scenes = Array.from({ length: t.steps.length + 1 }, (_, step) => story.scene(t, step));
  const routes = [0, 1, 2].map((row) => scenes[2 + row]);

  it('stores a row right below its cells, where its curves end', () => {
    expect(routes.map(({ panels }) => panels.slice(0, 3).map(({ id }) => id))).toEqual(
      routes.map(() => ['matrix', 'now', 'compact']),
    );
    expect(routes.map(({ links }) => links.map(({ from, to }) => `${from} -> ${to}`))).toEqual([
      ['cell 0,3 -> now value 0', 'cell 0,9 -> now value 1'],
      [],
      ['cell 2,0 -> now tail 0'],
    ]);
    expect(routes.map(({ panels }) => panels[1].marks.map(({ id }) => id))).toEqual([
      ['now value 0', 'now column 0', 'now value 1', 'now column 1', 'now slot 2', 'now slot 3'],
      ['now slot 4', 'now slot 5', 'now slot 6', 'now slot 7'],
      ['now tail 0', 'now tail 1', 'now tail 5', 'now tail 6', 'now tail 11'],
    ]);
    const others = scenes.filter((each) => !routes.includes(each));
    expect(others.flatMap(({ panels, links }) => [...panels.filter(({ id }) => id === 'now'), ...links])).toEqual([]);
  });

  it('counts the tail rows in use so far', () => {
    const captions = scenes.map(({ panels }) => panels.find(({ id }) => id === 'tail')?.caption);
    expect(captions.slice(1, 6)).toEqual([
      '0 of 2 rows in use',
      '0 of 2 rows in use',
      '0 of 2 rows in use',
      '1 of 2 rows in use',
      '1 of 2 rows in use',
    ]);
  });
});
