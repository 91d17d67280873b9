// The command `sparsescope prove FILE [MATRIX]`: prints the laws of a custom format, its bytes and its story.

import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  ArgumentError,
  numberIn,
  type Options,
  optionsHelp,
  readArguments,
  runProgram,
} from '../../../scripts/command-line.ts';
import { readMatrix } from '../../../src/io/index.ts';
import { paramsOf } from '../own/parse-answers.ts';
import { requestDescription, requestSetup } from '../own/module-requests.ts';
import { withVisibleSigns } from '../../../src/core/errors.ts';
import type { Matrix } from '../../../src/core/matrix/index.ts';
import { reasonOf } from '../own/user-format-source.ts';
import { ChildRunner, fenceOf } from './prove/child-runner.ts';
import { lawLines, matrixLines, storyLines } from './prove/report.ts';

const OPTIONS = {
  params: { value: 'NAME=VALUE,...', help: 'of the format; the others take their first value' },
  'no-story': { help: 'only laws and bytes' },
} as const satisfies Options;

const USAGE = `Usage: sparsescope prove FILE [MATRIX] [option value]...

FILE    the module of a format of one's own
MATRIX  a matrix file, whose bytes are counted; without it, a small example

${optionsHelp(OPTIONS)}

Exit code: 0 all laws are kept, 1 one is broken or none could be tried, 2 the command line or a file is wrong.`;

/** Bytes of a module: far above any that a user writes. */
const MAX_BYTES = 2 ** 20;

/** The text of a module's file. Throws ArgumentError. */
async function textOf(file: string): Promise<string> {
  const fileStatus = await stat(file).catch(() => null);
  if (!fileStatus?.isFile()) throw new ArgumentError(`found no file '${file}'`);
  if (fileStatus.size > MAX_BYTES)
    throw new ArgumentError(`${file}: found ${fileStatus.size} bytes, expected at most ${MAX_BYTES}`);
  return readFile(file, 'utf8');
}

/** The matrix in a file. Throws ArgumentError or ReadError. */
async function matrixOf(file: string): Promise<Matrix> {
  const bytes = await readFile(file).catch(() => {
    throw new ArgumentError(`found no file '${file}'`);
  });
  return (await readMatrix({ name: basename(file), bytes })).matrix;
}

/** Parses --params: 'name=value,name=value'; numbers become numbers. Throws ArgumentError. */
function parseParams(text: string | undefined): Readonly<Record<string, number | string>> {
  const params: Record<string, number | string> = {};
  for (const pair of text === undefined ? [] : text.split(',')) {
    const [, name, value] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    if (name === undefined) throw new ArgumentError(`--params: found '${pair}', expected name=value`);
    if (Object.hasOwn(params, name)) throw new ArgumentError(`--params: found ${name} twice, expected it once`);
    const number = numberIn(value);
    params[name] = Number.isFinite(number) ? number : value;
  }
  return params;
}

/** Runs the command; returns the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const arguments_ = readArguments(OPTIONS, argv);
  const chosenParams = parseParams(arguments_.value('params'));
  const files = arguments_.operands;
  if (files.length < 1 || files.length > 2) {
    throw new ArgumentError(`found ${files.length} files, expected one or two; see --help`);
  }
  const text = await textOf(files[0]);
  const matrix = files[1] === undefined ? null : await matrixOf(files[1]);

  const fence = fenceOf();
  const runners = { encoder: new ChildRunner(text, fence), decoder: new ChildRunner(text, fence) };
  try {
    const description = await requestDescription(runners);
    if (description.kind !== 'done') throw new ArgumentError(`${files[0]}: ${reasonOf(description)}`);
    for (const [name, value] of Object.entries(chosenParams)) {
      const field = description.result.params.find((param) => param.name === name);
      if (!field?.options.includes(value)) {
        const expected = field
          ? `one of ${field.options.join(', ')}`
          : `one of the parameters, ${description.result.params.map((param) => param.name).join(', ') || 'of which there are none'}`;
        throw new ArgumentError(`--params: found ${name}=${value}, expected ${expected}`);
      }
    }
    const params = paramsOf(description.result, chosenParams);
    const setup = await requestSetup(runners, description.result, params);
    if (setup.kind !== 'done') throw new ArgumentError(`${files[0]}: ${reasonOf(setup)}`);
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
    let isCorrect = laws.isCorrect;
    if (matrix) {
      const whole = await matrixLines(runners, setup.result, matrix);
      console.log(
        `\n${withVisibleSigns(basename(files[1]))}, ${matrix.rows} × ${matrix.cols}, ${matrix.nnz} non-zeros`,
      );
      console.log(whole.lines.join('\n'));
      isCorrect &&= whole.isCorrect;
    }
    if (!arguments_.has('no-story')) {
      console.log(`\n${(await storyLines(runners, setup.result, matrix, text)).join('\n')}`);
    }
    return isCorrect ? 0 : 1;
  } finally {
    runners.encoder.end();
    runners.decoder.end();
  }
}

await runProgram('prove', USAGE, main);
