import { expect, it } from 'vitest';
import { startFailureText } from './start-failure.ts';

const page = (origin: string, protocol = 'https:') => ({ origin, location: { protocol } });

it.each([
  [
    new Error('No WebAssembly.'),
    page('https://a.org'),
    'SparseScope could not start: No WebAssembly. Try a current Chrome, Edge, Firefox or Safari.',
  ],
  ['why?', page('https://a.org'), 'SparseScope could not start: why. Try a current Chrome, Edge, Firefox or Safari.'],
  [
    new Error("Script at 'https://a.org/w.js' cannot be accessed from origin 'null'."),
    page('null'),
    'SparseScope could not start: the frame around it is sandboxed without the permission allow-same-origin, which its worker needs. Add allow-same-origin to the sandbox of the frame, next to allow-scripts.',
  ],
  // A page from the disk has no origin either, without any frame.
  [
    new Error('no'),
    page('null', 'file:'),
    'SparseScope could not start: no. Try a current Chrome, Edge, Firefox or Safari.',
  ],
])('explains why the page could not start, and what to do: %s', (error, view, text) => {
  expect(startFailureText(error, view)).toBe(text);
});
