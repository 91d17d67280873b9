import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { MODEL_BOUNDS } from '../../core/bounds/bounds.ts';
import { excess } from '../../core/bounds/check.ts';
import { countText } from '../../core/story/words.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import { type GalleryPicture, GALLERY_PICTURES_PATH, parsePictures } from '../../io/gallery-pictures.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { pickFiles } from '../../kit/browser/pick-files.ts';
import { Button, TextButton } from '../../kit/controls/Button.tsx';
import { JobProgress } from '../../kit/controls/JobProgress.tsx';
import { GeneratorForm } from '../../kit/forms/GeneratorForm.tsx';
import { RemoteForm } from '../../kit/forms/RemoteForm.tsx';
import { useTextFile } from '../../kit/forms/use-text-file.ts';
import { shadePaths } from '../../kit/matrix/shade-paths.ts';
import { Drawer } from '../../kit/primitives/Boxes.tsx';
import { Row, Stack, Grid } from '../../kit/primitives/Layout.tsx';
import { Problem } from '../../kit/primitives/Text.tsx';
import { shape } from '../../kit/words/quantity.ts';
import { leftText } from '../../kit/words/shares.ts';
import { baseOf } from '../../state/index.ts';
import { readModelConfig } from '../../theory/models/model-config.ts';
import { type ModelShape } from '../../theory/models/model-shape.ts';
import { hubNameOf } from '../../theory/models/known-models.ts';
import { OPENABLE_KINDS } from '../shell/DropVeil.tsx';
import type { Choice } from './choice.ts';
import './examples.css';
import './panels.css';

/** The examples that are shown at first; 'all' lists the others too. */
const FIRST_EXAMPLES: readonly string[] = [
  'digits-fc2-70',
  'digits-fc1-90',
  'digits-fc2-2-4',
  'digits-activations',
  'planted-blocks',
  'sliding-attention',
  'power-law-graph',
  'convolution-3x3',
  'arrow',
];

/** The longest side of a picture, px. */
const MAX_SIDE = 64;

/** Below the columns of the chooser: some matrices that come with the page, each with its picture. */
export function Examples({ onChoose, onAll }: { readonly onChoose: (id: string) => void; readonly onAll: () => void }) {
  const { gallery } = useApp();
  const pictures = usePictures();
  const source = useDocument((doc) => baseOf(doc.source));
  if (gallery.length === 0) return null;
  return (
    <section className="chooser-examples line-above py-3 px-6" aria-label="Examples">
      <h2 className="chooser-title flex items-baseline justify-between gap-2 text-ink size-12 line-below mb-1 pb-2">
        Or one matrix
        <TextButton onClick={onAll}>all {gallery.length}</TextButton>
      </h2>
      <Grid as="ul" column="6.5rem">
        {FIRST_EXAMPLES.flatMap((id) => gallery.filter((entry) => entry.id === id)).map(
          ({ id, name, about, rows, cols }) => (
            <li key={id}>
              <button
                type="button"
                className="chooser-example stack items-start content-start size-12 text-start w-full pointer rounded"
                title={about}
                aria-current={source.kind === 'example' && source.id === id}
                onClick={() => onChoose(id)}
              >
                <span
                  className="chooser-thumbnail cell-ground self-end"
                  style={{
                    inlineSize: (MAX_SIDE * cols) / Math.max(rows, cols),
                    blockSize: (MAX_SIDE * rows) / Math.max(rows, cols),
                  }}
                >
                  <GalleryThumbnail picture={pictures.get(id)} />
                </span>
                <span className="chooser-name mt-1 weight-500 leading-13">{name.replace(' %', '\u00a0%')}</span>
                <span className="number faint">{shape(rows, cols)}</span>
              </button>
            </li>
          ),
        )}
      </Grid>
    </section>
  );
}

/** What the chooser can show in place of its columns. */
export type Panel = 'examples' | 'generate' | 'web' | 'config';

const PANELS: Readonly<Record<Panel, string>> = {
  examples: 'All examples',
  generate: 'Generate a matrix',
  web: 'Hugging Face, an address',
  config: 'Another model, by its config.json',
};

const FIRST_SPEC: GenerateSpec = { pattern: 'magnitude', rows: 512, cols: 512, density: 0.3, seed: 1 };

