import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type KernelLimit, limitText } from '../core/kernel/limit.ts';
import { limits } from './limits.ts';
import { formats } from './registry.ts';

const kernels = formats.flatMap((format) => format.kernels.map(({ id }: { readonly id: string }) => id));

/** Cells of the table in docs/limits.md, row by row in the order of kernels' ids. */
const table = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\| [\w-]+\/\w+ /.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );

/** The row of a kernel. */
function rowOf(id: string, { says, known, experiment }: KernelLimit): readonly string[] {
  const left = Object.entries(experiment?.without ?? {}).map(([part, us]) => `${part} ${us}`);
  return [id, says, known, experiment ? `${experiment.on}: ${experiment.us}` : '', left.join(', ')];
}

const byId = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

describe('what limits kernels', () => {
  it('is said of every kernel by its own format, with what it rests on', () => {
    expect(Object.keys(limits).toSorted()).toEqual(kernels.toSorted());
    for (const format of formats) {
      for (const id of Object.keys(format.limits ?? {})) expect(id.startsWith(`${format.id}/`)).toBe(true);
    }
  });

  it('is gathered of all formats, in whole sentences, with the experiment where parts were left out', () => {
    expect(limits).toEqual(Object.assign({}, ...formats.map((format) => format.limits ?? {})));
    for (const limit of Object.values(limits)) {
      expect(limitText(limit)).toMatch(/^[A-Z].*\.$/);
      if (limit.experiment) expect(limit.known).toBe('parts left out');
    }
  });

  it('stands in the docs, word for word', () => {
    expect(table).toEqual(
      Object.entries(limits)
        .toSorted(byId)
        .map(([id, limit]) => rowOf(id, limit)),
    );
  });
});
