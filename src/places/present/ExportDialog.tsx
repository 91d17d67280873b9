import './export.css';
import { messageOf } from '../../core/errors.ts';
import { Suspense, useEffect, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  asSentence,
  atStart,
  baseOf,
  encodeHash,
  type LoadedStory,
  shownStory,
  stepsAt,
  type Theme,
  THEMES,
  withStep,
} from '../../state/index.ts';
import { useApp, useCurrentFormat, useDocument, useSession } from '../../kit/app-context.ts';
import { saveBlob } from '../../kit/browser/save-blob.ts';
import { Segmented } from '../../kit/controls/Segmented.tsx';
import { Dialog } from '../../kit/frame/Dialog.tsx';
import { useShell } from '../../kit/frame/shell-context.ts';
import { usePlaceShow } from '../../kit/stage/use-place-story.ts';
import { type ChapterSteps, chapterStepsOf } from './chapter.ts';
import { StepSheet } from './StepSheet.tsx';
import { embedCode, embedHash, originOf } from '../../state/embed-address.ts';
import { SelectField } from '../../kit/controls/Select.tsx';
import { Field } from '../../kit/controls/Field.tsx';
import { CopyButton } from '../../kit/controls/CopyButton.tsx';
import { Stack, Toolbar } from '../../kit/primitives/Layout.tsx';
import { Figure, Muted } from '../../kit/primitives/Text.tsx';

const SIZES = [
  { width: 640, height: 480 },
  { width: 960, height: 600 },
  { width: 1280, height: 720 },
];

/** The HTML element that embeds the stage in another page, at this step, or the picture of the shown place. */
function EmbedForm({ theme }: { readonly theme: Theme }) {
  const { catalog, player } = useApp();
  const doc = useDocument((d) => d);
  const timeline = useSession((s) => s.timeline);
  const shown = useStore(player.store, (s) => s.step);
  const { title } = useCurrentFormat();
  const show = usePlaceShow();
  const [size, setSize] = useState(SIZES[1]);
  const [host, setHost] = useState('');
  const id = useId();
  if (baseOf(doc.source).kind === 'file') {
    return (
      <section aria-labelledby={`${id}-title`}>
        <h3 id={`${id}-title`}>In another page</h3>
        <Muted as="p">
          This matrix came from a file of yours, which no link can carry: choose an example, generate one, or open one
          from an address.
        </Muted>
      </section>
    );
  }
  const { width, height } = size;
  const origin = originOf(host);
  // Embeds show A alone, and count its steps.
  const at = show ? atStart(doc) : { ...withStep(doc, stepsAt(timeline, shown).a), view: catalog.places[0].id };
  const link = encodeHash({ ...at, against: null, beside: false }, catalog);
  const address = new URL(embedHash(link, { theme, origin }), location.href).href;
  const place = catalog.places.find(({ id: own }) => own === doc.view);
  const code = embedCode(address, show && place ? place.title : `${title}, step by step`, width, height);
  return (
    <section aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>In another page</h3>
      <div className="export-fields">
        <SelectField
          label="size, px"
          value={size}
          options={SIZES.map((value) => {
            const label = `${value.width} × ${value.height}`;
            return { value, key: label, label };
          })}
          onChange={setSize}
        />
        <Field
          label="origin of the page that may steer it"
          error={
            host !== '' && origin === null
              ? `Found “${host}”, expected a scheme and a host, as in https://example.org.`
              : null
          }
        >
          {(control) => (
            <input
              {...control}
              className="input"
              type="text"
              inputMode="url"
              placeholder="https://example.org, or none"
              value={host}
              onChange={(event) => setHost(event.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <textarea className="export-code" aria-label="Code" readOnly rows={4} value={code} />
      <Toolbar>
        <CopyButton
          className="button button--solid"
          text={() => code}
          what="Code"
          otherwise="select the code and copy it"
        >
          Copy the code
        </CopyButton>
        <a className="text-button" href={address} target="_blank" rel="noreferrer">
          open it alone
        </a>
      </Toolbar>
    </section>
  );
}

const THEME_NAMES: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/** Exports the stage, or the picture of the shown place, to other pages, slides and paper. */
export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const [theme, setTheme] = useState<Theme>('system');
  const show = usePlaceShow();
  return (
    <Dialog title="Embed and export" onClose={onClose}>
      <Stack gap={5} className="dialog-body export">
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
      </Stack>
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
    <Toolbar>
      <button type="button" className="button" onClick={() => exportScene('svg')}>
        SVG
      </button>
      <button type="button" className="button" onClick={() => exportScene('png')}>
        PNG
      </button>
    </Toolbar>
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
      if (!own.signal.aborted) announce(asSentence(messageOf(error)));
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
        <Toolbar>
          <button type="button" className="button" onClick={() => void save()}>
            Numbered PNGs
          </button>
          <button type="button" className="button" onClick={() => setPrinting(true)}>
            Print a sheet of its steps
          </button>
        </Toolbar>
      ) : (
        <Toolbar isStatus className="export-progress">
          <progress className="progress" aria-label="Pictures drawn" max={count} value={done} />
          <Figure>
            {done} of {count}
          </Figure>
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
        </Toolbar>
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
