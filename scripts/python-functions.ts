// Translates the JavaScript `decode` and `encode` of a format into Python, for docs/numpy.

import { type ESTree, parseSync } from 'vite';

/** Words that are keywords or used functions in Python, but may be names in JavaScript. */
const RESERVED = /^(?:and|as|assert|def|del|elif|except|from|global|is|lambda|nonlocal|not|or|pass|raise|print|len)$/;

/** Operators of Python that differ from JavaScript's, by JavaScript's. */
const OPERATORS: Readonly<Record<string, string>> = { '===': '==', '!==': '!=', '&&': 'and', '||': 'or', '>>>': '>>' };
/** Operators that are the same in both languages. */
const SAME_OPERATORS = new Set(['+', '-', '*', '/', '%', '**', '<', '>', '<=', '>=', '&', '|', '^']);
/** Functions of Python, by those of JavaScript. */
const CALLS: Readonly<Record<string, string>> = { 'Math.min': 'min', 'Math.max': 'max', 'Math.abs': 'abs' };

/**
 * Translates a declared `decode` into a Python function (a: arrays by name, n: sizes by name) that returns a 3 x nnz array: rows,
 * columns, values. Accepts `if`, `for`, `while`, assignments, arithmetic, Math.min, Math.max, Math.abs,
 * Math.floor of a quotient, and `put`. Assumes integers that are at least 0. Throws SyntaxError for anything else.
 */
export function pythonDecode(id: string, decode: { toString(): string }): string {
  const { name, heads, body } = translate(id, 'decode', decode);
  const tail = '    return np.array(cells, float).reshape(-1, 3).T';
  return `${[`def ${name}(a, n):`, ...heads, '    cells = []', ...body, tail].join('\n')}\n`;
}

/**
 * Translates a declared `encode` into a Python function (A: rows, out: a list for each array, n: sizes and parameters by name)
 * that appends the elements to the lists, and returns further numbers by name or nothing. Accepts also `for (const row
 * of A)`, `A.row`, and push, pushAll, pad, zeros, get, set and setEvery of an array; leaves `yield` and `narrate` out.
 * Throws SyntaxError for anything else.
 */
export function pythonEncode(id: string, encode: { toString(): string }): string {
  const { name, heads, body } = translate(id, 'encode', encode);
  return `${[`def encode_${name}(A, out, n):`, ...heads, ...body].join('\n')}\n`;
}

/**
 * Translates a method of a declaration. Returns the format's name in Python, the lines that assign the destructured parameters
 * (`heads`), and the lines of the method's body.
 */
