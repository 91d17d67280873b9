import { describe, expect, it } from 'vitest';
import { request } from './http.ts';

/** The headers that `request` sends to an address. */
async function headersTo(url: string): Promise<unknown> {
  let sent: unknown;
  await request(
    url,
    {
      fetch: async (_url, init) => {
        sent = init.headers;
        return new Response('');
      },
      credential: { token: 'hf_x', origin: 'https://huggingface.co' },
      signal: new AbortController().signal,
    },
    { Range: 'bytes=0-1' },
  );
  return sent;
}

describe('the credential of a request', () => {
  it.each(['https://huggingface.co/a', 'https://huggingface.co:443/a', 'HTTPS://HuggingFace.co/a'])(
    'the credential of a request is sent to its origin: %s',
    async (url) => {
      expect(await headersTo(url)).toEqual({ Range: 'bytes=0-1', Authorization: 'Bearer hf_x' });
    },
  );

  it.each([
    'http://huggingface.co/a',
    'https://huggingface.co:8443/a',
    'https://huggingface.co.example.org/a',
    'https://cdn.huggingface.co/a',
    'https://huggingface.co@example.org/a',
    'http:127.0.0.1:5399',
    'data:,a',
  ])('the credential of a request is not sent to any other origin: %s', async (url) => {
    expect(await headersTo(url)).toEqual({ Range: 'bytes=0-1' });
  });
});
