// Attacks by a custom format's module on the sandbox in which it runs, in the built page under its real policy.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import type { SandboxOptions } from '../own/sandbox/sandbox-worker.ts';
import { expect, scheduled, test } from '../../../e2e/fixtures.ts';
import { ALL_CLOSED, attacks, clientScript, endless, type Listener, listen, outcomesOf } from './own/attacks.ts';
import type { client } from './own/client.ts';

type Client = typeof client;

let script = '';
let listener: Listener;

test.beforeAll(async () => {
  script = await clientScript();
  listener = await listen();
});
test.afterAll(() => listener.close());

test.use({ bringsFaults: true });

/** Opens the page with the client of these tests, which comes from the page's own origin. */
async function open(page: Page, app: { open: () => Promise<unknown> }): Promise<void> {
  await page.route('**/own-client.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
  await app.open();
  await page.addScriptTag({ url: './own-client.js' });
}

/** Calls the client in the page. */
function call<K extends 'description' | 'roundTrip' | 'roundTripAfter' | 'laws' | 'cancel' | 'picture'>(
  page: Page,
  name: K,
  text: string,
  options?: SandboxOptions | string,
) {
  return page.evaluate(
    ([method, module, setting]) => {
      const { client: sandboxClient } = Reflect.get(window, 'own') as { client: Client };
      return sandboxClient[method as 'description'](module, setting as SandboxOptions);
    },
    [name, text, options] as const,
  ) as ReturnType<Client[K]>;
}

/** The report about encoding and decoding with a module that never ends. */
const endlessRoundTrip = (page: Page, text: string, requested: string): Promise<string> =>
  endless(requested, (limitMs) => call(page, 'roundTrip', text, { limitMs }));

const CSR = readFileSync(resolve(import.meta.dirname, '../own/starters/csr.js'), 'utf8');
const COO = readFileSync(resolve(import.meta.dirname, '../own/starters/coo.js'), 'utf8');

test('the frame runs no script but its own, whose hash its policy names', () => {
  const html = readFileSync(resolve(import.meta.dirname, '../../../dist/sandbox.html'), 'utf8');
  const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)];
  expect(scripts).toHaveLength(1);
  const hash = createHash('sha256').update(scripts[0][1]).digest('base64');
  expect(html).toContain(`content="default-src 'none'; script-src 'sha256-${hash}' blob:; worker-src blob:"`);
});

test(
  'a module is evaluated and encodes a small and a large matrix',
  scheduled(
    'a matrix of 4096 × 4096 needs seconds of the processor',
    'labs/workbench/own/user-format-session.test.ts, labs/workbench/own/story/questions.test.ts, and labs/workbench/e2e/own-member.spec.ts, where the text of a link is told',
  ),
  async ({ app, page }) => {
    await open(page, app);
    for (const text of [CSR, COO]) expect((await call(page, 'picture', text)).output).toMatch(/ \w+\[\d+\]/);
    const { output } = await page.evaluate((text) => {
      const { client: sandboxClient } = Reflect.get(window, 'own') as { client: Client };
      return sandboxClient.large(text, 4096);
    }, CSR);
    expect(output).toBe('true');
  },
);

/** A module whose title lists the globals with which a browser draws or reaches a GPU, or is 'nothing'. */
const DRAWING_GLOBALS = `
const found = [];
for (const [of, what] of [['', globalThis], ['navigator.', navigator]]) {
  for (let holder = what; holder; holder = Object.getPrototypeOf(holder)) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      if (/canvas|webgl|gpu|bitmap|rendering|imagedecoder|^video/i.test(name)) found.push(of + name);
    }
  }
}
export const title = found.join(' ').slice(0, 60) || 'nothing';`;

