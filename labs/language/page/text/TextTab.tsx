// The tab Text: a prompt, the dense model's text, and the pruned model's reading of it or its own text.

import './text.css';
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useApp, useDocument } from '../../../../src/kit/app-context.ts';
import { cssTextColorOf } from '../../../../src/kit/format-color.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { useChoices } from '../../../../src/kit/browser/choices.ts';
import { useWidth } from '../../../../src/kit/browser/use-width.ts';
import { Button } from '../../../../src/kit/controls/Button.tsx';
import { JobError } from '../JobError.tsx';
import { JobProgress } from '../../../../src/kit/controls/JobProgress.tsx';
import { Segmented } from '../../../../src/kit/controls/Segmented.tsx';
import { AnswerLine } from '../../../../src/kit/frame/AnswerLine.tsx';
import { useUserRun } from '../../../../src/kit/frame/shell-context.ts';
import { isImported } from '../../theory/imported.ts';
import { densityOf, type LanguageModelChoice, defaultMethod, withDensity } from '../model-choice.ts';
import type { TabProps } from '../tab.ts';
import { SHARED_FIELDS } from '../fields.ts';
import { type ModelOverrides, useMatrixOverrides } from '../use-matrix-overrides.ts';
import { usePrune } from '../use-change-model.ts';
import { LONGEST_PROMPT, MAX_WRITTEN_BROUGHT, TEXT_FIELDS } from './fields.ts';
import { BothTexts } from './BothTexts.tsx';
import { BrokenLaw } from './OwnTextExcerpt.tsx';
import { TintLegend } from './TintLegend.tsx';
import { TextSide } from './TextSide.tsx';
import { TextDetails } from './TextDetails.tsx';
import { brokenTokens, type TextPair } from './text-pair.ts';
import { costliest, nextCostly } from './lost-bits.ts';
import { TokenLines } from './TokenLines.tsx';
import { useTextWidth } from './use-text-width.ts';
import { useWriteRequest, useWriting } from './use-writing.ts';
import type { Words } from '../../../../src/core/text/words.ts';
import { say, strong } from '../../../../src/core/text/words.ts';
import { currentFigures, useMeasuredPruning } from '../use-measured-pruning.ts';
import { headline, unfinishedText, writingText } from './headline.ts';
import { bindShortcuts, isApple } from '../../../../src/kit/shortcuts.ts';
import { UserPruning } from '../bring/UserPruning.tsx';
import { DensityCurve } from '../curve/DensityCurve.tsx';
import { QUALITY_TITLE } from '../quality/quality-words.ts';

/** The least density that the keys set. */
const MIN_DENSITY = 0.1;

