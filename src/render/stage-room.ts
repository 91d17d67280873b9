import { NARROW_BELOW } from './layout/metrics.ts';

/** The room for a scene (picture) on its stage, the element that scrolls around it, px. */
export interface StageRoom {
  readonly width: number;
  /** visible height */
  readonly stageHeight: number;
  /** height below a sentence of usual length and what stands above all pictures of a story: all of them use it */
  readonly storyHeight: number;
  /** device pixels per px */
  readonly pixelRatio: number;
}

/** Minimum height of a stage for layout, px: below, everything would be cut. */
const MIN_STAGE = 300;
/** Height of the words above a picture, px: narrow stages break them. */
const WORDS_ABOVE = { narrow: 164, wide: 96 } as const;
/** Above a picture that has its words elsewhere, px. */
const MAX_ABOVE_ALONE = 24;
const STORY_SHARE_OF_WINDOW = 0.66;
/** Marks what stands above all pictures of a story. */
const ABOVE = '[data-above]';
/** Height used if nothing around the container scrolls, as a share of the window's. */
const STAGE_SHARE_OF_WINDOW = 0.7;

/** The room of a container: its width, and its visible height while nothing is scrolled and without sticky elements. */
export function roomIn(container: HTMLElement): StageRoom {
  const width = container.clientWidth;
  const pixelRatio = devicePixelRatio;
  const scroller = scrollerOf(container);
  if (!scroller) {
    const stageHeight = Math.max(MIN_STAGE, Math.round(innerHeight * STAGE_SHARE_OF_WINDOW));
    return { width, stageHeight, storyHeight: stageHeight, pixelRatio };
  }
  const above =
    container === scroller
      ? 0
      : container.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
  const below = Math.round(Number.parseFloat(getComputedStyle(scroller).scrollPaddingBottom) || 0);
  const heightBelow = (top: number): number => Math.max(MIN_STAGE, scroller.clientHeight - Math.round(top) - below);
  // If a picture is all that scrolls, its words are elsewhere, and its height depends on each sentence.
  const isAlone = above < MAX_ABOVE_ALONE;
  const words = WORDS_ABOVE[width < NARROW_BELOW ? 'narrow' : 'wide'] + (aboveIn(scroller)?.offsetHeight ?? 0);
  const storyHeight = isAlone ? Math.round(innerHeight * STORY_SHARE_OF_WINDOW) : heightBelow(words);
  return { width, stageHeight: heightBelow(above), storyHeight, pixelRatio };
}

/** What stands above all pictures of a story in the element that scrolls. */
export const aboveIn = (scroller: HTMLElement): HTMLElement | null => scroller.querySelector<HTMLElement>(ABOVE);

/** The element itself or the nearest around it that scrolls its content; null when only the page does. */
export function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let at: HTMLElement | null = element; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}
