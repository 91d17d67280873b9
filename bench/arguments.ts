import { SparseScopeError } from '../src/core/errors.ts';
import type { AnyFormat, ParamField } from '../src/core/format.ts';
import { completeSizes, type Operation, type Sizes } from '../src/core/operations/operation.ts';
import { operationById, OPERATIONS, SPMV } from '../src/core/operations/index.ts';
import { referenceFormat } from '../src/formats/registry.ts';
import type { PatternInfo, PatternOption } from '../src/generate/patterns.ts';

/** A wrong command line: one sentence. */
export class ArgumentError extends SparseScopeError {
  override name = 'ArgumentError';
}

/** The options of a `sparsescope bench` command line: which kernels are measured, on which matrices, and how. */
export interface BenchArguments {
  readonly operation: Operation;
  /** every combination of the named values; missing ones take their default */
  readonly sizes: readonly Sizes[];
  readonly shapes: readonly { readonly rows: number; readonly cols: number }[];
  readonly densities: readonly number[];
  readonly formats: readonly string[];
  /**
   * Every combination of the named values, per format; missing ones take their default. None for dense if it was not
   * requested: it is then measured as the others need it.
   */
  readonly params: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  readonly variants: 'auto' | 'all';
  /** ids of kernels; null for what `variants` says */
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
  /** remember: numbers of kernels by trial, or from an earlier one; again: by a new one; off: none */
  readonly tuning: 'remember' | 'again' | 'off';
  readonly check: boolean;
  /** times kernels also where the adapter is software */
  readonly timeSoftware: boolean;
  readonly json: string | null;
}

export const USAGE = `Usage: sparsescope bench [option value]...

  --operation ID             ${OPERATIONS.map((o) => o.id).join('|')}  (default spmv)
  --sizes NAME=VALUE,...     of the operation: tokens=256, or tokens=1+16+256 for a run of each
  --shapes 4096x4096,...     rows x columns                          (default 4096x4096)
  --densities 0.5,0.3,...    share of non-zeros, 0 to 1              (default 0.5,0.3,0.1)
  --formats dense,macko,...  ids; dense of each value type is always measured with them (default: all)
  --params NAME=VALUE,...    macko.deltaBits=4, or valueType=f32 for every format that has it; a=1+2 tries each value
  --variants auto|all        the fastest kernel by a short trial, or every kernel that fits (default auto)
  --kernels ID,...           only these kernels, and dense
  --pattern uniform|...      how the matrices are generated           (default uniform)
  --pattern-options NAME=VALUE,...   of the pattern: tokenSkew=0,dead=0.5
  --seed N                   of matrix, vector and order              (default 1)
  --rounds N                 samples per kernel                       (default 20)
  --memory cold|warm         rotate copies, or leave arrays cached    (default cold)
  --cold-mib N               rotate at least this much                  (default 256)
  --where gpu|cpu            on the GPU, or spmv in plain TypeScript  (default gpu)
  --device full|no-subgroups|minimum   opened with all that it has, without subgroups, or with no feature and the
                             specification's default limits       (default full)
  --tuning remember|again|off   numbers of kernels found by trial and kept in .cache/tuning.json; found
                             anew; or as they are without a trial       (default remember)
  --check                    verify only, no times
  --time-software            on a software adapter, which otherwise only verifies: time it, too
  --json FILE                write the reports, as a list, after every run

Exits with 1 when a kernel is wrong or does not compile, with 2 when the command line is.`;

const NAMES = [
  'operation',
  'sizes',
  'shapes',
  'densities',
  'formats',
  'params',
  'variants',
  'kernels',
  'pattern',
  'pattern-options',
  'seed',
  'rounds',
  'memory',
  'cold-mib',
  'where',
  'device',
  'tuning',
  'json',
];

/** Options without a value. */
const FLAGS = ['check', 'time-software'];

