import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/**
 * What the built page may load and run: its own files. Addresses that people open may be anywhere, so that requests stay
 * open. A meta element reaches neither a worker that is loaded by address nor framing: docs/hosting.md has the headers.
 */
const DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': ["'self'", "'wasm-unsafe-eval'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ['*'],
  'worker-src': ["'self'"],
  'manifest-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
};

/** The policy of a page: a script that stands in it runs by its hash. */
export function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(
    ([, code]) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
  return Object.entries(DIRECTIVES)
    .map(([name, sources]) => [name, ...sources, ...(name === 'script-src' ? inline : [])].join(' '))
    .join('; ');
}

/** Puts the policy into the built page. */
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
