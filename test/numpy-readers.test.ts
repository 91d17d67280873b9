import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, type TestContext } from 'vitest';
import type { AnyFormat } from '../src/core/format.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import { Random } from '../src/core/number/random.ts';
import { spmvWithBound } from '../src/core/oracle.ts';
import { threadPace } from '../src/core/pace.ts';
import { ServiceJob } from '../src/engine/bridge/job.ts';
import { encodingFile } from '../src/engine/matrix/exporting.ts';
import { formats } from '../src/formats/registry.ts';
import { pythonWithNumpy } from '../scripts/numpy.mjs';
import { admittedRecipe, allParams, buildMatrix, type MatrixRecipe, matrixRecipe, paramsTitle } from './arbitraries.ts';
import { scheduled } from './scheduled.ts';

/** The readers of docs/numpy: each takes the arrays of a format as the page exports them, and multiplies. */

const docs = resolve(import.meta.dirname, '../docs');
const scriptOf = ({ id }: AnyFormat): string => join(docs, 'numpy', `${id}.py`);

/** Matrices with each combination of parameters: of any kind, and with many non-zeros. */
const [ANY, FULL] = [3, 5];

/** Runs a script once for each line of the input, with its words as arguments, in one Python. */
const DRIVER = `
import runpy, sys
script = sys.argv[1]
for line in sys.stdin.read().splitlines():
    sys.argv = [script, *line.split()]
    runpy.run_path(script, run_name="__main__")
`;

interface Case {
  readonly title: string;
  readonly decoded: Matrix;
  readonly x: Float32Array;
  /** that x may be off by a rounding of the scale in every product */
  readonly slack: number;
}

/** A matrix as the page exports it and an x, as files NAME.npz and NAME.txt. */
async function writeCase(format: AnyFormat, params: object, m: Matrix, name: string, seed: number): Promise<Case> {
  const encoded = format.encode(m, params);
  const file = await encodingFile(format, params, encoded, 'npz', new ServiceJob(threadPace), threadPace);
  writeFileSync(`${name}.npz`, new Uint8Array(await file.arrayBuffer()));
  const random = new Random(seed);
  const x = Float32Array.from({ length: m.cols }, () => random.normal());
  writeFileSync(`${name}.txt`, x.join('\n'));
  const title = `${paramsTitle({ ...params })}, ${m.rows} × ${m.cols}`;
  return {
    title,
    decoded: format.decode(encoded),
    x,
    slack: 'valueType' in params && params.valueType === 'i8' ? 2 ** -23 : 1e-12,
  };
}

/** Runs the script once for each of `args`. */
function runScript(python: string, format: AnyFormat, args: readonly string[]) {
  return spawnSync(python, ['-W', 'ignore', '-c', DRIVER, scriptOf(format)], {
    input: args.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
}

/** The numbers that Python printed, one on each line. */
function numbersOf(printed: string): readonly number[] {
  const lines = printed.split('\n').filter((line) => line !== '');
  return lines.map((line) => Number(line.replace('inf', 'Infinity')));
}

async function agreesWithTheOracle(format: AnyFormat, { skip }: TestContext): Promise<void> {
  const python = pythonWithNumpy();
  if (!python) return skip('found no Python with NumPy; npm run test:all says why');
  const folder = mkdtempSync(join(tmpdir(), 'numpy-'));
  try {
    const cases: Case[] = [];
    const nameOf = (i: number): string => join(folder, String(i));
    for (const params of allParams(format)) {
      const seed = (fc.readConfigureGlobal().seed ?? 0) + cases.length;
      const sample = (recipes: fc.Arbitrary<MatrixRecipe>, numRuns: number) => fc.sample(recipes, { seed, numRuns });
      const any = sample(matrixRecipe(), 4 * ANY).filter((recipe) => format.admits(buildMatrix(recipe), params).ok);
      for (const recipe of [...any.slice(0, ANY), ...sample(admittedRecipe(format, params), FULL)]) {
        const n = cases.length;
        cases.push(await writeCase(format, params, buildMatrix(recipe), nameOf(n), n));
      }
    }
    // The last once more without an x, which then is 1 everywhere.
    const last = cases[cases.length - 1];
    cases.push({ ...last, x: last.x.map(() => 1) });
    const args = cases.map((_, i) =>
      i < cases.length - 1 ? `${nameOf(i)}.npz ${nameOf(i)}.txt` : `${nameOf(i - 1)}.npz`,
    );
    const { stdout, stderr, status } = runScript(python, format, args);
    expect(status, stderr).toBe(0);
    const found = numbersOf(stdout);
    let at = 0;
    for (const { title, decoded, x, slack } of cases) {
      const { y, magnitude } = spmvWithBound(decoded, x);
      for (const [r, expected] of y.entries()) {
        const value = found[at++];
        if (Object.is(value, expected) || value === expected) continue;
        const off = Math.abs(value - expected);
        expect(off, `${title}: y[${r}] is ${value}, expected ${expected}`).toBeLessThanOrEqual(slack * magnitude[r]);
      }
    }
    expect(found).toHaveLength(at);
    expect(at).toBeGreaterThan(100);

    writeFileSync(`${nameOf(0)}.txt`, Array.from({ length: cases[0].x.length + 1 }, () => 1).join('\n'));
    const refused = runScript(python, format, [args[0]]);
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/^Found .* columns and \d+ values of x, expected .* one value per column\.$/m);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.each(formats)('the NumPy reader of $id', (format) => {
  it('is there, and is linked', () => {
    expect(existsSync(scriptOf(format))).toBe(true);
    expect(readFileSync(join(docs, 'teaching.md'), 'utf8')).toContain(`(numpy/${format.id}.py)`);
  });

  scheduled(
    'it needs Python with NumPy, and exports hundreds of matrices',
    'the product of the same arrays on the CPU, in src/formats/contract.test.ts; a fault of the script by this test alone',
    'gives the product of the oracle for random matrices with all parameters',
    (context) => agreesWithTheOracle(format, context),
  );
});