/** The tab Text: a prompt, the dense model's text, and how the pruned model reads this text or writes another. */
export function TextTab({ modelChoice, isWide }: TabProps) {
  const { model, pruning } = modelChoice;
  const { announce } = useApp();
  const format = useDocument((doc) => doc.format);
  const [{ prompt, mode, at: chosenPosition }, choose] = useChoices(TEXT_FIELDS);
  const [{ by: calibration }] = useChoices(SHARED_FIELDS);
  const overrides = useMatrixOverrides(modelChoice);
  const prune = usePrune(modelChoice);
  const density = densityOf(pruning);
  const [hoveredPosition, setHovered] = useState<number | null>(null);

  const writing = useWriting(useWriteRequest(modelChoice, overrides, calibration));
  const { isBegun, text, before, running: job, error, write, stop } = writing;
  const { readTokens } = text;

  const visibleDensity = overrides.words === null ? density : Math.round(100 * overrides.density) / 100;
  const waitingText = writingText(visibleDensity, overrides.words, model.shape.name);
  const words = useHeadline(modelChoice, overrides, visibleDensity, calibration, useDeferredValue(text));
  // `mode`, from the address. 'held': the pruned model reads the dense model's text, and the tab shows how well it predicts
  // each token. 'free': it writes its own text, which first differs from the dense text at `firstDifference`, or nowhere (-1).
  const firstDifference = mode === 'free' ? (text.free?.firstDifference ?? -1) : -1;
  const defaultPosition = useMemo(() => defaultPositionOf(readTokens, firstDifference), [readTokens, firstDifference]);
  const pinned =
    chosenPosition >= 0 && chosenPosition < Math.max(readTokens.length, before.length)
      ? chosenPosition
      : defaultPosition;
  const visiblePosition = hoveredPosition ?? pinned;
  const brokenRange = useMemo(() => brokenTokens(text), [text]);

  // The page's button Run and Ctrl+Enter write the text too.
  useUserRun(write);
  const setDensity = (requested: number): void => {
    const newDensity = Math.min(1, Math.max(MIN_DENSITY, Math.round(100 * requested) / 100));
    if (newDensity !== density) prune(withDensity(pruning, newDensity, defaultMethod(model)));
  };
  useTextKeys({
    stop,
    move: (steps) => choose({ mode: 'held', at: Math.min(readTokens.length - 1, Math.max(0, pinned + steps)) }),
    moveToCostly: (steps) => choose({ mode: 'held', at: nextCostly(readTokens, pinned, steps) }),
    toBroken: () => {
      if (brokenRange) choose({ mode: 'free', at: Math.min(readTokens.length - 1, brokenRange.from) });
      else announce('No law is broken.');
    },
    toggleMode: () => choose({ mode: mode === 'held' ? 'free' : 'held' }),
    prune: (change) => setDensity(density + change),
  });
  const box = useRef<HTMLDivElement>(null);
  const measure = useTextWidth(box);
  const width = useDeferredValue(useWidth(box));
  return (
    <div className="text-tab grid-cols-1 grid gap-4 max-sm:gap-3">
      <AnswerLine
        key={model.id}
        words={isBegun ? (job === null ? words : null) : notBegunWords(model.shape.name)}
        waitingText={error === null ? waitingText : unfinishedText(model.shape.name, text.dense.length > 0, error)}
        // While a text is written, the headline says this: the previous headline would be about another text.
        topic={`${waitingText}${job === null ? '' : ' now'}`}
        className="answer-line min-h-[2lh] max-sm:min-h-0 max-w-[82rem] text-pretty"
      />
      <DensityPart {...{ modelChoice, overrides, isWide }} />
      <div className="text-columns grid items-start">
        <div className="grid-cols-1 grid content-start gap-y-3 pe-8 max-[56rem]:pe-0">
          <Prompt
            prompt={prompt}
            isWriting={job !== null}
            onWrite={(next) => {
              if (next === prompt) write();
              else choose({ prompt: next, at: -1 });
            }}
          />
          <div className="-mt-11 max-sm:mt-0 justify-self-end max-sm:justify-self-stretch unseen-legend col-span-full [&_.segmented]:flex [&_.segmented_span]:px-3">
            <Segmented
              label="The pruned model"
              value={mode}
              options={[
                { value: 'free', label: 'its own text' },
                { value: 'held', label: 'the dense text' },
              ]}
              onChange={(next) => choose({ mode: next })}
            />
          </div>
          <div ref={box} className="min-h-60 max-[56rem]:min-h-0 has-[>.own-texts]:min-h-0 text-16">
            {!isBegun && (
              <Button className="mt-4 mb-4" onClick={write}>
                Write it here
              </Button>
            )}
            {mode === 'free' && text.free !== null && (
              <BothTexts
                text={text}
                name={overrides.words ?? `${densityText(visibleDensity)} left`}
                color={cssTextColorOf(format)}
              />
            )}
            {(mode === 'held' || text.free === null) && measure && width > 0 && (
              <TokenLines
                {...{ text, before, pinned, measure, isChosen: chosenPosition >= 0 }}
                width={width - 4}
                onPin={(next) => choose({ at: next })}
                onHover={setHovered}
              />
            )}
          </div>
          {job !== null && job.progress !== null && text.dense.length === 0 && (
            <JobProgress job={job} onCancel={stop} />
          )}
          <JobError error={error} onRetry={write} />
          {mode === 'free' ? <BrokenLaw text={text} /> : <TintLegend />}
        </div>
        <TextSide
          {...{ modelChoice, writing, modelOverrides: overrides, calibration, shownToken: visiblePosition }}
          freeToken={visiblePosition === firstDifference ? (text.free?.tokens[0] ?? null) : null}
        />
      </div>
      <TextDetails {...{ modelChoice, writing, modelOverrides: overrides }} />
    </div>
  );
}

/**
 * The token that is shown until the user chooses one: the first difference, or else the token that the pruned model
 * predicts worse than the dense model by the most bits.
 */
function defaultPositionOf(readTokens: TextPair['readTokens'], firstDifference: number): number {
  return readTokens[firstDifference] ? firstDifference : costliest(readTokens);
}

/** The line above the text of an imported model that has not been requested to write yet. */
function notBegunWords(name: string): readonly Words[] {
  return say`${strong(name)} writes up to ${MAX_WRITTEN_BROUGHT} tokens when you ask it to.`;
}

/** The line above a text: how pruning and storage changed the model's text; null until a text exists. */
function useHeadline(
  modelChoice: LanguageModelChoice,
  { words: overridesText, overrides, matrices }: ModelOverrides,
  density: number,
  calibration: string,
  text: TextPair,
): readonly Words[] | null {
  const { pruning, model } = modelChoice;
  const measuredPruning = useMeasuredPruning(modelChoice);
  return useMemo(
    () =>
      headline({
        density,
        overridesTitle: overridesText,
        text,
        areTales: !isImported(model.id),
        pruned: currentFigures(
          measuredPruning,
          { pruning },
          { words: overridesText, overrides, matrices },
          calibration,
        ),
        dense: measuredPruning.atDensity(1),
      }),
    [density, overridesText, overrides, matrices, pruning, calibration, text, measuredPruning, model],
  );
}

