import { type ESTree, parseSync } from 'vite';

/** Words that Python keeps for itself and JavaScript does not. */
const TAKEN = /^(?:and|as|assert|def|del|elif|except|from|global|is|lambda|nonlocal|not|or|pass|raise|print|len)$/;

const OPERATORS: Readonly<Record<string, string>> = { '===': '==', '!==': '!=', '&&': 'and', '||': 'or', '>>>': '>>' };
const SAME = new Set(['+', '-', '*', '/', '%', '**', '<', '>', '<=', '>=', '&', '|', '^']);
const CALLS: Readonly<Record<string, string>> = { 'Math.min': 'min', 'Math.max': 'max', 'Math.abs': 'abs' };

/**
 * A declared `decode` as a function of Python, from lists and numbers by name to lists of rows, columns and values. It speaks
 * of whole numbers that are not negative, as elements are. Throws SyntaxError for what it has besides loops and sums.
 */
export function pythonOf(id: string, decode: { toString(): string }): string {
  const source = `({ ${String(decode)} })`;
  const refuse = (node: { readonly start: number; readonly end: number }): never => {
    const found = source.slice(node.start, node.end).split('\n')[0];
    throw new SyntaxError(
      `${id}: found '${found}' in its decode, expected loops and sums; give it a function in docs/numpy/sparsescope.py`,
    );
  };
  const nameOf = (name: string): string => (TAKEN.test(name) ? `${name}_` : name);
  /** what the function reads of its sizes, or has itself */
  const known = new Set<string>();
  let sizes = '';

  const expression = (node: ESTree.Expression | ESTree.PrivateIdentifier): string => {
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'number' ? String(node.value) : (JSON.stringify(node.value) ?? refuse(node));
      case 'Identifier':
        return known.has(node.name) ? nameOf(node.name) : refuse(node);
      case 'ParenthesizedExpression':
        return expression(node.expression);
      case 'ConditionalExpression':
        return `(${expression(node.consequent)} if ${expression(node.test)} else ${expression(node.alternate)})`;
      case 'UnaryExpression':
        return node.operator === '!' ? `(not ${expression(node.argument)})` : `(-${expression(node.argument)})`;
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const operator = OPERATORS[node.operator] ?? (SAME.has(node.operator) ? node.operator : refuse(node));
        return `(${expression(node.left)} ${operator} ${expression(node.right)})`;
      }
      case 'UpdateExpression': {
        if (node.argument.type !== 'Identifier') return refuse(node);
        const step = `(${nameOf(node.argument.name)} := ${expression(node.argument)} ${node.operator[0]} 1)`;
        const back = node.operator === '++' ? '-' : '+';
        return node.prefix ? step : `(${step} ${back} 1)`;
      }
      case 'MemberExpression': {
        const { object, property } = node;
        if (!node.computed && property.type === 'Identifier') {
          if (object.type === 'Identifier' && object.name === sizes) return `n[${JSON.stringify(property.name)}]`;
          return property.name === 'length' && object.type !== 'Super' ? `len(${expression(object)})` : refuse(node);
        }
        return object.type === 'Super' ? refuse(node) : `${expression(object)}[${bare(expression(property))}]`;
      }
      case 'CallExpression': {
        const { callee, arguments: given } = node;
        const called = source.slice(callee.start, callee.end);
        const [only] = given;
        if (called === 'Math.floor' && only?.type === 'BinaryExpression' && only.operator === '/')
          return `(${expression(only.left)} // ${expression(only.right)})`;
        const values = given.map((one) => (one.type === 'SpreadElement' ? refuse(one) : bare(expression(one))));
        if (called === 'put') return `cells.append((${values.join(', ')}))`;
        return `${CALLS[called] ?? refuse(node)}(${values.join(', ')})`;
      }
      default:
        return refuse(node);
    }
  };

  const declared = (pattern: ESTree.Node): string => {
    if (pattern.type !== 'Identifier') return refuse(pattern);
    known.add(pattern.name);
    return nameOf(pattern.name);
  };

  const lines = (node: ESTree.Statement, indent: string): readonly string[] => {
    const inner = `${indent}    `;
    switch (node.type) {
      case 'BlockStatement':
        return node.body.flatMap((one) => lines(one, indent));
      case 'VariableDeclaration':
        return node.declarations.map(
          ({ id: name, init }) => `${indent}${declared(name)} = ${init ? bare(expression(init)) : 'None'}`,
        );
      case 'ExpressionStatement':
        return [indent + assigned(node.expression)];
      case 'IfStatement': {
        const { test, consequent, alternate } = node;
        const otherwise = alternate ? [`${indent}else:`, ...lines(alternate, inner)] : [];
        return [`${indent}if ${bare(expression(test))}:`, ...lines(consequent, inner), ...otherwise];
      }
      case 'WhileStatement':
        return [`${indent}while ${bare(expression(node.test))}:`, ...lines(node.body, inner)];
      case 'ForStatement': {
        const { init, test, update, body } = node;
        if (init?.type !== 'VariableDeclaration' || !test || !update) return refuse(node);
        const before = lines(init, indent);
        const range = rangeOf(init, test, update, source.slice(body.start, body.end));
        if (range) return [`${indent}for ${range}:`, ...lines(body, inner)];
        return [
          ...before,
          `${indent}while ${bare(expression(test))}:`,
          ...lines(body, inner),
          inner + assigned(update),
        ];
      }
      default:
        return refuse(node);
    }
  };

  /** 'i in range(0, n)' of a loop that counts, if what it runs changes neither i nor n. */
  const rangeOf = (
    { declarations: [{ id: pattern, init }] }: ESTree.VariableDeclaration,
    test: ESTree.Expression,
    { type, ...update }: ESTree.Expression & { readonly operator?: string },
    body: string,
  ): string | null => {
    const counts = type === 'UpdateExpression' && update.operator === '++';
    if (!counts || pattern.type !== 'Identifier' || !init) return null;
    if (test.type !== 'BinaryExpression' || !['<', '<='].includes(test.operator)) return null;
    const bound = source.slice(test.right.start, test.right.end);
    const names = [pattern.name, ...(bound.match(/[A-Za-z_]\w*/g) ?? [])];
    const changed = new RegExp(`\\b(?:${names.join('|')})\\s*(?:[-+*/%&|^>]*=(?!=)|\\+\\+|--)`);
    if (changed.test(body)) return null;
    const last = bare(expression(test.right));
    return `${nameOf(pattern.name)} in range(${bare(expression(init))}, ${test.operator === '<' ? last : `${last} + 1`})`;
  };

  const assigned = (node: ESTree.Expression): string => {
    if (node.type === 'UpdateExpression') return `${expression(node.argument)} ${node.operator[0]}= 1`;
    if (node.type !== 'AssignmentExpression') return expression(node);
    const operator = node.operator === '>>>=' ? '>>=' : node.operator;
    return `${expression(node.left as ESTree.Expression)} ${operator} ${bare(expression(node.right))}`;
  };

  const [statement] = parseSync('decode.js', source).program.body;
  const object = statement.type === 'ExpressionStatement' ? statement.expression : refuse(statement);
  const whole = object.type === 'ParenthesizedExpression' ? object.expression : object;
  const [method] = whole.type === 'ObjectExpression' ? whole.properties : [];
  if (method?.type !== 'Property' || method.value.type !== 'FunctionExpression' || !method.value.body)
    return refuse(whole);
  const [arrays, given] = method.value.params;
  const heads: string[] = [];
  for (const [from, pattern] of [
    ['a', arrays],
    ['n', given],
  ] as const) {
    if (pattern?.type === 'Identifier') sizes = pattern.name;
    if (pattern?.type !== 'ObjectPattern') continue;
    for (const property of pattern.properties) {
      if (property.type !== 'Property') return refuse(property);
      const { key } = property;
      const name = key.type === 'Literal' ? key.value : key.type === 'Identifier' ? key.name : refuse(key);
      const list = from === 'a' ? '.tolist()' : '';
      heads.push(`    ${declared(property.value)} = ${from}[${JSON.stringify(name)}]${list}`);
    }
  }
  const body = method.value.body.body.flatMap((one) => lines(one, '    '));
  const head = `def ${id.replaceAll(/\W/g, '_')}(a, n):`;
  const tail = '    return np.array(cells, float).reshape(-1, 3).T';
  return `${[head, ...heads, '    cells = []', ...body, tail].join('\n')}\n`;
}

/** An expression without the brackets around all of it. */
export function bare(text: string): string {
  if (!text.startsWith('(')) return text;
  let depth = 0;
  for (let i = 0; i < text.length - 1; i++) {
    depth += text[i] === '(' ? 1 : text[i] === ')' ? -1 : 0;
    if (depth === 0) return text;
  }
  return text.slice(1, -1).includes(':=') ? text : text.slice(1, -1);
}
