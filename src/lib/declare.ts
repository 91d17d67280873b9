import type { DeclaredEncoded, EncodingDeclaration } from '../core/declared/declaration.ts';
import { declareEncoding } from '../core/declared/declare.ts';
import { ARRAY_CLASSES, elementType } from '../core/declared/element-type.ts';
import { defaultParams, paramAccepts, paramExpectation, type ParamField } from '../core/format.ts';
import { checkedChoice, checkedOptions, isObject, wrong } from './arguments.ts';
import { type Codec, codec, withLibraryError } from './codec.ts';

// `declare` of the package: makes a format from its declaration.

/** The members of a declaration. */
const MEMBERS: Readonly<Record<keyof EncodingDeclaration<string, object>, 'required' | 'optional'>> = {
  id: 'required',
  params: 'required',
  arrays: 'required',
  encode: 'required',
  decode: 'required',
  plan: 'optional',
  passes: 'optional',
  order: 'optional',
  refuses: 'optional',
  overflows: 'optional',
  shorter: 'optional',
  rules: 'optional',
  listed: 'optional',
  check: 'optional',
  checkLengths: 'optional',
  sizeReason: 'optional',
  comparison: 'optional',
};

/**
 * Makes a format from a declaration: parameters, arrays, a generator `encode` that appends rows to the arrays, and
 * `decode`, which finds every cell. Lengths, types, bytes and the checks of `validate` are derived. The format has no
 * kernel, so `run` and `bench` reject it. Throws SparseScopeError if the declaration contradicts itself.
 */
export function declare<N extends string, P extends object>(
  declaration: EncodingDeclaration<N, P>,
): Codec<DeclaredEncoded<N, P>, P> {
  checkDeclaration(declaration);
  const { id, params } = declaration;
  const encoding = withLibraryError(() => declareEncoding(declaration));
  // With title and kernels, it is a whole format, which `ledger` (bytes by class) and `validate` of `Stored` need.
  const whole = { title: id, effort: 1, kernels: [], ...encoding, ...codec({ id, params, ...encoding }) };
  return whole;
}

/** Throws SparseScopeError for a member that is missing, unknown or of another type. */
function checkDeclaration(declaration: unknown): void {
  const members = 'an object of id, params, arrays, encode and decode';
  if (!isObject(declaration)) throw wrong('declaration', declaration, members);
  checkedOptions('declaration', declaration, Object.keys(MEMBERS));
  const { id, params, arrays } = declaration;
  if (typeof id !== 'string' || id === '') throw wrong('declaration.id', id, 'a name');
  if (!isObject(params)) throw wrong('declaration.params', params, 'an object of parameters, {} for none');
  for (const [name, field] of Object.entries(params)) checkField(`declaration.params.${name}`, field);
  for (const name of ['arrays', 'encode', 'decode']) {
    if (typeof declaration[name] !== 'function') throw wrong(`declaration.${name}`, declaration[name], 'a function');
  }
  const defaults = defaultParams(params as Readonly<Record<string, ParamField<unknown>>>);
  const declared: unknown = (arrays as (p: object, shape: object) => unknown)(defaults, { rows: 8, cols: 8 });
  if (!isObject(declared) || Object.keys(declared).length === 0) {
    throw wrong('declaration.arrays', declared, 'a function that returns an object of one array or more');
  }
  for (const [name, array] of Object.entries(declared)) {
    const where = `declaration.arrays: ${name}`;
    if (!isObject(array)) throw wrong(where, array, 'an object of type, role and meaning');
    if (typeof array['type'] !== 'string' || !elementType(array['type'])) {
      throw wrong(`${where}.type`, array['type'], 'u1 to u32, i2 to i32, f16, bf16 or f32');
    }
    checkedChoice(`${where}.role`, array['role'], ARRAY_CLASSES);
  }
}

/** Throws SparseScopeError unless a parameter declares its accepted values and its default is one of them. */
function checkField(where: string, field: unknown): void {
  if (!isObject(field)) throw wrong(where, field, 'an object of kind, default, and options or min and max');
  const kind = checkedChoice(`${where}.kind`, field['kind'], ['choice', 'integer']);
  const { options, min, max } = field;
  const isWhole =
    kind === 'choice'
      ? Array.isArray(options) && options.length > 0 && options.every(isObject)
      : Number.isInteger(min) && Number.isInteger(max);
  if (!isWhole) {
    const [name, expected] =
      kind === 'choice' ? ['options', 'a list of { value, label }'] : ['min and max', 'whole numbers'];
    throw wrong(`${where}.${name}`, kind === 'choice' ? options : [min, max], expected);
  }
  const param = field as unknown as ParamField<unknown>;
  if (!paramAccepts(param, param.default)) throw wrong(`${where}.default`, param.default, paramExpectation(param));
}
