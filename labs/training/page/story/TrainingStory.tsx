import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { frameScene } from '../../../../src/story/frames.ts';
import { AppProvider, useApp } from '../../../../src/kit/app-context.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';
import { useShell } from '../../../../src/kit/frame/shell-context.ts';
import type { PageShowProps } from '../../../../src/kit/page-parts.ts';
import { bindShortcuts } from '../../../../src/kit/shortcuts.ts';
import { Narration } from '../../../../src/kit/stage/Narration.tsx';
import { PlayerControls } from '../../../../src/kit/stage/PlayerControls.tsx';
import { FrameQuestion } from '../../../../src/kit/stage/FrameQuestion.tsx';
import { SceneCanvas } from '../../../../src/kit/stage/SceneCanvas.tsx';
import { playerCommands } from '../../../../src/kit/stage/player-commands.ts';
import { useFrameContext } from '../../../../src/kit/stage/use-frame-context.ts';
import { usePageStory, usePageWords } from '../../../../src/kit/stage/use-page-story.ts';
import { scriptFrameOf } from '../../../../src/kit/stage/use-scene.ts';
import { ON_SCREEN } from '../../../../src/render/index.ts';
import { BATCH, type BatchActivations } from '../../theory/run.ts';
import { FRAMES, STORY } from './frames.ts';
import { finalTestActivations } from './recorded-activations.ts';

interface StoryPageProps {
  /** returns to the curves */
  readonly onClose: () => void;
  readonly onOpen: (batch: BatchActivations) => void;
}

/**
 * The story 'Where do zeros come from?' instead of the curves. A button on its last frame opens the page that shows how
 * a format stores the firing neurons.
 */
export function StoryPage({ onClose, onOpen }: StoryPageProps) {
  const { app, player, story, onStory } = usePageStory(null);
  const { words, directed: frame } = usePageWords(player, story);
  const { present } = useShell();
  const format = useApp().formats.find(({ group }) => group === 'activations');
  useEffect(() => bindShortcuts(window, playerCommands(player), () => true), [player]);
  return (
    <AppProvider value={app}>
      <main
        className="training flex flex-col gap-3 min-w-0 min-h-0 flex-1 px-(--page-margin) max-sm:px-4 pt-5 overflow-x-hidden overflow-y-auto [scrollbar-gutter:stable]"
        id="content"
        tabIndex={-1}
      >
        {/* Padded at its sides for the outline of what has the focus. */}
        <div className="training-story flex-[1_1_0] min-h-0 px-[4px] overflow-x-hidden overflow-y-auto">
          <p className="text-muted text-13">
            {STORY.description} · <TextButton onClick={() => present()}>present</TextButton> ·{' '}
            <TextButton onClick={onClose}>back to the curves</TextButton>
          </p>
          <Narration words={words} />
          {frame?.question && <FrameQuestion key={frame.id} frame={frame} isPhone={false} />}
          <StoryPicture player={player} onStory={onStory} isEmbedded={false} />
          {format && frame === FRAMES.at(-1) && (
            <Button onClick={() => onOpen(finalTestActivations())}>
              How {format.title} stores what {BATCH} images fire
            </Button>
          )}
        </div>
        <PlayerControls player={player} />
      </main>
    </AppProvider>
  );
}

/** The picture of the story. Step k shows the last picture of frame k; frames with questions are not counted. */
export function StoryPicture({ player, onStory }: PageShowProps) {
  useEffect(() => onStory(STORY), [onStory]);
  const { step, picture } = useStore(player.store);
  const frame = useStore(player.store, scriptFrameOf);
  const context = useFrameContext();
  const source = useMemo(() => {
    const scenes = FRAMES.filter(({ question }) => !question).map((frame) =>
      frameScene(frame, frame.moves.length - 1, context),
    );
    // A tick is a step of the story. No other scene limits the size of a picture.
    return { tickCount: STORY.stepCount, at: (tick: number) => scenes[tick], sizeGroup: () => [] };
  }, [context]);
  const scene = useMemo(
    () => (frame ? frameScene(frame, picture, context) : source.at(step)),
    [frame, picture, step, source, context],
  );
  return <SceneCanvas scene={scene} format="" source={source} zoomLimits={ON_SCREEN} />;
}
