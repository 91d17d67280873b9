import { type AnyDeclaration, arraysOf, type TypedDeclaration } from '../src/core/declared/declared-arrays.ts';
import { declarationOf } from '../src/core/declared/declarations.ts';
import { fieldsOf } from '../src/core/declared/word-fields.ts';
import { type AnyFormat, defaultParams, distinctOptions, type ParamField } from '../src/core/format.ts';
import { pythonDecode, pythonEncode } from './python-functions.ts';

/**
 * Prints a part of docs/numpy/sparsescope.py from the declarations of formats: how the elements of each array lie in a file, and
 * the declared `decode` in Python of each format for which the file has no separate function.
 */

const BEGIN = '# printed: the arrays of each format, as they are declared\n';
const END = '# /printed\n';

/** Shapes that are tried: with more columns an array may have another type. */
const SHAPES = [
  { rows: 8, cols: 8 },
  { rows: 8, cols: 70_000 },
];

type Value = string | number | boolean;
type Params = Readonly<Record<string, Value>>;

const literal = (value: Value): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

/** The values of a parameter that are tried. */
function valuesOf(field: ParamField<Value>): readonly Value[] {
  if (field.kind === 'choice') return distinctOptions(field).map(({ value }) => value);
  const { min, max } = field;
  if (max - min > 32) return [min, max];
  return Array.from({ length: max - min + 1 }, (_, i) => min + i);
}

/** Combinations of the parameters that decide the layout of elements, with the defaults of all others. */
function combinationsOf(format: AnyFormat, kindsOf: (params: Params) => readonly string[]): readonly Params[] {
  const spec: Readonly<Record<string, ParamField<Value>>> = format.params;
  const defaults = defaultParams<Record<string, Value>>(spec);
  const deciding = Object.keys(spec).filter((name) => {
    const layouts = valuesOf(spec[name]).map((value) => String(kindsOf({ ...defaults, [name]: value })));
    return new Set(layouts).size > 1;
  });
  let combinations: readonly Params[] = [defaults];
  for (const name of deciding) {
    combinations = combinations.flatMap((params) =>
      valuesOf(spec[name]).map((value) => ({ ...params, [name]: value })),
    );
  }
  return combinations;
}

/** The entry of an array in the Python file: its type, or how its elements are composed. */
function kindOf(array: TypedDeclaration): string {
  const { type, quantised, inWords } = array;
  const fields = fieldsOf(array).map((field) => `${literal(field.name)}: ${literal(field.type.name)}`);
  if (fields.length > 0) return `Fields({${fields.join(', ')}})`;
  if (!quantised) return inWords ? `Words(${literal(type)})` : literal(type);
  return `Codes(${[type, quantised.scales, quantised.by].map(literal).join(', ')})`;
}

/**
 * The kind of an array as a Python expression: one kind, or a choice by the value of a parameter, if possible of one that
 * decides the kind alone; otherwise its choices contain further choices.
 */
function chosenKind(combinations: readonly { readonly params: Params; readonly kind: string }[]): string {
  const kinds = new Set(combinations.map(({ kind }) => kind));
  if (kinds.size === 1) return combinations[0].kind;
  const split = (name: string): ReadonlyMap<Value, typeof combinations> => {
    const values = new Set(combinations.map(({ params }) => params[name]));
    return new Map([...values].map((value) => [value, combinations.filter(({ params }) => params[name] === value)]));
  };
  const names = Object.keys(combinations[0].params).filter((name) => split(name).size > 1);
  const decides = (name: string): boolean =>
    [...split(name).values()].every((group) => new Set(group.map(({ kind }) => kind)).size === 1);
  const name = names.find(decides) ?? names[0];
  const choices = [...split(name)].map(([value, group]) => `${literal(value)}: ${chosenKind(group)}`);
  return `By(${literal(name)}, {${choices.join(', ')}})`;
}

