import { describe, expect, it } from 'vitest';
import { linkTarget } from './link-target.ts';

const isPrivate = (host: string): boolean | undefined => linkTarget(`http://${host}/w.npy`)?.isPrivate;

describe('the target of a link', () => {
  it('is an address with the host that a person is asked about', () => {
    expect(linkTarget(' HTTPS://Example.org:443/a%20b.npy?x=1 ')).toEqual({
      address: 'https://example.org/a%20b.npy?x=1',
      origin: 'https://example.org',
      host: 'example.org',
      isPrivate: false,
    });
    expect(linkTarget('http://example.org:8080/w')).toMatchObject({
      origin: 'http://example.org:8080',
      host: 'example.org:8080',
    });
  });

  it('is null for the hub, however it is written, and for anything that is not fetched', () => {
    for (const link of [
      'org/name',
      'hf://org/name@main/w.npy',
      'https://huggingface.co/org/name/blob/main/w.npy',
      'https://huggingface.co/api/models',
      // Asked for over https, whatever was written.
      'http://huggingface.co/org/name',
      'hf.co/org/name',
      'gpt2',
      'file:///etc/passwd',
      'data:text/plain,1',
      'javascript:alert(1)',
      'https://',
      'https://user:secret@example.org/w.npy',
      '',
    ])
      expect([link, linkTarget(link)]).toEqual([link, null]);
  });

  it('is not the hub if only part of the address looks like it', () => {
    for (const host of ['huggingface.co.example.org', 'example.org', 'xhuggingface.co', 'huggingface.co:8443'])
      expect(linkTarget(`https://${host}/huggingface.co/org/name`)?.host).toBe(host);
  });

  it('is the host of an address without a scheme', () => {
    expect(linkTarget('sparse.tamu.edu/HB/west0479')).toMatchObject({
      address: 'https://sparse.tamu.edu/MM/HB/west0479.tar.gz',
      origin: 'https://sparse.tamu.edu',
      isPrivate: false,
    });
    expect(linkTarget('nas:8000/w.npy')).toMatchObject({ origin: 'http://nas:8000', isPrivate: true });
    expect(linkTarget('hf.co:8443/org/name')?.host).toBe('hf.co:8443');
  });

  it('is private on this machine and in its network, in every notation', () => {
    for (const host of [
      'localhost',
      'localhost.',
      'LOCALHOST:8080',
      'a.localhost',
      'printer',
      'printer.local',
      'nas.home.arpa',
      'metadata.google.internal',
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0.0.0.0',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '224.0.0.251',
      '255.255.255.255',
      '[::1]',
      '[::]',
      '[fe80::1]',
      '[fd12:3456::1]',
      '[fc00::1]',
      '[::ffff:192.168.0.1]',
      '[::ffff:8.8.8.8]',
      '[64:ff9b::a00:1]',
      '[2002:c0a8:1::1]',
      '[2001::1]',
      '[ff02::fb]',
    ])
      expect([host, isPrivate(host)]).toEqual([host, true]);
  });

  it('is public elsewhere, including next to private ranges', () => {
    for (const host of [
      'example.org',
      'local.example.org',
      'localhost.example.org',
      '8.8.8.8',
      '9.255.255.255',
      '11.0.0.1',
      '172.15.0.1',
      '172.32.0.1',
      '192.167.0.1',
      '192.169.0.1',
      '169.253.0.1',
      '100.63.0.1',
      '100.128.0.1',
      '223.255.255.255',
      '[2606:4700::1111]',
      '[2001:4860:4860::8888]',
      '[3fff::1]',
    ])
      expect([host, isPrivate(host)]).toEqual([host, false]);
  });
});
