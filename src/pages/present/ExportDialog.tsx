import './export.css';
import { type ReactNode, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  failureText,
  atStart,
  baseOf,
  encodeHash,
  type Theme,
  THEMES,
  embedCode,
  embedHash,
  originOf,
} from '../../state/index.ts';
import { useApp, useCurrentFormat, useDocument, useSession } from '../../kit/app-context.ts';
import { saveBlob, fileName, saveArrays, saveMatrix } from '../../kit/browser/save-blob.ts';
import { Segmented } from '../../kit/controls/Segmented.tsx';
import { Dialog } from '../../kit/frame/Dialog.tsx';
import { useShell } from '../../kit/frame/shell-context.ts';
import { usePageShow } from '../../kit/stage/use-page-story.ts';
import type { ExportedPicture, ExportScope, StoryOnStage } from './exported-pictures.ts';
import { chapterOnStage, exportedPictures, MAX_PICTURES, pictureCount } from './exported-pictures.ts';
import { PrintedTranscript, Transcript } from './Transcript.tsx';
import { captionOf, documentAt, formatsOnStage, pictureFooter, slugOf } from '../../kit/stage/picture-caption.ts';
import { currentSceneView } from '../../kit/stage/current-scene-view.ts';
import { RecordedTimesLoader } from '../../kit/stage/RecordedTimesLoader.tsx';
import { type StageScenes, useStageScenes } from '../../kit/stage/use-scene.ts';
import { useStillContext } from '../../kit/stage/use-frame-context.ts';
import type { Timeline } from '../../story/timeline.ts';
import { SelectField } from '../../kit/controls/Select.tsx';
import { Field } from '../../kit/controls/Field.tsx';
import { CopyButton } from '../../kit/controls/CopyButton.tsx';
import { Stack, Toolbar } from '../../kit/primitives/Layout.tsx';
import { Muted, Problem } from '../../kit/primitives/Text.tsx';
import { Button } from '../../kit/controls/Button.tsx';
import { whileMounted } from '../../kit/browser/while-mounted.ts';

/** Sizes of the iframe that shows the picture in another page, px. */
const SIZES = [
  { width: 640, height: 480 },
  { width: 960, height: 600 },
  { width: 1280, height: 720 },
];

function ExportSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 className="mb-2" id={id}>
        {title}
      </h3>
      {children}
    </section>
  );
}