for (const [origin, details] of [
  ['http://own.example', scheduled('one more page load', 'the same at https://own.example: it has these and a gpu')],
  ['https://own.example', {}],
] as const) {
  // navigator.gpu exists only over https; all other drawing contexts exist over http, too.
  test(`a module finds no context of any kind at ${origin}`, details, async ({ page, baseURL }) => {
    await page.route(`${origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/own-client.js') await route.fulfill({ contentType: 'text/javascript', body: script });
      else await route.fulfill({ response: await route.fetch({ url: new URL(`.${pathname}`, baseURL).href }) });
    });
    await page.goto(`${origin}/`);
    await page.addScriptTag({ url: './own-client.js' });
    expect(await page.evaluate(() => isSecureContext)).toBe(origin.startsWith('https'));
    expect(await call(page, 'description', DRAWING_GLOBALS)).toBe(
      '{"kind":"done","result":{"title":"nothing","params":[]}}',
    );
    // A request that is still answered when the page closes would fail.
    await page.unrouteAll({ behavior: 'wait' });
  });
}

const edited = (text: string, from: string, to: string): string => {
  if (!text.includes(from)) throw new Error(`found no ${from}`);
  return text.replace(from, to);
};

/** The same loop in `encode`, in `decode`, and wherever else a module may loop. */
const LOOPS = {
  encode: edited(CSR, '  for (const row of A) {', '  for (;;);\n  for (const row of A) {'),
  decode: edited(CSR, '  for (let r = 0; r < rows; r++)', '  for (;;);\n  for (let r = 0; r < rows; r++)'),
};

test(
  'a module that loops forever in any function is ended, by default after the page’s limit',
  scheduled(
    'a browser lets every worker that loops go on for two seconds more',
    '“what never ends is ended, and reported” in labs/workbench/e2e/own-sandbox.spec.ts: one limit ends them all',
  ),
  async ({ app, page }) => {
    test.slow();
    await open(page, app);
    const loops: readonly (readonly [text: string, request: string])[] = [
      ['for (;;);', 'describe'],
      [`await new Promise(() => {});\n${CSR}`, 'describe'],
      [edited(CSR, 'export const arrays = {', 'export const arrays = {\n  get loop() { for (;;); },'), 'arrays'],
      [`${CSR}\nexport function refuses() { for (;;); }`, 'encode'],
    ];
    for (const [text, requested] of loops) {
      expect(await endlessRoundTrip(page, text, requested)).toBe(`EndedError: ${requested} did not end in time`);
    }
    expect(await call(page, 'roundTrip', 'for (;;);', {})).toBe('EndedError: describe did not end within 10 s');
    expect(await call(page, 'roundTrip', CSR)).toBe('decoded the same matrix');
  },
);

test(
  'a module cannot keep the page busy with unread messages',
  scheduled(
    'a browser lets every worker that loops go on for two seconds more',
    '“nothing that it tries reaches a server, and text is not evaluated” and “what never ends is ended, and reported” in labs/workbench/e2e/own-sandbox.spec.ts',
  ),
  async ({ app, page }) => {
    await open(page, app);
    const floods: readonly string[] = [
      'for (;;) self.postMessage?.(0);',
      'for (;;) self.reportError?.(new Error());',
      'for (;;) console.log(0);',
      'const again = () => { queueMicrotask(again); throw new Error(); }; again();',
      'const again = () => { queueMicrotask(again); Promise.reject(new Error()); }; again();',
      'const { port1 } = new MessageChannel(); for (;;) port1.postMessage(0);',
      "const channel = new BroadcastChannel('x'); for (;;) channel.postMessage(0);",
    ];
    for (const text of floods) {
      const output = await call(page, 'description', text, { limitMs: 300 });
      expect([text, output]).toEqual([text, 'EndedError: describe did not end within 0.3 s']);
    }
    expect(await call(page, 'roundTrip', CSR)).toBe('decoded the same matrix');
  },
);

test(
  'arrays above the limit are rejected before memory is allocated',
  scheduled(
    'its modules fill large lists, in half a minute of a slow machine',
    'labs/workbench/own/runtime/list.test.ts and “a refusal” in labs/workbench/own/laws.test.ts',
  ),
  async ({ app, page }) => {
    await open(page, app);
    const tooLarge: readonly (readonly [text: string, report: string | RegExp])[] = [
      [
        edited(COO, '  for (const row of A)', '  for (;;) out.values.push(1);\n  for (const row of A)'),
        '{"kind":"refused","reason":"values grew past 65584 elements, the most for this matrix"}',
      ],
      [
        edited(CSR, 'tell?.(`Entry', 'for (let n = 0; n < 30000; n++) tell?.(`Entry'),
        '{"kind":"refused","reason":"encode called tell more than 65584 times, the most for this matrix"}',
      ],
      [
        edited(COO, '  for (const row of A)', '  new Uint32Array(2 ** 40);\n  for (const row of A)'),
        /^\{"kind":"failed","message":"RangeError: /,
      ],
      [
        edited(COO, 'put(rows[i], columns[i], values[i]);', 'for (;;) put(0, 0, 1);'),
        /"message":"RangeError: decode put more than 65584 cells"/,
      ],
      [
        `export const title = 'x'.repeat(2 ** 28);`,
        /^Error: title: found 'x{61}'|^UserFormatError: title: found 'x{61}'/,
      ],
      [
        `export const title = 'x'; export const params = new Proxy({}, { ownKeys: () => Array.from({ length: 1e4 }, (_, i) => 'a' + i), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) });`,
        /^UserFormatError: params: found \d+, expected at most 6/,
      ],
    ];
    for (const [text, expected] of tooLarge) {
      const report = await call(page, 'roundTrip', text);
      expect(report).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    }
  },
);

test(
  'an exception in any function gives a message with its line',
  scheduled(
    'ten modules, each in separate workers',
    '“an exception, with its line” in labs/workbench/own/laws.test.ts, labs/workbench/own/user-format-session.test.ts, and labs/workbench/page/own/live/live-module.test.ts',
  ),
  async ({ app, page }) => {
    await open(page, app);
    const broken: readonly (readonly [text: string, report: string])[] = [
      ['throw new Error("at once");', '"message":"Error: at once","line":1'],
      ['export const x = ;', 'SyntaxError'],
      ['\n\nthrow { get message() { throw 1 } };', '"kind":"failed"'],
      ["export const title = 'x'; export const arrays = () => { throw new Error('arrays') };", 'Error: arrays'],
      [edited(CSR, '  for (const row of A) {', '  null.x;\n  for (const row of A) {'), '"line":9'],
      [edited(CSR, '  for (let r = 0; r < rows; r++)', '  null.x;\n  for (let r = 0; r < rows; r++)'), '"line":22'],
      [`${CSR}\nexport function refuses() { throw new TypeError('refuses') }`, 'TypeError: refuses'],
      [`${CSR}\nexport function refuses() { return { toString() { throw 1 } } }`, 'refuses returned no reason'],
      [CSR.replace('export function decode', 'function decode'), 'found no function decode'],
      [
        edited(
          CSR,
          '  for (const row of A) {',
          '  throw Object.assign(new Error(), { name: { toString() { throw 1 } } });\n  for (const row of A) {',
        ),
        '"kind":"failed"',
      ],
    ];
    for (const [text, report] of broken)
      expect([report, await call(page, 'roundTrip', text)]).toEqual([report, expect.stringContaining(report)]);
  },
);

/** A script that runs `body` instead of sending a message, which `body` receives as `data` and `transfer`. */
const interceptingMessages = (body: string): string => `{
const { postMessage } = MessagePort.prototype;
MessagePort.prototype.postMessage = function (data, transfer) {
  if (data === 'ready') postMessage.call(this, data);
  else { ${body} }
};
}`;

test('a module runs, reaches no API, is ended, and its answers are checked', async ({ app, page, violations }) => {
  await open(page, app);
  await test.step('runs a module, and its laws, without a violation of the policy', async () => {
    expect(await call(page, 'description', CSR)).toBe('{"kind":"done","result":{"title":"CSR","params":[]}}');
    expect(await call(page, 'roundTrip', CSR)).toBe('decoded the same matrix');
    const { laws } = await call(page, 'laws', CSR);
    expect(laws).toBe(
      'round-trip true, cells-once true, matters true, arrays-suffice true, same-bytes true, told true',
    );
    expect(violations).toEqual([]);
  });
  await test.step('nothing that it tries reaches a server, and text is not evaluated', async () => {
    const tried = await call(page, 'description', attacks(listener.address));
    expect(outcomesOf(tried)).toEqual(ALL_CLOSED);
    // This request arrives, so anything that the module sent before it would have arrived, too.
    const other = await page.context().newPage();
    await other.goto(`http://${listener.address}/last`);
    await expect.poll(() => listener.reached).toContain('/last');
    expect(listener.reached.filter((path) => path !== '/favicon.ico')).toEqual(['/last']);
  });
  await test.step('what never ends is ended, and reported', async () => {
    expect(await endlessRoundTrip(page, LOOPS.encode, 'encode')).toBe('EndedError: encode did not end in time');
    expect(await endlessRoundTrip(page, LOOPS.decode, 'decode')).toBe('EndedError: decode did not end in time');
    // The next module runs.
    expect(await call(page, 'roundTrip', CSR)).toBe('decoded the same matrix');
  });
  await test.step('is ended by Cancel, and stops', async () => {
    expect(await call(page, 'cancel', 'for (;;);')).toBe('EndedError: the module was ended');
    const heard = await page.evaluate(() => (Reflect.get(window, 'own') as { client: Client }).client.channelReport());
    expect(heard).toBe('heard while it runs, silent afterwards');
  });
  await test.step('a module reaches nothing that sends, and its answer has a bound', async () => {
    const attempts: readonly (readonly [text: string, report: string])[] = [
      [`${interceptingMessages('postMessage.call(this, { id: 7 });')}\n${CSR}`, 'decoded the same matrix'],
      [
        `Object.defineProperty(MessageEvent.prototype, 'data', { get() { this.target.postMessage({ id: 7 }); } });\n${CSR}`,
        'decoded the same matrix',
      ],
      [
        `Array.prototype.map = () => Array.from({ length: 1e6 }, () => ({}));\nexport const title = 'many';`,
        '"reason":"the module’s answer: found more than 524288 objects, entries of lists and pieces of 64 letters"',
      ],
    ];
    for (const [text, report] of attempts)
      expect([report, await call(page, 'roundTrip', text)]).toEqual([report, expect.stringContaining(report)]);
  });
  await test.step('an unexpected message ends it, and a false answer is rejected', async () => {
    const falseAnswers: readonly (readonly [script: string, report: string])[] = [
      [
        interceptingMessages('postMessage.call(this, data, transfer); postMessage.call(this, data);'),
        'EndedError: the module spoke out of turn',
      ],
      [interceptingMessages('for (let n = 0; n < 1e5; n++) postMessage.call(this, { id: n + 7 });'), 'out of turn'],
      [
        interceptingMessages('postMessage.call(this, { id: data.id, answers: new Array(2).fill(data.answers[0]) });'),
        'out of turn',
      ],
      [interceptingMessages('postMessage.call(this, { id: data.id, answers: { length: 1 } });'), 'out of turn'],
      [
        interceptingMessages('postMessage.call(this, { id: data.id, answers: data.answers.map(() => null) });'),
        "UserFormatError: the module's answer: found null",
      ],
      [
        interceptingMessages(
          'for (const { arrays, padding } of data.answers) if (padding) arrays[1].fill(2); postMessage.call(this, data);',
        ),
        'decoded another cell: {"row":',
      ],
      [
        interceptingMessages('for (const { puts } of data.answers) puts?.rows.fill(9); postMessage.call(this, data);'),
        "UserFormatError: the module's answer: cell 0 is outside the matrix",
      ],
      [
        interceptingMessages(
          'for (const { stores } of data.answers) stores?.at.fill(99); postMessage.call(this, data);',
        ),
        "UserFormatError: the module's answer: store 0 is in no array",
      ],
    ];
    // The worst case: a script ran before our code, and intercepts its messages.
    for (const [script, report] of falseAnswers)
      expect([report, await call(page, 'roundTripAfter', CSR, script)]).toEqual([
        report,
        expect.stringContaining(report),
      ]);
    const polluting: readonly (readonly [text: string, report: string])[] = [
      // A module can change only the prototypes of its own worker.
      [
        `Object.prototype.answer = 'done'; Array.prototype.map = () => []; Uint32Array.prototype.slice = () => 7;\n${CSR}`,
        '',
      ],
      [`export function then(resolve) { resolve(undefined); }\n${CSR}`, 'UserFormatError'],
    ];
    for (const [text, report] of polluting)
      expect([report, await call(page, 'roundTrip', text)]).toEqual([report, expect.stringContaining(report)]);
    expect(
      await page.evaluate(() => ['answer' in {}, [1].map((n) => n + 1), Uint32Array.of(1).slice().length]),
    ).toEqual([false, [2], 1]);
    expect(await call(page, 'roundTrip', CSR)).toBe('decoded the same matrix');
  });
});

