import { clip } from '../core/bounds/quote.ts';
import { type Theme, THEMES } from './preferences.ts';

/** The settings in the address of an iframe that shows this page inside another page. */
export interface EmbedSettings {
  readonly theme: Theme;
  /** origin of the surrounding page, the only one that may send messages; null: none */
  readonly origin: string | null;
}

/** The contents of an iframe's address. */
export interface EmbedAddress extends EmbedSettings {
  /** the page's link to the same step of a story (animation) */
  readonly link: string;
  /** the step in the address; null if it names none */
  readonly step: number | null;
  /** one message for each invalid value */
  readonly problems: readonly string[];
}

/** The page of an iframe whose address names none. */
const DEFAULT_PAGE = '/watch';

/** Any version of addresses matches; the reader of the link reports an unexpected one. */
const EMBED = /^(#\d+)\/embed(\/[^?]*[^?/])?\/*(?=\?|$)/;

/** The address of an iframe, from the page's link to the same content. */
export function embedHash(link: string, { theme, origin }: EmbedSettings): string {
  const [page, query = ''] = link.split('?');
  const extra = [...(theme === 'system' ? [] : [`theme=${theme}`]), ...(origin === null ? [] : [`origin=${origin}`])];
  const pairs = [...query.split('&').filter((pair) => pair !== ''), ...extra];
  const [version] = page.split('/');
  const pagePath = page.slice(version.length);
  const path = pagePath === DEFAULT_PAGE ? '' : pagePath;
  return `${version}/embed${path}?${pairs.join('&')}`;
}

/** Reads the address of an iframe; null for any other address. Never throws. */
export function readEmbedHash(hash: string): EmbedAddress | null {
  if (!EMBED.test(hash)) return null;
  const fields = new URLSearchParams(hash.slice(hash.indexOf('?') + 1));
  const problems: string[] = [];
  // In addresses a step is called 'moment'; old links call it 'step'.
  const stepText = fields.get('moment') ?? fields.get('step');
  const themeText = fields.get('theme') ?? 'system';
  const theme = THEMES.find((name) => name === themeText);
  if (theme === undefined) {
    problems.push(`theme: found '${clip(themeText)}', expected one of ${THEMES.join(', ')}; the system's is used.`);
  }
  const originText = fields.get('origin');
  const origin = originText === null ? null : originOf(originText);
  if (originText !== null && origin === null) {
    problems.push(
      `origin: found '${clip(originText)}', expected one such as https://example.org; no page can send messages.`,
    );
  }
  return {
    link: hash.replace(EMBED, (_, version: string, page = DEFAULT_PAGE) => version + page),
    step: stepText === null ? null : Number(stepText) || 0,
    theme: theme ?? 'system',
    origin,
    problems,
  };
}

/** A text as an origin, as browsers write it; null if it is not one, or contains more. */
export function originOf(text: string): string | null {
  try {
    const { origin, protocol } = new URL(text);
    const isWeb = protocol === 'http:' || protocol === 'https:';
    return isWeb && origin === text.replace(/\/$/, '').toLowerCase() ? origin : null;
  } catch {
    return null;
  }
}

/** The HTML of the iframe. `address` is absolute, sizes are in px. */
export function embedCode(address: string, title: string, width: number, height: number): string {
  return `<iframe src="${attribute(address)}" title="${attribute(title)}" width="${width}" height="${height}" style="border: 0" loading="lazy"></iframe>`;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
