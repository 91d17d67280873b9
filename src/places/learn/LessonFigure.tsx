import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type Frame, frameScene } from '../../core/story/frames.ts';
import { type App, AppProvider, useSession } from '../../kit/app-context.ts';
import { BytesLegend } from '../../kit/controls/BytesLegend.tsx';
import { TextButton } from '../../kit/controls/Button.tsx';
import { accentOf } from '../../kit/format-color.ts';
import { StoryBoundary } from '../../kit/frame/Boundary.tsx';
import { useShell } from '../../kit/frame/shell-context.ts';
import { Narration } from '../../kit/stage/Narration.tsx';
import { PlayerControls } from '../../kit/stage/PlayerControls.tsx';
import { saveScene } from '../../kit/stage/save-scene.ts';
import { SceneCanvas } from '../../kit/stage/SceneCanvas.tsx';
import { SceneTables } from '../../kit/stage/SceneTables.tsx';
import { useFrameContext } from '../../kit/stage/use-frame-context.ts';
import { useScene } from '../../kit/stage/use-scene.ts';
import { isDemo } from '../../lessons/demonstrations/index.ts';
import type { Figure } from '../../lessons/figure.ts';
import { type FormatParams, paramFields, shownStory } from '../../state/index.ts';
import { TYPED_CELLS } from './lesson-stage.ts';

interface LessonFigureProps {
  readonly app: App;
  readonly figure: Figure;
  /** the frame (a picture at which the story rests) that the paragraph names; null: none */
  readonly frame: Frame | null;
  readonly onOpen: () => void;
}

/** The figure next to the text: a format's story at the paragraph's step, with its player. */
export function LessonFigure(props: LessonFigureProps) {
  const { app, figure } = props;
  const { id } = figure.format;
  return (
    <AppProvider value={app}>
      <section className="lesson-figure grid min-w-0 min-h-0" aria-label="Figure" style={accentOf(id)}>
        <StoryBoundary name="The figure">
          <FigurePicture {...props} />
        </StoryBoundary>
        <StoryBoundary name="The player">
          <PlayerControls player={app.player} />
        </StoryBoundary>
      </section>
    </AppProvider>
  );
}

function FigurePicture({ app, figure, frame, onOpen }: LessonFigureProps) {
  const stepScene = useScene();
  const context = useFrameContext();
  // The named frame is shown until the reader goes to another step.
  const isFrame = useStore(app.player.store, ({ step }) => step === frame?.step);
  const namedFrameScene = useMemo(() => frame && frameScene(frame, frame.moves.length - 1, context), [frame, context]);
  const scene = isFrame && stepScene ? namedFrameScene : stepScene;
  const isOfBytes = !isDemo(figure.format.id) && scene?.panels.some(({ unit }) => unit === 'bar');
  const { present } = useShell();
  const drawnFormat = useSession((s) => shownStory(s.trace)?.trace.format ?? figure.format.id);
  const [asTables, setAsTables] = useState(false);
  return (
    <div className="stage grid min-w-0 min-h-0 @container">
      <div className="flex flex-wrap items-baseline justify-between gap-3 text-muted text-12 min-h-5">
        <p className="max-lg:flex-1 max-lg:w-0 max-lg:truncate">{captionOf(figure)}</p>
        <div className="stage-tools whitespace-nowrap flex flex-wrap justify-end flex-1">
          <TextButton onClick={() => setAsTables(!asTables)}>{asTables ? 'as a picture' : 'as tables'}</TextButton>
          <TextButton className="max-lg:hidden" aria-keyshortcuts="P" disabled={!scene} onClick={() => present(app)}>
            present
          </TextButton>
          <TextButton className="max-lg:hidden" onClick={() => void saveScene('svg', app)}>
            SVG
          </TextButton>
          {!isDemo(figure.format.id) && !figure.own && <TextButton onClick={onOpen}>open in Watch</TextButton>}
        </div>
      </div>
      <div>
        <Narration words={scene?.narration ?? []} />
        {isOfBytes && !asTables && <BytesLegend roles={BYTES_LEGEND} />}
      </div>
      {scene ? asTables ? <SceneTables scene={scene} /> : <SceneCanvas scene={scene} format={drawnFormat} /> : <div />}
    </div>
  );
}

/** The legend of bytes by purpose. */
const BYTES_LEGEND = [
  ['values', 'values'],
  ['indices', 'where they are'],
  ['metadata', 'row starts, scales'],
  ['padding', 'zeros'],
] as const;

/** If a format has more parameters, a caption names only those that differ from their defaults. */
const MAX_NAMED_PARAMS = 4;

/** The figure in a line: 'MACKO, delta bits 4, values f16 · 4 × 40, seed 7' */
function captionOf({ format, window, spec, own, loaded }: Figure): string {
  if (isDemo(format.id)) return `${format.title} · made on this page, seed ${spec.seed}`;
  const fields = paramFields(format.params);
  const shown = loaded.trace.params as FormatParams;
  const named = fields.filter(([name, field]) => fields.length <= MAX_NAMED_PARAMS || shown[name] !== field.default);
  const params = named.map(([name, field]) => {
    const value = shown[name];
    const option = field.kind === 'choice' ? field.options.find((o) => o.value === value) : undefined;
    return `${field.label} ${option?.label ?? String(value)}`;
  });
  return `${[format.title, ...params].join(', ')} · ${window.rows} × ${window.cols}, ${own ? TYPED_CELLS : `seed ${spec.seed}`}`;
}
