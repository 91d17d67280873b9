// node scripts/run.mjs labs/language/scripts/tales.ts --count N --seed S --out FILE: draws tales for training, one JSON
// line { text, bits } each.
// --split held-out draws from the seeds of the page; --judge judges every tale and sums up the exact floor.
// labs/language/docs/language.md explains tales.
import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { drawTale, SEED_BOUNDS } from '../tales/draw.ts';
import { exactBits, judge } from '../tales/judge.ts';

/** Characters that are written at once. */
const BUFFERED = 2 ** 20;

/** Parses an option as a whole number; ends the program if it is none. */
function wholeNumber(name: string, text: string, from: number, to: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= from && number <= to) return number;
  console.error(`tales: --${name}: found '${text}', expected a whole number from ${from} to ${to}`);
  process.exit(2);
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10' },
    seed: { type: 'string', default: '0' },
    split: { type: 'string', default: 'training' },
    out: { type: 'string' },
    judge: { type: 'boolean', default: false },
  },
});
const { split, out } = values;
if (split !== 'training' && split !== 'held-out') {
  console.error(`tales: --split: found '${split}', expected training or held-out`);
  process.exit(2);
}
const count = wholeNumber('count', values.count, 1, SEED_BOUNDS.tales);
const seed = wholeNumber('seed', values.seed, 0, SEED_BOUNDS.seeds - 1);

const start = performance.now();
const file = out === undefined ? 1 : openSync(out, 'w');
let lines = '';
const sums = { bits: 0, bytes: 0, exact: 0, broken: 0 };
for (let i = 0; i < count; i++) {
  const { text, bits } = drawTale(split, seed, i);
  sums.bits += bits;
  sums.bytes += text.length;
  if (values.judge) {
    if (judge(text).broken) sums.broken++;
    sums.exact += exactBits(text).bits;
  }
  lines += `${JSON.stringify({ text, bits })}\n`;
  if (lines.length > BUFFERED) {
    writeSync(file, lines);
    lines = '';
  }
}
writeSync(file, lines);
if (out !== undefined) closeSync(file);
const seconds = (performance.now() - start) / 1000;
const perTale = (sum: number): string => (sum / count).toFixed(1);
console.error(
  `${count} tales, ${perTale(sums.bits)} bits and ${perTale(sums.bytes)} bytes each, ${(sums.bits / sums.bytes).toFixed(4)} bits per byte along the paths drawn, in ${seconds.toFixed(1)} s`,
);
if (values.judge) {
  console.error(`exact: ${(sums.exact / sums.bytes).toFixed(4)} bits per byte; judged broken: ${sums.broken}`);
}
