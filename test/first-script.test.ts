// The inline script of index.html, which restores the last address before the page's code is loaded.

import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

const [, SCRIPT = ''] = /<script>\n(.*?)<\/script>/s.exec(readFileSync('index.html', 'utf8')) ?? [];

/** Runs the script at an address without a page, with `last` in localStorage; returns the addresses that it sets. */
function addresses(last: string | null): readonly string[] {
  const changed: string[] = [];
  runInNewContext(SCRIPT, {
    localStorage: { getItem: (key: string) => (key === 'sparsescope.last' ? last : null) },
    sessionStorage: { getItem: () => null },
    location: { hash: '' },
    history: { replaceState: (_state: null, _title: string, address: string) => void changed.push(address) },
    document: { documentElement: { dataset: {} } },
  });
  return changed;
}

it('an address without a page becomes the last address', () => {
  expect(addresses('#2/measure?a=macko')).toEqual(['#2/measure?a=macko']);
});

it.each([null, '', '/nowhere/else#2/watch', 'https://a.org/#2/watch', '//a.org', '?a#2/watch', ' #2/watch', 'nowhere'])(
  'a stored text that is not a fragment of this page is ignored: %j',
  (last) => {
    expect(addresses(last)).toEqual([]);
  },
);
