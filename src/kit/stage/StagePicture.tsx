import { useMemo } from 'react';
import type { Scene } from '../../story/scene.ts';
import { ON_SCREEN } from '../../render/index.ts';
import { useSession } from '../app-context.ts';
import { StoryBoundary } from '../frame/Boundary.tsx';
import { SceneCanvas } from './SceneCanvas.tsx';
import { partialSource, useStageScene, useStageScenes } from './use-scene.ts';

interface StagePictureProps {
  /** returns the part of a scene to draw, the same object for the same scene; default: all of it */
  readonly part?: (scene: Scene) => Scene;
}

/** The current picture of the story, as large as possible and without controls, or the reason why there is none. */
export function StagePicture({ part }: StagePictureProps) {
  const scenes = useStageScenes();
  const scene = useStageScene(scenes);
  const source = useMemo(() => scenes && (part ? partialSource(scenes.source, part) : scenes.source), [scenes, part]);
  const reason = useSession(({ trace }) => (trace.kind === 'failed' || trace.kind === 'missing' ? trace.reason : null));
  if (!scenes || !source || !scene) return <p className="waiting">{reason ?? 'Loading the animation'}</p>;
  return (
    <StoryBoundary name="The picture">
      <SceneCanvas
        scene={part ? part(scene) : scene}
        format={scenes.format}
        otherFormat={scenes.otherFormat}
        source={source}
        zoomLimits={ON_SCREEN}
      />
    </StoryBoundary>
  );
}
