import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import type { Answer, PosedQuestion } from '../../story/question.ts';
import { narrationText } from '../../story/scene.ts';
import type { FoundQuestion } from '../../lessons/question-search.ts';
import type { Player } from '../../state/index.ts';
import { sceneOf } from '../../kit/stage/use-scene.ts';
import { isDemo } from '../../lessons/demonstrations/index.ts';
import { accentOf } from '../../kit/format-color.ts';
import { answerText, judge, readNumber, workingText } from './judge.ts';
import { StyledWords } from '../../kit/primitives/Text.tsx';
import { Button, TextButton } from '../../kit/controls/Button.tsx';

interface PredictProps {
  readonly foundQuestion: FoundQuestion;
  /** the user's answer on this matrix; null until there is one */
  readonly userAnswer: Answer | null;
  /** the stage's player, while it shows this question's matrix */
  readonly player: Player | null;
  /** whether the figure shows another matrix than the question is about */
  readonly isElsewhere: boolean;
  readonly onAnswer: (answer: Answer) => void;
  /** asks the question on another matrix */
  readonly onAnother: () => void;
  /** shows a step of the story */
  readonly onStep: (step: number) => void;
}

/** A question about a story (an animation); once answered, with the steps of the encoder that lead to the answer. */
export function Predict({ foundQuestion, userAnswer, player, isElsewhere, onStep, ...shared }: PredictProps) {
  const { posed, figure } = foundQuestion;
  const { id } = figure.format;
  const answeredBy = isDemo(id) ? 'computed' : 'encoder';
  return (
    <PredictForm {...shared} {...{ posed, userAnswer, answeredBy, isElsewhere, onStep }} style={accentOf(id)}>
      {userAnswer !== null && <EncoderSteps foundQuestion={foundQuestion} player={player} onStep={onStep} />}
    </PredictForm>
  );
}

interface PredictFormProps {
  readonly posed: PosedQuestion;
  /** the user's answer; null until there is one */
  readonly userAnswer: Answer | null;
  /** what computes the right answer, as the heading above it: 'encoder' */
  readonly answeredBy: string;
  readonly style?: CSSProperties;
  readonly onAnswer: (answer: Answer) => void;
  /** Removes the answer, perhaps for another question. */
  readonly onAnother: () => void;
  /** null: there are no steps to show */
  readonly onStep: ((step: number) => void) | null;
  /** label of the button for `onAnother` */
  readonly anotherLabel?: string;
  readonly isElsewhere?: boolean;
  readonly children?: ReactNode;
}

const FORM = 'predict ps-4 -ms-[calc(1rem+2px)] border-s-2 border-(--accent-text,var(--strong))';

