import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Scene } from '../../../core/story/scene.ts';
import { GROUP_FOLD } from '../../../papers/slidesparse/group-fold.ts';
import { type Choices, placeState, withPlace } from '../../../state/index.ts';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { ChoiceContext } from '../../../kit/browser/choices.ts';
import { lazyPart, loadLater } from '../../../kit/browser/lazy-part.ts';
import { cssColorOf } from '../../../kit/format-color.ts';
import { StoryBoundary } from '../../../kit/frame/Boundary.tsx';
import { WATCHING } from '../address.ts';
import type { Side } from '../sides.ts';

const KEY = 'sparsescope.folds';

/** Those of `ids` that were open when the page was left. */
function openFolds<Id extends string>(ids: readonly Id[]): readonly Id[] {
  try {
    const kept = localStorage.getItem(KEY)?.split(' ') ?? [];
    return ids.filter((id) => kept.includes(id));
  } catch {
    return [];
  }
}

/** Remembers them in this browser, where that is allowed. */
function keepOpenFolds(ids: readonly string[]): void {
  try {
    localStorage.setItem(KEY, ids.join(' '));
  } catch {
    // Blocked or full storage: they stay open until the page is left.
  }
}

const Bytes = lazyPart(async () => (await import('./Bytes.tsx')).Bytes);
const StepCode = lazyPart(async () => (await import('./StepCode.tsx')).StepCode);
const Size = lazyPart(async () => (await import('./Size.tsx')).Size);
const Tables = lazyPart(async () => (await import('./Tables.tsx')).Tables);
loadLater(() => import('../../../kit/stage/SceneTables.tsx'));

const AnyGroup = lazyPart(async () => (await import('../../../papers/slidesparse/AnyGroup.tsx')).AnyGroup);

/** What is unfolded is remembered in this browser; of the last one the address says it, since links lead to it. */
const FOLDS = [
  { id: 'bytes', title: 'bytes by purpose' },
  { id: 'step', title: 'this step in the encoder' },
  { id: 'size', title: 'size against density' },
  { id: 'tables', title: 'as tables' },
] as const;
const ALL_FOLDS = [...FOLDS, GROUP_FOLD] as const;

type FoldId = (typeof ALL_FOLDS)[number]['id'];

interface FoldsProps {
  readonly sides: readonly Side[];
  readonly scene: Scene | null;
  readonly tools: ReactNode;
}

/** One line of what more there is to know, always in view; what is unfolded is below it. */
export function Folds({ sides, scene, tools }: FoldsProps) {
  const { document } = useApp();
  const [kept, setKept] = useState<readonly FoldId[]>(() => openFolds(FOLDS.map(({ id }) => id)));
  const linked = useDocument((doc) => placeState(doc, WATCHING).fold);
  const open = linked === '' ? kept : [...kept, linked];
  const [unfolded, setUnfolded] = useState<FoldId | null>(linked === '' ? null : linked);
  const toggle = (id: FoldId): void => {
    const isOpen = open.includes(id);
    setUnfolded(isOpen ? null : id);
    if (id === GROUP_FOLD.id) {
      const doc = document.getState();
      document.setState(withPlace(doc, WATCHING, { ...placeState(doc, WATCHING), fold: isOpen ? '' : id }));
      return;
    }
    const now = isOpen ? kept.filter((other) => other !== id) : [...kept, id];
    setKept(now);
    keepOpenFolds(now);
  };
  const isOffered = linked !== '' || sides.some(({ format }) => format.id === GROUP_FOLD.format);
  const folds = isOffered ? ALL_FOLDS : FOLDS;
  const contents: Readonly<Record<FoldId, ReactNode>> = {
    bytes: <Bytes sides={sides} />,
    step: <StepCode sides={sides} />,
    size: <Size sides={sides} />,
    tables: <Tables scene={scene} />,
    group: <Group />,
  };
  return (
    <>
      <div className="fold-line">
        <div className="fold-names">
          {folds.map(({ id, title }) => (
            <button
              key={id}
              type="button"
              className="fold-name"
              aria-expanded={open.includes(id)}
              aria-controls={`fold-${id}`}
              onClick={() => toggle(id)}
            >
              {title}
            </button>
          ))}
        </div>
        {sides.length === 2 && <AloneLegend sides={sides} />}
        {tools}
      </div>
      {folds
        .filter(({ id }) => open.includes(id))
        .map(({ id, title }) => (
          <Fold key={id} id={id} title={title} isNew={unfolded === id}>
            {contents[id]}
          </Fold>
        ))}
    </>
  );
}

/** Sliding windows over a group of any pattern; what is chosen there is in the address. */
function Group() {
  const { document } = useApp();
  const texts = useDocument((doc) => placeState(doc, WATCHING).choices);
  const choose = useCallback(
    (changed: Choices): void => {
      const doc = document.getState();
      const state = placeState(doc, WATCHING);
      const choices = Object.fromEntries(
        Object.entries({ ...state.choices, ...changed }).filter(([, text]) => text !== ''),
      );
      if (JSON.stringify(choices) !== JSON.stringify(state.choices))
        document.setState(withPlace(doc, WATCHING, { ...state, choices }));
    },
    [document],
  );
  const context = useMemo(() => ({ texts, choose }), [texts, choose]);
  return (
    <ChoiceContext value={context}>
      <AnyGroup />
    </ChoiceContext>
  );
}

interface FoldProps {
  readonly id: FoldId;
  readonly title: string;
  /** it has just been unfolded by the person, who wants to see it */
  readonly isNew: boolean;
  readonly children: ReactNode;
}

function Fold({ id, title, isNew, children }: FoldProps) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isNew) element.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
  }, [isNew]);
  return (
    <section ref={element} id={`fold-${id}`} className="fold" data-fold={id} aria-label={title}>
      <h2 className="fold-title">{title}</h2>
      <StoryBoundary name={`The fold “${title}”`}>
        <Suspense fallback={<div className="fold-room" />}>
          <div className="fold-content">{children}</div>
        </Suspense>
      </StoryBoundary>
    </section>
  );
}

/** What the marks above and below the player's line are. */
function AloneLegend({ sides }: { readonly sides: readonly Side[] }) {
  return (
    <p className="alone-legend" aria-hidden="true">
      {sides.map(({ side, name, format }) => (
        <span key={side}>
          <svg viewBox="0 0 10 9" style={{ color: cssColorOf(format.id) }}>
            <path d={side === 'a' ? 'M5 0l5 9H0z' : 'M5 9L0 0h10z'} fill="currentColor" />
          </svg>{' '}
          {name} alone
        </span>
      ))}
    </p>
  );
}
