import { messageOf } from '../../core/error-messages.ts';
import { Component, type ReactNode, Suspense } from 'react';
import { useStore } from 'zustand';
import { asMessage, withView } from '../../state/index.ts';
import { useApp, useDocument } from '../app-context.ts';
import { AddressLink } from '../browser/AddressLink.tsx';
import { Icon } from '../controls/Icon.tsx';
import { PartLoadError, retryParts } from '../browser/lazy-part.ts';
import { Dialog } from './Dialog.tsx';
import { Button } from '../controls/Button.tsx';

interface BoundaryProps {
  /** the name of the content, with which the error message begins: 'The inspector' */
  readonly name: string;
  /** after an error, the content is rendered again when this key changes */
  readonly resetKey?: string | undefined;
  /** the content is a dialog, and this closes it */
  readonly onClose?: () => void;
  /** the content is the page's whole <main> */
  readonly isMain?: boolean;
  /** shown until the code of the content is loaded; default: the boundary's parent suspends */
  readonly waiting?: ReactNode;
  readonly children: ReactNode;
}

interface Failure {
  /** the message of the error */
  readonly reason: string;
  /** the code of the content could not be loaded */
  readonly isMissing: boolean;
}

interface BoundaryState {
  readonly failure: Failure | null;
  readonly resetKey: string | undefined;
}

/** Confines an error to one part of the page, which then shows the error and ways to continue. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failure: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    const reason = messageOf(error);
    return { failure: { reason, isMissing: error instanceof PartLoadError } };
  }

  static getDerivedStateFromProps({ resetKey }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return resetKey === state.resetKey ? null : { failure: null, resetKey };
  }

  readonly retry = (): void => {
    retryParts();
    this.setState({ failure: null });
  };

  override render(): ReactNode {
    const { name, onClose, isMain, waiting, children } = this.props;
    const { failure } = this.state;
    if (failure === null) return waiting === undefined ? children : <Suspense fallback={waiting}>{children}</Suspense>;
    const message = <FailureMessage name={name} failure={failure} onRetry={this.retry} />;
    if (isMain) {
      return (
        <main
          className="narrow-page pt-4 px-3 pb-8 min-h-0 overflow-x-hidden overflow-y-auto"
          id="content"
          tabIndex={-1}
        >
          {message}
        </main>
      );
    }
    if (!onClose) return message;
    return (
      <Dialog title={name} onClose={onClose}>
        <div className="dialog-body">{message}</div>
      </Dialog>
    );
  }
}

/** A boundary for a part that shows the story: another step or format renders the content again. */
export function StoryBoundary({ name, children }: Pick<BoundaryProps, 'name' | 'children'>) {
  const { player } = useApp();
  const step = useStore(player.store, (s) => s.step);
  const format = useDocument((doc) => doc.format);
  return (
    <Boundary name={name} resetKey={`${format} ${step}`}>
      {children}
    </Boundary>
  );
}

interface FailureMessageProps {
  readonly name: string;
  readonly failure: Failure;
  readonly onRetry: () => void;
}

/** The error message, and buttons that try again or go to another page. */
function FailureMessage({ name, failure: { reason, isMissing }, onRetry }: FailureMessageProps) {
  const { session, catalog } = useApp();
  const view = useDocument((doc) => doc.view);
  return (
    <div className="broken flex gap-2 max-w-[42rem] p-4 wrap-anywhere" role="alert">
      <Icon name="warning" className="mt-[2px] text-danger" />
      <div>
        <p>{asMessage(`${name} cannot be shown: ${reason}`)}</p>
        <p className="flex flex-wrap gap-2 mt-2">
          <Button onClick={onRetry}>Try again</Button>
          {/** Some browsers remember that a script failed to load, and fail again without a request. */}
          {isMissing && <Button onClick={() => window.location.reload()}>Reload the page</Button>}
          {catalog.pages
            .filter((page) => page.id !== view)
            .map((page) => (
              <AddressLink
                key={page.id}
                className="button"
                to={(doc) => withView(doc, page.id)}
                onFollow={() => session.setView(page.id)}
              >
                Go to {page.title}
              </AddressLink>
            ))}
        </p>
      </div>
    </div>
  );
}
