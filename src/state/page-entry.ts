import type { DocumentPages, Choices, PageAddress } from './page-address.ts';

// What the header, addresses and links need to know of a page of the app, and links between pages.

/** The links that pages answer, by name, with their arguments. Modules in labs add further ones. */
export interface LinkTargets {
  /** the animation of the document's matrix and format */
  readonly stage: undefined;
  /** a line of a shader, from 1 */
  readonly code: { readonly file: string; readonly line: number };
  /** the lesson that was being read */
  readonly lesson: undefined;
  /** the list of lessons */
  readonly lessons: undefined;
  /** a group of sliding windows to edit, with its choices */
  readonly group: Choices;
  /** the benchmark's runs */
  readonly runs: undefined;
  /** the settings of the next run */
  readonly settings: undefined;
  /** what a faster kernel gains in a whole model */
  readonly speedupInModel: undefined;
  /** all formats, for the document's matrix */
  readonly formats: undefined;
  /** the origin of zeros in activations */
  readonly originOfZeros: undefined;
}

/** The arguments after the name of a link. */
export type LinkArguments<K extends keyof LinkTargets> = LinkTargets[K] extends undefined ? [] : [LinkTargets[K]];

type Links = {
  /** the document after following the link; null if the link leads nowhere from this document */
  readonly [K in keyof LinkTargets]?: <D extends DocumentPages>(doc: D, target: LinkTargets[K]) => D | null;
};

/** The properties of a page for the address, the header and links. */
export interface PageEntry {
  /** first word of its address */
  readonly id: string;
  readonly title: string;
  /** how its state is written in the address; absent for a page without state */
  readonly address?: PageAddress;
  readonly links?: Links;
  /** The page has no keyboard shortcut: the digits are for the pages that existed first. */
  readonly hasNoKey?: true;
  /** An address of the page that names no matrix means the matrix of the first screen. */
  readonly startsWithFirstMatrix?: true;
  /** The page shows all formats, so the chosen format A is not encoded before the others. */
  readonly comparesFormats?: true;
}

/** The document after following a link to the page that answers it; null if no page does. */
export function followLink<D extends DocumentPages, K extends keyof LinkTargets>(
  pages: readonly PageEntry[],
  doc: D,
  link: K,
  ...[target]: LinkArguments<K>
): D | null {
  for (const { links } of pages) {
    const next = links?.[link]?.(doc, target as LinkTargets[K]) ?? null;
    if (next !== null) return next;
  }
  return null;
}
