// The page Language: its bar, its tabs, and the list of models.

import './language.css';
import {
  type ComponentType,
  Suspense,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
} from 'react';
import { useStore } from 'zustand';
import { useDocument } from '../../../src/kit/app-context.ts';
import { AddressLink } from '../../../src/kit/browser/AddressLink.tsx';
import { useChoices } from '../../../src/kit/browser/choices.ts';
import { lazyPart } from '../../../src/kit/browser/lazy-part.ts';
import { Boundary } from '../../../src/kit/frame/Boundary.tsx';
import { Waiting } from '../../../src/kit/frame/Waiting.tsx';
import { writingModel } from '../../../src/kit/frame/shell-context.ts';
import type { PageProps } from '../../../src/kit/page.ts';
import { pageState, storedText, storeText } from '../../../src/state/index.ts';
import { LANGUAGE_FIELDS, type Tab, TAB_TITLES, TABS, withTab } from './address.ts';
import { SHARED_FIELDS } from './fields.ts';
import { PageChoices } from '../../../src/kit/browser/PageChoices.tsx';
import { ASIDE } from './TabAside.tsx';
import type { TabProps } from './tab.ts';
import { isModelsDialogOpen } from './models-dialog.ts';
import { FIRST_PRUNING, withReluModel } from './model-choice.ts';
import { isImported } from '../theory/imported.ts';
import { useChosenModel } from './use-model-choice.ts';

const ModelsDialog = lazyPart(async () => (await import('./bring/ModelsDialog.tsx')).ModelsDialog);

interface ModelButtonProps {
  /** id of the model that writes, and its name */
  readonly model: string;
  readonly name: string;
}

/** Shows the name of the model, and opens the list of models, which can also import other models. */
function ModelButton({ model, name }: ModelButtonProps) {
  const isOpen = useStore(isModelsDialogOpen);
  return (
    <>
      <button
        type="button"
        className="language-model inline-flex items-center gap-1 text-muted text-12 whitespace-nowrap min-w-0 ms-auto cursor-pointer px-2 hover:text-ink"
        aria-haspopup="dialog"
        aria-label={`Model: ${name}`}
        onClick={() => isModelsDialogOpen.setState(true, true)}
      >
        model <b className="max-w-56 max-sm:max-w-36 text-ink overflow-hidden text-ellipsis">{name}</b>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ModelsDialog model={model} onClose={() => isModelsDialogOpen.setState(false, true)} />
        </Suspense>
      )}
    </>
  );
}

const TAB_PAGES: Readonly<Record<Tab, ComponentType<TabProps>>> = {
  text: lazyPart(async () => (await import('./text/TextTab.tsx')).TextTab),
  quality: lazyPart(async () => (await import('./quality/QualityTab.tsx')).QualityTab),
  neurons: lazyPart(async () => (await import('./neurons/NeuronsTab.tsx')).NeuronsTab),
  speed: lazyPart(async () => (await import('./speed/SpeedTab.tsx')).SpeedTab),
};

const MissingModel = lazyPart(async () => (await import('./bring/MissingModel.tsx')).MissingModel);

/** The page Language: a model that writes text, and what pruning does to it, in four tabs. */
export function LanguagePage({ isWide }: PageProps) {
  return (
    <PageChoices page={LANGUAGE_FIELDS}>
      <LanguageTabs isWide={isWide} />
    </PageChoices>
  );
}

function LanguageTabs({ isWide }: PageProps) {
  const tab = useDocument((doc) => pageState(doc, LANGUAGE_FIELDS).tab);
  const [{ model: chosen }] = useChoices(SHARED_FIELDS);
  // The model with its pruning, or 'waiting' or 'missing' for an imported model.
  const chosenModel = useChosenModel();
  const modelChoice = useMemo(
    () => (tab !== 'neurons' || typeof chosenModel === 'string' ? chosenModel : withReluModel(chosenModel)),
    [tab, chosenModel],
  );
  useModelInSelectionBar(modelChoice);
  useFirstPruning(modelChoice);
  const visibleTab = useDeferredValue(tab);
  const TabPage = TAB_PAGES[visibleTab];
  const { id, name } =
    typeof modelChoice === 'string'
      ? { id: chosen, name: modelChoice === 'missing' ? 'not here' : '…' }
      : { id: modelChoice.model.id, name: modelChoice.model.shape.name };
  return (
    <main className="language flex flex-col min-w-0 min-h-0 flex-1" id="content" tabIndex={-1} data-tab={visibleTab}>
      <nav
        className="language-tabs flex max-sm:flex-wrap flex-none min-h-10 border-b border-hairline"
        aria-label="Language"
      >
        {TABS.map((id) => (
          <AddressLink
            key={id}
            className="language-tab px-3 max-sm:min-h-10 flex items-center text-muted font-medium cursor-pointer hover:text-ink"
            aria-current={id === tab ? 'page' : undefined}
            to={(doc) => withTab(doc, id)}
          >
            {TAB_TITLES[id]}
          </AddressLink>
        ))}
        <ModelButton model={id} name={name} />
        {/* TabAside fills it. */}
        <span id={ASIDE} className="language-aside ms-4 flex gap-4 items-center text-muted text-12" />
      </nav>
      <div className="px-(--page-margin) pt-4 max-sm:pt-3 pb-6 min-w-0 min-h-0 flex-1 overflow-x-hidden overflow-y-auto [scrollbar-gutter:stable]">
        <Boundary key={visibleTab} name={`The tab “${TAB_TITLES[visibleTab]}”`} resetKey={id}>
          <Suspense fallback={<Waiting title={TAB_TITLES[visibleTab]} what="Loading its code" />}>
            {modelChoice === 'waiting' ? (
              <Waiting title={TAB_TITLES[visibleTab]} what="Looking for the model" />
            ) : modelChoice === 'missing' ? (
              <MissingModel id={chosen} />
            ) : (
              <TabPage modelChoice={modelChoice} isWide={isWide} />
            )}
          </Suspense>
        </Boundary>
      </div>
    </main>
  );
}

const VISITED = 'sparsescope.language';

/**
 * At the first visit, writes a pruning into the address at which the text is still good, unless the page is given one.
 */
function useFirstPruning(modelChoice: ReturnType<typeof useChosenModel>): void {
  const [, choose] = useChoices(SHARED_FIELDS);
  const isGiven = useDocument((doc) => pageState(doc, LANGUAGE_FIELDS).choices.prune !== undefined);
  // A link about a shipped model has a pruning, or means the default.
  const isReplaceable =
    typeof modelChoice !== 'string' && !modelChoice.isDocumentModel && !isImported(modelChoice.model.id);
  const isFirst = useEffectEvent(() => isReplaceable && !isGiven && storedText(() => localStorage, VISITED) === null);
  useEffect(() => {
    if (isFirst()) choose({ prune: FIRST_PRUNING });
    storeText(() => localStorage, VISITED, 'visited');
  }, [choose]);
}

/** Makes the selection bar name this model, if the opened matrix belongs to another model. */
function useModelInSelectionBar(modelChoice: ReturnType<typeof useChosenModel>): void {
  const writing = typeof modelChoice === 'string' || modelChoice.isDocumentModel ? null : modelChoice;
  useLayoutEffect(() => {
    writingModel.setState(writing && { name: writing.model.shape.name, pruning: writing.pruning }, true);
    return () => writingModel.setState(null, true);
  }, [writing]);
}
