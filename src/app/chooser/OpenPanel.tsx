import './panels.css';
import { useEffect, useRef } from 'react';
import type { GenerateSpec } from '../../generate/generate.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { ConfigForm } from '../../kit/forms/ConfigForm.tsx';
import { GeneratorForm } from '../../kit/forms/GeneratorForm.tsx';
import { RemoteForm } from '../../kit/forms/RemoteForm.tsx';
import { baseOf } from '../../state/index.ts';
import { hubNameOf, type ModelShape } from '../../theory/models/model-shape.ts';
import { OPENS } from '../shell/DropVeil.tsx';
import { AgreedHosts } from './AgreedHosts.tsx';
import type { Choice } from './choice.ts';
import { Gallery } from './Gallery.tsx';

/** What is shown in place of the columns. */
export type Panel = 'examples' | 'generate' | 'web' | 'config';

const PANELS: Readonly<Record<Panel, string>> = {
  examples: 'All examples',
  generate: 'Generate a matrix',
  web: 'Hugging Face, or an address',
  config: 'Another model, by its config.json',
};

/** What the generator offers when the matrix on the stage was not generated. */
const FIRST_SPEC: GenerateSpec = { pattern: 'magnitude', rows: 512, cols: 512, density: 0.3, seed: 1 };

interface OpenPanelProps {
  readonly panel: Panel;
  readonly choice: Choice;
  readonly onBack: () => void;
  readonly onClose: () => void;
  readonly onExample: (id: string) => void;
  readonly onModel: (model: ModelShape) => void;
}

/** A form, or all examples, in place of the columns. */
export function OpenPanel({ panel, choice, onBack, onClose, onExample, onModel }: OpenPanelProps) {
  const { session } = useApp();
  const source = useDocument((doc) => baseOf(doc.source));
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus({ preventScroll: true }), []);
  return (
    <section className="chooser-panel" aria-label={PANELS[panel]}>
      <div className="chooser-panel-head">
        <button ref={back} type="button" className="button" onClick={onBack}>
          ‹ Back
        </button>
        <h2>{PANELS[panel]}</h2>
      </div>
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
    </section>
  );
}

interface WebProps {
  readonly choice: Choice;
  readonly onClose: () => void;
}

/** Addresses and the hub, which hosts links may use, and what can be opened. */
function Web({ choice, onClose }: WebProps) {
  const { session } = useApp();
  const tensor = choice.at?.matrix.tensor ?? null;
  return (
    <div className="chooser-web">
      {tensor !== null && (
        <p>
          In the model’s files this matrix is called <code>{tensor}</code>.
        </p>
      )}
      <RemoteForm
        initial={choice.at ? (hubNameOf(choice.at.model) ?? '') : ''}
        onOpen={(reference, token) => {
          onClose();
          void session.openRemote(reference, token);
        }}
      />
      <AgreedHosts />
      <details className="disclosure">
        <summary>which files can be opened</summary>
        <ul className="field-hint">
          {OPENS.map((kind) => (
            <li key={kind}>{kind}</li>
          ))}
        </ul>
      </details>
      <p className="faint">
        Files on this computer are read on this page and sent nowhere: drop one anywhere on it, or choose Open file.
      </p>
    </div>
  );
}
