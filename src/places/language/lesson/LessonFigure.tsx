import './lesson.css';
import { useMemo } from 'react';
import type { PlaceFigureProps } from '../../../kit/place-figures.ts';
import { useQuality } from '../../../kit/models/use-quality.ts';
import { lessonAddress } from './address.ts';
import { Compared } from './Compared.tsx';
import { Texts } from './Texts.tsx';

/** What a lesson shows of a model: what it writes, or how it compares with others. */
export function LessonFigure({ document, question, isAnswered, wide }: PlaceFigureProps) {
  const { model, compared } = useMemo(() => lessonAddress(document), [document]);
  const quality = useQuality(model);
  if (!quality) return <div className="lesson-models" aria-busy="true" />;
  const hidden = question !== null && !isAnswered;
  return (
    <div className="lesson-models">
      {compared ? (
        <Compared quality={quality} {...compared} hidden={hidden} isAsked={question !== null} wide={wide} />
      ) : (
        <Texts quality={quality} document={document} />
      )}
    </div>
  );
}
