// syntaxLine, which finds the line of a syntax error by parsing parts of the text, since browsers do not report the line.

import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { STARTERS } from '../../../own/starters.ts';
import { isSyntaxError, syntaxLine } from './syntax-line.ts';

/** Returns the syntax error of Node's parser for a text, in place of the browser's; null: none. */
function rejectionOf(text: string): string | null {
  try {
    // A script has no exports.
    void new Script(text.replaceAll(/^export /gm, ''));
    return null;
  } catch (error) {
    return String(error);
  }
}

async function lineOf(text: string): Promise<{ readonly line: number; readonly requestCount: number }> {
  const message = rejectionOf(text) ?? '';
  expect(isSyntaxError(message)).toBe(true);
  let requestCount = 0;
  const line = await syntaxLine(text, message, (part) => {
    requestCount++;
    return Promise.resolve(rejectionOf(part));
  });
  return { line, requestCount };
}

describe('the line of a syntax error', () => {
  for (const { id, text } of STARTERS) {
    test(`an error in any line of ${id} is found`, async () => {
      const lines = text.split('\n');
      for (let i = 0; i < lines.length; i += 3) {
        const broken = lines.with(i, `${lines[i].replace(/\/\/.*/, '')} ) # (`).join('\n');
        expect([i + 1, (await lineOf(broken)).line]).toEqual([i + 1, i + 1]);
      }
    });
  }

  test('2000 lines need at most 12 calls of the parser', async () => {
    const text = `${'a = 1;\n'.repeat(1000)}let b = ;\n${'a++;\n'.repeat(1000)}`;
    const { line, requestCount } = await lineOf(text);
    expect(line).toBe(1001);
    expect(requestCount).toBeLessThan(13);
  });

  test('is the line of the open bracket if the text ends too early', async () => {
    expect((await lineOf("const a = {\n  b: ')', // }\n  /* ( */ c: [1],\n")).line).toBe(1);
    expect((await lineOf('function f() {\n  for (;;) {\n    g(\n}\n')).line).toBe(4);
    expect((await lineOf('if (true) {\n  if (true) {\n  }\n\n')).line).toBe(1);
  });

  test('isSyntaxError tells the messages of syntax errors from those of other errors', () => {
    expect(isSyntaxError('SyntaxError: Unexpected token')).toBe(true);
    expect(isSyntaxError('TypeError: SyntaxError')).toBe(false);
  });
});
