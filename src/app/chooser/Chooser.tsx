import './chooser.css';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { GenerateSpec } from '../../generate/generate.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { Segmented } from '../../kit/controls/Segmented.tsx';
import { ConfigForm } from '../../kit/forms/ConfigForm.tsx';
import { GeneratorForm } from '../../kit/forms/GeneratorForm.tsx';
import { RemoteForm } from '../../kit/forms/RemoteForm.tsx';
import { useShell } from '../../kit/frame/shell-context.ts';
import { isApple } from '../../kit/shortcuts.ts';
import { bytes } from '../../kit/words/quantity.ts';
import { baseOf } from '../../state/index.ts';
import type { ModelShape } from '../../theory/models/model-shape.ts';
import { OPENS } from '../shell/DropVeil.tsx';
import { previewedCrumbs } from './crumbs.ts';
import { AgreedHosts } from './AgreedHosts.tsx';
import {
  type Choice,
  choiceOf,
  keyed,
  type Level,
  LEVELS,
  modelsWith,
  sameMatrix,
  sourceOf,
  withLayer,
  withLevel,
  withMatrix,
  withModel,
} from './choice.ts';
import { crumbsOfChoice } from './crumbs-of-choice.ts';
import { Examples } from './Examples.tsx';
import { Gallery } from './Gallery.tsx';
import { LayerColumn } from './LayerColumn.tsx';
import { MatrixColumn } from './MatrixColumn.tsx';
import { ModelColumn } from './ModelColumn.tsx';
import { SearchResults } from './SearchResults.tsx';
import { type Found, search } from './search.ts';
import { useLookedAt } from './use-looked-at.ts';
import { WindowColumn } from './WindowColumn.tsx';

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

interface ChooserProps {
  readonly onClose: () => void;
  /** in the list of a narrow page: one level at a time */
  readonly inList: boolean;
  readonly panel: Panel | null;
}

/**
 * What the sentence is about: a model, a layer, a matrix or a window of it; an example, a file, a link, or what a generator
 * makes. Nothing changes until something is taken; what is chosen, or under the pointer, is previewed in the sentence.
 */
