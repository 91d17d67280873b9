import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { MODEL_BOUNDS } from '../../core/bounds/bounds.ts';
import { excessProblem } from '../../core/bounds/check.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { pickFiles } from '../../kit/browser/pick-files.ts';
import { Button, TextButton } from '../../kit/controls/Button.tsx';
import { JobProgress } from '../../kit/controls/JobProgress.tsx';
import { GeneratorForm } from '../../kit/forms/GeneratorForm.tsx';
import type { PanelName } from '../../kit/frame/shell-context.ts';
import { RemoteForm } from '../../kit/forms/RemoteForm.tsx';
import { useTextFile } from '../../kit/forms/use-text-file.ts';
import { Drawer } from '../../kit/primitives/Boxes.tsx';
import { Row, Stack } from '../../kit/primitives/Layout.tsx';
import { baseOf } from '../../state/index.ts';
import { readModelConfig } from '../../theory/models/model-config.ts';
import type { ModelShape } from '../../theory/models/model-shape.ts';
import { hubNameOf } from '../../theory/models/known-models.ts';
import { OPENABLE_KINDS } from '../shell/DropVeil.tsx';
import type { Choice } from './choice.ts';
import { Gallery } from './Gallery.tsx';
import { TypeMatrix } from './TypeMatrix.tsx';

const TITLES: Readonly<Record<PanelName, string>> = {
  examples: 'All examples',
  type: 'Type a matrix',
  generate: 'Generate a matrix',
  web: 'Hugging Face, an address',
  config: 'Another model, by its config.json',
};

const FIRST_SPEC: GenerateSpec = { pattern: 'magnitude', rows: 512, cols: 512, density: 0.3, seed: 1 };

interface MatrixPickerPanelProps {
  readonly panel: PanelName;
  readonly choice: Choice;
  readonly onBack: () => void;
  readonly onClose: () => void;
  readonly onExample: (id: string) => void;
  readonly onModel: (model: ModelShape) => void;
}

/** A panel instead of the matrix picker's columns: all examples, or a form: typed cells, generator, web, or config.json. */
export function MatrixPickerPanel({ panel, choice, onBack, onClose, onExample, onModel }: MatrixPickerPanelProps) {
  const { session } = useApp();
  const source = useDocument((doc) => baseOf(doc.source));
  const backButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The first cell of the grid gets the focus.
    if (panel !== 'type') backButton.current?.focus({ preventScroll: true });
  }, [panel]);
  return (
    <Stack
      as="section"
      className="max-w-[44rem] py-4 px-6 in-data-list:px-4 in-data-list:pt-3"
      aria-label={TITLES[panel]}
    >
      <Row gap={4}>
        <Button ref={backButton} onClick={onBack}>
          ‹ Back
        </Button>
        <h2 className="text-15">{TITLES[panel]}</h2>
      </Row>
      {panel === 'examples' && <Gallery onChoose={onExample} />}
      {panel === 'type' && (
        <TypeMatrix
          onOpen={(cells) => {
            onClose();
            void session.openCells(cells);
          }}
        />
      )}
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

/** Opens addresses and files of the Hugging Face hub; lists the allowed hosts and the supported files. */
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
      <Drawer description="which files">
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
      <ul className="agreed-hosts grid gap-1" aria-label="Hosts">
        {origins.map((origin) => (
          <li className="flex items-center justify-between gap-3 text-12 wrap-anywhere min-h-6" key={origin}>
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

/** A form that reads the config.json of any other model: from disk, an address or the hub. */
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
    const sizeProblem = excessProblem(file.size, MODEL_BOUNDS.length, 'bytes');
    if (sizeProblem !== null) setProblem(`${file.name}: ${sizeProblem}.`);
    else accept(await file.text(), file.name);
  };
  const { read, reading } = useTextFile({ main: 'config.json', maxBytes: MODEL_BOUNDS.length }, (text, reference) =>
    accept(text, nameOf(reference)),
  );
  return (
    <Stack gap={3} className="justify-items-start">
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
