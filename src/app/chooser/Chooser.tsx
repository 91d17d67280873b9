import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { GenerateSpec } from '../../generate/generate.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { Icon } from '../../kit/controls/Icon.tsx';
import { Dialog } from '../../kit/frame/Dialog.tsx';
import { useShell } from '../../kit/frame/shell-context.ts';
import { AgreedHosts } from './AgreedHosts.tsx';
import { Gallery } from './Gallery.tsx';
import { RemoteForm } from '../../kit/forms/RemoteForm.tsx';
import { GeneratorForm } from '../../kit/forms/GeneratorForm.tsx';
import { OPENS } from '../shell/DropVeil.tsx';

const TABS = [
  { id: 'gallery', title: 'Gallery' },
  { id: 'generate', title: 'Generate' },
  { id: 'open', title: 'Open' },
] as const;
type Tab = (typeof TABS)[number]['id'];

/** What the generator offers when the matrix on the stage was not generated. */
const FIRST_SPEC: GenerateSpec = { pattern: 'magnitude', rows: 512, cols: 512, density: 0.3, seed: 1 };

/** Another matrix for the stage: from the gallery, from the generator, or from a file. */
export function Chooser({ onClose }: { readonly onClose: () => void }) {
  const { session } = useApp();
  const { openFile } = useShell();
  const source = useDocument((doc) => doc.source);
  const [tab, setTab] = useState<Tab>(source.kind === 'generated' ? 'generate' : 'gallery');
  const list = useRef<HTMLDivElement>(null);
  const id = useId();

  const onKeyDown = (event: KeyboardEvent): void => {
    const at = TABS.findIndex((t) => t.id === tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = (to + TABS.length) % TABS.length;
    setTab(TABS[index].id);
    list.current?.querySelectorAll('button')[index]?.focus();
  };

  return (
    <Dialog title="Choose a matrix" onClose={onClose}>
      <div ref={list} className="chooser-tabs" role="tablist" aria-label="Where from" onKeyDown={onKeyDown}>
        {TABS.map((t) => (
          <button
            key={t.id}
            type="button"
            role="tab"
            id={`${id}-${t.id}`}
            className="chooser-tab"
            aria-selected={t.id === tab}
            aria-controls={`${id}-panel`}
            tabIndex={t.id === tab ? 0 : -1}
            onClick={() => setTab(t.id)}
          >
            {t.title}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} className="dialog-body" role="tabpanel" aria-labelledby={`${id}-${tab}`}>
        {tab === 'gallery' && (
          <Gallery
            onChoose={(exampleId) => {
              onClose();
              void session.openExample(exampleId);
            }}
          />
        )}
        {tab === 'generate' && (
          <GeneratorForm
            initial={source.kind === 'generated' ? source.spec : FIRST_SPEC}
            onGenerate={(spec) => {
              onClose();
              void session.openGenerated(spec);
            }}
          />
        )}
        {tab === 'open' && (
          <>
            <div className="open-area">
              <Icon name="matrix" />
              <p>Drop a file anywhere on the page, or choose one. It is read on this page and sent nowhere.</p>
              <button
                type="button"
                className="button button--solid"
                onClick={() => {
                  onClose();
                  openFile();
                }}
              >
                Choose a file
              </button>
              <ul className="field-hint">
                {OPENS.map((kind) => (
                  <li key={kind}>{kind}</li>
                ))}
              </ul>
            </div>
            <RemoteForm
              onOpen={(reference, token) => {
                onClose();
                void session.openRemote(reference, token);
              }}
            />
            <AgreedHosts />
          </>
        )}
      </div>
    </Dialog>
  );
}