export function Chooser({ onClose, inList, panel: firstPanel }: ChooserProps) {
  const source = useDocument((doc) => baseOf(doc.source));
  const window = useDocument((doc) => doc.window);
  const summary = useSession((s) => s.summary);
  const [panel, setPanel] = useState(firstPanel);
  const opened = useMemo(() => choiceOf(source, window), [source, window]);
  const [changed, setChanged] = useState<Choice | null>(null);
  const choice = changed ?? opened;
  const [hovered, setHovered] = useState<Choice | null>(null);
  const [brought, setBrought] = useState<ModelShape | null>(opened.at?.model ?? null);
  const models = useMemo(() => modelsWith(brought), [brought]);
  const searched = useSearch(models);
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  usePreview(hovered ?? changed);
  useFollowingFocus(box, choice);
  useEffect(() => {
    // On a phone the keyboard would cover what there is to choose from.
    if (!inList && firstPanel === null) field.current?.focus({ preventScroll: true });
  }, [inList, firstPanel]);

  const choose = useCallback((next: Choice): void => {
    setHovered(null);
    setChanged(next);
  }, []);
  const { apply, take, takeFound, takeExample } = useTaking(opened, onClose);
  // In a list there is no pointer that rests on something: what is pressed is taken at once, and the list stays.
  const pick = (next: Choice): void => {
    choose(next);
    if (inList) apply(next);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || panel !== null) return;
    const to = event.target instanceof HTMLElement ? event.target : null;
    const isField = to === field.current;
    if (!isField && !to?.matches('[role=option], [role=slider], [type=radio]')) return;
    if (searched.isOn && isField) {
      const chosen = searched.onKey(event.key);
      if (chosen === null) return;
      if (chosen !== 'moved') takeFound(chosen);
    } else if (event.key === 'Enter') take(choice);
    else {
      const next = keyed(choice, event.key, models, summary);
      if (next === null) {
        // Typing searches, wherever the focus is.
        if (!isField && event.key.length === 1 && event.key !== ' ') {
          field.current?.focus();
          event.stopPropagation();
        }
        return;
      }
      choose(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // The keys are those of what has the focus inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={box} className={inList ? 'chooser chooser--list' : 'chooser'} onKeyDown={onKeyDown}>
      {panel !== null ? (
        <OpenPanel
          panel={panel}
          choice={choice}
          onBack={() => setPanel(null)}
          onClose={onClose}
          onExample={takeExample}
          onModel={(model) => {
            setBrought(model);
            choose(withModel(model));
            setPanel(null);
          }}
        />
      ) : (
        <>
          <Head
            {...{ field, searched, inList }}
            level={choice.level}
            onLevel={(level) => choose(withLevel(choice, level))}
            onPanel={setPanel}
            onClose={onClose}
          />
          {searched.isOn ? (
            <SearchResults
              {...searched}
              onHover={(one) => setHovered(one?.kind === 'place' ? one.choice : null)}
              onTake={takeFound}
            />
          ) : (
            <Columns
              {...{ models, choice, inList }}
              opened={opened}
              onChoose={pick}
              onDrag={choose}
              onHover={setHovered}
              onTake={() => take(choice)}
              onConfig={() => setPanel('config')}
            />
          )}
          {!inList && !searched.isOn && <Examples onChoose={takeExample} onAll={() => setPanel('examples')} />}
          <Foot
            choice={choice}
            isChanged={changed !== null}
            inList={inList}
            onTake={() => take(choice)}
            onWeb={() => setPanel('web')}
            onClose={onClose}
          />
        </>
      )}
    </div>
  );
}

/** What is done with a choice, or with what a search found. */
function useTaking(opened: Choice, onClose: () => void) {
  const { session } = useApp();
  const { openFile } = useShell();
  const apply = (taken: Choice): void => {
    const place = sourceOf(taken);
    const isSame = sameMatrix(taken.at, opened.at) && levelOfSource(taken.level) === levelOfSource(opened.level);
    if (place !== null && !isSame) void session.openModel(place, taken.window ?? undefined);
    else if (taken.window) session.setWindow(taken.window);
  };
  const closing =
    <T,>(act: (of: T) => void) =>
    (of: T): void => {
      onClose();
      act(of);
    };
  return {
    apply,
    take: closing(apply),
    takeExample: closing((id: string) => void session.openExample(id)),
    takeFound: closing((one: Found) => {
      if (one.kind === 'place') apply(one.choice);
      else if (one.kind === 'example') void session.openExample(one.id);
      else if (one.kind === 'link') void session.openRemote(one.reference, null);
      else openFile();
    }),
  };
}

/** A window is taken with its matrix. */
function levelOfSource(level: Level): Level {
  return level === 'window' ? 'matrix' : level;
}

/** What words in the search field mean, and which of it is active. */
function useSearch(models: readonly ModelShape[]) {
  const { gallery } = useApp();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const found = useMemo(() => search(query, models, gallery), [query, models, gallery]);
  const last = found.length - 1;
  return {
    query,
    found,
    active,
    isOn: query.trim() !== '',
    onQuery(words: string): void {
      setQuery(words);
      setActive(0);
    },
    /** What a key takes; null where it does nothing here. */
    onKey(key: string): Found | 'moved' | null {
      if (key === 'Enter') return found[active] ?? null;
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return null;
      const to = active + (key === 'ArrowDown' ? 1 : -1);
      setActive(to > last ? 0 : to < 0 ? Math.max(0, last) : to);
      return 'moved';
    },
  };
}

/** Where an option has the focus, the one that a key has chosen gets it. */
function useFollowingFocus(box: RefObject<HTMLElement | null>, choice: Choice): void {
  useEffect(() => {
    const focused = document.activeElement;
    if (!box.current?.contains(focused) || !focused?.matches('[role=option], [role=slider]')) return;
    const chosen = '[data-level] [aria-selected="true"], [data-level] [role="slider"]';
    box.current.querySelector<HTMLElement>(chosen)?.focus({ preventScroll: true });
  }, [box, choice]);
}

/** Shows a choice in the sentence as long as the chooser is there. */
function usePreview(choice: Choice | null): void {
  useEffect(() => {
    previewedCrumbs.setState(choice && crumbsOfChoice(choice), true);
  }, [choice]);
  useEffect(() => () => previewedCrumbs.setState(null, true), []);
}

interface HeadProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly searched: ReturnType<typeof useSearch>;
  readonly level: Level;
  readonly inList: boolean;
  readonly onLevel: (level: Level) => void;
  readonly onPanel: (panel: Panel) => void;
  readonly onClose: () => void;
}