/** Reads a command line. Throws ArgumentError with the option, found and expected. */
export function parseArguments(
  argv: readonly string[],
  formats: readonly AnyFormat[],
  patterns: readonly PatternInfo[],
): BenchArguments {
  const given = splitOptions(argv);
  const ids = formats.map((f) => f.id);
  const wanted = list(given.get('formats') ?? ids.join(','), '--formats', (text) => oneOf('--formats', text, ids));
  const reference = referenceFormat.id;
  const withReference = wanted.includes(reference) ? wanted : [reference, ...wanted];
  const kernelIds = formats.flatMap((f) => f.kernels.map((k) => k.id));
  const kernels = given.get('kernels');
  const operation = operationById(
    oneOf(
      '--operation',
      given.get('operation') ?? OPERATIONS[0].id,
      OPERATIONS.map((o) => o.id),
    ),
  );
  const where = oneOf('--where', given.get('where') ?? 'gpu', ['gpu', 'cpu'] as const);
  if (where === 'cpu' && operation.id !== SPMV.id) {
    throw new ArgumentError(
      `--operation: found ${operation.id} with --where cpu, expected ${SPMV.id}, the only one that runs there`,
    );
  }
  const patternIds = patterns.map((p) => p.id);
  const pattern = oneOf('--pattern', given.get('pattern') ?? 'uniform', patternIds);
  return {
    operation,
    sizes: sizesOf(operation, given.get('sizes') ?? null),
    shapes: list(given.get('shapes') ?? '4096x4096', '--shapes', shape),
    densities: list(given.get('densities') ?? '0.5,0.3,0.1', '--densities', (text) =>
      number('--densities', text, 0, 1, false),
    ),
    formats: withReference.filter((id) => ids.includes(id)),
    params: { [reference]: [], ...paramsOf(given.get('params') ?? null, formats, wanted) },
    variants: oneOf('--variants', given.get('variants') ?? 'auto', ['auto', 'all'] as const),
    kernels: kernels === undefined ? null : list(kernels, '--kernels', (text) => oneOf('--kernels', text, kernelIds)),
    pattern,
    patternOptions: patternOptionsOf(
      patterns.find((p) => p.id === pattern)?.options ?? [],
      given.get('pattern-options') ?? null,
    ),
    seed: number('--seed', given.get('seed') ?? '1', 0, 2 ** 32 - 1, true),
    rounds: number('--rounds', given.get('rounds') ?? '20', 1, 10_000, true),
    memory: oneOf('--memory', given.get('memory') ?? 'cold', ['cold', 'warm'] as const),
    coldMiB: number('--cold-mib', given.get('cold-mib') ?? '256', 1, 65_536, true),
    where,
    device: oneOf('--device', given.get('device') ?? 'full', ['full', 'no-subgroups', 'minimum'] as const),
    tuning: oneOf('--tuning', given.get('tuning') ?? 'remember', ['remember', 'again', 'off'] as const),
    check: given.has('check'),
    timeSoftware: given.has('time-software'),
    json: given.get('json') ?? null,
  };
}

function splitOptions(argv: readonly string[]): Map<string, string> {
  const given = new Map<string, string>();
  for (let i = 0; i < argv.length; i++) {
    const name = argv[i].startsWith('--') ? argv[i].slice(2) : null;
    if (name !== null && FLAGS.includes(name)) {
      given.set(name, '');
      continue;
    }
    if (name === null || !NAMES.includes(name)) {
      throw new ArgumentError(`found '${argv[i]}', expected one of --${[...NAMES, ...FLAGS, 'help'].join(', --')}`);
    }
    if (given.has(name)) throw new ArgumentError(`--${name}: found twice, expected once`);
    if (i + 1 === argv.length || argv[i + 1].startsWith('--')) {
      throw new ArgumentError(`--${name}: found no value after it, expected one`);
    }
    given.set(name, argv[++i]);
  }
  return given;
}

function list<T>(text: string, option: string, read: (part: string) => T): readonly T[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.some((part) => part === '')) throw new ArgumentError(`${option}: found '${text}', expected a,b,c`);
  return parts.map(read);
}

function oneOf<T extends string>(option: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (found === undefined) {
    throw new ArgumentError(`${option}: found '${text}', expected one of ${allowed.join(', ')}`);
  }
  return found;
}

function number(option: string, text: string, min: number, max: number, whole: boolean): number {
  const value = text === '' ? Number.NaN : Number(text);
  if (!(value >= min && value <= max) || (whole && !Number.isInteger(value))) {
    throw new ArgumentError(
      `${option}: found '${text}', expected a ${whole ? 'whole ' : ''}number from ${min} to ${max}`,
    );
  }
  return value;
}

