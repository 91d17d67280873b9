// The text output of `npm run kernel`: the list of kernels, and one kernel as compiled.

import {
  ArgumentError,
  didYouMean,
  numberIn,
  type Options,
  optionsHelp,
  readArguments,
} from '../scripts/command-line.ts';
import { largest } from '../src/core/number/statistics.ts';
import { type AnyFormat, type EncodedMatrix, type ParamField, resolvedParams } from '../src/core/format.ts';
import { type KernelSpec, oversizedReason, unsuitedReason } from '../src/core/kernel/kernel.ts';
import { operationById, OPERATIONS } from '../src/core/operations/index.ts';
import { completeSizes, type Sizes } from '../src/core/operations/operation.ts';
import { type ListedPass, listPasses, exampleDevice, exampleMatrix } from '../src/gpu/index.ts';

const OPTIONS = {
  params: {
    value: 'NAME=VALUE,...',
    help: 'of its format: deltaBits=2              (default: the first that it is for)',
  },
  sizes: { value: 'NAME=VALUE,...', help: 'of its operation: tokens=256' },
  shape: { value: '1024x1024', help: 'rows x columns; the matrix has a 1 per row' },
  subgroup: { value: 'N', help: 'lanes of a subgroup of the device       (default 32)' },
} as const satisfies Options;

export const KERNEL_USAGE = `Usage: npm run kernel                        lists all kernels
       npm run kernel -- ID [option value]...  prints one as it is compiled

${optionsHelp(OPTIONS)}`;

/** The options that a kernel is planned with. */
export interface KernelArguments {
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  readonly sizes: Readonly<Record<string, string>>;
  readonly rows: number;
  readonly cols: number;
  readonly subgroup: number;
}

/** Reads the command line; null if it names no kernel. Throws ArgumentError with the option, found and expected. */
export function parseKernelArguments(argv: readonly string[]): KernelArguments | null {
  if (argv.length === 0) return null;
  const args = readArguments(OPTIONS, argv);
  const [id, ...others] = args.operands;
  if (id === undefined) throw new ArgumentError('found no id, expected the id of a kernel');
  if (others.length > 0) throw new ArgumentError(`found '${others[0]}' beside '${id}', expected one id and options`);
  const shape = /^([1-9]\d*)x([1-9]\d*)$/.exec(args.value('shape') ?? '1024x1024');
  if (!shape)
    throw new ArgumentError(`--shape: found '${args.value('shape')}', expected ROWSxCOLUMNS such as 1024x1024`);
  const subgroup = Number(args.value('subgroup') ?? 32);
  if (![4, 8, 16, 32, 64, 128].includes(subgroup)) {
    throw new ArgumentError(`--subgroup: found '${args.value('subgroup')}', expected 4, 8, 16, 32, 64 or 128`);
  }
  return {
    id,
    params: assignments('--params', args.value('params')),
    sizes: assignments('--sizes', args.value('sizes')),
    rows: Number(shape[1]),
    cols: Number(shape[2]),
    subgroup,
  };
}

/** The values of an option NAME=VALUE,... by name. */
function assignments(option: string, text: string | undefined): Record<string, string> {
  const values: Record<string, string> = {};
  for (const part of text === undefined ? [] : text.split(',')) {
    const [, name, value] = /^(\w+)=(.+)$/.exec(part) ?? [];
    if (name === undefined) throw new ArgumentError(`${option}: found '${part}', expected NAME=VALUE`);
    if (Object.hasOwn(values, name)) throw new ArgumentError(`${option}: found ${name} twice, expected it once`);
    values[name] = value;
  }
  return values;
}

/** Every kernel, by format and operation. */
export function kernelList(formats: readonly AnyFormat[]): string {
  const kernels = formats.flatMap((format) => format.kernels);
  const idWidth = largest(kernels.map(({ id }) => id.length));
  const operationWidth = largest(kernels.map(({ operation }) => operation.length));
  return formats
    .map(({ title, kernels: formatKernels }) => {
      const sorted = OPERATIONS.flatMap(({ id }) => formatKernels.filter(({ operation }) => operation === id));
      const lines = sorted.map((k) => `  ${k.operation.padEnd(operationWidth)}  ${k.id.padEnd(idWidth)}  ${k.title}`);
      return [title, ...lines].join('\n');
    })
    .join('\n\n');
}

/** Sizes as texts, as a command line has them. */
function sizeTexts(sizes: Sizes): Record<string, string> {
  return Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, String(size)]));
}

/**
 * One kernel as compiled: for each pass the buffers that it binds and its overrides in comments, then the WGSL,
 * file by file. Throws ArgumentError for parameters or sizes that the kernel does not support.
 */