function printedArrays(format: AnyFormat, declaration: AnyDeclaration): string {
  const kindsOf = (params: Params): readonly string[] => {
    const [few, many] = SHAPES.map((shape) => arraysOf(declaration, params, shape).map(kindOf));
    return few.map((kind, i) => (kind === many[i] ? kind : `${kind} or ${many[i]}`.replaceAll('" or "', ' or ')));
  };
  const combinations = combinationsOf(format, kindsOf).map((params) => ({ params, kinds: kindsOf(params) }));
  const lines = arraysOf(declaration, combinations[0].params, SHAPES[0]).map(({ name, meaning }, i) => {
    const kind = chosenKind(combinations.map(({ params, kinds }) => ({ params, kind: kinds[i] })));
    return `        # ${meaning}\n        ${literal(name)}: ${kind},\n`;
  });
  return `    ${literal(format.id)}: {\n${lines.join('')}    },\n`;
}

/** The parameters of a format: the default of each, and its choices. */
function printedParameters(format: AnyFormat): string {
  const lines = Object.entries<ParamField<Value>>(format.params).map(([name, field]) => {
    const choices =
      field.kind === 'choice'
        ? `[${field.options.map(({ value }) => literal(value)).join(', ')}]`
        : `range(${field.min}, ${field.max + 1})`;
    return `        ${literal(name)}: Parameter(${literal(field.default)}, ${choices}),\n`;
  });
  return lines.length === 0
    ? `    ${literal(format.id)}: {},\n`
    : `    ${literal(format.id)}: {\n${lines.join('')}    },\n`;
}

/**
 * The declared `encode` in Python, if it is loops and sums alone and its arrays contain plain numbers of other types than bf16;
 * otherwise nothing, and the file only decodes the format.
 */
function printedEncoder(format: AnyFormat, declaration: AnyDeclaration): readonly string[] {
  const defaults = defaultParams<Params>(format.params);
  const tried = Object.entries<ParamField<Value>>(format.params).flatMap(([name, field]) =>
    valuesOf(field).map((value) => ({ ...defaults, [name]: value })),
  );
  const isPlain = [defaults, ...tried].every((params) =>
    arraysOf(declaration, params, SHAPES[0]).every(
      (array) => !array.quantised && fieldsOf(array).length === 0 && array.element.name !== 'bf16',
    ),
  );
  // Of the parameters that may be auto, the file chooses only indexBits.
  const needsNoOtherChoice = Object.entries<ParamField<Value>>(format.params).every(
    ([name, { auto }]) => !auto || name === 'indexBits',
  );
  if (!isPlain || !needsNoOtherChoice || declaration.plan) return [];
  try {
    return [`\n\n@encodes_rows(${literal(format.id)})\n${pythonEncode(format.id, declaration.encode)}`];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** The file with its printed part as these formats declare it. Throws SyntaxError for a decode that is no plain Python. */
export function withReaders(file: string, formats: readonly AnyFormat[]): string {
  const declared = formats.flatMap((format) => {
    const declaration = declarationOf(format);
    return declaration ? [{ format, declaration }] : [];
  });
  // Functions in the printed part do not count as written by hand.
  const byHand = file.slice(0, file.indexOf(BEGIN)) + file.slice(file.indexOf(END));
  const decoders = declared
    .filter(({ format }) => !byHand.includes(`\n@decodes(${literal(format.id)})`))
    .map(
      ({ format, declaration }) =>
        `\n\n@decodes(${literal(format.id)})\n${pythonDecode(format.id, declaration.decode)}`,
    );
  const encoders = declared
    .filter(({ format }) => !byHand.includes(`\n@encodes(${literal(format.id)})`))
    .flatMap(({ format, declaration }) => printedEncoder(format, declaration));
  const from = file.indexOf(BEGIN) + BEGIN.length;
  const arrays = declared.map(({ format, declaration }) => printedArrays(format, declaration));
  const parameters = `PARAMETERS = {\n${formats.map(printedParameters).join('')}}\n`;
  return `${file.slice(0, from)}ARRAYS = {\n${arrays.join('')}}\n\n# The parameters of each format.\n${parameters}${decoders.join('')}${encoders.join('')}${file.slice(file.indexOf(END))}`;
}