/** The form of a question: its text, a field or choices for the answer, and the reply. */
export function PredictForm(props: PredictFormProps) {
  const {
    posed,
    userAnswer,
    answeredBy,
    style,
    onAnswer,
    onAnother,
    onStep,
    anotherLabel = 'Another one',
    isElsewhere = false,
    children,
  } = props;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const reply = useRef<HTMLDivElement>(null);
  const isReplyDue = useRef(false);
  // After an answer, the field becomes read-only, so the focus moves to the reply, for keys and for screen readers.
  useEffect(() => {
    if (userAnswer === null || !isReplyDue.current) return;
    isReplyDue.current = false;
    reply.current?.focus({ preventScroll: true });
    reply.current?.scrollIntoView({ block: 'nearest' });
  }, [userAnswer]);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (userAnswer !== null) return;
    const answer = posed.options ? (text === '' ? null : text) : readNumber(text);
    if (answer === null) {
      setProblem(posed.options ? 'Choose one of them.' : `Found '${text}', expected a number.`);
      return;
    }
    setProblem('');
    isReplyDue.current = true;
    onAnswer(answer);
  };
  /** On Escape, moves the focus from the field to the lesson, where letters are shortcuts. */
  const leave = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') form.current?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the fields receive the keys, the form handles them
    <form ref={form} onKeyDown={leave} className={FORM} onSubmit={submit} style={style}>
      <h3 className="text-(--accent-text,var(--text))">
        Predict before you look
        {isElsewhere && <span className="print:hidden text-muted font-normal text-13"> · of another matrix</span>}
      </h3>
      <p id={`${id}-ask`} className="mt-1">
        <StyledWords words={posed.ask} />
      </p>
      <div className="[&>.button]:min-h-9 [&>.button]:print:hidden flex flex-wrap gap-3 mt-3 items-end">
        {posed.options ? (
          <fieldset className="flex flex-wrap gap-y-2 gap-x-4" aria-describedby={`${id}-ask`}>
            <legend className="unseen">Your answer</legend>
            {posed.options.map((option) => (
              <label key={option} className="min-h-9 inline-flex items-center gap-2">
                <input
                  type="radio"
                  name={id}
                  checked={text === option}
                  onChange={() => userAnswer === null && setText(option)}
                />{' '}
                {option}
              </label>
            ))}
          </fieldset>
        ) : (
          <label className="leading-[1.3] grid gap-0.5 text-muted text-13">
            <span>you{posed.unit === null ? '' : `, in ${posed.unit}`}</span>
            <input
              className="input w-24 h-9 text-15 font-mono"
              inputMode="decimal"
              autoComplete="off"
              aria-describedby={`${id}-ask`}
              aria-invalid={problem !== ''}
              readOnly={userAnswer !== null}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </label>
        )}
        <div className="leading-[1.3] grid gap-0.5 text-muted text-13">
          <span>{answeredBy}</span>
          <span
            className="predict-encoder grid text-15 font-mono whitespace-nowrap rounded-md max-w-full"
            data-known={userAnswer !== null || undefined}
          >
            {userAnswer === null ? '?' : answerText(posed.answer)}
          </span>
        </div>
        {userAnswer === null ? (
          <button type="submit" className="button button--solid">
            Check
          </button>
        ) : (
          <Button
            onClick={() => {
              setText('');
              onAnother();
              // The button disappears, so the focus moves to the next answer.
              form.current?.querySelector('input')?.focus();
            }}
          >
            {anotherLabel}
          </Button>
        )}
      </div>
      <p className="field-error" role="alert" hidden={problem === ''}>
        {problem}
      </p>
      <div ref={reply} className="outline-none scroll-my-3" role="status" tabIndex={-1}>
        {userAnswer !== null && <Reply posed={posed} userAnswer={userAnswer} onStep={onStep} />}
      </div>
      {children}
    </form>
  );
}

/** Whether the answer is right; if not, the likely misconception and the reason for the right answer. */
function Reply({
  posed,
  userAnswer,
  onStep,
}: Pick<PredictFormProps, 'posed' | 'onStep'> & { readonly userAnswer: Answer }) {
  const { kind, misconception } = judge(posed, userAnswer);
  if (kind === 'right') {
    return (
      <p className="mt-3 text-15 leading-[1.45]">
        <strong>Right.</strong> <StyledWords words={posed.reason} />
      </p>
    );
  }
  return (
    <>
      <p className="mt-3 text-15 leading-[1.45]">
        <strong>Not quite.</strong>{' '}
        {misconception && `You may think that ${misconception.title}${workingText(misconception)}. `}
        <StyledWords words={misconception ? misconception.reply : posed.reason} />
      </p>
      {misconception && (
        <p className="mt-3 text-15 leading-[1.45]">
          <StyledWords words={posed.reason} />{' '}
          {onStep && (
            <TextButton onClick={() => onStep(misconception.falseAt)}>
              Show where: step {misconception.falseAt}
            </TextButton>
          )}
        </p>
      )}
    </>
  );
}

/** Maximum number of steps that are listed: the last ones, which lead to the answer. */
const MAX_STEPS = 9;

/** The steps of the encoder that lead to the answer, one per line; a click shows a step. */
function EncoderSteps({ foundQuestion, player, onStep }: Pick<PredictProps, 'foundQuestion' | 'player' | 'onStep'>) {
  const { posed, figure } = foundQuestion;
  const first = Math.max(posed.before + 1, posed.shows - MAX_STEPS + 1);
  const steps = Array.from({ length: posed.shows - first + 1 }, (_, i) => first + i);
  return (
    <ol className="leading-[1.45] text-13 mt-3" aria-label="What the encoder did">
      {steps.map((step) => (
        <li key={step}>
          <button
            type="button"
            className="grid grid-cols-[2rem_minmax(0,1fr)_3rem] gap-2 py-1 text-muted hover:text-ink hover:bg-sunken has-[.predict-here]:text-ink has-[.predict-here]:bg-sunken text-start w-full cursor-pointer"
            onClick={() => onStep(step)}
          >
            <span className="number">{step}</span>
            <span>{narrationText(sceneOf(figure.loaded, step))}</span>
            {player && <CurrentStepMark player={player} step={step} />}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** 'shown' next to the step that the stage shows. */
function CurrentStepMark({ player, step }: { readonly player: Player; readonly step: number }) {
  const here = useStore(player.store, (s) => s.step === step);
  return here ? <span className="predict-here text-ink text-12">shown</span> : null;
}
