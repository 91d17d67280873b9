// The steps in which a user imports a model: its files or address, what was found, and the progress.

import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { JobProgress } from '../../../../src/kit/controls/JobProgress.tsx';
import { useApp } from '../../../../src/kit/app-context.ts';
import { useChangeModel } from '../use-change-model.ts';
import { useBringing } from './use-bringing.ts';
import { pickFiles } from '../../../../src/kit/browser/pick-files.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';
import { RemoteForm } from '../../../../src/kit/forms/RemoteForm.tsx';
import type { ModelRequest } from '../../models/imported-models.ts';
import { Checkbox } from '../../../../src/kit/controls/Checkbox.tsx';
import { MAX_WEIGHTS } from '../../decoders/decoder.ts';
import type { InspectedModel } from './bringing.ts';
import { keepProblem, planRows, spaceText } from './model-words.ts';

/** Names of the files that a model may consist of. Others in its folder are ignored. */
const MODEL_FILES = /(^config\.json|^tokenizer\.json|\.safetensors(\.index\.json)?|\.gguf)$/i;

/** The file extensions that the file picker offers. */
const ACCEPTED = '.json,.safetensors,.gguf';

/** Maximum files of a model: the largest published ones have some 200. */
const MAX_FILES = 1000;

/** A picked file, alone or in a folder: 'folder/config.json'. */
export type PickedFile = File & { readonly webkitRelativePath?: string };

/** The request to inspect picked files as a model, without files in subfolders. */
export function requestOf(files: readonly PickedFile[]): ModelRequest {
  const pathOf = (file: PickedFile): readonly string[] => (file.webkitRelativePath || file.name).split('/');
  const min = files.reduce((shortest, file) => Math.min(shortest, pathOf(file).length), Number.POSITIVE_INFINITY);
  const modelFiles = files
    .filter((file) => pathOf(file).length === min && MODEL_FILES.test(file.name))
    .slice(0, MAX_FILES);
  const folder = files.length > 0 && min > 1 ? (pathOf(files[0]).at(0) ?? '') : '';
  return { kind: 'files', files: modelFiles, folder: folder || 'model' };
}

/** The picked files, with earlier ones unless `pickedFiles` is a whole model, so that a wrong file can be replaced. */
export function withEarlierFiles(
  earlierFiles: readonly PickedFile[],
  pickedFiles: readonly PickedFile[],
): readonly PickedFile[] {
  const names = new Set(pickedFiles.map(({ name }) => name));
  const has = (ending: string): boolean => pickedFiles.some(({ name }) => name.toLowerCase().endsWith(ending));
  if (has('.gguf') || (has('.safetensors') && names.has('config.json'))) return pickedFiles;
  return [...earlierFiles.filter(({ name }) => !names.has(name) && !/\.gguf$/i.test(name)), ...pickedFiles];
}

const HINT = 'org/name on the Hugging Face hub, a folder’s address, or a .gguf file’s.';

interface BringFormProps {
  readonly onInspect: (request: ModelRequest) => void;
  /** called with files of this computer, to be added to those picked before */
  readonly onFiles: (files: readonly PickedFile[]) => void;
}

/**
 * The first step: the form for the location of the model, on this computer, on the Hugging Face hub, or at an address.
 */
export function BringForm({ onInspect, onFiles }: BringFormProps) {
  return (
    <section className="grid gap-4 [&_.remote-form]:mt-0">
      <h3>Import a model</h3>
      <p className="text-muted">
        Llama, SparseLM, Mistral, Qwen2, OPT, GPT-2, up to {Math.round(MAX_WEIGHTS / 1e6)} million weights: safetensors
        with config.json and tokenizer.json, or GGUF (F32, F16, Q8_0, Q4_0).
      </p>
      <p className="flex flex-wrap items-center gap-y-2 gap-x-3">
        <Button
          onClick={() =>
            pickFiles({ accept: '', multiple: true, isFolder: true }, (files) => onInspect(requestOf(files)))
          }
        >
          Choose a folder
        </Button>
        <Button onClick={() => pickFiles({ accept: ACCEPTED, multiple: true }, (files) => onFiles(files))}>
          Choose files
        </Button>
        <span className="text-muted">Files are sent nowhere.</span>
      </p>
      <RemoteForm
        action="Inspect"
        hint={HINT}
        onOpen={(reference, token) => onInspect({ kind: 'remote', reference, token })}
      />
    </section>
  );
}

