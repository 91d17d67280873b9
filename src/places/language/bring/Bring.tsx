import { pickFiles } from '../../../kit/browser/pick-files.ts';
import { RemoteForm } from '../../../kit/forms/RemoteForm.tsx';
import type { ModelRequest } from '../../../engine/models/brought-models.ts';
import { ACCEPTED, pickFolder, requestOf } from './disk.ts';

const HINT =
  'A model on the Hugging Face hub (org/name), the address of a folder, with a slash at its end, or of a .gguf file. Its description is fetched first, and no weights.';

interface BringProps {
  readonly onLook: (request: ModelRequest) => void;
}

/** Where a model is that somebody brings: on this computer, on the hub, at an address. */
export function Bring({ onLook }: BringProps) {
  return (
    <section className="bring" aria-label="Bring a model">
      <h3>Bring a model</h3>
      <p className="quiet">
        Llama, Mistral, Qwen2, OPT and GPT-2, of up to 537 million weights: safetensors with config.json and
        tokenizer.json, or GGUF (F32, F16, Q8_0, Q4_0).
      </p>
      <p className="bring-disk">
        <button type="button" className="button" onClick={() => pickFolder((files) => onLook(requestOf(files)))}>
          Choose a folder
        </button>
        <button
          type="button"
          className="button"
          onClick={() => pickFiles({ accept: ACCEPTED, multiple: true }, (files) => onLook(requestOf(files)))}
        >
          Choose files
        </button>
        <span className="quiet">Files on this computer are read on this page and sent nowhere.</span>
      </p>
      <RemoteForm
        action="Look at it"
        hint={HINT}
        onOpen={(reference, token) => onLook({ kind: 'remote', reference, token })}
      />
    </section>
  );
}
