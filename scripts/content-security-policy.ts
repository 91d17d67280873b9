// Vite plugin that adds the Content Security Policy to the built page.

import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/**
 * The directives of the Content Security Policy: the built page may load and run its own files. Requests go anywhere, since
 * users open matrices from any address. A meta element covers neither workers nor framing: docs/hosting.md has headers.
 */
const DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': ["'self'", "'wasm-unsafe-eval'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ['*'],
  'worker-src': ["'self'"],
  // sandbox.html, in which formats that users write run.
  'frame-src': ["'self'"],
  'manifest-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
};

/** The policy for the text of a page, with a hash for each inline script. */
export function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(
    ([, code]) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
  return Object.entries(DIRECTIVES)
    .map(([name, sources]) => [name, ...sources, ...(name === 'script-src' ? inline : [])].join(' '))
    .join('; ');
}

/** A plugin that adds the policy to the built page as a meta element. */
export const contentSecurityPolicy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: policyOf(html) },
        injectTo: 'head-prepend',
      },
    ],
  },
};