/** The search field, the level, and where else a matrix may come from. */
function Head({ field, searched, level, inList, onLevel, onPanel, onClose }: HeadProps) {
  const { openFile } = useShell();
  const { query, found, active } = searched;
  return (
    <div className="chooser-head">
      <input
        ref={field}
        className="input chooser-search"
        type="search"
        aria-label="Search a model, a matrix, a file, a link"
        placeholder="a model, a matrix, a file, a link"
        autoComplete="off"
        spellCheck={false}
        value={query}
        {...(searched.isOn && {
          role: 'combobox',
          'aria-expanded': true,
          'aria-controls': 'chooser-found',
          'aria-activedescendant': found.length === 0 ? undefined : `chooser-found-${active}`,
        })}
        onChange={(event) => searched.onQuery(event.currentTarget.value)}
      />
      {!inList && (
        <Segmented<Level>
          label="level"
          value={level}
          options={LEVELS.map((one) => ({ value: one, label: one }))}
          onChange={onLevel}
        />
      )}
      <div className="chooser-buttons">
        {inList && (
          <button type="button" className="button" onClick={() => onPanel('examples')}>
            Examples
          </button>
        )}
        <button
          type="button"
          className="button"
          onClick={() => {
            onClose();
            openFile();
          }}
        >
          {inList ? 'File…' : 'Open file…'}
          {!inList && <kbd>{isApple() ? '⌘O' : 'Ctrl O'}</kbd>}
        </button>
        <button type="button" className="button" onClick={() => onPanel('web')}>
          Hugging Face…
        </button>
        <button type="button" className="button" onClick={() => onPanel('generate')}>
          Generate…
        </button>
      </div>
    </div>
  );
}

interface OpenPanelProps {
  readonly panel: Panel;
  readonly choice: Choice;
  readonly onBack: () => void;
  readonly onClose: () => void;
  readonly onExample: (id: string) => void;
  readonly onModel: (model: ModelShape) => void;
}

