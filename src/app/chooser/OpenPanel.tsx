import './panels.css';
import './examples.css';
import { useEffect, useRef } from 'react';
import type { GenerateSpec } from '../../generate/generate.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { ConfigForm } from '../../kit/forms/ConfigForm.tsx';
import { GeneratorForm } from '../../kit/forms/GeneratorForm.tsx';
import { RemoteForm } from '../../kit/forms/RemoteForm.tsx';
import { baseOf } from '../../state/index.ts';
import { hubNameOf, type ModelShape } from '../../theory/models/model-shape.ts';
import { OPENABLE_KINDS } from '../shell/DropVeil.tsx';
import type { Choice } from './choice.ts';
import { useStore } from 'zustand';
import { countText } from '../../core/story/words.ts';
import { GalleryThumbnail } from './GalleryThumbnail.tsx';
import { usePictures } from './use-pictures.ts';
import { shape } from '../../kit/words/quantity.ts';
import { leftText } from '../../kit/words/shares.ts';
import { Drawer } from '../../kit/primitives/Boxes.tsx';
import { Row, Stack, Grid } from '../../kit/primitives/Layout.tsx';
import { Problem } from '../../kit/primitives/Text.tsx';
import { Button, TextButton } from '../../kit/controls/Button.tsx';

interface ExamplesProps {
  readonly onChoose: (id: string) => void;
  readonly onAll: () => void;
}

/** A varied selection of examples; the others are behind 'all'. */
const SHOWN: readonly string[] = [
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
const LONGEST = 64;

/** Matrices that come with the page, each with its picture. */
export function Examples({ onChoose, onAll }: ExamplesProps) {
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
        {SHOWN.flatMap((id) => gallery.filter((entry) => entry.id === id)).map(({ id, name, about, rows, cols }) => (
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
                  inlineSize: (LONGEST * cols) / Math.max(rows, cols),
                  blockSize: (LONGEST * rows) / Math.max(rows, cols),
                }}
              >
                <GalleryThumbnail picture={pictures.get(id)} />
              </span>
              <span className="chooser-name mt-1 weight-500 leading-13">{name.replace(' %', '\u00a0%')}</span>
              <span className="number faint">{shape(rows, cols)}</span>
            </button>
          </li>
        ))}
      </Grid>
    </section>
  );
}

/** What replaces the columns. */
export type Panel = 'examples' | 'generate' | 'web' | 'config';

const PANELS: Readonly<Record<Panel, string>> = {
  examples: 'All examples',
  generate: 'Generate a matrix',
  web: 'Hugging Face, an address',
  config: 'Another model, by its config.json',
};

/** The first proposal of the generator, unless the current matrix was generated. */
const FIRST_SPEC: GenerateSpec = { pattern: 'magnitude', rows: 512, cols: 512, density: 0.3, seed: 1 };

interface OpenPanelProps {
  readonly panel: Panel;
  readonly choice: Choice;
  readonly onBack: () => void;
  readonly onClose: () => void;
  readonly onExample: (id: string) => void;
  readonly onModel: (model: ModelShape) => void;
}

/** A form, or the list of all examples, in place of the columns. */
export function OpenPanel({ panel, choice, onBack, onClose, onExample, onModel }: OpenPanelProps) {
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
      {panel === 'web' && <Web choice={choice} onClose={onClose} />}
      {panel === 'config' && <ConfigForm onRead={onModel} />}
    </Stack>
  );
}

interface WebProps {
  readonly choice: Choice;
  readonly onClose: () => void;
}

/** Opens addresses and files of the hub; lists the allowed hosts and the supported files. */
function Web({ choice, onClose }: WebProps) {
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

/** The bundled matrices: what each shows, how large it is, and where it comes from. */
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
