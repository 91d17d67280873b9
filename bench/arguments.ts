// The options of `sparsescope bench`: their help texts, and how a command line is read and checked.

import {
  ArgumentError,
  type GivenArguments,
  numberIn,
  type Options,
  optionsHelp,
  readArguments,
  rejectOperands,
} from '../scripts/command-line.ts';
import type { AnyFormat, ParamField } from '../src/core/format.ts';
import { MAX_ROUNDS, PROGRAM_ROUNDS } from '../src/core/bench/round-counts.ts';
import { completeSizes, type Operation, type Sizes } from '../src/core/operations/operation.ts';
import { operationById, OPERATIONS, SPMV } from '../src/core/operations/index.ts';
import { referenceFormat } from '../src/formats/registry.ts';
import type { PatternInfo, PatternOption } from '../src/generate/patterns.ts';

/** The options of a `sparsescope bench` command line: which kernels are measured, on which matrices, and how. */
export interface BenchArguments {
  readonly operation: Operation;
  /** every combination of the named values; missing ones take their default */
  readonly sizes: readonly Sizes[];
  readonly shapes: readonly { readonly rows: number; readonly cols: number }[];
  readonly densities: readonly number[];
  readonly formats: readonly string[];
  /** the formats that the command line names, all of which have to run; empty if all formats are tried */
  readonly namedFormats: readonly string[];
  /**
   * Every combination of the named values, per format; missing ones take their default. Empty for dense if it was not
   * requested: it is then measured with the value types of the other formats.
   */
  readonly params: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  readonly variants: 'auto' | 'all';
  /** ids of kernels; null for the choice of `variants` */
  readonly kernels: readonly string[] | null;
  readonly pattern: string;
  /** the named options of the pattern; the others take their default */
  readonly patternOptions: Readonly<Record<string, number>>;
  readonly seed: number;
  readonly rounds: number;
  readonly memory: 'cold' | 'warm';
  readonly coldMiB: number;
  readonly where: 'gpu' | 'cpu';
  /** how the GPU is opened: with everything that it has, without subgroups, or with the minimum of the specification */
  readonly device: 'full' | 'no-subgroups' | 'minimum';
  /**
   * Where the tuning numbers of kernels, such as the workgroup size, come from. remember: an earlier trial, or a new one
   * if there is none; again: a new trial; off: the defaults.
   */
  readonly tuning: 'remember' | 'again' | 'off';
  readonly check: boolean;
  /** times kernels also where the adapter is software */
  readonly timeSoftware: boolean;
  /** paths of the written files; '-' is standard output, and null writes none */
  readonly json: string | null;
  readonly csv: string | null;
}

/** The options of the program: their values and help texts. */
const OPTIONS = {
  operation: { value: 'ID', help: `${OPERATIONS.map((o) => o.id).join('|')}  (default spmv)` },
  sizes: { value: 'NAME=VALUE,...', help: 'of the operation: tokens=256, or tokens=1+16+256 for a run of each' },
  shapes: { value: '4096x4096,...', help: 'rows x columns                          (default 4096x4096)' },
  densities: { value: '0.5,0.3,...', help: 'share of non-zeros, 0 to 1              (default 0.5,0.3,0.1)' },
  formats: {
    value: 'dense,macko,...',
    help: 'ids; dense of each value type is always measured with them (default: all)',
  },
  params: {
    value: 'NAME=VALUE,...',
    help: 'macko.deltaBits=4, or valueType=f32 for every format that has it; a=1+2 tries each value',
  },
  variants: {
    value: 'auto|all',
    help: 'the fastest kernel by a short trial, or every kernel that fits (default auto)',
  },
  kernels: { value: 'ID,...', help: 'only these kernels, and dense' },
  pattern: { value: 'uniform|...', help: 'how the matrices are generated           (default uniform)' },
  'pattern-options': { value: 'NAME=VALUE,...', help: 'of the pattern: tokenSkew=0,dead=0.5' },
  seed: { value: 'N', help: 'of matrix, vector and order              (default 1)' },
  rounds: { value: 'N', help: `samples per kernel                       (default ${PROGRAM_ROUNDS})` },
  memory: { value: 'cold|warm', help: 'rotate copies, or leave arrays cached    (default cold)' },
  'cold-mib': { value: 'N', help: 'rotate at least this much                  (default 256)' },
  where: { value: 'gpu|cpu', help: 'on the GPU, or spmv in plain TypeScript  (default gpu)' },
  device: {
    value: 'full|no-subgroups|minimum',
    help: `opened with all that it has, without subgroups, or with no feature and the
specification's default limits       (default full)`,
  },
  tuning: {
    value: 'remember|again|off',
    help: `kernel settings found by auto-tuning, saved in .cache/tuning.json; found
anew; or the defaults                      (default remember)`,
  },
  check: { help: 'verify only, no times' },
  'time-software': { help: 'on a software adapter, which otherwise only verifies: time it, too' },
  json: {
    value: 'FILE',
    help: 'write the reports, as a list, after every run; - is standard output, and\ntables are then on standard error',
  },
  csv: { value: 'FILE', help: 'the same as CSV, a line for each sample' },
} as const satisfies Options;

