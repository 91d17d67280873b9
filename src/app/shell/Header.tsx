import { useId, useRef } from 'react';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { AddressLink } from '../../kit/browser/AddressLink.tsx';
import { Icon } from '../../kit/controls/Icon.tsx';
import { useShell } from '../../kit/frame/shell-context.ts';
import { isApple } from '../../kit/shortcuts.ts';
import { firstDocument, visibleStory, withView } from '../../state/index.ts';
import { Button } from '../../kit/controls/Button.tsx';

interface HeaderProps {
  /** too narrow for the search field and for words on buttons */
  readonly narrow: boolean;
  /** the page has a picture to present and export: a format's story, or a separate one */
  readonly hasStage: boolean;
  /** fewer words: the first screen */
  readonly isPlain: boolean;
}

const HOME_TITLE = 'Back to the first screen';

/** The header: the application's name, the pages as tabs, the search, and buttons to share, present and export. */
export function Header({ narrow, hasStage, isPlain }: HeaderProps) {
  const { openCommandPalette, share } = useShell();
  const { session, catalog } = useApp();
  const documentView = useDocument((doc) => doc.view);
  const view = useSession((s) => s.arriving) ?? documentView;
  return (
    <header className="header">
      <span className="brand flex items-center gap-2 text-15 font-semibold rounded-[4px]">
        {/* The padding makes it easier to press; the margin keeps it as wide as its picture. */}
        <AddressLink
          className="brand-mark inline-flex p-[2px] -m-[2px] cursor-pointer"
          aria-label={HOME_TITLE}
          title={HOME_TITLE}
          to={() => firstDocument(catalog)}
          onFollow={() => void session.restore(firstDocument(catalog))}
        >
          <Logo />
        </AddressLink>
        <h1>SparseScope</h1>
      </span>
      <nav className="pages" aria-label="Pages">
        {catalog.pages.map((page) => (
          <AddressLink
            key={page.id}
            className="page-link"
            aria-current={view === page.id ? 'page' : undefined}
            to={(doc) => withView(doc, page.id)}
            onFollow={() => session.setView(page.id)}
          >
            {page.title}
          </AddressLink>
        ))}
      </nav>
      <div className="header-actions flex items-center gap-2 min-w-0">
        <button
          type="button"
          className={
            narrow
              ? 'button button--icon button--bare'
              : 'button w-49 min-w-38 justify-between text-muted font-normal whitespace-nowrap'
          }
          aria-label="Find anything"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={openCommandPalette}
        >
          {narrow ? (
            <Icon name="search" />
          ) : (
            <>
              <span>Find anything</span>
              {!isPlain && <kbd>{isApple() ? '⌘K' : 'Ctrl K'}</kbd>}
            </>
          )}
        </button>
        {narrow ? (
          <ShareMenu hasStage={hasStage} />
        ) : (
          <div className="button-group flex">
            {hasStage && <StageButtons />}
            <Button title="Copy a link to this" onClick={share}>
              Share
            </Button>
          </div>
        )}
      </div>
    </header>
  );
}

/** On a narrow page: one button for a menu to share, present and export. */
function ShareMenu({ hasStage }: Pick<HeaderProps, 'hasStage'>) {
  const { share } = useShell();
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <Button kind="bare" aria-label="Share, export or present" popoverTarget={id}>
        <Icon name="share" />
      </Button>
      {/* Pressing any button in the menu closes the menu. */}
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="top-(--header-height) right-2 bottom-auto left-auto w-52 p-3 text-ink bg-ground border border-control-border shadow-float rounded-[8px] open:grid open:gap-2"
        onClickCapture={() => menu.current?.hidePopover()}
      >
        <Button onClick={share}>Share</Button>
        {hasStage && <StageButtons />}
      </div>
    </>
  );
}

/** Buttons that present and export the picture of a format's story (the stage), or the page's separate picture. */
function StageButtons() {
  const { present, openExport } = useShell();
  const { pageShows } = useApp();
  const hasOtherPicture = useDocument((doc) => pageShows.get(doc.view)?.has(doc) === true);
  const hasStory = useSession((s) => visibleStory(s.trace) !== null) || hasOtherPicture;
  return (
    <>
      <Button title="Show the stage alone (P)" disabled={!hasStory} onClick={() => present()}>
        Present
      </Button>
      <Button disabled={!hasStory} onClick={openExport}>
        Export
      </Button>
    </>
  );
}

/** Five cells of a 3 × 3 matrix, one of them in the accent colour. */
function Logo() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d="M1 1h5v5H1zM7.500 7.500h5v5h-5zM1 14h5v5H1zM14 14h5v5h-5z" fill="currentColor" />
      <path d="M14 1h5v5h-5z" fill="var(--accent)" />
    </svg>
  );
}
