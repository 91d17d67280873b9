import { Suspense } from 'react';
import { useStore } from 'zustand';
import { counted, countText } from '../../core/text/words.ts';
import { lessons } from '../../lessons/index.ts';
import type { Lesson } from '../../lessons/lesson.ts';
import { type AppDocument, withPage } from '../../state/index.ts';
import { CLAIMS_ID, LEARN_FIELDS } from './address.ts';
import {
  answeredCount,
  nextLesson,
  NO_PROGRESS,
  type ProgressState,
  type ProgressStore,
  questionCount,
} from '../../lessons/progress.ts';
import { useApp } from '../../kit/app-context.ts';
import { AddressLink } from '../../kit/browser/AddressLink.tsx';
import { Swatch } from '../../kit/controls/Swatch.tsx';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { Drawer } from '../../kit/primitives/Boxes.tsx';
import { useCopyLink } from './copy-link.ts';
import { isQuestionSetDialogOpen } from './question-set-dialog.ts';
import { saveResults } from './LessonFrame.tsx';
import { defaultParams } from '../../core/format.ts';
import { expectedBytes } from '../../theory/expected-bytes.ts';
import { baselineFormat, firstFormat, referenceFormat } from '../../formats/catalog.ts';
import { Button, TextButton } from '../../kit/controls/Button.tsx';
import { classes } from '../../kit/primitives/classes.ts';

/** The layer whose bytes are drawn: its shape, density, and bits of a value. */
const SHAPE = { rows: 512, cols: 512 };
const DENSITY = 0.3;
const VALUE_BITS = 16;

const LEGEND = [
  ['weights', 'var(--values)'],
  ['zeros', 'var(--values-pale)'],
  ['positions', 'var(--indices)'],
] as const;