export const USAGE = `Usage: sparsescope bench [option value]...

Verifies and times kernels on generated matrices, and prints a table for each.

${optionsHelp(OPTIONS)}

Examples:
  sparsescope bench --formats macko --shapes 4096x4096 --densities 0.5
  sparsescope bench --operation gemm --sizes tokens=1+256 --check
  sparsescope bench --formats macko --csv - > times.csv

Exits with 1 when a kernel is wrong, does not compile, or was asked for and did not run; with 2 when the command line is
wrong or a file cannot be written.`;

/** Reads a command line. Throws ArgumentError with the option, found and expected. */
export function parseArguments(
  argv: readonly string[],
  formats: readonly AnyFormat[],
  patterns: readonly PatternInfo[],
): BenchArguments {
  const line = readArguments(OPTIONS, argv);
  rejectOperands(line);
  const ids = formats.map((f) => f.id);
  const wanted = readList(line.value('formats') ?? ids.join(','), '--formats', (text) => oneOf('--formats', text, ids));
  const reference = referenceFormat.id;
  const withReference = wanted.includes(reference) ? wanted : [reference, ...wanted];
  const kernelIds = formats.flatMap((f) => f.kernels.map((k) => k.id));
  const kernels = line.value('kernels');
  const operation = operationById(
    oneOf(
      '--operation',
      line.value('operation') ?? OPERATIONS[0].id,
      OPERATIONS.map((o) => o.id),
    ),
  );
  const [json = null, csv = null] = [line.value('json'), line.value('csv')];
  if (csv !== null && csv === json)
    throw new ArgumentError(`--csv: found '${csv}', which --json writes, expected another output`);
  const where = oneOf('--where', line.value('where') ?? 'gpu', ['gpu', 'cpu'] as const);
  if (where === 'cpu' && operation.id !== SPMV.id) {
    throw new ArgumentError(
      `--operation: found ${operation.id} with --where cpu, expected ${SPMV.id}, the only one that runs there`,
    );
  }
  if (where === 'cpu') rejectGpuOptions(line);
  const patternIds = patterns.map((p) => p.id);
  const pattern = oneOf('--pattern', line.value('pattern') ?? 'uniform', patternIds);
  return {
    operation,
    sizes: sizesOf(operation, line.value('sizes') ?? null),
    shapes: readList(line.value('shapes') ?? '4096x4096', '--shapes', readShape),
    densities: readList(line.value('densities') ?? '0.5,0.3,0.1', '--densities', (text) =>
      readNumber('--densities', text, { min: 0, max: 1, isInteger: false }),
    ),
    formats: withReference.filter((id) => ids.includes(id)),
    namedFormats: line.has('formats') ? wanted : [],
    params: { [reference]: [], ...paramsOf(line.value('params') ?? null, formats, wanted) },
    variants: oneOf('--variants', line.value('variants') ?? 'auto', ['auto', 'all'] as const),
    kernels:
      kernels === undefined ? null : readList(kernels, '--kernels', (text) => oneOf('--kernels', text, kernelIds)),
    pattern,
    patternOptions: patternOptionsOf(
      patterns.find((p) => p.id === pattern)?.options ?? [],
      line.value('pattern-options') ?? null,
    ),
    seed: readNumber('--seed', line.value('seed') ?? '1', { min: 0, max: 2 ** 32 - 1, isInteger: true }),
    rounds: readNumber('--rounds', line.value('rounds') ?? String(PROGRAM_ROUNDS), {
      min: 1,
      max: MAX_ROUNDS,
      isInteger: true,
    }),
    memory: oneOf('--memory', line.value('memory') ?? 'cold', ['cold', 'warm'] as const),
    coldMiB: readNumber('--cold-mib', line.value('cold-mib') ?? '256', { min: 1, max: 65_536, isInteger: true }),
    where,
    device: oneOf('--device', line.value('device') ?? 'full', ['full', 'no-subgroups', 'minimum'] as const),
    tuning: oneOf('--tuning', line.value('tuning') ?? 'remember', ['remember', 'again', 'off'] as const),
    check: line.has('check'),
    timeSoftware: line.has('time-software'),
    json,
    csv,
  };
}

