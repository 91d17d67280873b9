import { useState } from 'react';
import type { Figure } from '../../lessons/figure.ts';
import { isTrial } from '../../lessons/trials/index.ts';
import { type FormatParams, paramFields, shownStory } from '../../state/index.ts';
import { type App, AppProvider, useSession } from '../../kit/app-context.ts';
import { StoryBoundary } from '../../kit/frame/Boundary.tsx';
import { useShell } from '../../kit/frame/shell-context.ts';
import { Narration } from '../../kit/stage/Narration.tsx';
import { Player } from '../../kit/stage/Player.tsx';
import { saveScene } from '../../kit/stage/save-scene.ts';
import { SceneCanvas } from '../../kit/stage/SceneCanvas.tsx';
import { SceneTables } from '../../kit/stage/SceneTables.tsx';
import { useScene } from '../../kit/stage/use-scene.ts';
import { accentOf } from '../../kit/format-color.ts';
import { GIVEN } from './lesson-stage.ts';

interface LessonFigureProps {
  /** the application of the lesson's stage */
  readonly app: App;
  readonly figure: Figure;
  readonly onOpen: () => void;
}

/** The figure next to the text: the real stage at the paragraph's step, with its player. */
export function LessonFigure({ app, figure, onOpen }: LessonFigureProps) {
  const { id } = figure.format;
  return (
    <AppProvider value={app}>
      <section className="lesson-figure" aria-label="Figure" style={accentOf(id)}>
        <StoryBoundary name="The figure">
          <Shown app={app} figure={figure} onOpen={onOpen} />
        </StoryBoundary>
        <StoryBoundary name="The player">
          <Player player={app.player} />
        </StoryBoundary>
      </section>
    </AppProvider>
  );
}

function Shown({ app, figure, onOpen }: LessonFigureProps) {
  const scene = useScene();
  const { present } = useShell();
  const drawn = useSession((s) => shownStory(s.trace)?.trace.format ?? figure.format.id);
  const [asTables, setAsTables] = useState(false);
  return (
    <div className="stage">
      <div className="stage-head">
        <p className="lesson-caption">{captionOf(figure)}</p>
        <div className="stage-tools">
          <button type="button" className="text-button" onClick={() => setAsTables(!asTables)}>
            {asTables ? 'as a picture' : 'as tables'}
          </button>
          <button
            type="button"
            className="text-button lesson-svg"
            aria-keyshortcuts="P"
            disabled={!scene}
            onClick={() => present(app)}
          >
            present
          </button>
          <button type="button" className="text-button lesson-svg" onClick={() => void saveScene('svg', app)}>
            SVG
          </button>
          {!isTrial(figure.format.id) && !figure.own && (
            <button type="button" className="text-button" onClick={onOpen}>
              open in Watch
            </button>
          )}
        </div>
      </div>
      <Narration words={scene?.narration ?? []} />
      {scene ? asTables ? <SceneTables scene={scene} /> : <SceneCanvas scene={scene} format={drawn} /> : <div />}
    </div>
  );
}

/** As many parameters as a caption has room for. */
const FEW = 4;

/** What the figure shows, in a line: MACKO, delta bits 4, values f16 · 4 × 40, seed 7 */
function captionOf({ format, window, spec, own, loaded }: Figure): string {
  if (isTrial(format.id)) return `${format.title} · computed on this page, seed ${spec.seed}`;
  const fields = paramFields(format.params);
  const shown = loaded.trace.params as FormatParams;
  // Of many parameters, only the relevant ones.
  const named = fields.filter(([name, field]) => fields.length <= FEW || shown[name] !== field.default);
  const params = named.map(([name, field]) => {
    const value = shown[name];
    const option = field.kind === 'choice' ? field.options.find((o) => o.value === value) : undefined;
    return `${field.label} ${option?.label ?? String(value)}`;
  });
  return `${[format.title, ...params].join(', ')} · ${window.rows} × ${window.cols}, ${own ? GIVEN : `seed ${spec.seed}`}`;
}
