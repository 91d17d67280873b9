import { expect, it } from 'vitest';
import { ReadError } from '../../core/errors.ts';
import { linkTarget } from './link-target.ts';
import { HUB, hubFileUrl, hubReference, parseReference, type Reference } from './reference.ts';

const REFERENCES: readonly string[] = [
  'org/name',
  ' hf://org/name ',
  'https://huggingface.co/org/name',
  'https://huggingface.co/org/name/tree/v1',
  'https://huggingface.co/org/name/tree/main/sub',
  'https://huggingface.co/org/name/tree/v1/a%20b/c/',
  'https://huggingface.co/org/name/commit/0123abc',
  'https://huggingface.co/org/name/commits/v1/a.npz',
  'https://huggingface.co/org/name/blame/main/a.npz',
  'https://huggingface.co/org/name?show_file_info=a%2Fb.gguf',
  'https://huggingface.co/org/name/blob/main/sub/b.npz',
  'org/name/sub/',
  'org/name/',
  // Hosts without a scheme, and other names of the hub.
  'huggingface.co/org/name',
  'HuggingFace.co/org/name/tree/main/sub',
  'www.huggingface.co/org/name',
  'hf.co/org/name',
  'https://hf.co/org/name/resolve/v1/a.npz',
  'http://huggingface.co/org/name',
  'sparse.tamu.edu/HB/west0479',
  'https://sparse.tamu.edu/HB/west0479/',
  'https://sparse.tamu.edu/MM/HB/west0479.tar.gz',
  'example.org/a.npz?x=1',
  'example.org:8443/a.npz',
  'localhost:8000/a.npz',
  '127.0.0.1/a.npz',
  'nas:8000/a.npz',
  'hf://a.b/name',
  // Repositories of one word.
  'gpt2',
  'bert-base-uncased',
  'gpt2@v1.0/onnx/a.npz',
  'hf://gpt2',
  'datasets/squad',
  'https://huggingface.co/gpt2',
  'https://huggingface.co/gpt2/blob/main/model.safetensors',
  'https://huggingface.co/gpt2/tree/main/onnx',
  'hf.co/datasets/squad/resolve/main/a.npz',
  // Repositories with the names of pages.
  'https://huggingface.co/org/tree',
  'https://huggingface.co/org/blob/tree/main/sub',
  'org/name@v1',
  'org/name/a/b.npz',
  'hf://datasets/org/name@abc/a.npz',
  'https://huggingface.co/org/name/blob/main/a/b.npz',
  'https://huggingface.co/datasets/org/name/resolve/r/a.npz?download=true',
  'https://huggingface.co/org/name/blob/refs%2Fpr%2F1/a.npz',
  'https://example.org/a%zz.npz',
  'https://example.org/a.npz?x=1',
  'https://huggingface.co/api/models/gpt2',
  // A path that leaves a repository does not belong to it.
  'https://huggingface.co/org/name/resolve/main/..%2f..%2fa.npz',
  'https://huggingface.co/org/name/discussions/1',
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
  // A percent sign that encodes no character.
  'org/name@%/file',
  'org/name@%ff/file',
  'https://huggingface.co/%zz',
  'https://huggingface.co/a/b%c3',
  'https://me:secret@example.org/a',
  // Whether these addresses count as the hub's, and the host for which the page asks the user.
  ' HTTPS://Example.org:443/a%20b.npy?x=1 ',
  'http://example.org:8080/w',
  'https://huggingface.co/api/models',
  'file:///etc/passwd',
  'data:text/plain,1',
  'javascript:alert(1)',
  'https://huggingface.co.example.org/huggingface.co/org/name',
  'https://xhuggingface.co/huggingface.co/org/name',
  'https://huggingface.co:8443/huggingface.co/org/name',
  'hf.co:8443/org/name',
];

function parsed(text: string): Reference | string {
  try {
    return parseReference(text);
  } catch (error) {
    if (error instanceof ReadError) return `refused: ${error.message}`;
    throw error;
  }
}

it('parseReference and linkTarget return what the snapshot contains for each text', async () => {
  const texts = REFERENCES.map((text) => {
    const target = linkTarget(text);
    const asks =
      target && `asks ${target.origin}${target.isPrivate ? ', nearby' : ''} (${target.host}) for ${target.address}`;
    return `'${text}'\n  ${[JSON.stringify(parsed(text)), ...(asks === null ? [] : [asks])].join('\n  ')}\n`;
  });
  await expect(texts.join('')).toMatchFileSnapshot('words/references.txt');
});

it('an address of half a million slashes is read in one go', () => {
  const url = `${HUB}/a${'/'.repeat(5e5)}b`;
  expect(parseReference(url)).toEqual({ kind: 'url', url });
});

it.each([
  ['models', 'gpt2', 'main', 'onnx/a.npz', 'https://h/gpt2/resolve/main/onnx/a.npz'],
  ['datasets', 'o/n', 'refs/pr/1', 'a b.npz', 'https://h/datasets/o/n/resolve/refs%2Fpr%2F1/a%20b.npz'],
] as const)(
  'hubReference writes a reference to %s, %s, that parseReference reads unchanged',
  (repository, repo, revision, path, url) => {
    const link = hubReference(repository, repo, revision, path);
    expect(parseReference(link)).toEqual({ kind: 'hub', repository, repo, revision, path });
    expect(hubFileUrl('https://h', repository, repo, revision, path)).toBe(url);
  },
);

/** Hosts of this machine and its network in every notation, and public ones, some next to private ranges. */
const HOSTS = {
  true: `localhost localhost. LOCALHOST:8080 a.localhost printer printer.local nas.home.arpa metadata.google.internal
    127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254
    100.64.0.1 224.0.0.251 255.255.255.255 [::1] [::] [fe80::1] [fd12:3456::1] [fc00::1] [::ffff:192.168.0.1]
    [::ffff:8.8.8.8] [64:ff9b::a00:1] [2002:c0a8:1::1] [2001::1] [ff02::fb]`,
  false: `example.org local.example.org localhost.example.org 8.8.8.8 9.255.255.255 11.0.0.1 172.15.0.1 172.32.0.1
    192.167.0.1 192.169.0.1 169.253.0.1 100.63.0.1 100.128.0.1 223.255.255.255 [2606:4700::1111] [2001:4860:4860::8888]
    [3fff::1]`,
};

it.each(Object.entries(HOSTS))(
  'linkTarget sets isPrivate to %s for hosts inside or outside the local network',
  (isPrivate, hosts) => {
    for (const host of hosts.split(/\s+/))
      expect([host, String(linkTarget(`http://${host}/w.npy`)?.isPrivate)]).toEqual([host, isPrivate]);
  },
);
