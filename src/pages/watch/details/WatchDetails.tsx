import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import type { Scene } from '../../../story/scene.ts';
import { GROUP_DETAILS } from '../../../papers/slidesparse/group-details.ts';
import { storedText, storeText, pageState, withPage } from '../../../state/index.ts';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { PageChoices } from '../../../kit/browser/PageChoices.tsx';
import { lazyPart, registerPart } from '../../../kit/browser/lazy-part.ts';
import { Details } from '../../../kit/frame/Details.tsx';
import { WATCH_FIELDS } from '../address.ts';
import type { Side } from '../use-sides.ts';

/** Classes of a section's content: as many columns of readable width as fit. */
const CONTENT =
  'details-content grid grid-cols-[repeat(auto-fit,minmax(min(24rem,100%),1fr))] items-start gap-y-6 gap-x-8 *:min-w-0 *:max-w-[40rem]';
/** The key under which the browser stores the open sections. */
const STORAGE_KEY = 'sparsescope.folds';

/** The ids of the details sections that were open when the page was left. */
function openDetails<Id extends string>(ids: readonly Id[]): readonly Id[] {
  const stored = storedText(() => localStorage, STORAGE_KEY)?.split(' ') ?? [];
  return ids.filter((id) => stored.includes(id));
}

const Bytes = lazyPart(async () => (await import('./Bytes.tsx')).Bytes);
const StepCode = lazyPart(async () => (await import('./StepCode.tsx')).StepCode);
const Tables = lazyPart(async () => (await import('./Tables.tsx')).Tables);
// The build puts this into a separate file, since lessons draw tables, too.
registerPart(() => import('../../../kit/stage/SceneTables.tsx'));

// SlideSparse's details section: its windows for groups of any number of columns.
const AnyGroup = lazyPart(async () => (await import('../../../papers/slidesparse/AnyGroup.tsx')).AnyGroup);

/** The details sections of every format. The browser stores which are open; for SlideSparse's, the address does. */
export const DETAILS = [
  { id: 'bytes', title: 'bytes by purpose' },
  { id: 'step', title: 'this step in the encoder' },
  { id: 'tables', title: 'tables' },
] as const;
const ALL_DETAILS = [...DETAILS, GROUP_DETAILS] as const;

type DetailsId = (typeof ALL_DETAILS)[number]['id'];

interface DetailsProps {
  /** the visible formats: A, or A and B */
  readonly sides: readonly Side[];
  readonly scene: Scene | null;
  readonly tools: ReactNode;
}

/** The details sections of Watch: a line of titles below the animation, with `tools` at its end, and the open sections. */
export function WatchDetails({ sides, scene, tools }: DetailsProps) {
  const { document, player } = useApp();
  const [storedOpen, setStoredOpen] = useState<readonly DetailsId[]>(() => openDetails(DETAILS.map(({ id }) => id)));
  const linked = useDocument((doc) => pageState(doc, WATCH_FIELDS).fold);
  const step = useStore(player.store, (s) => s.step);
  const format = useDocument((doc) => doc.format);
  const open = linked === '' ? storedOpen : [...storedOpen, linked];
  const onOpen = (now: readonly DetailsId[]): void => {
    const section = now.find((id) => id === GROUP_DETAILS.id) ?? '';
    if (section !== linked) {
      const doc = document.getState();
      document.setState(withPage(doc, WATCH_FIELDS, { ...pageState(doc, WATCH_FIELDS), fold: section }));
    }
    const others = now.filter((id) => id !== GROUP_DETAILS.id);
    setStoredOpen(others);
    storeText(() => localStorage, STORAGE_KEY, others.join(' '));
  };
  const hasGroupDetails = linked !== '' || sides.some(({ format: { id } }) => id === GROUP_DETAILS.format);
  const contents: Readonly<Record<DetailsId, ReactNode>> = {
    bytes: <Bytes sides={sides} />,
    step: <StepCode sides={sides} />,
    tables: <Tables scene={scene} />,
    group: (
      <PageChoices page={WATCH_FIELDS}>
        <AnyGroup />
      </PageChoices>
    ),
  };
  const sections = (hasGroupDetails ? ALL_DETAILS : DETAILS).map(({ id, title }) => ({
    id,
    title,
    content: <div className={CONTENT}>{contents[id]}</div>,
  }));
  return (
    <Details
      sections={sections}
      open={open}
      onOpen={onOpen}
      {...(linked !== '' && { linked })}
      resetKey={`${format} ${step}`}
      aside={tools}
    />
  );
}
