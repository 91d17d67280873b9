import { useEffect } from 'react';
import { AppProvider, useApp } from '../../../../kit/app-context.ts';
import { Button, TextButton } from '../../../../kit/controls/Button.tsx';
import { useShell } from '../../../../kit/frame/shell-context.ts';
import type { PlaceShowProps } from '../../../../kit/place-show.ts';
import { bindShortcuts } from '../../../../kit/shortcuts.ts';
import { DirectedPicture } from '../../../../kit/stage/DirectedPicture.tsx';
import { Narration } from '../../../../kit/stage/Narration.tsx';
import { Player } from '../../../../kit/stage/Player.tsx';
import { playerCommands } from '../../../../kit/stage/player-commands.ts';
import { Question } from '../../../../kit/stage/Question.tsx';
import { usePlaceStory, usePlaceWords } from '../../../../kit/stage/use-place-story.ts';
import { BATCH, type BatchActivations } from '../../theory/run.ts';
import { FRAMES, lastBatch, STORY } from './frames.ts';

export const StoryPicture = (props: PlaceShowProps) => <DirectedPicture {...props} of={STORY} />;

interface StoryPageProps {
  /** returns to the curves */
  readonly onClose: () => void;
  readonly onOpen: (batch: BatchActivations) => void;
}

/** The story on the page; from its last frame a link leads to how a format stores the firing neurons. */
export function StoryPage({ onClose, onOpen }: StoryPageProps) {
  const { app, player, story, onStory } = usePlaceStory(null);
  const { words, directed } = usePlaceWords(player, story);
  const { present } = useShell();
  const format = useApp().formats.find(({ group }) => group === 'activations');
  useEffect(() => bindShortcuts(window, playerCommands(player), () => true), [player]);
  return (
    <AppProvider value={app}>
      <main className="training flex flex-col gap-3 min-w-0 min-h-0 grow scroll-y" id="content" tabIndex={-1}>
        <div className="training-story">
          <p className="quiet size-13">
            {STORY.about} · <TextButton onClick={() => present()}>present</TextButton> ·{' '}
            <TextButton onClick={onClose}>back to the curves</TextButton>
          </p>
          <Narration words={words} />
          {directed?.question && <Question key={directed.id} frame={directed} isPhone={false} />}
          <StoryPicture player={player} onStory={onStory} isFramed={false} />
          {format && directed === FRAMES.at(-1) && (
            <Button onClick={() => onOpen(lastBatch())}>
              How {format.title} stores what {BATCH} images fire
            </Button>
          )}
        </div>
        <Player player={player} />
      </main>
    </AppProvider>
  );
}
