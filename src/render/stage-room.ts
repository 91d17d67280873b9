/** The room for a scene, px. */
export interface StageRoom {
  readonly width: number;
  /** visible height */
  readonly stageHeight: number;
  /** device pixels per px */
  readonly pixelRatio: number;
}

/** Minimum height of a stage for layout, px: below, everything would be cut. */
const MIN_STAGE = 300;
/** Height used if nothing around the container scrolls, as a share of the window's. */
const STAGE_SHARE_OF_WINDOW = 0.7;

/**
 * Width of the container, and its visible height when its surroundings are not scrolled: without what sticks to their
 * lower edge, which is their `scroll-padding-bottom`.
 */
export function roomIn(container: HTMLElement): StageRoom {
  const width = container.clientWidth;
  const pixelRatio = devicePixelRatio;
  const scroller = scrollerOf(container);
  if (!scroller) {
    return { width, stageHeight: Math.max(MIN_STAGE, Math.round(innerHeight * STAGE_SHARE_OF_WINDOW)), pixelRatio };
  }
  const above =
    container === scroller
      ? 0
      : container.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
  const below = Math.round(Number.parseFloat(getComputedStyle(scroller).scrollPaddingBottom) || 0);
  return { width, stageHeight: Math.max(MIN_STAGE, scroller.clientHeight - Math.round(above) - below), pixelRatio };
}

/** The element itself or the nearest around it that scrolls its content; null when only the page does. */
export function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let at: HTMLElement | null = element; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}
