import { withLabPages } from '../kit/lab.ts';
import type { AppPage, Overlay, Standalone } from '../kit/place.ts';
import { measure } from '../places/measure/place.ts';
import { embed } from '../places/embed/place.ts';
import { compare } from '../places/compare/place.ts';
import { code } from '../places/code/place.ts';
import { learn } from '../places/learn/place.ts';
import { present } from '../places/present/place.ts';
import { watch } from '../places/watch/place.ts';
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