interface ChooserPanelProps {
  readonly panel: Panel;
  readonly choice: Choice;
  readonly onBack: () => void;
  readonly onClose: () => void;
  readonly onExample: (id: string) => void;
  readonly onModel: (model: ModelShape) => void;
}

/** A panel in place of the chooser's columns: all examples, or a form for generated matrices, the web, or a config.json. */
export function ChooserPanel({ panel, choice, onBack, onClose, onExample, onModel }: ChooserPanelProps) {
  const { session } = useApp();
  const source = useDocument((doc) => baseOf(doc.source));
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus({ preventScroll: true }), []);
  return (
    <Stack as="section" className="chooser-panel max-44 py-4 px-6" aria-label={PANELS[panel]}>
      <Row gap={4} className="chooser-panel-head">
        <Button ref={back} onClick={onBack}>
          ‹ Back
        </Button>
        <h2 className="size-15">{PANELS[panel]}</h2>
      </Row>
      {panel === 'examples' && <Gallery onChoose={onExample} />}
      {panel === 'generate' && (
        <GeneratorForm
          initial={source.kind === 'generated' ? source.spec : FIRST_SPEC}
          onGenerate={(spec) => {
            onClose();
            void session.openGenerated(spec);
          }}
        />
      )}
      {panel === 'web' && <WebPanel choice={choice} onClose={onClose} />}
      {panel === 'config' && <ConfigForm onRead={onModel} />}
    </Stack>
  );
}

/** Opens addresses and files of the hub; lists the allowed hosts and the supported files. */
function WebPanel({ choice, onClose }: { readonly choice: Choice; readonly onClose: () => void }) {
  const { session } = useApp();
  const tensor = choice.selection?.matrix.tensor ?? null;
  return (
    <Stack>
      {tensor !== null && (
        <p>
          In the model’s files: <code>{tensor}</code>.
        </p>
      )}
      <RemoteForm
        initial={choice.selection ? (hubNameOf(choice.selection.model) ?? '') : ''}
        onOpen={(reference, token) => {
          onClose();
          void session.openRemote(reference, token);
        }}
      />
      <AgreedHosts />
      <Drawer about="which files">
        <ul className="field-hint">
          {OPENABLE_KINDS.map((kind) => (
            <li key={kind}>{kind}</li>
          ))}
        </ul>
      </Drawer>
    </Stack>
  );
}