/** The HTML code that embeds the format's story at this step, or the open page's picture, in another page. */
function EmbedForm({ theme }: { readonly theme: Theme }) {
  const { catalog } = useApp();
  const doc = useDocument((document) => document);
  const { title } = useCurrentFormat();
  const show = usePageShow(); // the picture of the open page; null: a format's story
  const [size, setSize] = useState(SIZES[1]);
  const [host, setHost] = useState('');
  if (baseOf(doc.source).kind === 'file') {
    return (
      <ExportSection title="In another page">
        <Muted as="p">A link cannot contain a file: choose another matrix.</Muted>
      </ExportSection>
    );
  }
  const { width, height } = size;
  const origin = originOf(host);
  const link = encodeHash(show ? atStart(doc) : { ...doc, view: catalog.pages[0].id }, catalog);
  const address = new URL(embedHash(link, { theme, origin }), location.href).href;
  const page = catalog.pages.find(({ id }) => id === doc.view);
  const code = embedCode(address, show && page ? page.title : `${title}, step by step`, width, height);
  return (
    <ExportSection title="In another page">
      <div className="grid grid-cols-[8rem_minmax(0,1fr)] gap-3">
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
          label="controlling page (optional)"
          error={
            host !== '' && origin === null ? `Found “${host}”, expected an address such as https://example.org.` : null
          }
        >
          {(control) => (
            <input
              {...control}
              className="input"
              type="text"
              inputMode="url"
              placeholder="https://example.org"
              value={host}
              onChange={(event) => setHost(event.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <textarea
        className="resize-y text-ink text-12 font-mono wrap-anywhere w-full mb-2 mt-3 bg-sunken rounded-md border border-control-border px-3 py-2"
        aria-label="Code"
        readOnly
        rows={4}
        value={code}
      />
      <Toolbar>
        <CopyButton className="button button--solid" text={() => code} what="Code" otherwise="select the code">
          Copy the code
        </CopyButton>
        <a className="text-button" href={address} target="_blank" rel="noreferrer">
          open it alone
        </a>
      </Toolbar>
    </ExportSection>
  );
}

const THEME_NAMES: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/** The dialog 'Embed and export': the matrix, and the format's story or the page's picture, as files, text or HTML. */
export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const [theme, setTheme] = useState<Theme>('system');
  const show = usePageShow();
  return (
    <Dialog title="Embed and export" onClose={onClose}>
      <Stack gap={5} className="dialog-body export">
        {show ? <Suspense fallback={null}>{show.Files && <show.Files />}</Suspense> : <StageFiles theme={theme} />}
        <EmbedForm theme={theme} />
        <Segmented
          label="colours"
          value={theme}
          options={THEMES.map((value) => ({ value, label: THEME_NAMES[value] }))}
          onChange={setTheme}
        />
        <MatrixFiles />
      </Stack>
    </Dialog>
  );
}

function StageFiles({ theme }: { readonly theme: Theme }) {
  const { player } = useApp();
  const showsEveryStep = useStore(player.store, (s) => s.frame === null);
  const timeline = useSession((s) => s.timeline);
  const scenes = useStageScenes();
  return (
    <>
      <ExportSection title={showsEveryStep ? 'This step' : 'This frame'}>
        <StepFiles />
      </ExportSection>
      {timeline && scenes && <StoryFiles timeline={timeline} scenes={scenes} theme={theme} />}
    </>
  );
}

/** Short programs that load the saved matrix. */
const SNIPPETS = {
  NumPy: (name: string) => `import numpy as np\n\nA = np.load("${name}.npy")  # dense, f32\n`,
  SciPy: (name: string) => `import scipy.sparse as sp\n\nA = sp.load_npz("${name}.npz")  # CSR\n`,
  PyTorch: (name: string) =>
    `import scipy.sparse as sp\nimport torch\n\nA = sp.load_npz("${name}.npz")\nA = torch.sparse_csr_tensor(*map(torch.from_numpy, (A.indptr, A.indices, A.data)), A.shape)\n`,
} as const;

function MatrixFiles() {
  const app = useApp();
  const { title } = useCurrentFormat();
  const name = useSession((s) => s.summary?.name ?? 'matrix');
  return (
    <ExportSection title={`The matrix, and its ${title} arrays`}>
      <Toolbar>
        {(['mtx', 'npz', 'npy', 'csv'] as const).map((kind) => (
          <Button key={kind} onClick={() => void saveMatrix(kind, app)}>
            Matrix as .{kind}
          </Button>
        ))}
        {(['npz', 'safetensors'] as const).map((kind) => (
          <Button key={kind} onClick={() => void saveArrays(kind, app)}>
            Arrays as .{kind}
          </Button>
        ))}
      </Toolbar>
      <p className="flex flex-wrap gap-y-1 gap-x-4 mt-2 text-muted">
        Copy as
        {(['NumPy', 'SciPy', 'PyTorch'] as const).map((library) => (
          <CopyButton
            key={library}
            text={() => SNIPPETS[library](fileName(name))}
            what="Code"
            otherwise="save the matrix, and load it by its name"
          >
            {library}
          </CopyButton>
        ))}
      </p>
    </ExportSection>
  );
}

/** The picture on the stage as it will be saved, with a button for each kind of file. */
function StepFiles() {
  const { exportScene } = useShell();
  return (
    <>
      <StagePreview />
      <Toolbar>
        <Button kind="solid" onClick={() => exportScene('png')}>
          PNG
        </Button>
        <Button onClick={() => exportScene('svg')}>SVG</Button>
      </Toolbar>
    </>
  );
}

function StagePreview() {
  const app = useApp();
  const view = useStore(currentSceneView);
  const [svg, setSvg] = useState<string | null>(null);
  useEffect(() => {
    if (view)
      return whileMounted(
        view.toSvg((scene) => captionOf(app, scene)),
        setSvg,
        () => setSvg(null),
      );
  }, [app, view]);
  if (svg === null) return null;
  return (
    <img
      className="mb-2 max-h-56 w-full rounded-md border border-hairline object-contain object-left-top"
      src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
      alt="What will be saved"
    />
  );
}

interface StoryFilesProps {
  readonly timeline: Timeline;
  readonly scenes: StageScenes;
  readonly theme: Theme;
}

/** Scrolls an element into view that appears below the edge of the dialog. */
const scrollIntoView = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'start', behavior: 'smooth' });

/** Exports a chapter or the whole story, by steps or by frames (groups of steps), as pictures, a film or text. */
function StoryFiles({ timeline, scenes, theme }: StoryFilesProps) {
  const { player } = useApp();
  const { title } = useCurrentFormat();
  const name = useSession((s) => s.summary?.name ?? '');
  const context = useStillContext();
  const { frame, frames, step } = useStore(player.store);
  const [scope, setScope] = useState<ExportScope>({ unit: frame === null ? 'steps' : 'frames', part: 'story' });
  const [showsText, setShowsText] = useState(false);
  const [isPrinting, setPrinting] = useState(false);

  // The layout does not depend on the page's width, since files are seen elsewhere.
  const story: StoryOnStage = useMemo(
    () => ({
      source: scenes.source,
      timeline,
      context: { ...context, layout: 'wide' },
      player: { frame, frames, step },
    }),
    [scenes, timeline, context, frame, frames, step],
  );
  const { savedCount, save, cancel } = useStorySaving({ story, scope, scenes, theme });
  const count = pictureCount(story, scope);
  const isTooLong = count > MAX_PICTURES;
  const transcript = useMemo(
    () =>
      (showsText || isPrinting) && !isTooLong
        ? {
            // In a narrow column the text of a wide picture would be too small.
            pictures: [...exportedPictures({ ...story, context: { ...story.context, layout: 'narrow' } }, scope)],
            title: name === '' ? title : `${title}, ${name}`,
            format: scenes.format,
          }
        : null,
    [showsText, isPrinting, isTooLong, story, scope, title, name, scenes],
  );

  return (
    <ExportSection title="The story">
      <ScopeFields story={story} scope={scope} onChange={setScope} />
      {isTooLong && (
        <Problem>
          Found {count} pictures, expected at most {MAX_PICTURES}: choose frames, or a chapter.
        </Problem>
      )}
      {savedCount === null ? (
        <Toolbar className="mt-3">
          {(['png', 'svg'] as const).map((kind) => (
            <Button key={kind} disabled={isTooLong} onClick={() => void save(kind)}>
              Numbered {kind.toUpperCase()}s
            </Button>
          ))}
          <Button disabled={isTooLong} onClick={() => void save('gif')}>
            Film (GIF)
          </Button>
          <Button aria-expanded={showsText} disabled={isTooLong} onClick={() => setShowsText(!showsText)}>
            As text
          </Button>
          <Button disabled={isTooLong} onClick={() => setPrinting(true)}>
            Print
          </Button>
        </Toolbar>
      ) : (
        <DrawingProgress count={count} done={savedCount} onCancel={cancel} />
      )}
      {showsText && transcript && (
        // The margin keeps the text clear of the dialog's sticky head.
        <div ref={scrollIntoView} className="scroll-mt-18">
          <Transcript {...transcript} />
        </div>
      )}
      {/* Loads the recorded times that the last frame shows, even if the stage has not reached it. */}
      <RecordedTimesLoader format={scenes.format} />
      {isPrinting && transcript && <PrintedTranscript {...transcript} onDone={() => setPrinting(false)} />}
    </ExportSection>
  );
}

interface StorySavingInput extends Omit<StoryFilesProps, 'timeline'> {
  readonly story: StoryOnStage;
  readonly scope: ExportScope;
}

/** Saves the pictures of a story as a file; `savedCount`: how many are drawn so far, null while nothing is saved. */
function useStorySaving({ story, scope, scenes, theme }: StorySavingInput) {
  const app = useApp();
  const shell = useShell();
  const [savedCount, setSavedCount] = useState<number | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const save = async (kind: 'png' | 'svg' | 'gif'): Promise<void> => {
    const controller = new AbortController();
    abort.current = controller;
    setSavedCount(0);
    try {
      const [files, { THEMES: colours }] = await Promise.all([
        kind === 'gif' ? import('./film.ts') : import('./picture-files.ts'),
        import('../../kit/browser/use-theme.ts'),
      ]);
      const style = { ...scenes, theme: theme === 'system' ? shell.theme : colours[theme] };
      const scopeName = scope.part === 'story' ? scope.unit : chapterOnStage(story, scope);
      const base = slugOf(`${formatsOnStage(app)} ${scopeName}`);
      const job = { onProgress: setSavedCount, signal: controller.signal };
      const pictures = exportedPictures(story, scope);
      const doc = app.document.getState();
      const names = {
        base,
        nameOf: (picture: ExportedPicture) => slugOf(scope.part === 'story' ? picture.chapter : ''),
        footerOf: (picture: ExportedPicture) => pictureFooter(app, documentAt(doc, picture.position)),
      };
      const blob =
        'gifOf' in files
          ? await files.gifOf(pictures, style, job)
          : await files.pictureZip(kind === 'svg' ? 'svg' : 'png', pictures, names, style, job);
      saveBlob(kind === 'gif' ? `${base}.gif` : `${base}-${kind}.zip`, blob);
    } catch (error) {
      if (!controller.signal.aborted) app.announce(failureText(error, 'Saving'));
    } finally {
      if (abort.current === controller) setSavedCount(null);
    }
  };
  return { savedCount, save, cancel: () => abort.current?.abort() };
}

interface ScopeFieldsProps {
  readonly story: StoryOnStage;
  readonly scope: ExportScope;
  readonly onChange: (scope: ExportScope) => void;
}

function ScopeFields({ story, scope, onChange }: ScopeFieldsProps) {
  const chapter = chapterOnStage(story, scope);
  const countIn = (unit: ExportScope['unit']): number => pictureCount(story, { ...scope, unit });
  return (
    <Stack gap={3}>
      <Segmented
        label="of"
        value={scope.part}
        options={[
          { value: 'story', label: 'all of it' },
          { value: 'chapter', label: chapter === '' ? 'this chapter' : `“${chapter}”` },
        ]}
        onChange={(part) => onChange({ ...scope, part })}
      />
      <Segmented
        label="by"
        value={scope.unit}
        options={[
          { value: 'frames', label: `frames (${countIn('frames')})` },
          { value: 'steps', label: `every step (${countIn('steps')})` },
        ]}
        onChange={(unit) => onChange({ ...scope, unit })}
      />
    </Stack>
  );
}

interface DrawingProgressProps {
  readonly count: number;
  /** pictures drawn so far */
  readonly done: number;
  readonly onCancel: () => void;
}

function DrawingProgress({ count, done, onCancel }: DrawingProgressProps) {
  return (
    <Toolbar role="status" className="mt-3">
      <progress className="progress flex-1" aria-label="Pictures drawn" max={count} value={done} />
      <span className="figure">
        {done} of {count}
      </span>
      <Button onClick={onCancel}>Cancel</Button>
    </Toolbar>
  );
}