function translate(id: string, method: 'decode' | 'encode', text: { toString(): string }) {
  const source = `({ ${String(text)} })`;
  const reject = (node: { readonly start: number; readonly end: number }): never => {
    const found = source.slice(node.start, node.end).split('\n')[0];
    throw new SyntaxError(
      `${id}: found '${found}' in its ${method}, expected loops and sums; give it a function in docs/numpy/sparsescope.py`,
    );
  };
  const nameOf = (name: string): string => (RESERVED.test(name) ? `${name}_` : name);
  /** names that the function has declared or destructured from its parameters */
  const localNames = new Set<string>();
  /** the name of the parameter with the sizes, if it is not destructured */
  let sizes = '';
  /** of an encoder: names of its arrays, and of rows of A */
  const arrayNames = new Set<string>();
  const rowNames = new Set<string>();

  /** The Python expression of a JavaScript expression, in brackets if it has an operator. */
  const expression = (node: ESTree.Expression | ESTree.PrivateIdentifier): string => {
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'number' ? String(node.value) : (JSON.stringify(node.value) ?? reject(node));
      case 'Identifier':
        return localNames.has(node.name) ? nameOf(node.name) : reject(node);
      case 'ParenthesizedExpression':
        return expression(node.expression);
      case 'ConditionalExpression':
        return `(${expression(node.consequent)} if ${expression(node.test)} else ${expression(node.alternate)})`;
      case 'UnaryExpression':
        if (node.operator === '!') return `(not ${expression(node.argument)})`;
        return node.operator === '-' ? `(-${expression(node.argument)})` : reject(node);
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const operator = OPERATORS[node.operator] ?? (SAME_OPERATORS.has(node.operator) ? node.operator : reject(node));
        return `(${expression(node.left)} ${operator} ${expression(node.right)})`;
      }
      case 'UpdateExpression': {
        if (node.argument.type !== 'Identifier') return reject(node);
        const step = `(${nameOf(node.argument.name)} := ${expression(node.argument)} ${node.operator[0]} 1)`;
        // `i++` has the value before the step, but := the value after it.
        const back = node.operator === '++' ? '-' : '+';
        return node.prefix ? step : `(${step} ${back} 1)`;
      }
      case 'MemberExpression': {
        const { object, property } = node;
        if (!node.computed && property.type === 'Identifier') {
          if (object.type === 'Identifier' && rowNames.has(object.name))
            return `${nameOf(object.name)}.${property.name}`;
          if (object.type === 'Identifier' && object.name === sizes) return `n[${JSON.stringify(property.name)}]`;
          return property.name === 'length' && object.type !== 'Super' ? `len(${expression(object)})` : reject(node);
        }
        return object.type === 'Super' ? reject(node) : `${expression(object)}[${unbracketed(expression(property))}]`;
      }
      case 'CallExpression': {
        const { callee, arguments: callArguments } = node;
        const calleeText = source.slice(callee.start, callee.end);
        const [first] = callArguments;
        if (calleeText === 'Math.floor' && first?.type === 'BinaryExpression' && first.operator === '/')
          return `(${expression(first.left)} // ${expression(first.right)})`;
        const values = callArguments.map((argument) =>
          argument.type === 'SpreadElement' ? reject(argument) : unbracketed(expression(argument)),
        );
        if (calleeText === 'A.row') return `A[${values.join(', ')}]`;
        const [name, member] = calleeText.split('.');
        if (arrayNames.has(name) && member === 'get') return `${nameOf(name)}[${values.join(', ')}]`;
        if (calleeText === 'put' && method === 'decode') return `cells.append((${values.join(', ')}))`;
        return `${CALLS[calleeText] ?? reject(node)}(${values.join(', ')})`;
      }
      default:
        return reject(node);
    }
  };

  /** Declares a local name, and returns its name in Python. */
  const declare = (pattern: ESTree.Node): string => {
    if (pattern.type !== 'Identifier') return reject(pattern);
    localNames.add(pattern.name);
    return nameOf(pattern.name);
  };

  /** The lines of Python of a statement. */
  const statementLines = (node: ESTree.Statement, indent: string): readonly string[] => {
    const deeper = `${indent}    `;
    switch (node.type) {
      case 'EmptyStatement':
        return [];
      case 'BlockStatement':
        return node.body.flatMap((statement) => statementLines(statement, indent));
      case 'VariableDeclaration':
        return node.declarations.map(({ id: name, init }) => {
          const value = init ? unbracketed(expression(init)) : 'None';
          if (name.type === 'Identifier' && /^A\[[^\]]*\]$/.test(value)) rowNames.add(name.name);
          return `${indent}${declare(name)} = ${value}`;
        });
      case 'ExpressionStatement': {
        const { expression: inner } = node;
        // Pauses and narration of an encoder are for the page only.
        const isLeftOut =
          inner.type === 'YieldExpression' || source.slice(inner.start, inner.end).startsWith('narrate?.(');
        return method === 'encode' && isLeftOut ? [] : [indent + (arrayCall(inner) ?? assignment(inner))];
      }
      case 'ReturnStatement':
        if (method !== 'encode' || node.argument?.type !== 'ObjectExpression') return reject(node);
        return [`${indent}return {${node.argument.properties.map(member).join(', ')}}`];
      case 'ForOfStatement': {
        const { left, right, body } = node;
        if (method !== 'encode' || source.slice(right.start, right.end) !== 'A') return reject(node);
        const row = left.type === 'VariableDeclaration' ? left.declarations[0].id : reject(node);
        const name = declare(row);
        if (row.type === 'Identifier') rowNames.add(row.name);
        return [`${indent}for ${name} in A:`, ...block(body, deeper)];
      }
      case 'IfStatement': {
        const { test, consequent, alternate } = node;
        const otherwise = alternate ? [`${indent}else:`, ...block(alternate, deeper)] : [];
        return [`${indent}if ${unbracketed(expression(test))}:`, ...block(consequent, deeper), ...otherwise];
      }
      case 'WhileStatement':
        return [`${indent}while ${unbracketed(expression(node.test))}:`, ...statementLines(node.body, deeper)];
      case 'ForStatement': {
        const { init, test, update, body } = node;
        if (init?.type !== 'VariableDeclaration' || !test || !update) return reject(node);
        const initLines = statementLines(init, indent);
        const range = rangeOf(init, test, update, source.slice(body.start, body.end));
        if (range) return [`${indent}for ${range}:`, ...block(body, deeper)];
        return [
          ...initLines,
          `${indent}while ${unbracketed(expression(test))}:`,
          ...block(body, deeper),
          deeper + assignment(update),
        ];
      }
      default:
        return reject(node);
    }
  };

  /** The lines of the body of a loop or an `if`, at least one. */
  const block = (node: ESTree.Statement, indent: string): readonly string[] => {
    const bodyLines = statementLines(node, indent);
    return bodyLines.length > 0 ? bodyLines : [`${indent}pass`];
  };

  /** 'NAME: value' of a property in an object. */
  const member = (node: ESTree.ObjectPropertyKind): string => {
    if (node.type !== 'Property' || node.key.type !== 'Identifier' || node.computed) return reject(node);
    return `${JSON.stringify(node.key.name)}: ${unbracketed(expression(node.value))}`;
  };

  /** A call that appends to an array of an encoder, or sets elements of it, as a statement; null for anything else. */
  const arrayCall = (node: ESTree.Expression): string | null => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return null;
    const { object, property } = node.callee;
    if (object.type !== 'Identifier' || !arrayNames.has(object.name) || property.type !== 'Identifier') return null;
    const list = nameOf(object.name);
    const [first = '0', second, third, fourth] = node.arguments.map((argument) =>
      argument.type === 'SpreadElement' ? reject(argument) : expression(argument),
    );
    switch (property.name) {
      case 'push':
        return `${list}.append(${unbracketed(first)})`;
      case 'pad':
        return second === undefined
          ? `${list}.append(${unbracketed(first)})`
          : `${list}.extend([${first}] * ${second})`;
      case 'pushAll':
        return `${list}.extend(${second === undefined ? first : `${first}[:${unbracketed(second)}]`})`;
      case 'zeros':
        return `${list}.extend([0] * ${first})`;
      case 'set':
        return `${list}[${unbracketed(first)}] = ${unbracketed(second)}`;
      case 'setEvery':
        return `${list}[${first} : ${first} + ${second} * ${fourth} : ${second}] = ${third}[:${unbracketed(fourth)}]`;
      default:
        return null;
    }
  };

  /** 'i in range(0, n)' of a loop that counts up, if its body changes neither i nor n; else null. */
  const rangeOf = (
    { declarations: [{ id: pattern, init }] }: ESTree.VariableDeclaration,
    test: ESTree.Expression,
    { type, ...update }: ESTree.Expression & { readonly operator?: string },
    body: string,
  ): string | null => {
    const countsUp = type === 'UpdateExpression' && update.operator === '++';
    if (!countsUp || pattern.type !== 'Identifier' || !init) return null;
    if (test.type !== 'BinaryExpression' || !['<', '<='].includes(test.operator)) return null;
    const bound = source.slice(test.right.start, test.right.end);
    const names = [pattern.name, ...(bound.match(/[A-Za-z_]\w*/g) ?? [])];
    const assignmentToNames = new RegExp(`\\b(?:${names.join('|')})\\s*(?:[-+*/%&|^>]*=(?!=)|\\+\\+|--)`);
    if (assignmentToNames.test(body)) return null;
    const [first, last] = [init, test.right].map((limit) => unbracketed(expression(limit)));
    return `${nameOf(pattern.name)} in range(${first}, ${test.operator === '<' ? last : `${last} + 1`})`;
  };

  /** An assignment or increment as a statement of Python. */
  const assignment = (node: ESTree.Expression): string => {
    if (node.type === 'UpdateExpression') return `${expression(node.argument)} ${node.operator[0]}= 1`;
    if (node.type !== 'AssignmentExpression') return expression(node);
    const operator = node.operator === '>>>=' ? '>>=' : node.operator;
    return `${expression(node.left as ESTree.Expression)} ${operator} ${unbracketed(expression(node.right))}`;
  };

  // The method is parsed as the only one of an object literal in brackets.
  const [statement] = parseSync(`${method}.js`, source).program.body;
  const object = statement.type === 'ExpressionStatement' ? statement.expression : reject(statement);
  const literal = object.type === 'ParenthesizedExpression' ? object.expression : object;
  const [property] = literal.type === 'ObjectExpression' ? literal.properties : [];
  const definition = property?.type === 'Property' ? property.value : null;
  if (definition?.type !== 'FunctionExpression' || !definition.body) return reject(literal);
  const parameters = definition.params;
  const [arraysPattern, sizesPattern] = method === 'decode' ? parameters : parameters.slice(1);
  // Each destructured array or size becomes an assignment at the beginning of the function.
  const heads: string[] = [];
  const arraysName = method === 'decode' ? 'a' : 'out';
  for (const [from, pattern] of [
    [arraysName, arraysPattern],
    ['n', sizesPattern],
  ] as const) {
    if (pattern?.type === 'Identifier' && from === 'n') sizes = pattern.name;
    if (pattern?.type !== 'ObjectPattern') continue;
    for (const destructured of pattern.properties) {
      if (destructured.type !== 'Property') return reject(destructured);
      const { key } = destructured;
      const name = key.type === 'Literal' ? key.value : key.type === 'Identifier' ? key.name : reject(key);
      const list = from === 'a' ? '.tolist()' : '';
      if (from === 'out' && destructured.value.type === 'Identifier') arrayNames.add(destructured.value.name);
      heads.push(`    ${declare(destructured.value)} = ${from}[${JSON.stringify(name)}]${list}`);
    }
  }
  const body = definition.body.body.flatMap((bodyStatement) => statementLines(bodyStatement, '    '));
  return { name: id.replaceAll(/\W/g, '_'), heads, body };
}

/** An expression without brackets around the whole of it; brackets around `:=` stay, since Python requires them. */
export function unbracketed(text: string): string {
  if (!text.startsWith('(')) return text;
  let depth = 0;
  for (let i = 0; i < text.length - 1; i++) {
    depth += text[i] === '(' ? 1 : text[i] === ')' ? -1 : 0;
    if (depth === 0) return text;
  }
  return text.slice(1, -1).includes(':=') ? text : text.slice(1, -1);
}
