import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { type Frame, wordsOf } from '../../story/frames.ts';
import { useApp } from '../app-context.ts';
import { Icon } from '../controls/Icon.tsx';
import { Button } from '../controls/Button.tsx';
import { StyledWords } from '../primitives/Text.tsx';

interface FrameQuestionProps {
  readonly frame: Frame;
  /** on a phone, a button outside of this component continues the story */
  readonly isPhone: boolean;
}

/** The options of a question in a story, as buttons and digit keys; after a choice, the reason for the right answer. */
export function FrameQuestion({ frame: { question }, isPhone }: FrameQuestionProps) {
  const { player } = useApp();
  const isAnswered = useStore(player.store, ({ picture }) => picture > 0); // picture 0: before the answer, 1: after it
  const [chosen, setChosen] = useState<number | null>(null);
  const next = useRef<HTMLButtonElement>(null);
  const { options = [], answer, because } = question ?? {};
  const choose = (option: number): void => {
    if (isAnswered || option >= options.length) return;
    setChosen(option);
    player.answer();
  };
  const onDigit = useEffectEvent((event: KeyboardEvent): void => {
    const option = Number(event.key) - 1;
    const isTyped = event.target instanceof Element && event.target.closest('input, textarea, select, dialog') !== null;
    if (isTyped || event.ctrlKey || event.metaKey || event.altKey || !/^[1-4]$/.test(event.key)) return;
    // Without a question, digits open pages.
    event.preventDefault();
    event.stopPropagation();
    choose(option);
  });
  // Before the answers are painted, so that a digit that is pressed at once counts.
  useLayoutEffect(() => {
    // Runs after listeners at `window`: on a presentation's blank screen any key only restores the picture.
    const listen = (event: KeyboardEvent): void => onDigit(event);
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
  // Enter continues.
  useEffect(() => {
    if (isAnswered && chosen !== null) next.current?.focus({ preventScroll: true });
  }, [isAnswered, chosen]);
  return (
    <section
      className="question grid justify-items-start gap-3 flex-none pt-2 pb-4 @max-[48rem]:justify-items-stretch"
      aria-label="Answers"
    >
      <div className="flex flex-wrap gap-3 @max-[48rem]:grid @max-[48rem]:grid-cols-[repeat(auto-fit,minmax(4rem,1fr))] @max-[48rem]:gap-2">
        {options.map((option, i) => (
          // Under the pointer an answer is only underlined: filled or darker, it would appear chosen.
          <button
            key={option}
            type="button"
            className="question-option min-w-22 min-h-13 px-4 py-2 bg-control text-18 font-semibold cursor-pointer rounded-md border border-control-border [&:hover]:not-aria-disabled:underline [&:hover]:not-aria-disabled:underline-offset-[0.25em] aria-disabled:text-muted aria-disabled:cursor-default aria-pressed:border-ink aria-pressed:text-ink aria-pressed:not-data-right:line-through data-right:border-(--strong) data-right:bg-(--strong) data-right:text-on-strong @max-[48rem]:min-w-0 @max-[48rem]:px-1 @max-[21rem]:text-15"
            aria-pressed={chosen === i}
            aria-keyshortcuts={String(i + 1)}
            aria-disabled={isAnswered}
            data-right={(isAnswered && i === answer) || undefined}
            onClick={() => choose(i)}
          >
            {option}
          </button>
        ))}
      </div>
      {isAnswered && because && (
        <p className="question-because text-18 leading-[1.3]" role="status">
          <StyledWords words={wordsOf(because)} />
        </p>
      )}
      {isAnswered && !isPhone && (
        <Button ref={next} kind="solid" className="question-next" onClick={player.next}>
          Next
          <Icon name="right" />
        </Button>
      )}
    </section>
  );
}
