import { ON_SCREEN } from '../../render/layout/zoom.ts';
import { shownStory } from '../../state/index.ts';
import { useCurrentFormat, useSession } from '../app-context.ts';
import { StoryBoundary } from '../frame/Boundary.tsx';
import { SceneCanvas } from './SceneCanvas.tsx';
import { useScene } from './use-scene.ts';

/** The picture of this step as large as there is room, without anything to press; or why there is none. */
export function Picture() {
  const scene = useScene();
  const { id } = useCurrentFormat();
  const drawn = useSession((s) => shownStory(s.trace)?.trace.format ?? id);
  const reason = useSession(({ trace }) => (trace.kind === 'failed' || trace.kind === 'missing' ? trace.reason : null));
  if (!scene) return <p className="waiting">{reason ?? 'Loading the animation'}</p>;
  return (
    <StoryBoundary name="The picture">
      <SceneCanvas scene={scene} format={drawn} enlargement={ON_SCREEN} />
    </StoryBoundary>
  );
}
