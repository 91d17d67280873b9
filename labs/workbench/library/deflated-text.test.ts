// Compressed texts in addresses.

import { describe, expect, test } from 'vitest';
import { SparseScopeError } from '../../../src/core/errors.ts';
import { countText } from '../../../src/core/text/words.ts';
import { deflatedText, inflatedText } from './deflated-text.ts';

const BOUNDS = { code: 4096, length: 65_536 };
const inflate = (code: string, bounds = BOUNDS): Promise<string> =>
  inflatedText('The format in the link', code, bounds);

describe('a compressed text in an address', () => {
  test.each(['', 'a', "export const title = 'SELL-C-σ';\n", '🙂 ‮ \0', 'x'.repeat(65_536)])(
    'comes back: %#',
    async (text) => {
      const code = await deflatedText(text);
      expect(code).toMatch(/^[\w-]+$/);
      expect(await inflate(code)).toBe(text);
    },
  );

  test('restores letters of several bytes, split at any byte', async () => {
    // Incompressible, so that many small parts are read.
    let seed = 1;
    const letters = Array.from({ length: 700 }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return String.fromCodePoint(0x1_f300 + (seed % 0x300));
    });
    expect(await inflate(await deflatedText(letters.join('')))).toBe(letters.join(''));
  });

  test.each(['', 'A', '!', 'AAAA', '----'])('is rejected with a message if it cannot be inflated: %s', async (code) => {
    await expect(inflate(code)).rejects.toThrow(
      new SparseScopeError('The format in the link cannot be read: the link is incomplete'),
    );
  });

  test('is rejected if a part of it is missing', async () => {
    const code = await deflatedText(Array.from({ length: 200 }, (_, i) => i * i).join(' '));
    await expect(inflate(code.slice(0, code.length >> 1))).rejects.toThrow('the link is incomplete');
  });

  test('is rejected before it is read if the link is too long', async () => {
    await expect(inflate('A'.repeat(4097))).rejects.toThrow('The format in the link');
  });

  test('is rejected if it would unpack to more characters than allowed', async () => {
    const bomb = await deflatedText('x'.repeat(3_000_000));
    expect(bomb.length).toBeLessThan(4096);
    await expect(inflate(bomb)).rejects.toThrow(
      `The format in the link: found more than ${countText(65_536)} characters`,
    );
  });
});