/** Options that --where cpu would ignore. */
const GPU_ONLY = ['kernels', 'variants', 'cold-mib', 'device', 'tuning', 'check', 'time-software'] as const;

/** Throws ArgumentError for an option that `--where cpu` would ignore. */
function rejectGpuOptions(line: GivenArguments<keyof typeof OPTIONS>): void {
  const name = GPU_ONLY.find((option) => line.has(option)) ?? (line.value('memory') === 'cold' ? 'memory' : null);
  if (name === null) return;
  const found = name === 'memory' ? 'cold' : 'it';
  throw new ArgumentError(`--${name}: found ${found} with --where cpu, expected it on the GPU alone`);
}

/** The parts of a comma-separated list, each parsed by `read`. Throws ArgumentError for an empty part. */
function readList<T>(text: string, option: string, read: (part: string) => T): readonly T[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.some((part) => part === '')) throw new ArgumentError(`${option}: found '${text}', expected a,b,c`);
  return parts.map(read);
}

/** The allowed value that a text is. Throws ArgumentError for any other text. */
function oneOf<T extends string>(option: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (found === undefined) {
    throw new ArgumentError(`${option}: found '${text}', expected one of ${allowed.join(', ')}`);
  }
  return found;
}

/** The number that a text is. Throws ArgumentError if it is none, or out of its range. */
function readNumber(
  option: string,
  text: string,
  { min, max, isInteger }: Pick<PatternOption, 'min' | 'max' | 'isInteger'>,
): number {
  const value = numberIn(text);
  if (!(value >= min && value <= max) || (isInteger && !Number.isInteger(value))) {
    throw new ArgumentError(
      `${option}: found '${text}', expected a ${isInteger ? 'whole ' : ''}number from ${min} to ${max}`,
    );
  }
  return value;
}

function readShape(text: string): { rows: number; cols: number } {
  const match = /^(\d+)x(\d+)$/.exec(text);
  if (!match) throw new ArgumentError(`--shapes: found '${text}', expected ROWSxCOLUMNS such as 4096x4096`);
  return { rows: Number(match[1]), cols: Number(match[2]) };
}

/** The named options of a pattern, each in its range. */
function patternOptionsOf(options: readonly PatternOption[], text: string | null): Record<string, number> {
  const values: Record<string, number> = {};
  for (const part of text === null ? [] : readList(text, '--pattern-options', (piece) => piece)) {
    const [, id = '', value = ''] = /^(\w+)=(.*)$/.exec(part) ?? [];
    const option = options.find((o) => o.id === id);
    if (!option) {
      const expected = options.map((o) => `${o.id}=VALUE`).join(', ') || 'none: the pattern has no options';
      throw new ArgumentError(`--pattern-options: found '${part}', expected ${expected}`);
    }
    if (id in values) throw new ArgumentError(`--pattern-options: found ${id} twice, expected it once`);
    values[id] = readNumber(`--pattern-options ${id}`, value, option);
  }
  return values;
}

