import type { Scene } from '../story/scene.ts';
import type { LaidOutScene } from './layout/laid-out.ts';
import { layoutInParts, type LayoutOptions } from './layout/layout.ts';
import type { Palette } from './paint/palette.ts';
import { type Sprite, spriteOf } from './paint/sprite.ts';

/** The inputs other than the scene from which its layout and colours are computed. */
export interface SceneSetting extends LayoutOptions {
  readonly palette: Palette;
}

/** A scene with everything needed to draw it. */
export interface ReadyScene {
  readonly scene: Scene;
  readonly layout: LaidOutScene;
  /** every mark at rest, by id and in drawing order */
  readonly sprites: ReadonlyMap<string, Sprite>;
}

/** Lays out a scene in parts, so that the next step is ready without delaying an animation frame. */
export class ScenePreparation {
  readonly scene: Scene;
  readonly setting: SceneSetting;
  readonly #parts: Generator<void, ReadyScene, void>;
  #ready: ReadyScene | null = null;

  constructor(scene: Scene, setting: SceneSetting) {
    this.scene = scene;
    this.setting = setting;
    this.#parts = prepare(scene, setting);
  }

  /** Does the next part, a fraction of a frame. True while there is more to do. */
  advance(): boolean {
    if (this.#ready) return false;
    const part = this.#parts.next();
    if (part.done) this.#ready = part.value;
    return !part.done;
  }

  /** Does the rest at once. */
  finish(): ReadyScene {
    for (;;) {
      if (this.#ready) return this.#ready;
      this.advance();
    }
  }
}

function* prepare(scene: Scene, setting: SceneSetting): Generator<void, ReadyScene, void> {
  const layout = yield* layoutInParts(scene, setting);
  yield;
  const sprites = new Map<string, Sprite>();
  for (const placed of layout.marks) sprites.set(placed.mark.id, spriteOf(placed, setting.palette));
  return { scene, layout, sprites };
}