/** A small chart: the bytes of one layer in three formats, by closed forms for weights in random positions. */
function LayerBytes() {
  const cells = SHAPE.rows * SHAPE.cols;
  const weights = cells * DENSITY * VALUE_BITS;
  const sizes = [referenceFormat, baselineFormat, firstFormat].map((format) => {
    const bytes = expectedBytes({ format, params: defaultParams(format.params) }, DENSITY, SHAPE) ?? 0;
    return { format, bits: 8 * Math.round(bytes) };
  });
  const max = Math.max(...sizes.map(({ bits }) => bits)); // bounded: three formats
  return (
    <table className="my-6 w-full">
      <caption className="mb-2 text-start">
        <strong>Bytes of one layer</strong>
        <span className="float-end text-quiet text-12">
          {SHAPE.rows} × {SHAPE.cols}, {(1 - DENSITY) * 100} % zeros
        </span>
      </caption>
      <tbody>
        {sizes.map(({ format, bits }, i) => (
          <tr key={format.id}>
            <th className="w-16 text-muted text-12" scope="row">
              {format.title}
            </th>
            <td>
              <span className="my-[5px] flex h-3.5" aria-hidden="true">
                <span className="bytes--values" style={{ width: `${(100 * weights) / max}%` }} />
                <span
                  className={i === 0 ? 'bg-(--values-pale)' : 'bytes--indices'}
                  style={{ width: `${(100 * (bits - weights)) / max}%` }}
                />
              </span>
            </td>
            <td className="number w-16 ps-2">{countText(bits / 8000)} kB</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td />
          <td colSpan={2}>
            {LEGEND.map(([meaning, color]) => (
              <span key={meaning} className="me-3 inline-flex items-center gap-1 text-muted text-12">
                <Swatch color={color} /> {meaning}
              </span>
            ))}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

const ReadingGuides = lazyPart(async () => (await import('./ReadingGuides.tsx')).ReadingGuides);
const QuestionSetDialog = lazyPart(async () => (await import('./QuestionSetDialog.tsx')).QuestionSetDialog);

/** The list of lessons, with progress, an introduction, reading guides, and a button to make a question set. */
export function LessonIndex({
  progress,
  problem,
}: {
  readonly progress: ProgressStore;
  readonly problem: string | null;
}) {
  const isMakingSet = useStore(isQuestionSetDialogOpen);
  const progressState = useStore(progress.store);
  const next = nextLesson(lessons, progressState);
  const hasBegun = lessons.some(({ id }) => id in progressState); // not only a teacher's questions
  const minutes = lessons.reduce((sum, lesson) => sum + lesson.minutes, 0);
  return (
    <main
      className="learn grid grid-cols-[minmax(20rem,31%)_minmax(0,1fr)] max-lg:grid-cols-[minmax(0,1fr)] min-h-0 flex-1 overflow-x-hidden overflow-y-auto"
      id="content"
      tabIndex={-1}
    >
      <section
        className="px-10 py-6 max-lg:px-4 max-lg:pt-4 max-lg:pb-0 border-r border-hairline max-lg:border-0"
        aria-label="About the lessons"
      >
        <p className="text-muted text-12">Learn</p>
        <h2 className="text-[clamp(1.5rem,3.125vw,2rem)] font-[300] leading-[1.22] text-pretty mt-1">
          Leaving out zeros saves bytes only if the <strong>positions of the other weights</strong> take fewer bytes
          than the zeros.
        </h2>
        {problem !== null && (
          <p className="text-15 mt-4 text-danger" role="alert">
            Link: {problem}.
          </p>
        )}
        <p className="text-muted text-15 mt-4">
          {counted(lessons.length, 'lesson')}, {minutes} minutes.
        </p>
        <LayerBytes />
        <p className="learn-starts flex flex-wrap gap-3">
          <AddressLink
            className="button button--solid learn-start min-h-9 px-4"
            to={(doc) => withLesson(doc, next, progressState)}
          >
            {hasBegun ? `Go on with lesson ${next.order}` : 'Start'}: {next.title}
          </AddressLink>
          <Button className="min-h-9 px-4" onClick={() => isQuestionSetDialogOpen.setState(true, true)}>
            For teachers: make a question set
          </Button>
        </p>
      </section>
      <section className="px-8 pt-6 pb-8 max-lg:px-4" aria-label="Lessons">
        {/* Screen readers hear the same in every row. */}
        <p className="learn-lesson grid max-lg:hidden items-center relative text-muted text-12" aria-hidden="true">
          <span className="col-2">lesson</span>
          <span>afterwards you can</span>
          <span className="col-[5/-1]">questions answered</span>
        </p>
        <ol>
          {lessons.map((lesson) => (
            <LessonRow key={lesson.id} lesson={lesson} progress={progressState} isNext={lesson === next} />
          ))}
        </ol>
        <Totals progress={progress} progressState={progressState} />
        <p className="underlined text-12 mb-1">
          <AddressLink
            className="text-button"
            to={(doc) => withPage(doc, LEARN_FIELDS, { lesson: CLAIMS_ID, paragraph: 0 })}
          >
            Claims of the papers, and whether they hold here
          </AddressLink>
        </p>
        <Drawer title="The four papers, section by section">
          {() => (
            <Suspense fallback={null}>
              <ReadingGuides />
            </Suspense>
          )}
        </Drawer>
      </section>
      {isMakingSet && (
        <Suspense fallback={null}>
          <QuestionSetDialog onClose={() => isQuestionSetDialogOpen.setState(false, true)} />
        </Suspense>
      )}
    </main>
  );
}

/** The document with a lesson open, at the paragraph that was read last. */
function withLesson(doc: AppDocument, { id }: Lesson, progress: ProgressState): AppDocument {
  return withPage(doc, LEARN_FIELDS, { lesson: id, paragraph: progress[id]?.paragraph ?? 0 });
}

interface LessonRowProps {
  readonly lesson: Lesson;
  readonly progress: ProgressState;
  /** the one to go on with */
  readonly isNext: boolean;
}

function LessonRow({ lesson, progress, isNext }: LessonRowProps) {
  const copyLink = useCopyLink();
  const lessonProgress = progress[lesson.id] ?? NO_PROGRESS;
  const count = questionCount(lesson);
  const answered = answeredCount(lesson, lessonProgress);
  return (
    <li className="learn-lesson grid items-center relative min-h-20 py-3 max-lg:py-4">
      <span
        className={classes(
          'grid place-items-center max-lg:self-start w-6 h-6 text-12 font-semibold rounded-[50%]',
          answered === count
            ? 'border border-(--strong) bg-(--strong) text-on-strong'
            : isNext
              ? 'border-2 border-(--strong) text-ink'
              : 'border border-control-border text-muted',
        )}
        aria-hidden="true"
      >
        {lesson.order}
      </span>
      <div>
        <AddressLink
          className="hover:underline hover:underline-offset-[0.2em] text-15 font-semibold text-start cursor-pointer min-h-6"
          to={(doc) => withLesson(doc, lesson, progress)}
        >
          {lesson.title}
        </AddressLink>
      </div>
      <div className="max-lg:col-2">
        <p>
          <span className="text-quiet lg:sr-only">afterwards you can </span>
          {lesson.afterwards}
        </p>
        <p className="text-muted text-12">before: {lesson.needs}</p>
      </div>
      <p className="max-lg:row-1 max-lg:col-3 max-lg:self-start text-end number">{lesson.minutes} min</p>
      <p className="max-lg:col-2 max-lg:flex max-lg:gap-2 max-lg:items-center">
        <span className="flex gap-0.5 mb-1 max-lg:mb-0" aria-hidden="true">
          {Array.from({ length: count }, (_, i) => (
            <span
              className="w-2.5 h-[5px] rounded-[2px] bg-track data-answered:bg-(--strong)"
              key={i}
              data-answered={i < answered || undefined}
            />
          ))}
        </span>
        <span className="number">
          {answered} of {count}
        </span>
        <span className="unseen"> questions answered</span>
      </p>
      <TextButton
        aria-label={`Copy the link of ${lesson.title}`}
        onClick={() => copyLink({ lesson: lesson.id, paragraph: 0, set: '' })}
      >
        link
      </TextButton>
    </li>
  );
}

interface TotalsProps {
  readonly progress: ProgressStore;
  readonly progressState: ProgressState;
}

/** The questions answered in all lessons, and buttons that delete and save the answers. */
function Totals({ progress, progressState }: TotalsProps) {
  const { announce } = useApp();
  const count = lessons.reduce((sum, lesson) => sum + questionCount(lesson), 0);
  const answered = lessons.reduce(
    (sum, lesson) => sum + answeredCount(lesson, progressState[lesson.id] ?? NO_PROGRESS),
    0,
  );
  return (
    <p className="learn-totals flex flex-wrap items-baseline justify-end gap-y-1 gap-x-4 text-muted text-12 mt-6 mb-3">
      <span>
        <b className="text-ink">
          {answered} of {count}
        </b>{' '}
        questions answered, on this device
      </span>
      <TextButton
        onClick={() => {
          progress.forget();
          announce('Your answers are deleted.');
        }}
      >
        delete your answers
      </TextButton>
      <TextButton onClick={() => saveResults('sparsescope-lessons.csv', lessons, progressState)}>
        save your answers
      </TextButton>
    </p>
  );
}
