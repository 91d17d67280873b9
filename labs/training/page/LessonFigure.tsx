import { useMemo } from 'react';
import type { PageFigureProps } from '../../../src/kit/page-parts.ts';
import { Curves } from './Curves.tsx';
import { runOfFigure, visiblePoints } from './lesson-figures.ts';
import { pointWords, testWords } from './run-words.ts';

/** A lesson's figure: the curves of a recorded training run; until its question is answered, only their beginning. */
export function LessonFigure({ document, question, isAnswered }: PageFigureProps) {
  const run = useMemo(() => runOfFigure(document), [document]);
  const openQuestion = isAnswered ? null : question;
  const points = useMemo(() => visiblePoints(run, openQuestion), [run, openQuestion]);
  const last = points.at(-1);
  const words = openQuestion === null ? testWords(run.settings, run.test) : last ? pointWords(last) : null;
  return (
    <div className="grid content-start gap-3 py-4">
      <p className="text-muted text-13">
        {words === null ? 'The curves come with your answer.' : words.map(({ text }) => text).join('')}
      </p>
      <Curves points={points} background={NO_POINTS} l1Changes={run.settings.l1Changes} isShort />
    </div>
  );
}

/** A constant array, so that the chart does not see a new value in each render. */
const NO_POINTS: never[] = [];
