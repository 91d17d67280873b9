import type { Mark } from './scene.ts';

/**
 * Functions that make the marks of a panel by shape. Positions and sizes are in units of the panel. A mark is neutral
 * unless `more` changes it.
 */

/** Properties of a mark besides its id, shape and position. */
export type MarkProperties = Partial<Omit<Mark, 'id' | 'shape' | 'x' | 'y'>>;

/** A filled cell of 1 × 1 unit, or the size in `more`. */
export function box(id: string, x: number, y: number, more: MarkProperties = {}): Mark {
  return { id, shape: 'box', x, y, w: 1, h: 1, tone: 'neutral', ...more };
}

/** An outline around other marks. */
export function frame(id: string, x: number, y: number, w: number, h: number, more: MarkProperties = {}): Mark {
  return { id, shape: 'frame', x, y, w, h, tone: 'neutral', ...more };
}

/** A horizontal bracket, 0.8 units high, with its text in the middle. */
export function bracket(id: string, x: number, y: number, w: number, text: string, more: MarkProperties = {}): Mark {
  return { id, shape: 'bracket', x, y, w, h: 0.8, tone: 'neutral', text, ...more };
}

/** Words without a shape, on one line. */
export function note(id: string, x: number, y: number, w: number, text: string, more: MarkProperties = {}): Mark {
  return { id, shape: 'text', x, y, w, h: 1, tone: 'neutral', text, ...more };
}

/**
 * Properties of a mark that appears in a later step: a dashed outline, with `name` in its label. A text is not drawn,
 * but reserves its width.
 */
export function notThereYet(name: string, text?: string): MarkProperties {
  return { state: 'ghost', label: `${name}: not there yet`, ...(text === undefined ? {} : { text }) };
}
