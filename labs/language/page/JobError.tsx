import { TextButton } from '../../../src/kit/controls/Button.tsx';

interface JobErrorProps {
  /** the message; null: no failure */
  readonly error: string | null;
  readonly onRetry: () => void;
}

/** Why a job failed, with a button to try again; nothing if it has not. */
export function JobError({ error, onRetry }: JobErrorProps) {
  if (error === null) return null;
  return (
    <p className="text-danger col-span-full underlined" role="status">
      {error} <TextButton onClick={onRetry}>Try again</TextButton>
    </p>
  );
}
