import type { Mark, Scene } from '../core/scene.ts';
import type { Theme } from './theme.ts';

export interface SceneViewOptions {
  readonly theme: Theme;
  /** the colour of the format whose scenes are shown, from `formatColor` */
  readonly formatColor: string;
  /** true: every step appears at once, nothing moves */
  readonly reducedMotion: boolean;
  /** the mark under the pointer, null when there is none; called only when it changes */
  readonly onHover?: (mark: Mark | null) => void;
  /** a mark was clicked or tapped */
  readonly onSelect?: (mark: Mark) => void;
}

/**
 * Draws scenes on a canvas inside `container` and moves what they share from one to the next.
 * The container should have a definite height and scroll (overflow: auto): the canvas is as wide as the container and
 * as high as the scene needs; matrices take at most about 40 % of the container's height.
 */
export class SceneView {
  /** role="img"; set its aria-label to the narration */
  readonly canvas: HTMLCanvasElement;

  constructor(container: HTMLElement, options: SceneViewOptions) {
    void options;
    this.canvas = container.ownerDocument.createElement('canvas');
    this.canvas.setAttribute('role', 'img');
    container.append(this.canvas);
  }

  /** Shows a scene; with `animate`, from what is on the canvas now, whether or not an earlier movement has ended. */
  show(scene: Scene, how: { readonly animate: boolean }): void {
    void scene;
    void how;
  }

  setTheme(theme: Theme, formatColor: string): void {
    void theme;
    void formatColor;
  }

  setReducedMotion(reducedMotion: boolean): void {
    void reducedMotion;
  }

  /** Outlines every mark that is about one of `keys`; null ends it. The hovered mark's own keys come on top. */
  setHighlight(keys: readonly string[] | null): void {
    void keys;
  }

  /** The scene on the canvas as a standalone SVG document; null before the first scene. */
  toSvg(): string | null {
    return null;
  }

  /** The scene on the canvas as a PNG of twice its size; null before the first scene. */
  async toPng(): Promise<Blob | null> {
    return null;
  }

  /** Removes the canvas and every listener. */
  dispose(): void {
    this.canvas.remove();
  }
}
