import { useStore } from 'zustand';
import { lessons } from '../../lessons/index.ts';
import type { Lesson } from '../../lessons/lesson.ts';
import { withPlace, placeState } from '../../state/index.ts';
import { LEARN_FIELDS } from './address.ts';
import { NO_PROGRESS, type Progress } from '../../lessons/progress.ts';
import { useApp } from '../../kit/app-context.ts';
import { AddressLink } from '../../kit/browser/AddressLink.tsx';
import { Icon } from '../../kit/controls/Icon.tsx';
import { useCopyLink } from './copy-link.ts';
import { saveResults } from './save-results.ts';
import { TextButton } from '../../kit/controls/Button.tsx';

/** Number of questions in a lesson. */
export function questionCount({ blocks }: Lesson): number {
  return blocks.filter(({ kind }) => kind === 'prediction').length;
}

/** Number of questions answered on this device. */
export function answeredOf(
  lesson: Lesson,
  { answers }: { readonly answers: Readonly<Record<string, unknown>> },
): number {
  return lesson.blocks.filter((block) => block.kind === 'prediction' && block.key in answers).length;
}

function useAnswered(lesson: Lesson, progress: Progress): number {
  return useStore(progress.store, (all) => answeredOf(lesson, all[lesson.id] ?? NO_PROGRESS));
}

/** Above the text: a link back to the list, the lesson's name, and its link. */
export function LessonHead({
  lesson,
  progress,
  wide,
}: {
  readonly lesson: Lesson;
  readonly progress: Progress;
  readonly wide: boolean;
}) {
  const { document } = useApp();
  const answered = useAnswered(lesson, progress);
  const copyLink = useCopyLink();
  // On narrow screens it replaces the page's header.
  const Name = wide ? 'p' : 'h1';
  return (
    <div className="lesson-head flex items-baseline gap-4">
      <AddressLink
        className="text-button lesson-back inline-flex items-center gap-1"
        to={(doc) => withPlace(doc, LEARN_FIELDS, {})}
      >
        <Icon name="left" /> {wide ? 'Learn' : <span className="unseen">Learn</span>}
      </AddressLink>
      <Name className="min-w-0 grow">
        <strong>{lesson.order === 0 ? lesson.title : `${lesson.order} · ${lesson.title}`}</strong>
      </Name>
      {!wide && (
        <p className="lesson-count quiet size-12 nowrap">
          questions <b>{answered}</b> of {questionCount(lesson)}
        </p>
      )}
      <TextButton onClick={() => copyLink(placeState(document.getState(), LEARN_FIELDS))}>copy link</TextButton>
      {lesson.order === 0 && (
        <TextButton onClick={() => saveResults('sparsescope-set.csv', [lesson], progress.store.getState())}>
          save results
        </TextButton>
      )}
      {wide && <TextButton onClick={() => window.print()}>print</TextButton>}
    </div>
  );
}

/** Below the text: reading progress, and the previous and next lesson. */
export function LessonFoot({
  lesson,
  current,
  progress,
}: {
  readonly lesson: Lesson;
  readonly current: number;
  readonly progress: Progress;
}) {
  const answered = useAnswered(lesson, progress);
  const at = lessons.indexOf(lesson);
  // Readers who reach the folded cards have read the lesson.
  const blocks = lesson.blocks.filter(({ more }) => more === null);
  const more = lesson.blocks[current - 1].more;
  return (
    <nav className="lesson-foot stack items-center gap-3 relative line-above" aria-label="Lessons">
      <div
        className="lesson-read flex gap-half absolute"
        role="img"
        aria-label={more === null ? `paragraph ${current} of ${blocks.length}` : `read; ${more}`}
      >
        {blocks.map(({ n, kind }) => (
          <span className="grow track" key={n} data-read={n <= current || undefined} data-kind={kind} />
        ))}
      </div>
      <Neighbour lesson={at < 0 ? undefined : lessons[at - 1]} direction="left" />
      <p className="lesson-count quiet size-12 nowrap">
        questions <b>{answered}</b> of {questionCount(lesson)}
      </p>
      <Neighbour lesson={at < 0 ? undefined : lessons[at + 1]} direction="right" />
    </nav>
  );
}

function Neighbour({
  lesson,
  direction,
}: {
  readonly lesson: Lesson | undefined;
  readonly direction: 'left' | 'right';
}) {
  if (!lesson) return <span />;
  return (
    <AddressLink
      className={`lesson-neighbour min-h-11 flex items-center gap-3 pointer ${direction === 'right' ? 'justify-end text-end' : 'text-start'}`}
      to={(doc) => withPlace(doc, LEARN_FIELDS, { lesson: lesson.id })}
    >
      {direction === 'left' && <Icon name="left" />}
      <span>
        <span className="unseen">{direction === 'left' ? 'Previous' : 'Next'} lesson: </span>
        <strong className="as-block">{lesson.title}</strong>
        <span className="lesson-neighbour-about as-block quiet size-12">
          lesson {lesson.order}, {lesson.minutes} min
        </span>
      </span>
      {direction === 'right' && <Icon name="right" />}
    </AddressLink>
  );
}
