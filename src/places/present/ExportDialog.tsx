import './export.css';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { asSentence, shownStory, stepsAt, type Theme, THEMES, type LoadedStory } from '../../state/index.ts';
import { useApp, useCurrentFormat, useSession } from '../../kit/app-context.ts';
import { saveBlob } from '../../kit/browser/save-blob.ts';
import { Segmented } from '../../kit/controls/Segmented.tsx';
import { Dialog } from '../../kit/frame/Dialog.tsx';
import { useShell } from '../../kit/frame/shell-context.ts';
import { usePlaceShow } from '../../kit/stage/use-place-story.ts';
import { type ChapterSteps, chapterStepsOf } from './chapter.ts';
import { EmbedForm } from './EmbedForm.tsx';
import { StepSheet } from './StepSheet.tsx';

const THEME_NAMES: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/** Exports the stage, or the picture of the shown place, to other pages, slides and paper. */
export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const [theme, setTheme] = useState<Theme>('system');
  const show = usePlaceShow();
  return (
    <Dialog title="Embed and export" onClose={onClose}>
      <div className="dialog-body export">
        <Segmented
          label="colours"
          value={theme}
          options={THEMES.map((value) => ({ value, label: THEME_NAMES[value] }))}
          onChange={setTheme}
        />
        <EmbedForm theme={theme} />
        {show ? (
          <Suspense fallback={null}>
            <show.Files />
          </Suspense>
        ) : (
          <StageFiles theme={theme} />
        )}
      </div>
    </Dialog>
  );
}

function StageFiles({ theme }: { readonly theme: Theme }) {
  const { player } = useApp();
  const loaded = useSession((s) => shownStory(s.trace));
  const timeline = useSession((s) => s.timeline);
  const step = useStore(player.store, (s) => stepsAt(timeline, s.step).a);
  return (
    <>
      <section aria-labelledby="export-step">
        <h3 id="export-step">This step</h3>
        <StepFiles />
      </section>
      {loaded && <ChapterFiles loaded={loaded} chapter={chapterStepsOf(loaded.trace, step)} theme={theme} />}
    </>
  );
}

function StepFiles() {
  const { exportScene } = useShell();
  return (
    <div className="export-row">
      <button type="button" className="button" onClick={() => exportScene('svg')}>
        SVG
      </button>
      <button type="button" className="button" onClick={() => exportScene('png')}>
        PNG
      </button>
    </div>
  );
}

interface ChapterFilesProps {
  readonly loaded: LoadedStory;
  readonly chapter: ChapterSteps | null;
  readonly theme: Theme;
}

/** The chapter as numbered pictures, and on paper. */
function ChapterFiles({ loaded, chapter, theme }: ChapterFilesProps) {
  const { announce } = useApp();
  const shell = useShell();
  const { title } = useCurrentFormat();
  const name = useSession((s) => s.summary?.name ?? '');
  const [done, setDone] = useState<number | null>(null);
  const [printing, setPrinting] = useState(false);
  const job = useRef<AbortController | null>(null);
  useEffect(() => () => job.current?.abort(), []);
  if (!chapter) return null;

  const save = async (): Promise<void> => {
    const own = new AbortController();
    job.current = own;
    setDone(0);
    try {
      const [{ chapterPngs }, { THEMES: looks }] = await Promise.all([
        import('./chapter-pngs.ts'),
        import('../../kit/browser/use-theme.ts'),
      ]);
      const look = theme === 'system' ? shell.theme : looks[theme];
      const zip = await chapterPngs(loaded, chapter, look, { onProgress: setDone, signal: own.signal });
      saveBlob(`${loaded.trace.format}-${chapter.id}.zip`, zip);
    } catch (error) {
      if (!own.signal.aborted) announce(asSentence(error instanceof Error ? error.message : String(error)));
    } finally {
      if (job.current === own) setDone(null);
    }
  };
  const count = chapter.steps.length;
  const pictures = count === 1 ? 'one picture' : `${count} pictures`;
  return (
    <section aria-labelledby="export-chapter">
      <h3 id="export-chapter">
        Chapter {chapter.title}, {pictures}
      </h3>
      {done === null ? (
        <div className="export-row">
          <button type="button" className="button" onClick={() => void save()}>
            Numbered PNGs
          </button>
          <button type="button" className="button" onClick={() => setPrinting(true)}>
            Print a sheet of its steps
          </button>
        </div>
      ) : (
        <div className="export-row" role="status">
          <progress className="progress" aria-label="Pictures drawn" max={count} value={done} />
          <span className="number">
            {done} of {count}
          </span>
          <button
            type="button"
            className="button"
            onClick={() => {
              job.current?.abort();
              setDone(null);
            }}
          >
            Cancel
          </button>
        </div>
      )}
      {printing && (
        <StepSheet
          loaded={loaded}
          chapter={chapter}
          title={name === '' ? title : `${title}, ${name}`}
          onDone={() => setPrinting(false)}
        />
      )}
    </section>
  );
}
