import { useId, useState } from 'react';
import { countText } from '../../../core/story/words.ts';
import { CALIBRATION } from '../fields.ts';

interface CalibrationProps {
  /** '' for tales of training */
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** What is wrong with a text by which Wanda is to weigh, as a sentence; null where nothing is. */
export function calibrationProblem(text: string): string | null {
  const { min, max } = CALIBRATION;
  const found = text.trim().length;
  if (found < min) {
    return `Text for Wanda: found ${countText(found)} characters, expected at least ${min}, or its inputs say too little.`;
  }
  if (text.length > max) {
    return `Text for Wanda: found ${countText(text.length)} characters, expected at most ${countText(max)}.`;
  }
  return null;
}

/** Whose inputs Wanda weighs by: those of tales, or of a text that somebody gives. */
export function Calibration({ text, onChange }: CalibrationProps) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const close = (): void => {
    setDraft(null);
    setProblem(null);
  };
  if (draft === null) {
    return (
      <p className="text-note calibration">
        {text === ''
          ? 'Wanda ranks weights by their size times that of their inputs, measured over four tales.'
          : `Wanda ranks weights by their size times that of their inputs, measured over your own text of ${countText(text.length)} characters.`}{' '}
        <button type="button" className="text-button" onClick={() => setDraft(text)}>
          {text === '' ? 'measure on a text of your own' : 'change the text'}
        </button>
        {text !== '' && (
          <>
            {' '}
            <button type="button" className="text-button" onClick={() => onChange('')}>
              tales again
            </button>
          </>
        )}
      </p>
    );
  }
  return (
    <form
      className="text-note calibration"
      onSubmit={(event) => {
        event.preventDefault();
        const found = calibrationProblem(draft);
        setProblem(found);
        if (found !== null) return;
        close();
        onChange(draft);
      }}
    >
      <label htmlFor={id}>
        Text that the model reads while inputs are measured, {CALIBRATION.min} to {countText(CALIBRATION.max)}{' '}
        characters
      </label>
      <textarea
        id={id}
        className="input"
        rows={5}
        value={draft}
        spellCheck={false}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      {problem !== null && (
        <p id={`${id}-problem`} className="problem" role="alert">
          {problem}
        </p>
      )}
      <p className="calibration-actions">
        <button type="submit" className="button">
          Prune by it
        </button>
        <button type="button" className="text-button" onClick={close}>
          cancel
        </button>
      </p>
    </form>
  );
}
