import './learn.css';
import { useState } from 'react';
import { lessons } from '../../lessons/index.ts';
import { createProgress } from '../../state/progress.ts';
import { useDocument } from '../app-context.ts';
import { LessonIndex } from './LessonIndex.tsx';
import { LessonPage } from './LessonPage.tsx';

/** One for the life of the page: what was answered in one lesson is there when another is open. */
const progress = createProgress(() => window.localStorage);

/** The list of lessons, or the one that the address names. */
export function LearnPage({ wide }: { readonly wide: boolean }) {
  const asked = useDocument((doc) => doc.learning.lesson);
  const lesson = lessons.find(({ id }) => id === asked);
  // A lesson is another page, with a stage of its own.
  const [tries, setTries] = useState(0);
  if (!lesson) return <LessonIndex progress={progress} unknown={asked === '' ? null : asked} />;
  return (
    <LessonPage
      key={`${lesson.id} ${tries}`}
      lesson={lesson}
      wide={wide}
      progress={progress}
      onRetry={() => setTries(tries + 1)}
    />
  );
}
