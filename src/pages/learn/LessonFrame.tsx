import { useStore } from 'zustand';
import { lessons } from '../../lessons/index.ts';
import type { Lesson } from '../../lessons/lesson.ts';
import { withPage, pageState } from '../../state/index.ts';
import { LEARN_FIELDS } from './address.ts';
import {
  answeredCount,
  answersCsv,
  NO_PROGRESS,
  type ProgressState,
  type ProgressStore,
  questionCount,
} from '../../lessons/progress.ts';
import { useApp } from '../../kit/app-context.ts';
import { AddressLink } from '../../kit/browser/AddressLink.tsx';
import { saveText } from '../../kit/browser/save-blob.ts';
import { Icon } from '../../kit/controls/Icon.tsx';
import { useCopyLink } from './copy-link.ts';
import { TextButton } from '../../kit/controls/Button.tsx';

/** Properties of `LessonHead` and `LessonFoot`, above and below the text of a lesson. */
interface LessonFrameProps {
  readonly lesson: Lesson;
  readonly progress: ProgressStore;
}

/** Downloads the answers to these lessons. Nothing is sent anywhere. */
export function saveResults(name: string, answered: readonly Lesson[], progress: ProgressState): void {
  saveText(name, answersCsv(answered, progress), 'text/csv');
}

function useAnswered(lesson: Lesson, progress: ProgressStore): number {
  return useStore(progress.store, (all) => answeredCount(lesson, all[lesson.id] ?? NO_PROGRESS));
}

/** Above the text of a lesson: a link to the list, the lesson's name, and buttons to copy its link and to print it. */
export function LessonHead({ lesson, progress, wide }: LessonFrameProps & { readonly wide: boolean }) {
  const { document } = useApp();
  const answered = useAnswered(lesson, progress);
  const copyLink = useCopyLink();
  const isSet = lesson.order === 0; // a teacher's questions, which have no number and whose answers can be saved
  // On narrow screens it replaces the page's header.
  const Name = wide ? 'p' : 'h1';
  return (
    <div className="lesson-head flex items-baseline gap-4 max-lg:gap-3 px-10 max-lg:px-3 pt-3 pb-2">
      <AddressLink
        className="text-button [&>.icon]:size-3 inline-flex items-center gap-1"
        to={(doc) => withPage(doc, LEARN_FIELDS, {})}
      >
        <Icon name="left" /> {wide ? 'Learn' : <span className="unseen">Learn</span>}
      </AddressLink>
      <Name className="min-w-0 flex-1">
        <strong>{isSet ? lesson.title : `${lesson.order} · ${lesson.title}`}</strong>
      </Name>
      {!wide && (
        <p className="text-muted text-12 whitespace-nowrap">
          questions <b>{answered}</b> of {questionCount(lesson)}
        </p>
      )}
      <TextButton onClick={() => copyLink(pageState(document.getState(), LEARN_FIELDS))}>copy link</TextButton>
      {isSet && (
        <TextButton onClick={() => saveResults('sparsescope-set.csv', [lesson], progress.store.getState())}>
          save results
        </TextButton>
      )}
      {wide && <TextButton onClick={() => window.print()}>print</TextButton>}
    </div>
  );
}

/** Below the text of a lesson: how much has been read and answered, and the previous and the next lesson. */
export function LessonFoot({ lesson, current, progress }: LessonFrameProps & { readonly current: number }) {
  const answered = useAnswered(lesson, progress);
  const at = lessons.indexOf(lesson);
  // In the appendix, below the lesson, a reader has read the lesson.
  const blocks = lesson.blocks.filter(({ appendixTitle }) => appendixTitle === null);
  const { appendixTitle } = lesson.blocks[current - 1];
  return (
    <nav
      className="lesson-foot grid grid-cols-[1fr_auto_1fr] max-lg:grid-cols-[1fr_1fr] items-center gap-3 relative min-h-17 max-lg:min-h-12 px-8 max-xl:px-4 max-lg:px-3 py-2 max-lg:py-0.5 border-t border-hairline"
      aria-label="Lessons"
    >
      <div
        className="-top-0.5 inset-x-0 h-[3px] flex gap-0.5 absolute"
        role="img"
        aria-label={appendixTitle === null ? `paragraph ${current} of ${blocks.length}` : `read; ${appendixTitle}`}
      >
        {blocks.map(({ n, kind }) => (
          <span
            className="flex-1 bg-track data-read:bg-(--strong)"
            key={n}
            data-read={n <= current || undefined}
            data-kind={kind}
          />
        ))}
      </div>
      <Neighbour lesson={at < 0 ? undefined : lessons[at - 1]} direction="left" />
      <p className="max-lg:hidden text-muted text-12 whitespace-nowrap">
        questions <b>{answered}</b> of {questionCount(lesson)}
      </p>
      <Neighbour lesson={at < 0 ? undefined : lessons[at + 1]} direction="right" />
    </nav>
  );
}

interface NeighbourProps {
  readonly lesson: Lesson | undefined;
  readonly direction: 'left' | 'right';
}

/** A link to the previous or the next lesson. */
function Neighbour({ lesson, direction }: NeighbourProps) {
  if (!lesson) return <span />;
  return (
    <AddressLink
      className={`lesson-neighbour min-h-11 flex items-center gap-3 cursor-pointer ${direction === 'right' ? 'justify-end text-end' : 'text-start'}`}
      to={(doc) => withPage(doc, LEARN_FIELDS, { lesson: lesson.id })}
    >
      {direction === 'left' && <Icon name="left" />}
      <span>
        <span className="unseen">{direction === 'left' ? 'Previous' : 'Next'} lesson: </span>
        <strong className="block">{lesson.title}</strong>
        <span className="block max-xl:hidden text-muted text-12">
          lesson {lesson.order}, {lesson.minutes} min
        </span>
      </span>
      {direction === 'right' && <Icon name="right" />}
    </AddressLink>
  );
}
