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
    ['https://huggingface.co/org/name/tree/main/sub', { ...hub, folder: 'sub' }],
    ['https://huggingface.co/org/name/tree/v1/a%20b/c/', { ...hub, revision: 'v1', folder: 'a b/c' }],
    ['https://huggingface.co/org/name/commit/0123abc', { ...hub, revision: '0123abc' }],
    ['https://huggingface.co/org/name/commits/v1/a.npz', { ...hub, revision: 'v1', folder: 'a.npz' }],
    ['https://huggingface.co/org/name/blame/main/a.npz', { ...hub, path: 'a.npz' }],
    ['https://huggingface.co/org/name?show_file_info=a%2Fb.gguf', { ...hub, path: 'a/b.gguf' }],
    ['https://huggingface.co/org/name/blob/main/sub/b.npz', { ...hub, path: 'sub/b.npz' }],
    ['org/name/sub/', { ...hub, folder: 'sub' }],
    ['org/name/', hub],
    // Hosts without a scheme, and other names of the hub.
    ['huggingface.co/org/name', hub],
    ['HuggingFace.co/org/name/tree/main/sub', { ...hub, folder: 'sub' }],
    ['www.huggingface.co/org/name', hub],
    ['hf.co/org/name', hub],
    ['https://hf.co/org/name/resolve/v1/a.npz', { ...hub, revision: 'v1', path: 'a.npz' }],
    ['http://huggingface.co/org/name', hub],
    ['sparse.tamu.edu/HB/west0479', { kind: 'url', url: 'https://sparse.tamu.edu/MM/HB/west0479.tar.gz' }],
    ['https://sparse.tamu.edu/HB/west0479/', { kind: 'url', url: 'https://sparse.tamu.edu/MM/HB/west0479.tar.gz' }],
    [
      'https://sparse.tamu.edu/MM/HB/west0479.tar.gz',
      { kind: 'url', url: 'https://sparse.tamu.edu/MM/HB/west0479.tar.gz' },
    ],
    ['example.org/a.npz?x=1', { kind: 'url', url: 'https://example.org/a.npz?x=1' }],
    ['example.org:8443/a.npz', { kind: 'url', url: 'https://example.org:8443/a.npz' }],
    ['localhost:8000/a.npz', { kind: 'url', url: 'http://localhost:8000/a.npz' }],
    ['127.0.0.1/a.npz', { kind: 'url', url: 'http://127.0.0.1/a.npz' }],
    ['nas:8000/a.npz', { kind: 'url', url: 'http://nas:8000/a.npz' }],
    ['hf://a.b/name', { ...hub, repo: 'a.b/name' }],
    // Repositories of one word.
    ['gpt2', { ...hub, repo: 'gpt2' }],
    ['bert-base-uncased', { ...hub, repo: 'bert-base-uncased' }],
    ['gpt2@v1.0/onnx/a.npz', { ...hub, repo: 'gpt2', revision: 'v1.0', path: 'onnx/a.npz' }],
    ['hf://gpt2', { ...hub, repo: 'gpt2' }],
    ['datasets/squad', { ...hub, repository: 'datasets', repo: 'squad' }],
    ['https://huggingface.co/gpt2', { ...hub, repo: 'gpt2' }],
    ['https://huggingface.co/gpt2/blob/main/model.safetensors', { ...hub, repo: 'gpt2', path: 'model.safetensors' }],
    ['https://huggingface.co/gpt2/tree/main/onnx', { ...hub, repo: 'gpt2', folder: 'onnx' }],
    ['hf.co/datasets/squad/resolve/main/a.npz', { ...hub, repository: 'datasets', repo: 'squad', path: 'a.npz' }],
    // Repositories with the names of pages.
    ['https://huggingface.co/org/tree', { ...hub, repo: 'org/tree' }],
    ['https://huggingface.co/org/blob/tree/main/sub', { ...hub, repo: 'org/blob', folder: 'sub' }],
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

  it.each([
    '',
    'w.npz',
    'example.org',
    'huggingface.co',
    '//example.org/a',
    'org/name@',
    'org/../x',
    'ftp://a/b/c@d@e',
    'org/name/../x',
    'org/name@../x',
    'https://',
  ])('refuses %s', (text) => {
    expect(() => parseReference(text)).toThrow(/^address: found '/);
  });

  it.each(['org/name@%/file', 'org/name@%ff/file', 'https://huggingface.co/%zz', 'https://huggingface.co/a/b%c3'])(
    'says where a percent sign in %s stands for no character',
    (text) => {
      expect(() => parseReference(text)).toThrow(
        new ReadError(`address: found a % that encodes no character in '${text}', expected %25 for the sign`),
      );
    },
  );

  it('refuses other pages of the hub by their name', () => {
    expect(() => parseReference('https://huggingface.co/org/name/discussions/1')).toThrow(
      new ReadError(
        "address: found the page 'discussions' of org/name, expected one of a file (/blob/) or a folder (/tree/)",
      ),
    );
    const api = 'https://huggingface.co/api/models/gpt2';
    expect(parseReference(api)).toEqual({ kind: 'url', url: api });
  });

  it('does not accept a path out of a repository', () => {
    const link = 'https://huggingface.co/org/name/resolve/main/..%2f..%2fa.npz';
    expect(parseReference(link)).toEqual({ kind: 'url', url: link });
  });

  it('refuses passwords in addresses', () => {
    expect(() => parseReference('https://me:secret@example.org/a')).toThrow('found a name or password in it');
  });
});

it('round-trips a repository of one word', () => {
  const link = hubReference('models', 'gpt2', 'main', 'onnx/a.npz');
  expect(parseReference(link)).toEqual({ ...hub, repo: 'gpt2', path: 'onnx/a.npz' });
  expect(hubFileUrl('https://h', 'models', 'gpt2', 'main', 'a.npz')).toBe('https://h/gpt2/resolve/main/a.npz');
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