export function kernelText(formats: readonly AnyFormat[], options: KernelArguments): string {
  const { id, rows, cols } = options;
  const format = formats.find(({ kernels }) => kernels.some((k) => k.id === id));
  const spec: KernelSpec<EncodedMatrix> | undefined = format?.kernels.find((k) => k.id === id);
  if (!format || !spec) {
    const ids = formats.flatMap(({ kernels }) => kernels.map((kernel) => kernel.id));
    throw new ArgumentError(
      `found '${id}', expected the id of a kernel; without one, npm run kernel lists them${didYouMean(id, ids)}`,
    );
  }
  const params = resolvedParams(format.params, paramsFor(format, spec, options.params), options);
  const unsuited = unsuitedReason(spec, params);
  if (unsuited !== null) throw new ArgumentError(`--params: ${id} ${unsuited}`);
  const matrix = exampleMatrix(rows, cols);
  const support = format.admits(matrix, params);
  if (!support.ok) throw new ArgumentError(`--shape: ${support.reason}`);
  const encoded: EncodedMatrix = format.encode(matrix, params);
  const operation = operationById(spec.operation);
  // A kernel with a maximum of a size is printed with the maximum, unless the command line has another size.
  const sizes = sizesFor(operation, { ...sizeTexts(spec.max ?? {}), ...options.sizes });
  const device = exampleDevice(options.subgroup);
  const oversized = oversizedReason(spec, sizes);
  if (oversized !== null) throw new ArgumentError(`--sizes: ${id} ${oversized}`);
  const fits = spec.fits(encoded, device, sizes);
  if (!fits.ok) throw new ArgumentError(`${id}: ${fits.reason}`);
  const passes = listPasses(spec.plan(encoded, device, sizes));
  const facts = [
    `${id}: ${spec.title}`,
    `Operation: ${spec.operation}${valuesText(sizes)}. Matrix: ${rows} × ${cols}, ${format.id}${valuesText(params)}.`,
    `Device: subgroups of ${options.subgroup} lanes. Needs: ${spec.features.join(', ') || 'nothing'}.`,
  ];
  return [comments(facts), ...passes.map((pass, i) => passText(pass, i, passes.length))].join('\n\n');
}

/** ' with NAME VALUE, ...' for all values; '' if there are none. */
function valuesText(values: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(values);
  return entries.length === 0 ? '' : ` with ${entries.map(([name, value]) => `${name} ${String(value)}`).join(', ')}`;
}

/** Lines as comments of WGSL. */
function comments(lines: readonly string[]): string {
  return lines.map((line) => `// ${line}`.trimEnd()).join('\n');
}

/** A pass: its bindings and overrides as comments, then its code. */
function passText({ path, code, bindings, overrides, workgroups }: ListedPass, index: number, count: number): string {
  const head = `==== pass ${index + 1} of ${count}: ${path}, ${workgroups.join(' × ')} workgroups`;
  const bindingCells = bindings.map(({ binding, name, type, access, buffer, meaning }) => [
    `binding ${binding}`,
    name,
    type,
    access,
    `${buffer.role} '${buffer.name}'`,
    buffer.role === 'params' ? `${buffer.data.join(', ')}` : meaning,
  ]);
  const overrideCells = overrides.map(({ name, type, value, meaning }) => [
    'override',
    name,
    type,
    `= ${value}`,
    meaning,
  ]);
  return `${comments([head, ...columns(bindingCells), ...columns(overrideCells)])}\n\n${code}`;
}

/** Lines of cells, each padded to the width of its column except the last of a line. */
function columns(lines: readonly (readonly string[])[]): readonly string[] {
  return lines.map((cells) =>
    cells
      .map((cell, c) => (c === cells.length - 1 ? cell : cell.padEnd(largest(lines.map((line) => line[c].length)))))
      .join('  ')
      .trimEnd(),
  );
}

/** The parameters of a kernel's format: those in `texts`; of the others the first value that the kernel supports, or the default. */
function paramsFor(
  format: AnyFormat,
  spec: Pick<KernelSpec<EncodedMatrix>, 'only'>,
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const fields: Readonly<Record<string, ParamField<unknown>>> = format.params;
  const unknown = Object.keys(texts).find((name) => !(name in fields));
  if (unknown !== undefined) {
    const fieldNames = Object.keys(fields).join(', ');
    throw new ArgumentError(`--params: found ${unknown}, expected a parameter of ${format.id}: ${fieldNames}`);
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      name in texts ? valueOf(name, texts[name], field) : (spec.only?.[name]?.[0] ?? field.default),
    ]),
  );
}

/** The value of a parameter, from its text. Throws ArgumentError for a value that the parameter does not have. */
function valueOf(name: string, text: string, field: ParamField<unknown>): unknown {
  if (field.kind === 'integer') {
    const value = numberIn(text);
    if (Number.isInteger(value) && value >= field.min && value <= field.max) return value;
    throw new ArgumentError(
      `--params: found ${name}=${text}, expected a whole number from ${field.min} to ${field.max}`,
    );
  }
  const option = field.options.find(({ value }) => String(value) === text);
  if (option) return option.value;
  const choices = field.options.map(({ value }) => String(value)).join(', ');
  throw new ArgumentError(`--params: found ${name}=${text}, expected one of ${choices}`);
}

/** All sizes of an operation: those in `texts`, and the defaults of the others. Throws ArgumentError for a wrong size. */
function sizesFor(
  operation: ReturnType<typeof operationById>,
  texts: Readonly<Record<string, string>>,
): ReturnType<typeof completeSizes> {
  try {
    return completeSizes(
      operation,
      Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, numberIn(value)])),
    );
  } catch (error) {
    if (error instanceof RangeError) throw new ArgumentError(`--sizes: ${error.message}`);
    throw error;
  }
}
