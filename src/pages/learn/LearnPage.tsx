import '../../kit/styles/greek.css';
import './lesson-index.css';
import './lesson.css';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { clip } from '../../core/bounds/quote.ts';
import { messageOf } from '../../core/error-messages.ts';
import { lessons } from '../../lessons/index.ts';
import type { Lesson } from '../../lessons/lesson.ts';
import { readQuestionSet, SET_LESSON, linkedFormatsIn } from '../../lessons/question-set.ts';
import { type Catalog, pageState } from '../../state/index.ts';
import { CLAIMS_ID, LEARN_FIELDS } from './address.ts';
import { createProgress } from '../../lessons/progress.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { openWithProvider } from '../../kit/format-provider.ts';
import { LessonIndex } from './LessonIndex.tsx';
import { LessonPage } from './LessonPage.tsx';

/** The answers to questions, stored in this browser: one store for all lessons. */
const progress = createProgress(() => window.localStorage);

const Claims = lazyPart(async () => (await import('./Claims.tsx')).Claims);

/** The page Learn: the list of lessons, or the lesson, the set of questions or the list of claims in the address. */
export function LearnPage({ isWide }: { readonly isWide: boolean }) {
  const { catalog } = useApp();
  const lessonId = useDocument((doc) => pageState(doc, LEARN_FIELDS).lesson);
  const set = useDocument((doc) => pageState(doc, LEARN_FIELDS).set);
  const isOpening = useOpeningFormats(lessonId === SET_LESSON ? set : '');
  // A set of questions is read once its formats have been opened, or dismissed.
  const { lesson, problem } = useMemo(
    () => (isOpening ? { lesson: null, problem: null } : lessonOf(lessonId, set, catalog)),
    [lessonId, set, catalog, isOpening],
  );
  const [tries, setTries] = useState(0);
  if (isOpening) return <p className="text-quiet">Opening the formats of these questions …</p>;
  if (lessonId === CLAIMS_ID) {
    return (
      <Suspense fallback={null}>
        <Claims />
      </Suspense>
    );
  }
  if (!lesson) return <LessonIndex progress={progress} problem={problem} />;
  return (
    <LessonPage
      key={`${lesson.id} ${tries}`}
      lesson={lesson}
      isWide={isWide}
      progress={progress}
      onRetry={() => setTries(tries + 1)}
    />
  );
}

/** Opens the user-written formats of a set of questions; true until they are opened or dismissed. */
function useOpeningFormats(set: string): boolean {
  const app = useApp();
  const { catalog } = app;
  const linked = useMemo(() => linkedFormatsIn(set, catalog), [set, catalog]);
  const [opened, setOpened] = useState<typeof linked | null>(null);
  useEffect(() => {
    if (linked.length === 0) return;
    let isCurrent = true;
    const open = async (): Promise<void> => {
      const problems = await openWithProvider(app, linked);
      app.session.store.setState((state) => ({ problems: [...state.problems, ...problems] }));
      if (isCurrent) setOpened(linked);
    };
    void open();
    return () => {
      isCurrent = false;
    };
  }, [app, linked]);
  return linked.length > 0 && opened !== linked;
}

interface LessonOrProblem {
  readonly lesson: Lesson | null;
  /** why there is no lesson, although the address names one */
  readonly problem: string | null;
}

function lessonOf(id: string, set: string, catalog: Catalog): LessonOrProblem {
  if (id === SET_LESSON) {
    try {
      return { lesson: readQuestionSet(set, catalog), problem: null };
    } catch (error) {
      return { lesson: null, problem: messageOf(error) };
    }
  }
  const lesson = lessons.find((listed) => listed.id === id) ?? null;
  return { lesson, problem: lesson || id === '' ? null : `found no lesson ‘${clip(id)}’` };
}