interface BringStepsProps {
  /** called when a model was loaded, and the page shows it */
  readonly onLoaded?: () => void;
}

/** Imports a model in two steps: the first selects its location, the second shows its properties and loads it. */
export function BringSteps({ onLoaded }: BringStepsProps) {
  const { announce } = useApp();
  const bringing = useBringing();
  const { inspected, running: job, error } = useStore(bringing.store);
  const open = useChangeModel();
  const box = useRef<HTMLDivElement>(null);
  // The files of an incomplete model; the next files are added to them.
  const [earlierFiles, setEarlierFiles] = useState<readonly PickedFile[]>([]);
  const inspect = (request: ModelRequest, files: readonly PickedFile[] = []): void => {
    setEarlierFiles(files);
    void bringing.inspect(request);
  };
  const addFiles = (files: readonly PickedFile[]): void => {
    const allFiles = withEarlierFiles(earlierFiles, files);
    inspect(requestOf(allFiles), allFiles);
  };
  const load = async (keep: boolean): Promise<void> => {
    const model = await bringing.load(keep);
    if (model === null) return;
    announce(`${model.config.name} is loaded`);
    open(model.id);
    onLoaded?.();
  };
  return (
    <div ref={box} className="grid gap-4 focus-visible:outline-none" tabIndex={-1}>
      {error !== null && job === null && (
        <p className="problem" role="alert">
          {error}
          {earlierFiles.length > 0 && ` Chosen so far: ${earlierFiles.map(({ name }) => name).join(', ')}.`}
        </p>
      )}
      {job ? (
        <JobProgress job={job} onCancel={bringing.stop} />
      ) : inspected ? (
        <PlanCard
          inspected={inspected}
          onLoad={(keep) => void load(keep)}
          onBack={() => (setEarlierFiles([]), bringing.back())}
        />
      ) : (
        <BringForm onInspect={(request) => inspect(request)} onFiles={addFiles} />
      )}
    </div>
  );
}

interface PlanCardProps {
  readonly inspected: InspectedModel;
  readonly onLoad: (keep: boolean) => void;
  readonly onBack: () => void;
}

/** The second step: what the model is and how large, before any of its weights is fetched. */
export function PlanCard({ inspected: { plan, storageSpace, keep: initialKeep }, onLoad, onBack }: PlanCardProps) {
  const [keep, setKeep] = useState(initialKeep);
  const problem = keepProblem(storageSpace, plan.bytes);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus({ preventScroll: true }), []);
  return (
    <section className="grid gap-4" aria-label={`The model ${plan.config.name}`}>
      <h3 className="text-18 font-semibold wrap-anywhere focus-visible:outline-none" ref={head} tabIndex={-1}>
        {plan.config.name}
      </h3>
      <dl className="*:grid *:grid-cols-[6rem_1fr] *:gap-3 *:py-[3px]">
        {planRows(plan).map(([name, text]) => (
          <div key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
      <div>
        <Checkbox
          checked={keep && problem === null}
          disabled={problem !== null}
          describedBy="plan-room"
          onChange={setKeep}
        >
          Save it in this browser
        </Checkbox>
        <p id="plan-room" className="text-muted ps-6">
          {problem ?? (storageSpace && spaceText(storageSpace))}
        </p>
      </div>
      <p className="flex flex-wrap items-center gap-y-2 gap-x-3">
        <Button kind="solid" onClick={() => onLoad(keep && problem === null)}>
          Load
        </Button>
        <TextButton onClick={onBack}>another model</TextButton>
      </p>
    </section>
  );
}
