import { useState } from 'react';
import { MODEL_BOUNDS } from '../../core/bounds/bounds.ts';
import { excess } from '../../core/bounds/check.ts';
import { readModelConfig } from '../../theory/models/model-config.ts';
import type { ModelShape } from '../../theory/models/model-shape.ts';
import { useApp } from '../app-context.ts';
import { pickFiles } from '../browser/pick-files.ts';
import { useTextFile } from './use-text-file.ts';
import { JobProgress } from '../controls/JobProgress.tsx';
import { Stack } from '../primitives/Layout.tsx';
import { RemoteForm } from './RemoteForm.tsx';
import { Button } from '../controls/Button.tsx';

/** Opens any other model by its config.json: from disk, an address or the hub. */
export function ConfigForm({ onRead }: { readonly onRead: (model: ModelShape) => void }) {
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
