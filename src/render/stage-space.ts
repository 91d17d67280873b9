import { NARROW_BELOW } from './layout/metrics.ts';

/** The space for a picture of a story on its stage, the element that scrolls around it, px. */
export interface StageSpace {
  readonly width: number;
  /** visible height */
  readonly stageHeight: number;
  /** height that all pictures of a story have, below a text of usual length */
  readonly storyHeight: number;
  /** device pixels per px */
  readonly pixelRatio: number;
}

/** Minimum height for a picture, px, even if the stage is lower; the second is for a low browser window. */
const MIN_STAGE = 300;
const MIN_STAGE_IN_LOW_WINDOW = 180;
/** Height of the text above a picture, px: it has more lines on a narrow stage. */
const TEXT_ABOVE = { narrow: 164, wide: 96 } as const;
/** In browser windows less high than this, px, as on a phone in landscape, the picture leaves space for the rest of the page. */
const LOW_WINDOW = 480;
/** Height of the rest of the page in such a window, px. */
const REST_OF_LOW_WINDOW = 184;
/** Maximum space above a picture whose text is elsewhere, px. */
const MAX_ABOVE_ALONE = 24;
/** Height of such a picture, as a share of the browser window's. */
const STORY_SHARE_OF_WINDOW = 0.66;
/** CSS selector of the element above all pictures of a story. */
const ABOVE_PICTURES = '[data-above]';
/** Height if nothing around the container scrolls, as a share of the browser window's. */
const STAGE_SHARE_OF_WINDOW = 0.7;

/** The space in a container: its width, and its visible height while nothing is scrolled, without sticky elements. */
export function stageSpace(container: HTMLElement): StageSpace {
  const width = container.clientWidth;
  const pixelRatio = devicePixelRatio;
  const scroller = scrollerOf(container);
  if (!scroller) {
    const isLow = innerHeight < LOW_WINDOW && width >= NARROW_BELOW;
    const freeHeight = isLow ? innerHeight - REST_OF_LOW_WINDOW : innerHeight * STAGE_SHARE_OF_WINDOW;
    const stageHeight = Math.max(isLow ? MIN_STAGE_IN_LOW_WINDOW : MIN_STAGE, Math.round(freeHeight));
    return { width, stageHeight, storyHeight: stageHeight, pixelRatio };
  }
  const above =
    container === scroller
      ? 0
      : container.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
  const below = Math.round(Number.parseFloat(getComputedStyle(scroller).scrollPaddingBottom) || 0);
  const heightBelow = (top: number): number => Math.max(MIN_STAGE, scroller.clientHeight - Math.round(top) - below);
  // A picture that scrolls alone has its text outside: the visible height would change with each text.
  const isAlone = above < MAX_ABOVE_ALONE;
  const textHeight = TEXT_ABOVE[width < NARROW_BELOW ? 'narrow' : 'wide'] + (aboveIn(scroller)?.offsetHeight ?? 0);
  const storyHeight = isAlone ? Math.round(innerHeight * STORY_SHARE_OF_WINDOW) : heightBelow(textHeight);
  return { width, stageHeight: heightBelow(above), storyHeight, pixelRatio };
}

/** Calls back when the device's pixel ratio changes, as on another screen: no element changes its size then. */
export function watchPixelRatio(onChange: () => void, signal: AbortSignal): void {
  const onRatio = (): void => {
    onChange();
    watchPixelRatio(onChange, signal);
  };
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', onRatio, { once: true, signal });
}

/** The element above all pictures of a story, inside the one that scrolls; null if there is none. */
export const aboveIn = (scroller: HTMLElement): HTMLElement | null =>
  scroller.querySelector<HTMLElement>(ABOVE_PICTURES);

/** The element itself or the nearest around it that scrolls its content; null when only the page does. */
export function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let current: HTMLElement | null = element; current; current = current.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(current).overflowY)) return current;
  }
  return null;
}