/** A form, or all examples, in place of the columns. */
function OpenPanel({ panel, choice, onBack, onClose, onExample, onModel }: OpenPanelProps) {
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

interface ColumnsProps {
  readonly models: readonly ModelShape[];
  readonly choice: Choice;
  readonly opened: Choice;
  readonly inList: boolean;
  readonly onChoose: (choice: Choice) => void;
  /** chosen while the pointer is down */
  readonly onDrag: (choice: Choice) => void;
  readonly onHover: (choice: Choice | null) => void;
  readonly onTake: () => void;
  readonly onConfig: () => void;
}

/** Model, layer, matrix and window; in a list only the one that is being chosen. */
function Columns({ models, choice, opened, inList, onChoose, onDrag, onHover, onTake, onConfig }: ColumnsProps) {
  const { level, at } = choice;
  const [tab, setTab] = useState(level);
  // Of no model, what there would be is shown, and nothing of it is chosen.
  const { at: shown } = at ? choice : withLevel(choice, 'model');
  const setWindow = useCallback(
    (window: NonNullable<Choice['window']>) => onChoose({ ...choice, level: 'window', window }),
    [choice, onChoose],
  );
  const looked = useLookedAt(choice, opened, setWindow);
  if (!shown) return null;
  const { model, matrix } = shown;
  const isHead = at !== null && matrix.layer === null;
  const columns: Readonly<Record<Level, { readonly title: string; readonly about: string; readonly body: ReactNode }>> =
    {
      model: {
        title: 'Model',
        about: 'dense, GB',
        body: (
          <>
            <ModelColumn
              models={models}
              model={at?.model ?? null}
              isLevel={level === 'model'}
              onChoose={(one) => onChoose(withModel(one))}
              onHover={(one) => onHover(one && withModel(one))}
              onTake={onTake}
            />
            <button type="button" className="text-button" onClick={onConfig}>
              another, by its config.json
            </button>
          </>
        ),
      },
      layer: {
        title: 'Layer',
        about: at === null ? '' : model.layers === 1 ? 'one' : `${model.layers} alike`,
        body: (
          <LayerColumn
            layers={model.layers}
            layer={at === null || level === 'model' || isHead ? null : matrix.layer}
            isLevel={level === 'layer'}
            onChoose={(layer) => onDrag(withLayer(choice, layer))}
            onRelease={(layer) => inList && onChoose(withLayer(choice, layer))}
            onHover={(layer) => onHover(layer === null ? null : withLayer(choice, layer))}
          />
        ),
      },
      matrix: {
        title: 'Matrix',
        about: at === null ? `of ${model.name}` : 'one block, to scale',
        body: (
          <MatrixColumn
            model={model}
            layer={matrix.layer ?? 0}
            chosen={at === null ? null : matrix}
            isLevel={level === 'matrix'}
            onChoose={(name) => onChoose(withMatrix(choice, name))}
            onHover={(name) => onHover(name && withMatrix(choice, name))}
            onTake={onTake}
          />
        ),
      },
      window: {
        title: 'Window',
        about: 'what Watch shows',
        body: looked && <WindowColumn of={looked} />,
      },
    };
  const values: Readonly<Record<Level, string>> = {
    model: at?.model.name ?? 'none',
    layer: at === null || level === 'model' ? 'all' : isHead ? 'none' : `${matrix.layer} of ${model.layers}`,
    matrix: at === null ? 'none' : level === 'model' || level === 'layer' ? 'all' : matrix.title,
    window: choice.window ? `${choice.window.rows} × ${choice.window.cols}` : 'any',
  };
  return (
    <>
      {inList && (
        <div className="chooser-levels" role="group" aria-label="Level">
          {LEVELS.map((one) => (
            <button
              key={one}
              type="button"
              className="chooser-level"
              aria-pressed={one === tab}
              onClick={() => setTab(one)}
            >
              <span>{one}</span>
              <b>{values[one]}</b>
            </button>
          ))}
        </div>
      )}
      <div className="chooser-columns">
        {LEVELS.filter((one) => !inList || one === tab).map((one) => (
          <div
            key={one}
            className={`chooser-column chooser-column--${one}`}
            role="group"
            aria-label={columns[one].title}
          >
            {!inList && (
              <h2 className="chooser-title">
                {columns[one].title} <span>{columns[one].about}</span>
              </h2>
            )}
            {columns[one].body}
          </div>
        ))}
      </div>
    </>
  );
}

interface FootProps {
  readonly choice: Choice;
  readonly isChanged: boolean;
  readonly inList: boolean;
  readonly onTake: () => void;
  readonly onWeb: () => void;
  readonly onClose: () => void;
}

/** What is chosen, whose weights it has, and which keys there are. */
function Foot({ choice, isChanged, inList, onTake, onWeb, onClose }: FootProps) {
  const { session } = useApp();
  const source = useDocument((doc) => baseOf(doc.source));
  const name = useSession((s) => s.summary?.name ?? null);
  const { at } = choice;
  const crumbs = crumbsOfChoice(choice);
  return (
    <div className="chooser-foot">
      <p className="chooser-weights">
        {at === null ? (
          name
        ) : (
          <>
            Stand-in weights: random ones of this shape, the same for everybody.{' '}
            <button type="button" className="text-button" onClick={onWeb}>
              Load the real ones of this matrix, {bytes(at.matrix.bytes)}
            </button>
          </>
        )}
        {at === null && 'tensor' in source && (
          <>
            {' '}
            <button
              type="button"
              className="text-button"
              aria-haspopup="dialog"
              onClick={() => {
                onClose();
                void session.browseTensors();
              }}
            >
              Other tensors of this file
            </button>
          </>
        )}
      </p>
      {!inList && (
        <p className="chooser-keys number" aria-hidden="true">
          <span>← → level</span>
          <span>↑ ↓ choice</span>
          <span>Enter take</span>
          <span>Esc leave as it was</span>
        </p>
      )}
      {isChanged && !inList && (
        <button type="button" className="button button--solid" onClick={onTake}>
          Take {crumbs ? crumbs.names.at(-1) : 'this window'}
        </button>
      )}
      <p className="unseen" role="status">
        {isChanged && crumbs ? `${crumbs.names.join(', ')}, ${crumbs.about ?? ''}` : ''}
      </p>
    </div>
  );
}
