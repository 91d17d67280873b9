import { useMemo } from 'react';
import type { Scene } from '../../../core/story/scene.ts';
import { SceneCanvas } from '../../../kit/stage/SceneCanvas.tsx';
import type { StageScenes } from '../../../kit/stage/use-scene.ts';

/** What a stage shows now. */
export interface StageProps {
  readonly scenes: StageScenes;
  readonly scene: Scene;
}

interface BelowProps extends StageProps {
  /** what the canvas shows of a scene; the same object for the same scene */
  readonly part: (scene: Scene) => Scene;
}

/** The picture below the cells, which are shown elsewhere; it is saved as a whole. */
export function Below({ scenes: { source, format, against }, scene, part }: BelowProps) {
  const below = useMemo(
    () => ({ ...source, at: (t: number) => part(source.at(t)), alike: (t: number) => source.alike(t).map(part) }),
    [source, part],
  );
  return <SceneCanvas scene={part(scene)} format={format} against={against} source={below} whole={scene} />;
}
