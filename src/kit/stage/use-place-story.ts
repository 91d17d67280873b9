import { useCallback, useState } from 'react';
import { atStep } from '../../state/played-story.ts';
import { createPlayer, type Player } from '../../state/player.ts';
import { type App, useApp, useDocument } from '../app-context.ts';
import type { PlaceShow, PlaceStory } from '../place-show.ts';

/** The picture that the shown place has of its own; null where it has none, and the stage is shown. */
export function usePlaceShow(): PlaceShow | null {
  const { shows } = useApp();
  return useDocument((doc) => {
    const show = shows.get(doc.view);
    return show?.has(doc) ? show : null;
  });
}

interface NarratedStory {
  /** the application, whose player is that of the story */
  readonly app: App;
  readonly player: Player;
  /** null while there is none */
  readonly story: PlaceStory | null;
  readonly onStory: (story: PlaceStory | null) => void;
}

/** A story of a place, with a player of its own. `step`: where it begins; null: at its opening. */
export function usePlaceStory(step: number | null): NarratedStory {
  const app = useApp();
  const [player] = useState(() => createPlayer(app.document));
  const [own] = useState<App>(() => ({ ...app, player }));
  const [story, setStory] = useState<PlaceStory | null>(null);
  const onStory = useCallback(
    (next: PlaceStory | null) => {
      setStory(next);
      if (next === null) return;
      player.loadAside(next, atStep(step ?? next.opening));
    },
    [player, step],
  );
  return { app: own, player, story, onStory };
}
