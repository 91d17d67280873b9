import { ON_SCREEN } from '../../render/layout/zoom.ts';
import { useSession } from '../app-context.ts';
import { StoryBoundary } from '../frame/Boundary.tsx';
import { SceneCanvas } from './SceneCanvas.tsx';
import { useStageScene, useStageScenes } from './use-scene.ts';

/** The picture of this step as large as possible and without controls, or the reason why there is none. */
export function Picture() {
  const scenes = useStageScenes();
  const scene = useStageScene(scenes);
  const reason = useSession(({ trace }) => (trace.kind === 'failed' || trace.kind === 'missing' ? trace.reason : null));
  if (!scenes || !scene) return <p className="waiting">{reason ?? 'Loading the animation'}</p>;
  return (
    <StoryBoundary name="The picture">
      <SceneCanvas
        scene={scene}
        format={scenes.format}
        against={scenes.against}
        source={scenes.source}
        enlargement={ON_SCREEN}
      />
    </StoryBoundary>
  );
}
