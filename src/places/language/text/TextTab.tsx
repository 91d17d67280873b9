import './text.css';
import {
  type ComponentProps,
  startTransition,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { useWidth } from '../../../kit/browser/use-size.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { Segmented } from '../../../kit/controls/Segmented.tsx';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { AnswerLine } from '../../../kit/frame/AnswerLine.tsx';
import { useOwnRun } from '../../../kit/frame/shell-context.ts';
import { cssTextColorOf } from '../../../kit/format-color.ts';
import { leftText } from '../../../kit/words/shares.ts';
import { REFERENCE_FORMAT } from '../../../state/reference-format.ts';
import { isBrought } from '../../../theory/models/brought.ts';
import { Strip } from '../strip/Strip.tsx';
import { useStoredBytes } from '../strip/use-stored-bytes.ts';
import { densityOf, usualWay, withDensity } from '../subject.ts';
import type { TabProps } from '../tab.ts';
import { TabAside } from '../TabAside.tsx';
import { PLACE_FIELDS } from '../fields.ts';
import { useOwn } from '../use-own.ts';
import { usePrune } from '../use-pruning.ts';
import { TEXT_FIELDS } from './fields.ts';
import { FreePart, TintLegend } from './FreePart.tsx';
import { NotBegun, notBegunWords } from './NotBegun.tsx';
import { Prompt } from './Prompt.tsx';
import { Settings } from './Settings.tsx';
import { Side } from './Side.tsx';
import { brokenTokens, costliest, nextCostly, NO_TEXT } from './text.ts';
import { useTextKeys } from './text-keys.ts';
import { TokenLines } from './TokenLines.tsx';
import { useHeadline } from './use-headline.ts';
import { useMeasure } from './use-measure.ts';
import { useRequest } from './use-request.ts';
import { useWriting } from './use-writing.ts';

const NOT_BEGUN = { text: NO_TEXT, before: [], running: null, error: null } as const;

/** What the model writes, dense and pruned, with one pen; how far apart they are, and what that costs. */
export function TextTab({ subject, wide }: TabProps) {
  const { model, pruning } = subject;
  const { announce } = useApp();
  const writing = useWriting();
  const { request: shownRequest, ...state } = useStore(writing.store);
  // A text of another model says nothing of this one, which begins when somebody asks for it.
  const isBegun = !isBrought(model.id) || shownRequest?.model.id === model.id;
  const { text, before, running, error } = isBegun ? state : NOT_BEGUN;
  const [{ prompt, seed, temperature, mode, at }, choose] = useChoices(TEXT_FIELDS);
  const [{ by: calibration }, choosePlace] = useChoices(PLACE_FIELDS);
  const own = useOwn(subject);
  const prune = usePrune(subject);
  const density = densityOf(pruning);
  const [looked, setLooked] = useState<number | null>(null);
  const format = useDocument((doc) => doc.format);
  const against = useDocument((doc) => doc.against?.format ?? REFERENCE_FORMAT);

  const request = useRequest(subject, own, calibration);
  useEffect(() => {
    if (isBegun) void writing.write(request);
  }, [writing, request, isBegun]);

  // Encoding a whole model would keep the first text waiting.
  const stored = useStoredBytes(subject, own.matrices, calibration, !isBrought(model.id) || text.written !== null);
  const words = useHeadline(subject, own, calibration, useDeferredValue(text));
  const max = useMemo(() => costliest(text.held), [text.held]);
  const pinned = at >= 0 && at < Math.max(text.held.length, before.length) ? at : max;
  const shown = looked ?? pinned;
  const broken = useMemo(() => brokenTokens(text), [text]);

  const write = useCallback(() => void writing.write(request, true), [writing, request]);
  useOwnRun(write);
  const setDensity = (left: number): void => {
    const to = Math.min(1, Math.max(0.1, Math.round(100 * left) / 100));
    if (to !== density) prune(withDensity(pruning, to, usualWay(model)));
  };
  useTextKeys({
    stop: writing.stop,
    move: (by) => choose({ at: Math.min(text.held.length - 1, Math.max(0, pinned + by)) }),
    moveToCostly: (by) => choose({ at: nextCostly(text.held, pinned, by) }),
    toBroken: () => {
      if (broken) choose({ mode: 'free', at: Math.min(text.held.length - 1, broken.from) });
      else announce('No law is broken in this text');
    },
    toggleMode: () => choose({ mode: mode === 'held' ? 'free' : 'held' }),
    prune: (by) => setDensity(density + by),
  });
  const box = useRef<HTMLDivElement>(null);
  const measure = useMeasure(box);
  const width = useDeferredValue(useWidth(box));
  return (
    <div className="text-tab">
      <TabAside>
        <Settings seed={seed} temperature={temperature} onChange={choose} />
      </TabAside>
      <AnswerLine
        key={model.id}
        words={isBegun ? (running === null ? words : null) : notBegunWords(model.shape.name)}
        waiting={`${model.shape.name} is writing`}
        className="answer-line text-answer"
      />
      <div className="text-columns">
        <div className="text-main">
          <Prompt
            prompt={prompt}
            isWriting={running !== null}
            onWrite={(next) => {
              if (next === prompt) write();
              else choose({ prompt: next, at: -1 });
            }}
          />
          <div className="text-mode">
            <Segmented
              label="The pruned model"
              value={mode}
              options={[
                { value: 'held', label: wide ? 'held to the dense text' : 'held' },
                { value: 'free', label: wide ? 'let it run free' : 'free' },
              ]}
              onChange={(next) => choose({ mode: next })}
            />
          </div>
          <div className="text-legend" aria-hidden="true">
            <span>
              <Swatch format={against} /> dense
            </span>
            <span style={{ color: cssTextColorOf(format) }}>
              <Swatch format={format} /> <b>{legendText(own.words) ?? leftText(density)}</b>
            </span>
          </div>
          <div ref={box} className="text-lines">
            {!isBegun && <NotBegun config={model.shape} onWrite={write} />}
            {measure && width > 0 && (
              <TokenLines
                {...{ text, before, mode, pinned, broken, measure, isChosen: at >= 0 }}
                width={width - 4}
                onPin={(next) => choose({ at: next })}
                onLook={setLooked}
              />
            )}
          </div>
          {running !== null && running.progress !== null && text.dense.length === 0 && (
            <JobProgress job={running} onCancel={writing.stop} />
          )}
          {error !== null && (
            <p className="text-error" role="status">
              {error}
            </p>
          )}
          <div className="text-below">
            <FreePart text={text} mode={mode} />
            <TintLegend />
          </div>
        </div>
        <Side {...{ subject, stored, own, calibration, shown }} onCalibration={(text) => choosePlace({ by: text })} />
      </div>
      <LaterStrip isDue={width > 0} subject={subject} stored={stored} own={own} />
    </div>
  );
}

interface LaterStripProps extends ComponentProps<typeof Strip> {
  /** what is above it is laid out */
  readonly isDue: boolean;
}

/** Tab, lines and strip are drawn one after the other: all at once keeps a press waiting. Once drawn, the strip stays. */
function LaterStrip({ isDue, ...strip }: LaterStripProps) {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (isDue) startTransition(() => setDrawn(true));
  }, [isDue]);
  return isDrawn && <Strip {...strip} />;
}

/** Words that the margin of the text has room for; null where no matrix has choices of its own. */
function legendText(own: string | null): string | null {
  return own !== null && own.length > 8 ? 'own' : own;
}
