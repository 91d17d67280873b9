import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { Icon } from '../../kit/controls/Icon.tsx';
import { isApple } from '../../kit/shortcuts.ts';
import { shownStory } from '../../state/index.ts';

interface HeaderProps {
  /** too narrow for a field and words on its buttons */
  readonly narrow: boolean;
  /** what the page shows can be presented and exported */
  readonly hasStage: boolean;
  readonly onPalette: () => void;
  readonly onPresent: () => void;
  readonly onExport: () => void;
  readonly onShare: () => void;
}

/** Name, places, and what can be done from everywhere. */
export function Header({ narrow, hasStage, onPalette, onPresent, onExport, onShare }: HeaderProps) {
  const { session, catalog } = useApp();
  const view = useDocument((doc) => doc.view);
  return (
    <header className="header">
      <span className="brand">
        <Logo />
        <h1>SparseScope</h1>
      </span>
      <nav className="places" aria-label="Places">
        {catalog.places.map((place) => (
          <button
            key={place.id}
            type="button"
            className="place"
            aria-current={view === place.id ? 'page' : undefined}
            onClick={() => session.setView(place.id)}
          >
            {place.title}
          </button>
        ))}
      </nav>
      <div className="header-actions">
        <button
          type="button"
          className={narrow ? 'button button--icon button--bare' : 'button header-find'}
          aria-label="Find anything"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={onPalette}
        >
          {narrow ? (
            <Icon name="search" />
          ) : (
            <>
              <span>Find anything</span>
              <kbd>{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
            </>
          )}
        </button>
        {narrow ? (
          <button type="button" className="button button--icon button--bare" aria-label="Share" onClick={onShare}>
            <Icon name="share" />
          </button>
        ) : (
          <div className="button-group">
            {hasStage && <StageButtons onPresent={onPresent} onExport={onExport} />}
            <button type="button" className="button" title="Copy a link to this" onClick={onShare}>
              Share
            </button>
          </div>
        )}
      </div>
    </header>
  );
}

/** Of the page's own stage, once it has a picture. */
function StageButtons({ onPresent, onExport }: Pick<HeaderProps, 'onPresent' | 'onExport'>) {
  const hasStory = useSession((s) => shownStory(s.trace) !== null);
  return (
    <>
      <button
        type="button"
        className="button"
        title="Show the stage alone (P)"
        disabled={!hasStory}
        onClick={onPresent}
      >
        Present
      </button>
      <button
        type="button"
        className="button"
        title="Embed, export or print the chapter"
        disabled={!hasStory}
        onClick={onExport}
      >
        Export
      </button>
    </>
  );
}

/** Five cells of a 3 × 3 matrix; the one in the accent's colour is the one that the format is about. */
function Logo() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d="M1 1h5v5H1zM7.500 7.500h5v5h-5zM1 14h5v5H1zM14 14h5v5h-5z" fill="currentColor" />
      <path d="M14 1h5v5h-5z" fill="var(--accent)" />
    </svg>
  );
}
