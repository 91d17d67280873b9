import { MATRIX_PANEL } from '../../../core/story/scene-parts.ts';
import { Below, type StageProps } from './Below.tsx';
import { remembered } from './pinned.ts';

const withoutWindow = remembered((scene) => {
  const panels = scene.panels.filter(({ id }) => id !== MATRIX_PANEL);
  return panels.length === 0 ? scene : { ...scene, panels };
});

/** The picture without the cells of the window; all of it where it shows nothing else. */
export function SceneWithoutCells(props: StageProps) {
  return <Below {...props} part={withoutWindow} />;
}
