import './watch.css';
import type { PlaceProps } from '../../kit/place.ts';
import { StoryBoundary } from '../../kit/frame/Boundary.tsx';
import { Stage } from './stage/Stage.tsx';
import { WatchPlayer } from './WatchPlayer.tsx';

/** The answer, the stage of one or two formats with what more there is to know below, and the player at the foot. */
export function WatchPage({ wide }: PlaceProps) {
  return (
    <main className="watch" id="content" tabIndex={-1}>
      <Stage wide={wide} />
      <StoryBoundary name="The player">
        <WatchPlayer />
      </StoryBoundary>
    </main>
  );
}
