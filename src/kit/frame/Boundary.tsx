import { messageOf } from '../../core/errors.ts';
import { Component, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { asSentence } from '../../state/index.ts';
import { useApp, useDocument } from '../app-context.ts';
import { Icon } from '../controls/Icon.tsx';
import { MissingPart, renewParts } from '../browser/lazy-part.ts';
import { Dialog } from './Dialog.tsx';

interface BoundaryProps {
  /** what is inside, as a sentence begins: 'The inspector' */
  readonly name: string;
  /** what is inside follows this: once it changes, it is shown again by itself */
  readonly follows?: string | undefined;
  /** what is inside is a dialog, which this closes */
  readonly onClose?: () => void;
  /** what is inside is all of the page's content */
  readonly isMain?: boolean;
  readonly children: ReactNode;
}

interface Failure {
  /** what was thrown, in words */
  readonly reason: string;
  readonly isMissing: boolean;
}

interface BoundaryState {
  readonly failure: Failure | null;
  readonly follows: string | undefined;
}

/**
 * Keeps an error in one part of the page from taking the rest along: session, files and results live outside of React
 * and stay. It shows what happened instead of the part, with ways to go on.
 */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failure: null, follows: this.props.follows };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    const reason = messageOf(error);
    return { failure: { reason, isMissing: error instanceof MissingPart } };
  }

  static getDerivedStateFromProps({ follows }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return follows === state.follows ? null : { failure: null, follows };
  }

  readonly retry = (): void => {
    renewParts();
    this.setState({ failure: null });
  };

  override render(): ReactNode {
    const { name, onClose, isMain, children } = this.props;
    const { failure } = this.state;
    if (failure === null) return children;
    const broken = <Broken name={name} failure={failure} onRetry={this.retry} />;
    if (isMain) {
      return (
        <main className="narrow-page min-h-0 scroll-y" id="content" tabIndex={-1}>
          {broken}
        </main>
      );
    }
    if (!onClose) return broken;
    return (
      <Dialog title={name} onClose={onClose}>
        <div className="dialog-body">{broken}</div>
      </Dialog>
    );
  }
}

/** One of a part that shows the story: another step or another format is another try. */
export function StoryBoundary({ name, children }: Pick<BoundaryProps, 'name' | 'children'>) {
  const { player } = useApp();
  const step = useStore(player.store, (s) => s.step);
  const format = useDocument((doc) => doc.format);
  return (
    <Boundary name={name} follows={`${format} ${step}`}>
      {children}
    </Boundary>
  );
}

interface BrokenProps {
  readonly name: string;
  readonly failure: Failure;
  readonly onRetry: () => void;
}

function Broken({ name, failure: { reason, isMissing }, onRetry }: BrokenProps) {
  const { session, catalog } = useApp();
  const view = useDocument((doc) => doc.view);
  return (
    <div className="broken flex gap-2" role="alert">
      <Icon name="warning" />
      <div>
        <p>{asSentence(`${name} cannot be shown: ${reason}`)}</p>
        <p className="quiet">Your matrix, files and results are still there.</p>
        <p className="flex wrap gap-2 mt-2">
          <button type="button" className="button" onClick={onRetry}>
            Try again
          </button>
          {/* Some browsers remember that a part of the page did not arrive, and fail again without asking for it. */}
          {isMissing && (
            <button type="button" className="button" onClick={() => window.location.reload()}>
              Reload the page
            </button>
          )}
          {catalog.places
            .filter((place) => place.id !== view)
            .map((place) => (
              <button key={place.id} type="button" className="button" onClick={() => session.setView(place.id)}>
                Go to {place.title}
              </button>
            ))}
        </p>
      </div>
    </div>
  );
}
