// Translates a declared format's `decode` into a first WGSL kernel.

import { type ESTree, parseSync } from 'vite';
import { declaredInputs } from '../src/core/declared/accessors.ts';
import { type AnyDeclaration, arraysOf } from '../src/core/declared/declared-arrays.ts';
import { defaultParams } from '../src/core/format.ts';
import { unbracketed } from './python-functions.ts';

const OPERATORS: Readonly<Record<string, string>> = { '===': '==', '!==': '!=', '>>>': '>>' };
const SAME_OPERATORS = new Set(['+', '-', '*', '/', '%', '<', '>', '<=', '>=', '&', '|', '^', '<<', '>>', '&&', '||']);
const COMPARES = new Set(['==', '!=', '<', '>', '<=', '>=', '&&', '||']);
const CALLS: Readonly<Record<string, string>> = { 'Math.min': 'min', 'Math.max': 'max' };
const SIZES = new Set(['rows', 'cols', 'nnz']);

/** The type of an expression in WGSL. `whole`: a literal whole number, written as u32 or f32 depending on the other operand. */
type Kind = 'u32' | 'f32' | 'bool' | 'whole';
/** An expression in WGSL. */
interface Typed {
  readonly text: string;
  readonly kind: Kind;
}

/**
 * Translates the `decode` of a declared format, if it is one loop over rows, into a first kernel in WGSL: y = A x with a lane for
 * each row. In a format that permutes rows, `decode` calls put with the row `permutation[i]`, and lane i writes y there; every
 * row must occur once. Whole numbers are u32. Throws SyntaxError for what it cannot translate: such a format needs a kernel by hand.
 */
