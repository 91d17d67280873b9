import './layers.css';
import { useShell } from '../../../../kit/frame/shell-context.ts';
import { AnswerHead } from '../../../../kit/frame/Answer.tsx';
import { modelExports } from '../../model/model-exports.ts';
import { answerWords } from '../../model/model-view.ts';
import { paramsText } from '../../model/model-words.ts';
import { leftText } from '../../../../kit/words/shares.ts';
import { LayerBars } from './LayerBars.tsx';
import type { FoldProps } from '../fold.ts';
import { WithModel } from './WithModel.tsx';

/** The model shape by shape: bytes, and times where they are known. */
export function LayersFold({ compared }: FoldProps) {
  const { theme } = useShell();
  return (
    <WithModel compared={compared}>
      {(shown) => {
        const { view, format, shownParams, title, device } = shown;
        const about = [
          view.model.name,
          `${leftText(view.storage.density)} left`,
          `${format.title}, ${paramsText(format, shownParams)}`,
          view.tokens === 1 ? 'one token at a time' : `a prompt of ${view.tokens} tokens`,
          ...(device === null ? [] : [device]),
        ].join(' · ');
        return (
          <>
            <AnswerHead about={about} words={answerWords(view, title)} exports={modelExports(shown, theme)} />
            <LayerBars {...shown} />
          </>
        );
      }}
    </WithModel>
  );
}
