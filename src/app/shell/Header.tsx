import { useStore } from 'zustand';
import { type Theme, THEMES } from '../../state/index.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { Icon } from '../../kit/controls/Icon.tsx';
import { isApple } from '../../kit/shortcuts.ts';

interface HeaderProps {
  readonly narrow: boolean;
  readonly onPalette: () => void;
  readonly onShare: () => void;
  readonly onRun: () => void;
}

/** Name, places, and what can be done from everywhere. */
export function Header({ narrow, onPalette, onShare, onRun }: HeaderProps) {
  const { session, catalog } = useApp();
  const view = useDocument((doc) => doc.view);
  return (
    <header className="header">
      <span className="brand">
        <Logo />
        <h1 className={narrow ? 'unseen' : undefined}>SparseScope</h1>
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
        {!narrow && (
          <button
            type="button"
            className="button button--bare"
            aria-keyshortcuts="Control+K Meta+K"
            title="Commands"
            onClick={onPalette}
          >
            <span className="unseen">Commands </span>
            <kbd>{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
        )}
        <ThemeSwitch />
        <button
          type="button"
          className={narrow ? 'button button--icon' : 'button'}
          aria-label={narrow ? 'Share' : undefined}
          onClick={onShare}
        >
          {narrow ? <Icon name="share" /> : 'Share'}
        </button>
        <RunButton narrow={narrow} onRun={onRun} />
      </div>
    </header>
  );
}

function RunButton({ narrow, onRun }: { readonly narrow: boolean; readonly onRun: () => void }) {
  const device = useSession((s) => s.device);
  const running = useSession((s) => s.bench.running !== null);
  const where = device?.kind === 'unavailable' ? 'CPU' : 'GPU';
  return (
    // Not disabled while it runs: the focus of who pressed it would fall out of the page.
    <button
      type="button"
      className="button button--solid"
      aria-disabled={running}
      onClick={running ? undefined : onRun}
    >
      {running ? 'Running' : narrow ? 'Run' : `Run on ${where}`}
    </button>
  );
}

const THEME_NAMES: Readonly<Record<Theme, string>> = {
  system: 'System colours',
  light: 'Light colours',
  dark: 'Dark colours',
};

/** Goes through system, light and dark. */
function ThemeSwitch() {
  const { preferences, announce } = useApp();
  const theme = useStore(preferences.store, (s) => s.theme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  return (
    <button
      type="button"
      className="button button--icon button--bare"
      aria-label={`${THEME_NAMES[theme]}; change to ${THEME_NAMES[next].toLowerCase()}`}
      title={THEME_NAMES[theme]}
      onClick={() => {
        preferences.setTheme(next);
        announce(THEME_NAMES[next]);
      }}
    >
      <Icon name={theme} />
    </button>
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
