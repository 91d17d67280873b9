import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { readMatrix } from '../../src/io/read.ts';
import { paramsOf } from '../../src/labs/workbench/own/parse-answers.ts';
import { requestDescription, requestSetup } from '../../src/labs/workbench/own/module-requests.ts';
import type { Matrix } from '../../src/core/matrix/index.ts';
import { reasonOf } from '../../src/labs/workbench/own/user-format-source.ts';
import { ChildRunner, fenceOf } from './prove/child-runner.ts';
import { lawLines, matrixLines, storyLines } from './prove/report.ts';

/** `sparsescope prove FILE [MATRIX]`: the laws of a format that a person wrote, its bytes and its story, as text. */

const USAGE = `Usage: sparsescope prove FILE [MATRIX] [--params name=value,...] [--no-story]

FILE    the module of a format of one's own
MATRIX  a matrix file, whose bytes are counted; without it, a small example

Exit code: 0 all laws are kept, 1 one is broken, 2 it could not be tried.`;

/** Bytes of a module: far above any that a person writes. */
const MAX_BYTES = 2 ** 20;

class UsageError extends Error {}

async function textOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new UsageError(`found no file '${file}'`);
  if (found.size > MAX_BYTES) throw new UsageError(`${file}: found ${found.size} bytes, expected at most ${MAX_BYTES}`);
  return readFile(file, 'utf8');
}

async function matrixOf(file: string): Promise<Matrix> {
  const bytes = await readFile(file).catch(() => {
    throw new UsageError(`found no file '${file}'`);
  });
  return (await readMatrix({ name: basename(file), bytes })).matrix;
}

/** name=value,name=value, numbers as numbers. */
function givenParams(text: string): Readonly<Record<string, number | string>> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [name, value] = pair.split('=');
      if (!name || value === undefined) throw new UsageError(`--params: found '${pair}', expected name=value`);
      return [name, value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value];
    }),
  );
}

async function main(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const at = argv.indexOf('--params');
  const given = at < 0 ? {} : givenParams(argv[at + 1] ?? '');
  const files = argv.filter((each, i) => !each.startsWith('--') && (at < 0 || i !== at + 1));
  const unknown = argv.find((each) => each.startsWith('--') && !['--params', '--no-story'].includes(each));
  if (unknown !== undefined) throw new UsageError(`found '${unknown}'`);
  if (files.length < 1 || files.length > 2) throw new UsageError(`found ${files.length} files, expected one or two`);
  const text = await textOf(files[0]);
  const matrix = files[1] === undefined ? null : await matrixOf(files[1]);

  const fence = fenceOf();
  const runners = { encoder: new ChildRunner(text, fence), decoder: new ChildRunner(text, fence) };
  try {
    const description = await requestDescription(runners);
    if (description.kind !== 'done') throw new UsageError(`${files[0]}: ${reasonOf(description)}`);
    for (const [name, value] of Object.entries(given)) {
      const field = description.result.params.find((each) => each.name === name);
      if (!field?.options.includes(value)) {
        const expected = field
          ? `one of ${field.options.join(', ')}`
          : `one of the parameters, ${description.result.params.map((each) => each.name).join(', ') || 'of which there are none'}`;
        throw new UsageError(`--params: found ${name}=${value}, expected ${expected}`);
      }
    }
    const params = paramsOf(description.result, given);
    const setup = await requestSetup(runners, description.result, params);
    if (setup.kind !== 'done') throw new UsageError(`${files[0]}: ${reasonOf(setup)}`);
    const settings = Object.entries(params).map(([name, value]) => `${name} ${value}`);
    console.log([description.result.title, ...settings].join(', '));
    if (fence.flags.length === 0) {
      console.log('This Node has no permissions: the module is kept from files by its context alone.');
    }
    if (!fence.hasNoNetwork) {
      console.log('This Node cannot forbid connections: the module is kept from them by its context alone.');
    }
    const laws = await lawLines(runners, setup.result);
    console.log(`\n${laws.lines.join('\n')}`);
    let isKept = laws.isKept;
    if (matrix) {
      const whole = await matrixLines(runners, setup.result, matrix);
      console.log(`\n${basename(files[1])}, ${matrix.rows} × ${matrix.cols}, ${matrix.nnz} non-zeros`);
      console.log(whole.lines.join('\n'));
      isKept &&= whole.isKept;
    }
    if (!argv.includes('--no-story')) {
      console.log(`\n${(await storyLines(runners, setup.result, matrix, text)).join('\n')}`);
    }
    return isKept ? 0 : 1;
  } finally {
    runners.encoder.end();
    runners.decoder.end();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`prove: ${error instanceof Error ? error.message : String(error)}`);
  if (error instanceof UsageError) console.error(USAGE);
  process.exitCode = 2;
}
