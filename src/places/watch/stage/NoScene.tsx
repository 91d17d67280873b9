import { Icon } from '../../../kit/controls/Icon.tsx';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { useShell } from '../../../kit/frame/shell-context.ts';

/** Why there is no picture: nothing is open yet, a story is still loading, or did not arrive. */
export function NoScene() {
  const { session } = useApp();
  const { openChooser } = useShell();
  const stories = [useSession((s) => s.trace), useSession((s) => s.against)];
  const opening = useSession((s) => s.opening !== null);
  const missing = stories.find(({ kind }) => kind === 'missing');
  if (missing?.kind === 'missing') {
    return (
      <div className="verdict verdict--bad" role="alert">
        <Icon name="warning" />
        <div>
          <p>{missing.reason}</p>
          <p>
            <button type="button" className="button" onClick={session.retryStory}>
              Try again
            </button>{' '}
            {/* Some browsers remember that a part of the page did not arrive, and fail again without asking for it. */}
            <button type="button" className="button" onClick={() => window.location.reload()}>
              Reload the page
            </button>
          </p>
        </div>
      </div>
    );
  }
  // Why a format refuses is said in its place.
  if (stories.some(({ kind }) => kind === 'failed')) return null;
  if (stories.some(({ kind }) => kind === 'loading')) return <div className="waiting">Loading the animation</div>;
  if (opening) return <div className="waiting">Opening the matrix</div>;
  return (
    <div className="waiting">
      <div>
        <p>No matrix is open.</p>
        <p>
          <button type="button" className="button" onClick={() => openChooser()}>
            Choose one
          </button>
        </p>
      </div>
    </div>
  );
}
