import './quality.css';
import { useMemo } from 'react';
import { counted } from '../../../core/story/words.ts';
import { AnswerLine } from '../../../kit/frame/AnswerLine.tsx';
import { isBrought } from '../../../theory/models/brought.ts';
import { OwnQuality } from '../bring/OwnQuality.tsx';
import type { TabProps } from '../tab.ts';
import { TabAside } from '../TabAside.tsx';
import { qualityAnswer } from './answer.ts';
import { denseOf } from './points.ts';
import { QualityCharts } from './QualityCharts.tsx';
import { useKnownQuality } from './use-points.ts';

/** How good the model is, for every way to prune and to store it. */
export function QualityTab({ subject }: TabProps) {
  return isBrought(subject.model.id) ? <OwnQuality subject={subject} /> : <TalesQuality subject={subject} />;
}

/** The same of a model that comes with the page, over many tales. */
function TalesQuality({ subject }: Pick<TabProps, 'subject'>) {
  const known = useKnownQuality(subject);
  const { recorded, mine, points, bytesPerTale, floor } = known;
  const words = useMemo(() => qualityAnswer(points, bytesPerTale), [points, bytesPerTale]);
  const dense = denseOf(points);
  const tales = recorded?.tales ?? dense?.tales;
  return (
    <div className="quality-tab">
      <TabAside>
        {tales !== undefined && (
          <span className="quality-aside">
            {counted(tales, 'held-out tale')}, {Math.round((tales * bytesPerTale) / 1000)} kB,{' '}
            {recorded ? 'recorded' : 'measured here'}
          </span>
        )}
        {floor !== null && (
          <span className="quality-aside">
            floor <span className="number">{floor.toFixed(4)}</span>
          </span>
        )}
        {dense && dense.judged > 0 && <span className="quality-aside">judged {dense.judged} tales per point</span>}
      </TabAside>
      <AnswerLine
        words={words}
        waiting={`How good the model is, for every way to prune it: ${mine?.running ? 'being measured' : 'not measured yet'}`}
        className="answer-line quality-answer"
      />
      <QualityCharts subject={subject} known={known} />
    </div>
  );
}
