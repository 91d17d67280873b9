import { withLabPages } from '../kit/lab.ts';
import type { AppPage, Overlay, Standalone } from '../kit/page.ts';
import { measure } from '../pages/measure/page.ts';
import { embed } from '../pages/embed/page.ts';
import { compare } from '../pages/compare/page.ts';
import { code } from '../pages/code/page.ts';
import { learn } from '../pages/learn/page.ts';
import { present } from '../pages/present/page.ts';
import { watch } from '../pages/watch/page.ts';
import { LABS } from './labs.ts';

/** The pages (tabs) of the application and of its labs, in the order of the header. The first one is the default. */
export const PAGES: readonly AppPage[] = withLabPages(
  [watch, compare, measure],
  LABS.flatMap(({ pages }) => pages),
  [code, learn],
);

/** The presentation, which covers the page. */
export const PRESENTATION: Overlay = present;

/** The page that other pages embed. */
export const EMBEDDED: Standalone = embed;