interface PromptProps {
  readonly prompt: string;
  readonly isWriting: boolean;
  readonly onWrite: (prompt: string) => void;
}

/** The form for the prompt, the beginning of both texts. */
function Prompt({ prompt, isWriting, onWrite }: PromptProps) {
  const [draft, setDraft] = useState({ text: prompt, prompt });
  // A draft for an earlier prompt is dropped.
  const text = draft.prompt === prompt ? draft.text : prompt;
  return (
    <form
      // On one line with the control at its right.
      className="col-span-full flex gap-2 max-w-[min(34rem,100%-15rem)] max-sm:max-w-none"
      onSubmit={(event) => {
        event.preventDefault();
        onWrite(text);
      }}
    >
      <label className="prompt-field h-8 px-2.5 bg-control flex items-center gap-2 text-muted min-w-0 flex-1 rounded-md border border-control-border">
        <span className="flex-none">begins with</span>
        <input
          type="text"
          value={text}
          maxLength={LONGEST_PROMPT}
          placeholder="nothing"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setDraft({ text: event.currentTarget.value, prompt })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            // On the page, the same keys would write with the previous prompt.
            event.preventDefault();
            event.stopPropagation();
            onWrite(text);
          }}
        />
      </label>
      <button type="submit" className="button button--solid" aria-busy={isWriting}>
        Write <kbd className="max-sm:hidden opacity-75">{isApple() ? '⌘ ↵' : 'Ctrl ↵'}</kbd>
      </button>
    </form>
  );
}

/** What the keyboard shortcuts of the tab do. */
interface TextActions {
  readonly stop: () => void;
  /** goes to the next or previous token */
  readonly move: (steps: 1 | -1) => void;
  /** goes to the next or previous token that the pruned model predicts more than 1 bit worse than the dense model */
  readonly moveToCostly: (steps: 1 | -1) => void;
  /** goes to the first broken law (a rule of tales, such as spelling: tales/judge.ts) in the pruned model's own text */
  readonly toBroken: () => void;
  /** switches between the pruned model's own text and its reading of the dense model's text */
  readonly toggleMode: () => void;
  /** adds `change` to the share of weights left */
  readonly prune: (change: number) => void;
}

/** Binds the keyboard shortcuts while the component is mounted. */
function useTextKeys(actions: TextActions): void {
  const latest = useEffectEvent(() => actions);
  useEffect(() => {
    // Their titles are in ../palette-entries.ts.
    const keys: Readonly<Record<string, (actions: TextActions) => void>> = {
      Escape: ({ stop }) => stop(),
      ArrowRight: ({ move }) => move(1),
      ArrowLeft: ({ move }) => move(-1),
      'Shift+ArrowRight': ({ moveToCostly }) => moveToCostly(1),
      'Shift+ArrowLeft': ({ moveToCostly }) => moveToCostly(-1),
      l: ({ toBroken }) => toBroken(),
      f: ({ toggleMode }) => toggleMode(),
      ',': ({ prune }) => prune(-0.01),
      '.': ({ prune }) => prune(0.01),
      'Shift+Comma': ({ prune }) => prune(-0.1),
      'Shift+Period': ({ prune }) => prune(0.1),
    };
    const commands = Object.entries(keys).map(([key, run]) => ({ keys: [key], run: () => run(latest()) }));
    return bindShortcuts(window, commands, () => true);
  }, []);
}

interface DensityPartProps {
  readonly modelChoice: LanguageModelChoice;
  /** the matrices with another pruning, value type or format, which the slider does not change */
  readonly overrides: ModelOverrides;
  /** whether there is space for the curve */
  readonly isWide: boolean;
}

/** The slider for the share of weights left, on the curve of the model's quality at each share. */
function DensityPart({ modelChoice, overrides, isWide }: DensityPartProps) {
  const { model, pruning } = modelChoice;
  const isImportedModel = isImported(model.id);
  const prune = usePrune(modelChoice);
  const { quality, points, random } = useMeasuredPruning(modelChoice);
  const hasCurve = isWide && points.length > 0;
  const curveCaption = hasCurve ? `${QUALITY_TITLE.toLowerCase()} (bits per byte)` : '';
  return (
    <div className="text-curve">
      <h3 className="side-head">
        Weights left{' '}
        <span className="section-caption">{overrides.words === null ? curveCaption : 'in all other matrices'}</span>
      </h3>
      <DensityCurve
        isBare={isImportedModel || !isWide}
        points={points}
        random={pruning?.way === 'random' ? [] : random}
        floor={quality?.floor.exact ?? 0}
        density={densityOf(pruning)}
        onChange={(newDensity) => prune(withDensity(pruning, newDensity, defaultMethod(model)))}
      />
      {isImportedModel && <UserPruning modelChoice={modelChoice} />}
    </div>
  );
}
