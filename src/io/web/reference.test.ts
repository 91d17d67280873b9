import { describe, expect, it } from 'vitest';
import { ReadError } from '../../core/errors.ts';
import { hubFileUrl, hubReference, parseReference } from './reference.ts';

const hub = { kind: 'hub', repository: 'models', repo: 'org/name', revision: 'main', path: null } as const;

describe('what a person writes', () => {
  it.each([
    ['org/name', hub],
    [' hf://org/name ', hub],
    ['https://huggingface.co/org/name', hub],
    ['https://huggingface.co/org/name/tree/v1', { ...hub, revision: 'v1' }],
    ['org/name@v1', { ...hub, revision: 'v1' }],
    ['org/name/a/b.npz', { ...hub, path: 'a/b.npz' }],
    ['hf://datasets/org/name@abc/a.npz', { ...hub, repository: 'datasets', revision: 'abc', path: 'a.npz' }],
    ['https://huggingface.co/org/name/blob/main/a/b.npz', { ...hub, path: 'a/b.npz' }],
    [
      'https://huggingface.co/datasets/org/name/resolve/r/a.npz?download=true',
      { ...hub, repository: 'datasets', revision: 'r', path: 'a.npz' },
    ],
    ['https://huggingface.co/org/name/blob/refs%2Fpr%2F1/a.npz', { ...hub, revision: 'refs/pr/1', path: 'a.npz' }],
    ['https://example.org/a%zz.npz', { kind: 'url', url: 'https://example.org/a%zz.npz' }],
    ['https://example.org/a.npz?x=1', { kind: 'url', url: 'https://example.org/a.npz?x=1' }],
  ])('%s', (text, reference) => {
    expect(parseReference(text)).toEqual(reference);
  });

  it.each(['', 'name', 'org/name@', 'org/../x', 'ftp://a/b/c@d@e', 'org/name/../x', 'org/name@../x', 'https://'])(
    'refuses %s',
    (text) => {
      expect(() => parseReference(text)).toThrow(/^address: found '/);
    },
  );

  it.each(['org/name@%/file', 'org/name@%ff/file', 'https://huggingface.co/%zz', 'https://huggingface.co/a/b%c3'])(
    'says where a percent sign in %s stands for no character',
    (text) => {
      expect(() => parseReference(text)).toThrow(
        new ReadError(`address: found a % that encodes no character in '${text}', expected %25 for the sign`),
      );
    },
  );

  it('does not accept a path out of a repository', () => {
    const link = 'https://huggingface.co/org/name/resolve/main/..%2f..%2fa.npz';
    expect(parseReference(link)).toEqual({ kind: 'url', url: link });
  });

  it('refuses passwords in addresses', () => {
    expect(() => parseReference('https://me:secret@example.org/a')).toThrow('found a name or password in it');
  });
});

it('round-trips references', () => {
  const link = hubReference('datasets', 'o/n', 'refs/pr/1', 'a b.npz');
  expect(parseReference(link)).toEqual({
    kind: 'hub',
    repository: 'datasets',
    repo: 'o/n',
    revision: 'refs/pr/1',
    path: 'a b.npz',
  });
  expect(hubFileUrl('https://h', 'models', 'o/n', 'main', 'a b.npz')).toBe('https://h/o/n/resolve/main/a%20b.npz');
});
