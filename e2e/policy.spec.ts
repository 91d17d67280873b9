// Tests of the content security policy of the built page, and that the code of workers evaluates no text.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from './fixtures.ts';

const ASSETS = resolve(import.meta.dirname, '../dist/assets');

test.describe('the security policy of the built page', () => {
  test.use({ bringsFaults: true });

  test('rejects inline scripts, eval, objects, frames and another base', async ({ app, page, violations }) => {
    // A script from the page's own origin, which is allowed, tries what an injected one would.
    await page.route('**/attack.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: `(${attack.toString()})();` }),
    );
    await app.open();
    expect(violations).toEqual([]);
    await page.evaluate(async () => {
      const script = document.createElement('script');
      script.src = './attack.js';
      document.head.append(script);
      await new Promise((resolve) => script.addEventListener('load', resolve));
    });
    await expect
      .poll(() => [...new Set(violations)].toSorted())
      .toEqual([
        'base-uri: https://attacker.example/',
        'frame-src: https://attacker.example',
        'object-src: data',
        'script-src-attr: inline',
        'script-src-elem: data',
        'script-src-elem: https://attacker.example/x.js',
        'script-src-elem: inline',
        'script-src: eval',
      ]);
    const attempts = await page.evaluate(() => Reflect.get(window, 'attacked') as unknown);
    expect(attempts).toEqual(['eval: EvalError', 'Function: EvalError']);
    // Only the origin is compared: the page may still be updating its address.
    expect(new URL(await page.evaluate(() => document.baseURI)).origin).toBe(new URL(page.url()).origin);
    // The violations were expected: the fixture would fail the test for them.
    violations.length = 0;
  });

  test('applies a chosen theme before any other script of the page', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.addInitScript(() => localStorage.setItem('sparsescope.theme', 'dark'));
    await page.route('**/assets/*.js', (route) => route.abort('aborted'));
    await page.goto('./');
    const backgroundColor = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await expect.poll(backgroundColor).toBe('rgb(21, 23, 28)');
  });
});

/** Runs in the page: attempts what an injected script might do, and records in `window.attacked` what ran or failed. */
function attack(): void {
  const attacked: string[] = [];
  Object.assign(window, { attacked });
  const attempt = (name: string, run: () => unknown): void => {
    try {
      run();
      attacked.push(`${name} ran`);
    } catch (error) {
      attacked.push(`${name}: ${error instanceof Error ? error.name : ''}`);
    }
  };
  // An indirect call, whose name is not in this source.
  attempt('eval', () => globalThis['ev'.concat('al') as 'eval']('1'));
  attempt('Function', () => Reflect.construct(Function, ['return 1']));
  const add = (tag: string, attributes: Readonly<Record<string, string>>, text = ''): HTMLElement => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    document.head.append(element);
    return element;
  };
  add('script', {}, 'attacked.push("an inline script ran")');
  add('script', { src: 'data:text/javascript,attacked.push("a data script ran")' });
  add('script', { src: 'https://attacker.example/x.js' });
  add('base', { href: 'https://attacker.example/' });
  document.body.append(add('object', { data: 'data:text/html,x' }));
  document.body.append(add('iframe', { src: 'https://attacker.example/' }));
  document.body.append(add('button', { onclick: 'attacked.push("an inline handler ran")' }));
  document.body.querySelector<HTMLButtonElement>('button[onclick]')?.click();
}

/** A node of a syntax tree (ESTree). */
interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** All nodes of a syntax tree. */
function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') yield value as Node;
  for (const inner of Object.values(value)) yield* nodesOf(inner);
}

/** The name of an identifier or of the last member of `a.b`; otherwise ''. */
const nameOf = (value: unknown): string => {
  const node = value as Node | null;
  if (node?.type === 'Identifier') return String(node.name);
  if (node?.type === 'MemberExpression' && !node.computed) return nameOf(node.property);
  return '';
};

/** The value of a string literal or constant template; null for any other expression. */
function literalOf(value: unknown): string | null {
  const node = value as Node | null;
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  const [quasi, ...others] = node?.type === 'TemplateLiteral' ? (node.quasis as readonly Node[]) : [];
  return quasi && others.length === 0 ? (quasi.value as { readonly cooked: string }).cooked : null;
}

/** The calls in a source that evaluate text, or load code other than `allowed` files of its folder. */
function unsafeLoads(code: string, allowed: readonly string[] = []): readonly string[] {
  const calls: string[] = [];
  for (const node of nodesOf(parseAst(code))) {
    const calledName = node.type === 'CallExpression' || node.type === 'NewExpression' ? nameOf(node.callee) : '';
    if (['eval', 'Function', 'importScripts'].includes(calledName)) calls.push(calledName);
    const [first] = Array.isArray(node.arguments) ? (node.arguments as readonly Node[]) : [];
    const isText = first?.type === 'TemplateLiteral' || typeof first?.value === 'string';
    if (['setTimeout', 'setInterval'].includes(calledName) && isText) calls.push(`${calledName} of text`);
    const source = literalOf(node.source);
    const isAllowed = allowed.some((file) => source === `./${file}`);
    if (node.type === 'ImportExpression' && !isAllowed) calls.push('import()');
    if (['ImportDeclaration', 'ExportAllDeclaration'].includes(node.type) && !isAllowed) calls.push('import');
  }
  return calls;
}

test('code of workers, to which the policy of the page does not apply, evaluates no text and imports only worker files', () => {
  expect(unsafeLoads('eval("1"); new Function("1"); importScripts("x"); import("x"); setTimeout("x")')).toEqual([
    'eval',
    'Function',
    'importScripts',
    'import()',
    'setTimeout of text',
  ]);
  expect(unsafeLoads('import x from "https://attacker.example/x.js"')).toEqual(['import']);
  const workerFiles = ['a.worker-1.js'];
  expect(
    unsafeLoads('import "./a.worker-1.js"; import(`./a.worker-1.js`); export * from "./a.worker-1.js"', workerFiles),
  ).toEqual([]);
  expect(
    unsafeLoads('import "./b.js"; import(`./${name}`); import("https://x.example/./a.worker-1.js")', workerFiles),
  ).toEqual(['import', 'import()', 'import()']);
  const workers = readdirSync(ASSETS).filter((name) => /worker.*\.js$/.test(name));
  expect(workers.length).toBeGreaterThanOrEqual(2);
  for (const name of workers) {
    expect([name, ...unsafeLoads(readFileSync(join(ASSETS, name), 'utf8'), workers)]).toEqual([name]);
  }
});