export function firstKernel(declaration: AnyDeclaration & { readonly id: string }): string {
  const source = `({ ${String(declaration.decode)} })`;
  const textOf = ({ start, end }: { readonly start: number; readonly end: number }): string => source.slice(start, end);
  const reject = (node: { readonly start: number; readonly end: number }): never => {
    const found = textOf(node).split('\n')[0];
    throw new SyntaxError(
      `${declaration.id}: found '${found}' in its decode, expected one loop over rows, of loops and sums; write shaders/${declaration.id}/spmv_scalar.wgsl by hand`,
    );
  };
  const arrays = arraysOf(declaration, defaultParams(declaration.params), { rows: 8, cols: 8 });
  const locals = [...source.matchAll(/\b(?:let|const)\s+(\w+)/g)].map(([, name]) => [name, 0]);
  const inputArrays = arrays.map(({ name, element, role }) => ({ name, type: element, byteClass: role }));
  const bound = declaredInputs(inputArrays, { sum: 0, ...Object.fromEntries(locals) });
  const localName = (name: string): string => bound.params.find(({ param }) => param === name)?.name ?? name;
  /** the kinds of locals, by their names in decode */
  const kinds = new Map<string, Kind>();
  /** the functions that read an element of an array, by the names of arrays in decode */
  const readers = new Map<string, Typed>();
  /** the name in decode of the row that the outer loop counts: the lane's row */
  let row = '';
  /** the WGSL index of y that the first `put` writes: the lane's row, or `permutation[i]`; null before the first `put` */
  let output: string | null = null;
  /** locals that are read from an array at the lane's row, outside of all inner loops, with that element */
  const readAtRow = new Map<string, string>();
  /** increments to write after the current statement: WGSL has no increment inside an expression */
  let pendingIncrements: string[] = [];
  /** the division that Math.floor rounds: only this one may divide u32, since JavaScript keeps the fraction of others */
  let flooredDivision: unknown = null;

  const literalAs = ({ text, kind }: Typed, other: Kind): string =>
    kind === 'whole' ? (other === 'f32' ? `${text}.0` : `${text}u`) : text;
  const asU32 = (value: Typed): string => literalAs(value, 'u32');

  const translateExpression = (node: ESTree.Expression | ESTree.PrivateIdentifier): Typed => {
    switch (node.type) {
      case 'Literal':
        return Number.isInteger(node.value) ? { text: String(node.value), kind: 'whole' } : reject(node);
      case 'Identifier': {
        const kind = kinds.get(node.name);
        if (SIZES.has(node.name) && !kind) return { text: `params.${node.name}`, kind: 'u32' };
        return kind ? { text: localName(node.name), kind } : reject(node);
      }
      case 'ParenthesizedExpression':
        return translateExpression(node.expression);
      case 'ConditionalExpression': {
        // WGSL's select evaluates both values, so neither may contain an increment.
        const incrementsBefore = pendingIncrements.length;
        const [test, yes, no] = [node.test, node.consequent, node.alternate].map(translateExpression);
        if (pendingIncrements.length > incrementsBefore) return reject(node);
        const kind = yes.kind === 'whole' ? no.kind : yes.kind;
        return {
          text: `select(${literalAs(no, kind)}, ${literalAs(yes, kind)}, ${test.text})`,
          kind: kind === 'whole' ? 'u32' : kind,
        };
      }
      case 'UnaryExpression':
        return node.operator === '!'
          ? { text: `!${translateExpression(node.argument).text}`, kind: 'bool' }
          : reject(node);
      case 'UpdateExpression': {
        const variable = translateExpression(node.argument);
        if (node.prefix) return reject(node);
        pendingIncrements.push(`${variable.text}${node.operator};`);
        return variable;
      }
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const operator = OPERATORS[node.operator] ?? (SAME_OPERATORS.has(node.operator) ? node.operator : reject(node));
        const isFloored = node === flooredDivision;
        const [leftOperand, rightOperand] = [translateExpression(node.left), translateExpression(node.right)];
        const kind = leftOperand.kind === 'whole' ? rightOperand.kind : leftOperand.kind;
        if (operator === '/' && kind !== 'f32' && !isFloored) return reject(node);
        if (operator === '!=' && kind === 'f32')
          return { text: isNot(literalAs(leftOperand, kind), literalAs(rightOperand, kind)), kind: 'bool' };
        const text = `(${literalAs(leftOperand, kind)} ${operator} ${literalAs(rightOperand, kind)})`;
        return { text, kind: COMPARES.has(operator) ? 'bool' : kind === 'whole' ? 'u32' : kind };
      }
      case 'MemberExpression': {
        const reader = node.object.type === 'Identifier' ? readers.get(node.object.name) : undefined;
        if (!reader || !node.computed) return reject(node);
        return { text: `${reader.text}(${unbracketed(asU32(translateExpression(node.property)))})`, kind: reader.kind };
      }
      case 'CallExpression': {
        const called = textOf(node.callee);
        const operands = node.arguments.map((argument) =>
          argument.type === 'SpreadElement' ? reject(argument) : argument,
        );
        if (called === 'Math.floor' && operands[0]?.type === 'BinaryExpression') {
          if (operands[0].operator === '/') flooredDivision = operands[0];
          const operand = translateExpression(operands[0]);
          // The division of u32 truncates, so floor is dropped.
          return operand.kind === 'f32' ? { text: `floor(${unbracketed(operand.text)})`, kind: 'f32' } : operand;
        }
        const name = CALLS[called] ?? reject(node);
        const values = operands.map(translateExpression);
        const kind = values.find((candidate) => candidate.kind !== 'whole')?.kind ?? 'u32';
        return { text: `${name}(${values.map((operand) => unbracketed(literalAs(operand, kind))).join(', ')})`, kind };
      }
      default:
        return reject(node);
    }
  };

  const translateAssignment = (node: ESTree.Expression, indent: string): readonly string[] => {
    if (node.type === 'UpdateExpression')
      return [`${indent}${translateExpression(node.argument).text}${node.operator};`];
    if (node.type === 'CallExpression' && textOf(node.callee) === 'put') {
      const [putRow, putColumn, putValue] = node.arguments;
      const element = outputOf(putRow as ESTree.Expression);
      if (element === null || (output !== null && output !== element)) return reject(node);
      output = element;
      const [column, value] = [putColumn, putValue].map((argument) =>
        translateExpression(argument as ESTree.Expression),
      );
      if (value.kind !== 'f32') return reject(node);
      // Padding must not be multiplied by x, which may be infinite.
      return [
        `${indent}if (${isNot(value.text, '0.0')}) {`,
        `${indent}  sum += ${value.text} * x[${unbracketed(asU32(column))}];`,
        `${indent}}`,
      ];
    }
    if (node.type !== 'AssignmentExpression') return reject(node);
    const { left, operator, right } = node;
    const target = translateExpression(left as ESTree.Expression);
    if (operator === '/=' && target.kind !== 'f32') return reject(node);
    const sign = operator === '>>>=' ? '>>=' : operator;
    if (right.type !== 'ConditionalExpression')
      return [`${indent}${target.text} ${sign} ${unbracketed(literalAs(translateExpression(right), target.kind))};`];
    const branch = (value: ESTree.Expression): readonly string[] =>
      withIncrements(
        () => [
          `${indent}  ${target.text} ${operator} ${unbracketed(literalAs(translateExpression(value), target.kind))};`,
        ],
        `${indent}  `,
      );
    const test = unbracketed(translateExpression(right.test).text);
    return [
      `${indent}if (${test}) {`,
      ...branch(right.consequent),
      `${indent}} else {`,
      ...branch(right.alternate),
      `${indent}}`,
    ];
  };

  /** The index of y for the row of a `put`: the lane's row, or an array's element there; null for any other row. */
  const outputOf = (putRow: ESTree.Expression): string | null => {
    if (putRow.type === 'Identifier')
      return putRow.name === row ? localName(row) : (readAtRow.get(putRow.name) ?? null);
    const isReadAtRow = putRow.type === 'MemberExpression' && textOf(putRow.property) === row;
    return isReadAtRow ? translateExpression(putRow).text : null;
  };

  /** The lines of a statement, followed by the increments in its expressions. */
  const withIncrements = (write: () => readonly string[], indent: string): readonly string[] => {
    const outerIncrements = pendingIncrements;
    pendingIncrements = [];
    const written = [...write(), ...pendingIncrements.map((step) => indent + step)];
    pendingIncrements = outerIncrements;
    return written;
  };

  const translateDeclaration = (node: ESTree.VariableDeclaration): string => {
    const [{ id, init }] = node.declarations;
    if (id.type !== 'Identifier' || !init || node.declarations.length > 1) return reject(node);
    const value = translateExpression(init);
    kinds.set(id.name, value.kind === 'whole' ? 'u32' : value.kind);
    const isReadAtRow = init.type === 'MemberExpression' && textOf(init.property) === row && node.kind === 'const';
    if (isReadAtRow && value.kind === 'u32') readAtRow.set(id.name, value.text);
    return `${node.kind === 'const' ? 'let' : 'var'} ${localName(id.name)} = ${unbracketed(asU32(value))}`;
  };

  const translateStatement = (node: ESTree.Statement, indent: string): readonly string[] => {
    const block = (inner: ESTree.Statement): readonly string[] => [
      ...translateStatement(inner, `${indent}  `),
      `${indent}}`,
    ];
    switch (node.type) {
      case 'BlockStatement':
        return node.body.flatMap((statement) => translateStatement(statement, indent));
      case 'VariableDeclaration':
        return withIncrements(() => [`${indent}${translateDeclaration(node)};`], indent);
      case 'ExpressionStatement':
        return withIncrements(() => translateAssignment(node.expression, indent), indent);
      case 'IfStatement': {
        const head = `${indent}if (${unbracketed(translateExpression(node.test).text)}) {`;
        const yes = block(node.consequent);
        // A put is translated with a check for zero, as three lines. If it is all that this block has, with its closing
        // brace, and the condition is the same check, the outer one is dropped.
        if (!node.alternate && yes.length === 4 && yes[0].trim() === head.trim())
          return translateStatement(node.consequent, indent);
        return node.alternate
          ? [head, ...yes.slice(0, -1), `${indent}} else {`, ...block(node.alternate)]
          : [head, ...yes];
      }
      case 'WhileStatement':
        return [`${indent}while (${unbracketed(translateExpression(node.test).text)}) {`, ...block(node.body)];
      case 'ForStatement': {
        const { init, test, update, body } = node;
        if (init?.type !== 'VariableDeclaration' || !test || !update) return reject(node);
        const [start, until] = [translateDeclaration(init), unbracketed(translateExpression(test).text)];
        const [step] = translateAssignment(update, '');
        return [`${indent}for (${start}; ${until}; ${step.slice(0, -1)}) {`, ...block(body)];
      }
      default:
        return reject(node);
    }
  };

  // The source is an object with one method: its parameter names the arrays, and its body is the loop over rows.
  const [program] = parseSync('decode.js', source).program.body;
  const outer = program.type === 'ExpressionStatement' ? program.expression : reject(program);
  const object = outer.type === 'ParenthesizedExpression' ? outer.expression : outer;
  const [method] = object.type === 'ObjectExpression' ? object.properties : [];
  if (method?.type !== 'Property' || method.value.type !== 'FunctionExpression' || !method.value.body)
    return reject(object);
  const [parameter] = method.value.params;
  for (const property of parameter?.type === 'ObjectPattern' ? parameter.properties : []) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.value.type !== 'Identifier')
      return reject(property);
    const { name } = property.key;
    const array = bound.arrays.find((candidate) => candidate.array.name === name);
    if (!array || array.array.type.kind === 'signed') return reject(property);
    readers.set(property.value.name, { text: array.reader, kind: array.array.type.kind === 'float' ? 'f32' : 'u32' });
  }
  const [loop, secondStatement] = method.value.body.body;
  if (loop?.type !== 'ForStatement' || secondStatement || loop.init?.type !== 'VariableDeclaration')
    return reject(method.value.body);
  const [{ id, init }] = loop.init.declarations;
  if (
    id.type !== 'Identifier' ||
    !init ||
    textOf(init) !== '0' ||
    !loop.test ||
    !/^\w+ < rows$/.test(textOf(loop.test))
  )
    return reject(loop);
  row = id.name;
  kinds.set(row, 'u32');
  const body = translateStatement(loop.body, '  ').join('\n');
  return `// ${declaration.id}/spmv_scalar: y = A x, one lane per row, as decode reads its arrays, on generated accessors.
// Source: decode of its declaration, from which it is printed. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let ${localName(row)} = (workgroup_id.y * num_workgroups.x + workgroup_id.x) * WORKGROUP_SIZE + lane;
  if (${localName(row)} >= params.rows) {
    return;
  }
  var sum = 0.0;
${body}
  y[${output ?? localName(row)}] = sum;
}
`;
}

/** WGSL for left != right. Written with ==, since on some devices != is false for NaN. */
const isNot = (left: string, right: string): string => `!(${unbracketed(left)} == ${right})`;
