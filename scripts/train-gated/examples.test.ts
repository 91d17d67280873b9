import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COEFFICIENTS, TABLE_ONLY } from './examples.ts';

interface Entry {
  readonly id: string;
  readonly provenance: string;
}

it('the table of docs/examples.md has the figures in the provenance of the shipped gate activations', () => {
  const docs = readFileSync('docs/examples.md', 'utf8');
  const rows = [...docs.matchAll(/^\| ([\d.]+) +\| ([\d.]+) +\| (\d+) +\| (\d+) +\| ([\d.]+) % +\| (\S+) +\|$/gm)];
  expect(rows.map((row) => Number(row[1]))).toEqual([...COEFFICIENTS, ...TABLE_ONLY].toSorted((a, b) => a - b));
  const entries = JSON.parse(readFileSync('public/examples/index.json', 'utf8')) as readonly Entry[];
  for (const [, l1, mean, max, dead, accuracy, shippedAs] of rows) {
    const entry = entries.find(({ id }) => id === shippedAs);
    expect(entry !== undefined, `L1 ${l1}`).toBe(COEFFICIENTS.includes(Number(l1)));
    if (entry === undefined) continue;
    expect(entry.provenance).toContain(
      `a mean of ${mean} neurons fire and at most ${max}, ${dead} never do, and ${accuracy} % are classified correctly`,
    );
  }
});
