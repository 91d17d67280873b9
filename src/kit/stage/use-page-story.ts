import { useCallback, useState } from 'react';
import { useStore } from 'zustand';
import { wordsOf } from '../../story/frames.ts';
import { atStep, frameAt, createPlayer, type Player } from '../../state/index.ts';
import { type App, useApp, useDocument } from '../app-context.ts';
import type { PageShow, PageStory } from '../page-parts.ts';
import { useFrameContext } from './use-frame-context.ts';
import { scriptFrameOf } from './use-scene.ts';

/** What the current page shows instead of the format's story; null if it shows the story. */
export function usePageShow(): PageShow | null {
  const { pageShows } = useApp();
  return useDocument((doc) => {
    const show = pageShows.get(doc.view);
    return show?.has(doc) ? show : null;
  });
}

/** The story (animation) of a page, the player that plays it, and a function that sets the story. */
interface NarratedStory {
  /** the application with the player of the story */
  readonly app: App;
  readonly player: Player;
  /** null until it is loaded */
  readonly story: PageStory | null;
  readonly onStory: (story: PageStory | null) => void;
}

/** A page's story, with a separate player. `step`: where it begins; null: at its opening. */
export function usePageStory(step: number | null): NarratedStory {
  const app = useApp();
  const [player] = useState(() => createPlayer(app.document));
  const [storyApp] = useState<App>(() => ({ ...app, player }));
  const [story, setStory] = useState<PageStory | null>(null);
  const onStory = useCallback(
    (next: PageStory | null) => {
      setStory(next);
      if (next === null) return;
      const firstStep = step ?? next.opening;
      // Detached: the document keeps the position in the format's story.
      player.loadDetached(
        next,
        next.frames ? { frame: frameAt(next.frames, firstStep), step: firstStep } : atStep(firstStep),
      );
    },
    [player, step],
  );
  return { app: storyApp, player, story, onStory };
}

/** The current text of a page's story; `directed`: the current frame, if it has separate pictures. */
export function usePageWords(player: Player, story: PageStory | null) {
  const directed = useStore(player.store, scriptFrameOf);
  const step = useStore(player.store, (s) => s.step);
  const context = useFrameContext();
  return { words: directed ? wordsOf(directed.narration(context)) : (story?.words(step) ?? []), directed };
}
