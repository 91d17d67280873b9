import type { Scene } from '../../../core/story/scene.ts';

/** Of a scene, the parts that were made of it: the same object for the same scene. */
function remembered<Part extends Scene | null>(part: (scene: Scene) => Part): (scene: Scene) => Part {
  const known = new WeakMap<Scene, Part>();
  return (scene) => {
    let made = known.get(scene);
    if (made === undefined) known.set(scene, (made = part(scene)));
    return made;
  };
}

/** What a picture of two formats shows of the cells that they share; null if it shows none. */
export const cellsOf = remembered((scene) => {
  const panels = scene.panels.filter(({ side }) => side === undefined);
  const { sides: _, ...rest } = scene;
  return panels.length === 0 ? null : { ...rest, panels };
});

const others = remembered((scene) => ({ ...scene, panels: scene.panels.filter(({ side }) => side !== undefined) }));

/** What it shows of each format alone. */
export function withoutCells(scene: Scene): Scene {
  return others(scene) ?? scene;
}