/** The hosts from which links may load matrices without asking; each can be forgotten. */
function AgreedHosts() {
  const { preferences } = useApp();
  const origins = useStore(preferences.store, (state) => state.origins);
  if (origins.length === 0) return null;
  return (
    <Drawer title="hosts that links may open">
      <ul className="agreed-hosts stack gap-1" aria-label="Hosts">
        {origins.map((origin) => (
          <li className="flex items-center justify-between gap-3 size-12 breakable min-h-6" key={origin}>
            <span>{origin.replace(/^https:\/\//, '')}</span>
            <TextButton aria-label={`Forget ${origin}`} onClick={() => preferences.forgetOrigin(origin)}>
              forget
            </TextButton>
          </li>
        ))}
      </ul>
    </Drawer>
  );
}

/** All matrices that come with the page, with where they come from. */
function Gallery({ onChoose }: { readonly onChoose: (id: string) => void }) {
  const { gallery, formats } = useApp();
  const pictures = usePictures();
  const source = useDocument((doc) => baseOf(doc.source));
  if (gallery.length === 0) return <Problem>The gallery could not be read.</Problem>;
  return (
    <ul className="gallery stack">
      {gallery.map((entry) => (
        <li key={entry.id} className="gallery-entry pb-2">
          <button
            type="button"
            className="gallery-item hover-sunken stack gap-0-3 text-start pointer rounded p-2-3"
            aria-current={source.kind === 'example' && source.id === entry.id}
            onClick={() => onChoose(entry.id)}
          >
            <GalleryThumbnail picture={pictures.get(entry.id)} />
            <span className="weight-500">{entry.name}</span>
            <span className="number quiet text-end">{shape(entry.rows, entry.cols)}</span>
            <span className="quiet size-12">
              {entry.about}
              <Suited titles={formats.filter((f) => f.shownBestOn.id === entry.id).map((f) => f.title)} />
            </span>
            <span className="number quiet text-end">
              {entry.nnz < entry.rows * entry.cols && entry.rows * entry.cols > 0
                ? `${leftText(entry.nnz / (entry.rows * entry.cols))} left`
                : countText(entry.nnz)}
            </span>
          </button>
          <Drawer about="where it comes from" className="provenance">
            <p className="quiet size-12 breakable">
              {entry.provenance} Licence: {entry.licence}.
            </p>
          </Drawer>
        </li>
      ))}
    </ul>
  );
}

/** The formats for which an entry is the best example. */
function Suited({ titles }: { readonly titles: readonly string[] }) {
  if (titles.length === 0) return null;
  return <span className="suited text-ink"> Shows {titles.join(' and ')} best.</span>;
}

/** The picture of a gallery entry: darker where more cells are non-zero. It is decoration, since its words say the same. */
function GalleryThumbnail({ picture }: { readonly picture: GalleryPicture | undefined }) {
  if (!picture) return <span className="gallery-picture self-center" />;
  const { width, height, fullness } = picture;
  // In the colour of its surroundings.
  return (
    <svg className="gallery-picture self-center" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {shadePaths(width, height, (i) => Number.parseInt(fullness[i], 16)).map(({ shade, path }) => (
        <path key={shade} d={path} fillOpacity={shade / 15} />
      ))}
    </svg>
  );
}

/** The pictures of all entries, loaded when the gallery is first shown; empty if they cannot be loaded. */
function usePictures(): ReadonlyMap<string, GalleryPicture> {
  const [pictures, setPictures] = useState<ReadonlyMap<string, GalleryPicture>>(new Map());
  useEffect(() => {
    const leave = new AbortController();
    fetch(new URL(GALLERY_PICTURES_PATH, document.baseURI), { signal: leave.signal })
      .then(async (response) => {
        if (response.ok) setPictures(parsePictures(await response.json()));
      })
      // The words say what the pictures show.
      .catch(() => {});
    return () => leave.abort();
  }, []);
  return pictures;
}

/** Opens any other model by its config.json: from disk, an address or the hub. */
function ConfigForm({ onRead }: { readonly onRead: (model: ModelShape) => void }) {
  const { announce } = useApp();
  const [problem, setProblem] = useState<string | null>(null);
  const accept = (text: string, name: string): void => {
    try {
      const model = readModelConfig(text, name);
      setProblem(null);
      onRead(model);
      announce(`${model.name} is shown.`);
    } catch (error) {
      setProblem(error instanceof Error ? `${error.message}.` : String(error));
    }
  };
  const open = async (file: File): Promise<void> => {
    const tooLong = excess(file.size, MODEL_BOUNDS.length, 'bytes');
    if (tooLong !== null) setProblem(`${file.name}: ${tooLong}.`);
    else accept(await file.text(), file.name);
  };
  const { read, reading } = useTextFile({ main: 'config.json', maxBytes: MODEL_BOUNDS.length }, (text, reference) =>
    accept(text, nameOf(reference)),
  );
  return (
    <Stack align="start" gap={3}>
      <Button
        onClick={() => pickFiles({ accept: '.json,application/json', multiple: false }, ([file]) => void open(file))}
      >
        Open a config.json
      </Button>
      <RemoteForm
        action="Read"
        hint="Llama, Mistral, Qwen 2 and 3, Gemma, Phi-3, OLMo, Granite, OPT and GPT-2 can be read, and Mixtral, DeepSeek, ERNIE and OLMoE."
        onOpen={(reference, token) => {
          setProblem(null);
          read(reference, token);
        }}
      />
      {reading.job && <JobProgress job={reading.job} onCancel={reading.cancel} />}
      <p role="status" className={problem === null ? undefined : 'field-error'}>
        {problem}
      </p>
    </Stack>
  );
}

/** The model's name in a reference: 'org/name', or an address's last folder. */
function nameOf(reference: string): string {
  const parts = reference
    .replace(/[?#].*$/s, '')
    .split('/')
    .filter(
      (part) => part !== '' && !/^(?:https?:|hf:|config\.json|resolve|blob|raw|tree|main|[0-9a-f]{40})$/i.test(part),
    );
  return (parts.at(-1) ?? 'config.json').replace(/@.*$/s, '').slice(0, 60);
}
