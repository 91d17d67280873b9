import { Icon } from '../../../kit/controls/Icon.tsx';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { useShell } from '../../../kit/frame/shell-context.ts';
import { Button } from '../../../kit/controls/Button.tsx';

/** Shown instead of the picture: no matrix is open, the story is loading, or it could not be loaded. */
export function NoScene() {
  const { session } = useApp();
  const { openMatrixPicker } = useShell();
  const stories = [useSession((s) => s.trace), useSession((s) => s.storyB)];
  const opening = useSession((s) => s.opening !== null);
  const missing = stories.find(({ kind }) => kind === 'missing');
  if (missing?.kind === 'missing') {
    return (
      <div className="verdict verdict--bad" role="alert">
        <Icon name="warning" />
        <div>
          <p>{missing.reason}</p>
          <p>
            <Button onClick={session.retryStory}>Try again</Button>{' '}
            {/* Some browsers cache a failed load of a part of the page, and do not try again. */}
            <Button onClick={() => window.location.reload()}>Reload the page</Button>
          </p>
        </div>
      </div>
    );
  }
  // `MatrixFit` shows why a format rejects the matrix.
  if (stories.some(({ kind }) => kind === 'failed')) return null;
  if (stories.some(({ kind }) => kind === 'loading')) return <div className="waiting">Loading the animation</div>;
  if (opening) return <div className="waiting">Opening the matrix</div>;
  return (
    <div className="waiting">
      <div>
        <p>No matrix is open.</p>
        <p>
          <Button onClick={() => openMatrixPicker()}>Choose one</Button>
        </p>
      </div>
    </div>
  );
}
