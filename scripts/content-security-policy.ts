import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/**
 * What the built page may load and run: its own files. Requests stay open, since people open matrices from any address.
 * A meta element affects neither workers loaded by address nor framing: docs/hosting.md has headers for those.
 */
const DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': ["'self'", "'wasm-unsafe-eval'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ['*'],
  'worker-src': ["'self'"],
  // sandbox.html, in which formats of one's own run.
  'frame-src': ["'self'"],
  'manifest-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
};

/** The policy of a page: an inline script is allowed by its hash. */
export function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(
    ([, code]) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
  return Object.entries(DIRECTIVES)
    .map(([name, sources]) => [name, ...sources, ...(name === 'script-src' ? inline : [])].join(' '))
    .join('; ');
}

/** Adds the policy to the built page. */
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
