import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { Scene } from '../../../core/story/scene.ts';
import { lazyPart, loadLater } from '../../../kit/browser/lazy-part.ts';
import { cssColorOf } from '../../../kit/format-color.ts';
import { StoryBoundary } from '../../../kit/frame/Boundary.tsx';
import type { Side } from '../sides.ts';
import { keepOpenFolds, openFolds } from './open-folds.ts';

const Bytes = lazyPart(async () => (await import('./Bytes.tsx')).Bytes);
const StepCode = lazyPart(async () => (await import('./StepCode.tsx')).StepCode);
const Size = lazyPart(async () => (await import('./Size.tsx')).Size);
const Tables = lazyPart(async () => (await import('./Tables.tsx')).Tables);
loadLater(() => import('../../../kit/stage/SceneTables.tsx'));

const FOLDS = [
  { id: 'bytes', title: 'bytes by purpose' },
  { id: 'step', title: 'this step in the encoder' },
  { id: 'size', title: 'size against density' },
  { id: 'tables', title: 'as tables' },
] as const;

type FoldId = (typeof FOLDS)[number]['id'];

interface FoldsProps {
  readonly sides: readonly Side[];
  readonly scene: Scene | null;
  readonly tools: ReactNode;
}

/** One line of what more there is to know, always in view; what is unfolded is below it. */
export function Folds({ sides, scene, tools }: FoldsProps) {
  const [open, setOpen] = useState<readonly FoldId[]>(() => openFolds(FOLDS.map(({ id }) => id)));
  const [unfolded, setUnfolded] = useState<FoldId | null>(null);
  const toggle = (id: FoldId): void => {
    const isOpen = open.includes(id);
    setUnfolded(isOpen ? null : id);
    const now = isOpen ? open.filter((other) => other !== id) : [...open, id];
    setOpen(now);
    keepOpenFolds(now);
  };
  const contents: Readonly<Record<FoldId, ReactNode>> = {
    bytes: <Bytes sides={sides} />,
    step: <StepCode sides={sides} />,
    size: <Size sides={sides} />,
    tables: <Tables scene={scene} />,
  };
  return (
    <>
      <div className="fold-line">
        <div className="fold-names">
          {FOLDS.map(({ id, title }) => (
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
      {FOLDS.filter(({ id }) => open.includes(id)).map(({ id, title }) => (
        <Fold key={id} id={id} title={title} isNew={unfolded === id}>
          {contents[id]}
        </Fold>
      ))}
    </>
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