function shape(text: string): { rows: number; cols: number } {
  const match = /^(\d+)x(\d+)$/.exec(text);
  if (!match) throw new ArgumentError(`--shapes: found '${text}', expected ROWSxCOLUMNS such as 4096x4096`);
  return { rows: Number(match[1]), cols: Number(match[2]) };
}

/** The named options of a pattern, each in its range. */
function patternOptionsOf(options: readonly PatternOption[], text: string | null): Record<string, number> {
  const found: Record<string, number> = {};
  for (const part of text === null ? [] : list(text, '--pattern-options', (each) => each)) {
    const [, id = '', value = ''] = /^(\w+)=(.*)$/.exec(part) ?? [];
    const option = options.find((o) => o.id === id);
    if (!option) {
      const known = options.length === 0 ? 'none: the pattern has no options' : options.map((o) => `${o.id}=VALUE`);
      throw new ArgumentError(`--pattern-options: found '${part}', expected ${[known].flat().join(', ')}`);
    }
    if (id in found) throw new ArgumentError(`--pattern-options: found ${id} twice, expected it once`);
    found[id] = number(`--pattern-options ${id}`, value, option.min, option.max, option.whole);
  }
  return found;
}

/** Every combination of the named sizes. */
function sizesOf(operation: Operation, text: string | null): readonly Sizes[] {
  let combinations: Sizes[] = [{}];
  for (const { name, values } of text === null ? [] : list(text, '--sizes', assignment)) {
    combinations = combinations.flatMap((sizes) => values.map((value) => ({ ...sizes, [name]: Number(value) })));
  }
  try {
    return combinations.map((sizes) => completeSizes(operation, sizes));
  } catch (error) {
    if (error instanceof RangeError) throw new ArgumentError(`--sizes: ${error.message}`);
    throw error;
  }
}

/**
 * Every combination of the named values for each wanted format. A value for all formats (valueType=i8) applies to those
 * that know it. Throws ArgumentError for one that none knows.
 */
export function paramsOf(
  text: string | null,
  formats: readonly AnyFormat[],
  wanted: readonly string[],
): Record<string, Record<string, unknown>[]> {
  const assignments = text === null ? [] : list(text, '--params', assignment);
  const unused = new Set(assignments.flatMap((a) => a.values.map((value) => `${a.prefix}${value}`)));
  const fields: string[] = [];
  const result: Record<string, Record<string, unknown>[]> = {};
  for (const format of formats) {
    if (!wanted.includes(format.id)) continue;
    let combinations: Record<string, unknown>[] = [{}];
    for (const [name, field] of Object.entries(format.params as Record<string, ParamField<unknown>>)) {
      fields.push(`${format.id}.${name}=${allowed(field)}`);
      // The more specific name wins: macko.valueType=f32 over valueType=f16.
      const found =
        assignments.find((a) => a.format === format.id && a.name === name) ??
        assignments.find((a) => a.format === null && a.name === name);
      const values: unknown[] = [];
      for (const value of found?.values ?? []) {
        const read = paramValue(value, field);
        if (read === undefined) continue;
        values.push(read);
        unused.delete(`${found?.prefix}${value}`);
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

interface Assignment {
  readonly format: string | null;
  readonly name: string;
  /** 'macko.deltaBits=' */
  readonly prefix: string;
  readonly values: readonly string[];
}

function assignment(text: string): Assignment {
  const match = /^((?:([\w-]+)\.)?(\w+)=)(.+)$/.exec(text);
  if (!match) throw new ArgumentError(`--params: found '${text}', expected name=value or format.name=value`);
  const [, prefix, format = null, name, values] = match;
  return { format, name, prefix, values: values.split('+') };
}

/** Undefined for a value that the field does not allow. */
function paramValue(text: string, field: ParamField<unknown>): unknown {
  if (field.kind === 'choice') return field.options.find((o) => String(o.value) === text)?.value;
  const value = Number(text);
  return Number.isInteger(value) && value >= field.min && value <= field.max ? value : undefined;
}

function allowed(field: ParamField<unknown>): string {
  return field.kind === 'choice' ? field.options.map((o) => String(o.value)).join('|') : `${field.min}..${field.max}`;
}
