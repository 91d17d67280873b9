import { Activity, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { createStore } from 'zustand/vanilla';
import { counted } from '../core/text/words.ts';
import { baseOf, encodeHash, notLoaded } from '../state/index.ts';
import { type App as AppStores, AppProvider, useApp, useDocument, useSession } from '../kit/app-context.ts';
import type { Command, CommandContext } from '../kit/command.ts';
import { commandsOf } from './commands.ts';
import { TypeAheadBuffer } from '../kit/browser/TypeAheadBuffer.tsx';
import { lazyPart, registerPart } from '../kit/browser/lazy-part.ts';
import { pickFiles } from '../kit/browser/pick-files.ts';
import { useMedia } from '../kit/browser/use-media.ts';
import { StatusBars } from '../kit/frame/StatusBars.tsx';
import { Boundary } from '../kit/frame/Boundary.tsx';
import { ACCEPTED_FILES, DropTarget } from './shell/DropTarget.tsx';
import { Header } from './shell/Header.tsx';
import { PRESENTATION, PAGES } from './pages.ts';
import { ShellContext, type ShellActions } from '../kit/frame/shell-context.ts';
import { Toast, useToast } from '../kit/frame/Toast.tsx';
import { WaitingPage } from '../kit/frame/Waiting.tsx';
import { usePageTitle } from '../kit/frame/use-page-title.ts';
import { openItem } from './selection/requested-item.ts';
import { useTheme, useThemeOnRoot } from '../kit/browser/use-theme.ts';
import { bindShortcuts } from '../kit/shortcuts.ts';
import { copyText } from '../kit/controls/CopyButton.tsx';

const Selection = lazyPart(async () => (await import('./selection/Selection.tsx')).Selection);
const Palette = lazyPart(async () => (await import('./palette/Palette.tsx')).Palette);
const About = lazyPart(async () => (await import('./palette/About.tsx')).About);
const ShortcutSheet = lazyPart(async () => (await import('./palette/ShortcutSheet.tsx')).ShortcutSheet);
const FileLinkDialog = lazyPart(async () => (await import('./shell/FileLinkDialog.tsx')).FileLinkDialog);
const LinkQuestion = lazyPart(async () => (await import('../kit/frame/LinkQuestion.tsx')).LinkQuestion);
const TensorBrowser = lazyPart(async () => (await import('./matrix-picker/TensorBrowser.tsx')).TensorBrowser);
// Code without a component, loaded when the browser is idle.
registerPart(() => import('../kit/stage/save-scene.ts'));
for (const { paletteEntries } of PAGES) if (paletteEntries) registerPart(paletteEntries);

/** In windows from this width on, panels stand beside a picture; in narrower windows they are sheets. */
const WIDE = '(min-width: 64rem)';

/** The dialog above the page; null for none. */
type OpenDialog = 'about' | 'palette' | 'shortcuts' | 'export' | 'file-link' | null;

const DIALOG_NAMES: Readonly<Record<NonNullable<OpenDialog>, string>> = {
  palette: 'The search',
  about: 'About SparseScope',
  shortcuts: 'The list of shortcuts',
  'file-link': 'The question about the link',
  export: PRESENTATION.dialogs.export.title,
};

const ExportDialog = PRESENTATION.dialogs.export.Page;

/** A presentation: the stores that it shows, and the element that gets the focus back, since a hidden page loses it. */
interface Presentation {
  readonly app: AppStores;
  readonly focusBefore: Element | null;
}

/** The application: header, selection bar (matrix, formats, device), message bars, a page, and dialogs. */
export function App({ stores }: { readonly stores: Omit<AppStores, 'announce'> }) {
  const { message, announce } = useToast();
  const app = useMemo<AppStores>(() => ({ ...stores, announce }), [stores, announce]);
  return (
    <AppProvider value={app}>
      <Boundary name="The page" isMain>
        <Page />
      </Boundary>
      <Toast message={message} />
    </AppProvider>
  );
}

/** The page, drawn from the stores that `App` provides. */
function Page() {
  const app = useApp();
  const { session, document: documentStore } = app;
  // The page of an address that is being opened; it is visible before its matrix is loaded.
  const arrivingView = useSession((s) => s.arriving);
  const loadingTitle = useSession((s) => s.opening?.title ?? s.waiting?.title ?? 'Loading');
  const documentView = useDocument((doc) => doc.view);
  const view = arrivingView ?? documentView;
  const format = useDocument((doc) => doc.format);
  const isWide = useMedia(WIDE);
  const theme = useTheme(app.preferences);
  useThemeOnRoot(theme, format);
  const isRunning = useSession((s) => s.bench.running !== null);
  const page = PAGES.find(({ id }) => id === view) ?? PAGES[0];
  const hidesSelectionBar = useDocument((doc) => page.hidesSelectionBar?.(doc) === true); // such a page has no stage either
  const isPlain = useDocument((doc) => page.isPlain?.(doc) === true); // fewer controls in the header and the selection bar
  usePageTitle(page === PAGES[0] ? 'SparseScope' : `${page.title} · SparseScope`, isRunning);
  useFocusAfterRemoval();
  const lastView = useRef(view);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const close = useCallback(() => setDialog(null), []);
  const [presentation, setPresentation] = useState<Presentation | null>(null);
  const endPresentation = useCallback(() => setPresentation(null), []);
  // What Run does on the current page. A store: a change of React state would bind keys anew, and end a key sequence.
  const [runOfPage] = useState(() => createStore<{ readonly run: (() => void) | null }>(() => ({ run: null })));
  const shell = useMemo<ShellActions>(() => {
    const open = (which: OpenDialog) => () => setDialog(which);
    return {
      theme,
      // An index file is opened together with the files it names.
      openFile: () => pickFiles({ accept: ACCEPTED_FILES, multiple: true }, (files) => void session.openFiles(files)),
      openMatrixPicker: (panel) => openItem(app, { item: 'of', part: panel ?? null }), // 'of': the weights
      openCommandPalette: open('palette'),
      openAbout: open('about'),
      openShortcuts: open('shortcuts'),
      openExport: open('export'),
      present: (presentedApp = app) => setPresentation(beginPresentation(presentedApp)),
      share: () => shareLink(app, open('file-link')),
      setRunHandler: (run) => runOfPage.setState({ run }),
      run: () => {
        const { run } = runOfPage.getState();
        if (run) return run();
        const measurePage = PAGES.find((page) => page.run);
        measurePage?.run?.(app).catch(() => app.announce(notLoaded(measurePage.title)));
      },
      exportScene: (kind) =>
        void import('../kit/stage/save-scene.ts').then(
          ({ saveScene }) => saveScene(kind, app),
          () => app.announce(notLoaded('Saving')),
        ),
      focusSelection: () => document.querySelector<HTMLElement>('.selection .word')?.focus(),
    };
  }, [app, session, theme, runOfPage]);
  const context = useMemo<CommandContext>(() => ({ app, ...shell }), [app, shell]);
  const commands = useMemo(() => commandsOf(context), [context]);
  useEffect(() => {
    const isCurrentPage = (owner: string): boolean =>
      documentStore.getState().view === owner && (session.store.getState().arriving ?? owner) === owner;
    const isActive = ({ page: owner, isPageKey, isSelectionKey, isOn }: Command): boolean =>
      presentation === null
        ? (owner === undefined || isCurrentPage(owner)) && !(isSelectionKey && hidesSelectionBar) && isOn?.() !== false
        : owner === undefined && !isPageKey && !isSelectionKey;
    return bindShortcuts(window, commands, isActive);
  }, [commands, session, documentStore, presentation, hidesSelectionBar]);

  return (
    <ShellContext value={shell}>
      {/* Hidden during a presentation, the page keeps its state. */}
      <Activity mode={presentation ? 'hidden' : 'visible'}>
        <div className={isWide ? 'app' : 'app app--narrow'}>
          <a
            className="skip-link absolute top-2 left-2 z-30 -translate-y-[200%] rounded-md px-3 py-2 bg-(--strong) text-on-strong focus:translate-none"
            href="#content"
            onClick={skipToContent}
          >
            Skip to content
          </a>
          <Boundary name="The header">
            <Header narrow={!isWide} hasStage={!hidesSelectionBar} isPlain={isPlain} />
          </Boundary>
          {!hidesSelectionBar && (
            <Boundary name="The selection" waiting={<div className="selection" />}>
              <Selection hiddenItems={page.hiddenItems} isPlain={isPlain} />
            </Boundary>
          )}
          <Boundary name="The message bar">
            <StatusBars />
          </Boundary>
          <Boundary
            key={view}
            name={`The view “${page.title}”`}
            isMain
            waiting={<WaitingPage title={page.title} what="Loading its code" />}
          >
            {view === documentView ? (
              <>
                <page.Page isWide={isWide} />
                <FocusOnArrival view={view} lastViewRef={lastView} />
              </>
            ) : (
              <WaitingPage title={page.title} what={loadingTitle} />
            )}
          </Boundary>
        </div>
      </Activity>
      {presentation && (
        <AppProvider value={presentation.app}>
          <Boundary name={PRESENTATION.title} onClose={endPresentation} waiting={null}>
            <PRESENTATION.Page onClose={endPresentation} focusBefore={presentation.focusBefore} />
          </Boundary>
        </AppProvider>
      )}
      <Boundary name="The drop area">
        <DropTarget />
      </Boundary>
      {dialog !== null && <OpenedDialog key={dialog} {...{ dialog, commands, context }} onClose={close} />}
      <OpeningDialogs />
    </ShellContext>
  );
}

/**
 * Begins a presentation of these stores. It fills the screen, which browsers allow only after a press of the user; if they
 * do not, it fills the window.
 */
function beginPresentation(app: AppStores): Presentation {
  document.documentElement.requestFullscreen?.().catch(() => {});
  return { app, focusBefore: document.activeElement };
}

/**
 * Copies a link to this view; the message says whether it contains a matrix of the user. For a matrix of a file, which a
 * link cannot contain, calls `warn` instead.
 */
function shareLink({ announce, catalog, document: documentStore }: AppStores, warn?: () => void): void {
  const doc = documentStore.getState();
  const base = baseOf(doc.source);
  if (warn && base.kind === 'file') return warn();
  void copyText(announce, new URL(encodeHash(doc, catalog), location.href).href, {
    what: 'Link',
    ...(base.kind === 'cells' && { contents: `all ${counted(base.rows * base.cols, 'cell')}` }),
    otherwise: 'it is in the address bar',
  });
}

interface OpenedDialogProps {
  readonly dialog: NonNullable<OpenDialog>;
  readonly commands: readonly Command[];
  readonly context: CommandContext;
  readonly onClose: () => void;
}

function OpenedDialog({ dialog, commands, context, onClose }: OpenedDialogProps) {
  return (
    <Boundary name={DIALOG_NAMES[dialog]} onClose={onClose} waiting={dialog === 'palette' && <TypeAheadBuffer />}>
      {dialog === 'palette' && <Palette {...{ commands, context, onClose }} />}
      {dialog === 'about' && <About onClose={onClose} />}
      {dialog === 'shortcuts' && <ShortcutSheet commands={commands} onClose={onClose} />}
      {dialog === 'export' && <ExportDialog onClose={onClose} />}
      {dialog === 'file-link' && <FileLinkDialog onCopy={() => shareLink(context.app)} onClose={onClose} />}
    </Boundary>
  );
}

/** The questions that opening a matrix may ask: whether to contact a host or run a linked format, and which tensor to open. */
function OpeningDialogs() {
  const { session, provider } = useApp();
  const choice = useSession((s) => s.choice);
  const question = useSession((s) => s.question);
  const consent = useSession((s) => s.pendingConsent);
  return (
    <>
      {question && (
        <Boundary name="The question" onClose={() => session.answerQuestion(false)} waiting={null}>
          <LinkQuestion question={question} onAnswer={session.answerQuestion} />
        </Boundary>
      )}
      {consent && provider && (
        <Boundary name="The question" onClose={() => consent.answer(false)} waiting={null}>
          <provider.ConsentDialog question={consent} />
        </Boundary>
      )}
      {choice && (
        <Boundary name="The list of tensors" onClose={session.dismissChoice} waiting={null}>
          <TensorBrowser
            choice={choice}
            onPreview={session.previewTensor}
            onOpen={(tensor) => void session.openTensor(tensor)}
            onClose={session.dismissChoice}
          />
        </Boundary>
      )}
    </>
  );
}

/** Moves the focus into a new page, if the old one had it and is removed. */
function FocusOnArrival({ view, lastViewRef }: { readonly view: string; readonly lastViewRef: RefObject<string> }) {
  useEffect(() => {
    if (lastViewRef.current === view) return;
    lastViewRef.current = view;
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
  }, [view, lastViewRef]);
  return null;
}

/** Moves the focus to the content if the element that has it is removed, which no event announces. */
function useFocusAfterRemoval(): void {
  useEffect(() => {
    let lastFocused: EventTarget | null = null;
    const onFocusIn = ({ target }: FocusEvent): void => {
      lastFocused = target;
    };
    const focusContent = (): void => {
      if (!(lastFocused instanceof Element) || lastFocused.isConnected || document.activeElement !== document.body)
        return;
      if (lastFocused.closest('#content') !== null) document.getElementById('content')?.focus({ preventScroll: true });
    };
    // A presentation first returns the focus, within this frame.
    const observer = new MutationObserver(() => {
      if (lastFocused instanceof Element && !lastFocused.isConnected) requestAnimationFrame(focusContent);
    });
    document.addEventListener('focusin', onFocusIn);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', onFocusIn);
      observer.disconnect();
    };
  }, []);
}

/** Moves the focus to the content; a plain link would replace the document in the address. */
function skipToContent(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
