import { useState } from 'react';
import { useStore } from 'zustand';
import { type App, AppProvider, useApp } from '../../../../../src/kit/app-context.ts';
import { Button, TextButton } from '../../../../../src/kit/controls/Button.tsx';
import { StoryBoundary } from '../../../../../src/kit/frame/Boundary.tsx';
import { Narration } from '../../../../../src/kit/stage/Narration.tsx';
import { PlayerControls } from '../../../../../src/kit/stage/PlayerControls.tsx';
import { saveScene } from '../../../../../src/kit/stage/save-scene.ts';
import { SceneCanvas } from '../../../../../src/kit/stage/SceneCanvas.tsx';
import { SceneTables } from '../../../../../src/kit/stage/SceneTables.tsx';
import { storySource } from '../../../../../src/kit/stage/use-scene.ts';
import type { NarratedStory } from '../live/module-state.ts';
import { type ModuleWithPlayer, useModuleState } from '../use-live-module.ts';

interface ModuleStageProps {
  readonly live: ModuleWithPlayer & { readonly runAgain: () => void };
  /** returns from an example to the open matrix; null while the open matrix is shown */
  readonly onLeaveExample: (() => void) | null;
  /** what the story is about, in a few words */
  readonly description: string;
}

/** The story (encode and decode step by step) of a custom format, with its player, or why there is no story. */
export function ModuleStage({ live, onLeaveExample, description }: ModuleStageProps) {
  const app = useApp();
  const story = useModuleState(live, (s) => s.story);
  const isOld = useModuleState(live, (s) => s.isStoryOld && s.problem !== null);
  const rejection = useModuleState(live, (s) => s.rejection);
  const [asTables, setAsTables] = useState(false);
  const appWithPlayer: App = { ...app, player: live.player };
  return (
    <AppProvider value={appWithPlayer}>
      <section className="own-stage @container flex flex-col [--page-margin:1.5rem]" aria-label="Story">
        <div className="stage grid min-w-0 min-h-0 @container own-scene flex-1" data-old={isOld || undefined}>
          <div className="flex flex-wrap items-baseline justify-between gap-3 text-muted text-12 min-h-5">
            <p>
              {description}
              {onLeaveExample && <TextButton onClick={onLeaveExample}>back to the window</TextButton>}
            </p>
            <div className="stage-tools flex flex-wrap justify-end flex-1">
              <TextButton disabled={!story} onClick={() => setAsTables(!asTables)}>
                {asTables ? 'as a picture' : 'as tables'}
              </TextButton>
              <TextButton disabled={!story} onClick={() => void saveScene('svg', appWithPlayer)}>
                SVG
              </TextButton>
            </div>
          </div>
          <div>
            <SlowRequestQuestion live={live} />
            <ProblemLine live={live} />
            {rejection !== null && (
              <p
                className="own-problem text-danger wrap-anywhere rounded-md px-3 py-2 bg-danger-ground mt-2 mb-2"
                role="status"
              >
                It does not support this matrix: {rejection}
              </p>
            )}
            {story && <Words story={story} />}
          </div>
          {story ? <Picture story={story} asTables={asTables} /> : <div />}
        </div>
        <StoryBoundary name="The player">
          <PlayerControls player={live.player} />
        </StoryBoundary>
      </section>
    </AppProvider>
  );
}

function useSceneOf(story: NarratedStory) {
  const { player } = useApp();
  const source = storySource(story, null);
  const step = useStore(player.store, (s) => s.step);
  return { source, scene: source.at(Math.min(step, source.tickCount)) };
}

function Words({ story }: { readonly story: NarratedStory }) {
  return <Narration words={useSceneOf(story).scene.narration} />;
}

function Picture({ story, asTables }: { readonly story: NarratedStory; readonly asTables: boolean }) {
  const { source, scene } = useSceneOf(story);
  return (
    <StoryBoundary name="The picture">
      {asTables ? (
        <SceneTables scene={scene} />
      ) : (
        <SceneCanvas scene={scene} format={story.trace.format} source={source} />
      )}
    </StoryBoundary>
  );
}

/** A question whether to end a request to the module after two seconds, or to wait for it. */
function SlowRequestQuestion({ live }: { readonly live: ModuleWithPlayer }) {
  const request = useModuleState(live, (s) => s.slowRequest);
  if (request === null) return null;
  const what = request === 'describe' ? 'Evaluating the module' : request;
  return (
    <div
      className="mt-2 mb-2 p-3 flex flex-wrap items-center gap-y-2 gap-x-3 bg-sunken rounded-md border border-control-border"
      role="alertdialog"
      aria-label="The module is slow"
    >
      <p className="flex-[1_1_12rem]">{what} has not ended after 2 s.</p>
      <Button kind="solid" onClick={() => live.module.cancel()}>
        End the module
      </Button>
      <Button onClick={() => live.module.wait()}>Wait</Button>
    </div>
  );
}

/** The problem in the module's text, with its line. */
function ProblemLine({ live }: { readonly live: ModuleWithPlayer & { readonly runAgain: () => void } }) {
  const problem = useModuleState(live, (s) => s.problem);
  if (!problem) return null;
  return (
    <p className="own-problem text-danger wrap-anywhere rounded-md px-3 py-2 bg-danger-ground mt-2 mb-2" role="alert">
      {problem.line > 0 ? `Line ${problem.line}: ` : ''}
      {problem.message}{' '}
      {/was ended/.test(problem.message) && <TextButton onClick={live.runAgain}>run it again</TextButton>}
    </p>
  );
}