test(
  'a format that encodes differently the second time breaks a law',
  scheduled(
    'all laws twice',
    'labs/workbench/own/laws.test.ts: “bytes that differ when a matrix is encoded again”, “random bytes”, “a module that remembers the matrix outside of the arrays”',
  ),
  async ({ app, page }) => {
    await open(page, app);
    const countingCalls = edited(
      edited(CSR, 'export function encode(', 'let n = 0;\nexport function encode('),
      '  for (const row of A) {',
      '  if (n++ > 90) values.pad(1);\n  for (const row of A) {',
    );
    expect((await call(page, 'laws', countingCalls)).laws).toMatch(
      /same-bytes: Encoded (a second time|by a fresh copy)/,
    );
    const valueThatChanges = edited(
      CSR,
      'export function encode(A, { values, columns, starts }',
      'let reads = 0;\nexport function encode(A, { values, columns, starts }',
    ).replace('values.push(row.values[i]);', 'values.push({ valueOf: () => reads++ });');
    expect(await call(page, 'roundTrip', valueThatChanges)).toBe(
      '{"kind":"refused","reason":"a object does not fit f16 of values[0]"}',
    );
    // The encoder has no channel to the decoder: the two workers have different origins.
    const sendingMatrix = `const channel = new BroadcastChannel('x'); let kept = null;
channel.onmessage = ({ data }) => { kept = data; };
${edited(CSR, '  for (const row of A) {\n', '  channel.postMessage(Array.from(A.values));\n  for (const row of A) {\n').replace('export function decode({ values, columns, starts }, { rows }, put) {', 'export function decode({ values, columns, starts }, { rows }, put) {\n  if (kept === null) throw new Error("was told nothing");')}`;
    const output = (await call(page, 'laws', sendingMatrix)).laws;
    expect(output).toMatch(
      /round-trip: decode ended with Error: was told nothing|arrays-suffice: Without having encoded it: decode ended/,
    );
  },
);
