import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { frameScene } from '../../core/story/frames.ts';
import { ON_SCREEN } from '../../render/layout/zoom.ts';
import type { PlaceShowProps, PlaceStory } from '../place-show.ts';
import { SceneCanvas } from './SceneCanvas.tsx';
import { useFrameContext } from './use-frame-context.ts';
import { directedFrame } from './use-scene.ts';

/** The picture of a place's story in which every frame is directed. Step k, from 0, is the rest of frame k, without questions. */
export function DirectedPicture({ of, player, onStory }: PlaceShowProps & { readonly of: PlaceStory }) {
  useEffect(() => onStory(of), [of, onStory]);
  const { step, picture } = useStore(player.store);
  const shown = useStore(player.store, directedFrame);
  const context = useFrameContext();
  const source = useMemo(() => {
    const all = of.frames?.flatMap(({ directed }) => (directed && !directed.question ? [directed] : [])) ?? [];
    const scenes = all.map((frame) => frameScene(frame, frame.moves.length - 1, context));
    return { tickCount: of.stepCount, at: (tick: number) => scenes[tick], alike: () => [] };
  }, [of, context]);
  const scene = useMemo(
    () => (shown ? frameScene(shown, picture, context) : source.at(step)),
    [shown, picture, step, source, context],
  );
  return <SceneCanvas scene={scene} format="" source={source} enlargement={ON_SCREEN} />;
}
