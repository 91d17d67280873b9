import { readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseNetworkIndex } from './network-index.ts';

const text = readFileSync('public/networks/index.json', 'utf8');

it('reads what is shipped, which agrees with the table of the docs', () => {
  const { gates, neurons, provenance, licence, gatesProvenance } = parseNetworkIndex(text);
  expect(neurons).toBe(1024);
  expect(licence).toBe('MIT');
  expect(provenance).toMatch(/^[A-Z].*\.$/s);
  expect(gatesProvenance).toMatch(/^[A-Z].*\.$/s);
  const docs = readFileSync('docs/examples.md', 'utf8');
  const rows = [...docs.matchAll(/^\| ([\d.]+) +\| ([\d.]+) +\| (\d+) +\| (\d+) +\| ([\d.]+) % /gm)];
  expect(rows.map((row) => row.slice(1, 6).map(Number))).toEqual(
    gates.map((gate) => [
      gate.l1,
      Number(gate.meanNonZeros.toFixed(1)),
      gate.mostNonZeros,
      gate.deadNeurons,
      Number((100 * gate.accuracy).toFixed(3)),
    ]),
  );
  expect(gates.length).toBeGreaterThanOrEqual(5);
});

it('is small compared with its network, which is below 0.8 MB', () => {
  expect(statSync('public/networks/digits.npz').size).toBeLessThan(8e5);
});

it.each([
  ['<html>', "networks/index.json: found '<html>', expected JSON"],
  ['{}', 'networks/index.json, gates: found no list, expected a list of networks'],
  ['{"gates":{"networks":[]}}', 'networks/index.json: found provenance missing, expected text'],
  [
    '{"digits":{"provenance":"P.","licence":"MIT"},"gates":{"networks":[{"l1":"0"}]}}',
    'networks/index.json: found l1 "0", expected a number',
  ],
])('says of %s what is wrong', (wrong, sentence) => {
  expect(() => parseNetworkIndex(wrong)).toThrow(sentence);
});
