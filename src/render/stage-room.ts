/** The room for a scene, px. */
export interface StageRoom {
  readonly width: number;
  /** height that can be seen at once */
  readonly stageHeight: number;
  /** device pixels per px */
  readonly pixelRatio: number;
}

/** A stage is taken to be at least this high, px: below, everything would be cut. */
const LEAST_STAGE = 360;
/** Height that stands for the stage when nothing around the container scrolls: share of the window's. */
const STAGE_SHARE_OF_WINDOW = 0.7;

/** Width of the container, and the height that can be seen of it at once when its surroundings are not scrolled. */
export function roomIn(container: HTMLElement): StageRoom {
  const width = container.clientWidth;
  const pixelRatio = devicePixelRatio;
  const scroller = scrollerOf(container);
  if (!scroller) {
    return { width, stageHeight: Math.max(LEAST_STAGE, Math.round(innerHeight * STAGE_SHARE_OF_WINDOW)), pixelRatio };
  }
  const above =
    container === scroller
      ? 0
      : container.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
  return { width, stageHeight: Math.max(LEAST_STAGE, scroller.clientHeight - Math.round(above)), pixelRatio };
}

/** The element itself or the nearest around it that scrolls its content; null when only the page does. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let at: HTMLElement | null = element; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}
