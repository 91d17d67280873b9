import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

const [, SCRIPT = ''] = /<script>\n(.*?)<\/script>/s.exec(readFileSync('index.html', 'utf8')) ?? [];

/** The addresses to which the script in index.html changes an address without a page, for contents of the storage. */
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

it('a visit begins where the last one ended', () => {
  expect(addresses('#2/measure?a=macko')).toEqual(['#2/measure?a=macko']);
});

it.each([null, '', '/nowhere/else#2/watch', 'https://a.org/#2/watch', '//a.org', '?a#2/watch', ' #2/watch', 'nowhere'])(
  'nothing but a fragment of this page is taken for an address: %j',
  (last) => {
    expect(addresses(last)).toEqual([]);
  },
);