/** Every combination of the named sizes. */
function sizesOf(operation: Operation, text: string | null): readonly Sizes[] {
  let combinations: Sizes[] = [{}];
  const assignments = text === null ? [] : readList(text, '--sizes', (part) => assignment('--sizes', part));
  rejectRepeated('--sizes', assignments);
  for (const { format, name, values, prefix } of assignments) {
    if (format !== null)
      throw new ArgumentError(`--sizes: found '${prefix.slice(0, -1)}', expected a name such as ${name}`);
    combinations = combinations.flatMap((sizes) => values.map((value) => ({ ...sizes, [name]: numberIn(value) })));
  }
  try {
    return combinations.map((sizes) => completeSizes(operation, sizes));
  } catch (error) {
    if (error instanceof RangeError) throw new ArgumentError(`--sizes: ${error.message}`);
    throw error;
  }
}

/**
 * Every combination of the named values for each wanted format. A value for all formats (valueType=i8) applies to the
 * formats that allow it. Throws ArgumentError for a value that no format allows.
 */
export function paramsOf(
  text: string | null,
  formats: readonly AnyFormat[],
  wanted: readonly string[],
): Record<string, Record<string, unknown>[]> {
  const assignments = text === null ? [] : readList(text, '--params', (part) => assignment('--params', part));
  rejectRepeated('--params', assignments);
  const unused = new Set(assignments.flatMap((a) => a.values.map((value) => `${a.prefix}${value}`)));
  const fields: string[] = [];
  const result: Record<string, Record<string, unknown>[]> = {};
  for (const format of formats) {
    if (!wanted.includes(format.id)) continue;
    let combinations: Record<string, unknown>[] = [{}];
    for (const [name, field] of Object.entries(format.params as Record<string, ParamField<unknown>>)) {
      fields.push(`${format.id}.${name}=${allowedText(field)}`);
      // The more specific name wins: macko.valueType=f32 over valueType=f16.
      const applied =
        assignments.find((a) => a.format === format.id && a.name === name) ??
        assignments.find((a) => a.format === null && a.name === name);
      const values: unknown[] = [];
      for (const text of applied?.values ?? []) {
        const value = paramValue(text, field);
        if (value === undefined) continue;
        values.push(value);
        unused.delete(`${applied?.prefix}${text}`);
      }
      if (values.length === 0) values.push(field.default);
      combinations = combinations.flatMap((params) => values.map((value) => ({ ...params, [name]: value })));
    }
    result[format.id] = combinations;
  }
  const [first] = unused;
  if (first !== undefined) throw new ArgumentError(`--params: found '${first}', expected one of ${fields.join(', ')}`);
  return result;
}

/** A part of a list such as --params, 'macko.deltaBits=2+4'. `format` is null if it applies to all formats. */
interface Assignment {
  readonly format: string | null;
  readonly name: string;
  /** 'macko.deltaBits=' */
  readonly prefix: string;
  readonly values: readonly string[];
}

function assignment(option: string, text: string): Assignment {
  const match = /^((?:([\w-]+)\.)?(\w+)=)(.+)$/.exec(text);
  if (!match) throw new ArgumentError(`${option}: found '${text}', expected name=value or format.name=value`);
  const [, prefix, format = null, name, values] = match;
  return { format, name, prefix, values: values.split('+') };
}

/** Rejects a name with two separate values, one of which would be lost, and a value that is named twice. */
function rejectRepeated(option: string, assignments: readonly Assignment[]): void {
  for (const [i, { prefix, values }] of assignments.entries()) {
    if (assignments.findIndex((earlier) => earlier.prefix === prefix) < i) {
      throw new ArgumentError(`${option}: found ${prefix.slice(0, -1)} twice, expected it once`);
    }
    const repeated = values.find((value, v) => values.indexOf(value) < v);
    if (repeated !== undefined)
      throw new ArgumentError(`${option}: found ${prefix}${repeated} twice, expected it once`);
  }
}

/** The value of a parameter written as `text`; undefined if the field does not allow it. */
function paramValue(text: string, field: ParamField<unknown>): unknown {
  if (field.kind === 'choice') return field.options.find((o) => String(o.value) === text)?.value;
  const value = numberIn(text);
  return Number.isInteger(value) && value >= field.min && value <= field.max ? value : undefined;
}

/** The allowed values of a parameter, as text for messages. */
function allowedText(field: ParamField<unknown>): string {
  return field.kind === 'choice' ? field.options.map((o) => String(o.value)).join('|') : `${field.min}..${field.max}`;
}
