import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { filesIn } from '../../scripts/labs.mjs';
import { FOREIGN_ERRORS } from '../../test/foreign-errors.ts';
import { failureOf, isNetworkError, messageOf } from './error-messages.ts';
import { ReadError, SparseScopeError } from './errors.ts';

it.each([
  'Failed to fetch dynamically imported module: https://example.org/assets/open.worker-Cfm.js',
  'error loading dynamically imported module: https://example.org/assets/open.worker-Cfm.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/compare-Bd1.css',
])('messageOf reports a module that did not load as a network error, without its address: %s', (message) => {
  expect(messageOf(new TypeError(message))).toBe('the network did not answer');
  expect(isNetworkError(new TypeError(message))).toBe(true);
});

it('isNetworkError is true only for errors that may disappear when the network works again', () => {
  const messages = [
    'a.mtx: the network did not answer',
    'https://a.org/a.npz: found no answer (Failed to fetch)',
    'a.csv: line 1',
  ];
  expect(messages.map((message) => isNetworkError(new ReadError(message)))).toEqual([true, true, false]);
});

describe('messageOf an error of a browser or driver', () => {
  it.each(FOREIGN_ERRORS)('$name: $message', ({ error, message, happened }) => {
    const text = messageOf(error);
    expect(text).toMatch(happened);
    // What happened, what to do, and the original message in brackets.
    expect(text).toMatch(/^[^(]+; [^(]+ \(/);
    expect(text).toContain(`(${message.replace(/\.$/, '')})`);
    expect(failureOf(error, 'Encoding as MACKO')).toBe(`Encoding as MACKO failed: ${text}`);
  });

  it.each([undefined, null, '', new Error(''), {}, new Error('x'.repeat(10_000)), new Error(' \n - While')])(
    'shortens a long message, and also has a text for an empty one: %#',
    (error) => {
      const text = messageOf(error);
      expect(text).toMatch(/^the browser reported an error; .+ \(.+\)$/s);
      expect(text.length).toBeLessThan(300);
    },
  );
});

it('messages of this application stay unchanged', () => {
  const errors = [new ReadError('a.mtx: line 3'), new RangeError('rows: found 0, expected at least 1')];
  expect(errors.map((error) => [messageOf(error), failureOf(error, 'Opening')])).toEqual(
    errors.map(({ message }) => [message, message]),
  );
});

it('every error class of this application is recognised by its name, also after it was sent from a worker', () => {
  const names = filesIn(['src', 'labs'], /\.tsx?$/).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/override (?:readonly )?name = '(\w+)'/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const sent = Object.assign(new Error('it says this'), { name });
    expect(messageOf(sent), name).toMatch(/^it says this/);
    expect(messageOf(sent), name).not.toContain('(');
  }
  expect(messageOf(new SparseScopeError('it says this'))).toBe('it says this');
});
