import './embed.css';
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { type App, AppProvider, useApp, useCurrentFormat, useDocument, useSession } from '../../kit/app-context.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { StagePicture } from '../../kit/stage/StagePicture.tsx';
import { Boundary, StoryBoundary } from '../../kit/frame/Boundary.tsx';
import { StatusBars } from '../../kit/frame/StatusBars.tsx';
import { ShellContext, type ShellActions } from '../../kit/frame/shell-context.ts';
import { Toast, useToast } from '../../kit/frame/Toast.tsx';
import { usePageTitle } from '../../kit/frame/use-page-title.ts';
import { useTheme, useThemeOnRoot } from '../../kit/browser/use-theme.ts';
import type { PageShow } from '../../kit/page-parts.ts';
import { bindShortcuts } from '../../kit/shortcuts.ts';
import { Narration } from '../../kit/stage/Narration.tsx';
import { PlayerControls } from '../../kit/stage/PlayerControls.tsx';
import { FrameSlider } from '../../kit/stage/FrameSlider.tsx';
import { FrameQuestion } from '../../kit/stage/FrameQuestion.tsx';
import { playerCommands } from '../../kit/stage/player-commands.ts';
import { usePageShow, usePageStory, usePageWords } from '../../kit/stage/use-page-story.ts';
import { useFrameContext } from '../../kit/stage/use-frame-context.ts';
import { scriptFrameOf, useStageScenes, useStageWords } from '../../kit/stage/use-scene.ts';
import type { EmbedAddress, Player as StoryPlayer } from '../../state/index.ts';
import { pageReporter, stageReporter, serveEmbedder, type StoryReporter } from './embedder-messages.ts';

const LinkQuestion = lazyPart(async () => (await import('../../kit/frame/LinkQuestion.tsx')).LinkQuestion);

export interface EmbedAppProps {
  readonly stores: Omit<App, 'announce'>;
  readonly address: EmbedAddress;
}

/** The application in an iframe of another page: only a story of a format, or of a page such as Training. */
export function EmbedApp({ stores, address }: EmbedAppProps) {
  const { message, announce } = useToast();
  const app = useMemo<App>(() => ({ ...stores, announce }), [stores, announce]);
  return (
    <AppProvider value={app}>
      <Boundary name="The page" isMain>
        <Embedded address={address} />
      </Boundary>
      <Toast message={message} />
    </AppProvider>
  );
}

/** The action of dialogs and of links to other pages of the application, which an embedded page does not have. */
const doNothing = (): void => {};

function Embedded({ address }: { readonly address: EmbedAddress }) {
  const app = useApp();
  const { session, provider } = app;
  const format = useCurrentFormat();
  const show = usePageShow();
  const question = useSession((s) => s.question);
  const consent = useSession((s) => s.pendingConsent);
  const theme = useTheme(app.preferences);
  useThemeOnRoot(theme, format.id);
  const shell = useMemo<ShellActions>(
    () => ({
      theme,
      openFile: doNothing,
      openMatrixPicker: doNothing,
      openCommandPalette: doNothing,
      openAbout: doNothing,
      openShortcuts: doNothing,
      openExport: doNothing,
      present: doNothing,
      share: doNothing,
      run: doNothing,
      setRunHandler: doNothing,
      exportScene: doNothing,
      focusSelection: doNothing,
    }),
    [theme],
  );
  return (
    <ShellContext value={shell}>
      {show ? <EmbeddedPage show={show} address={address} /> : <EmbeddedStage address={address} />}
      {question && (
        <Boundary name="The question about a link" onClose={() => session.answerQuestion(false)}>
          <LinkQuestion question={question} onAnswer={session.answerQuestion} />
        </Boundary>
      )}
      {consent && provider && (
        <Boundary name="The question about a format" onClose={() => consent.answer(false)}>
          <provider.ConsentDialog question={consent} />
        </Boundary>
      )}
    </ShellContext>
  );
}

/** The story of a format on a matrix. */
function EmbeddedStage({ address }: { readonly address: EmbedAddress }) {
  const app = useApp();
  const { player, catalog } = app;
  const { title } = useCurrentFormat();
  const view = useDocument((doc) => doc.view);
  const context = useFrameContext();
  // In a store, so that the embedding page does not get a changed context as a new story.
  const [contextStore] = useState(() => createStore(() => context));
  useEffect(() => contextStore.setState(context, true), [contextStore, context]);
  // The current frame of a paper's story, with its own picture and question; null in other stories.
  const scriptFrame = useStore(player.store, scriptFrameOf);
  const reporter = useMemo(() => stageReporter(app, contextStore.getState), [app, contextStore]);
  const otherPage = view === catalog.pages[0].id ? undefined : catalog.pages.find(({ id }) => id === view);
  return (
    <StoryLayout title={title} address={address} player={player} reporter={reporter}>
      <StoryBoundary name="The stage">
        {otherPage && <p role="status">{otherPage.title} has no picture to embed.</p>}
        <StageText />
        {scriptFrame?.question && <FrameQuestion key={scriptFrame.id} frame={scriptFrame} isPhone={false} />}
        <FrameSlider frame={scriptFrame} />
        <div className="embed-stage px-(--page-margin) [scrollbar-width:thin] min-h-0 flex-1 overflow-x-hidden overflow-y-auto">
          <StagePicture />
        </div>
      </StoryBoundary>
    </StoryLayout>
  );
}

/** The story of a page such as Training. */
function EmbeddedPage({ show, address }: { readonly show: PageShow; readonly address: EmbedAddress }) {
  const { app, player, story, onStory } = usePageStory(address.step);
  const { id: format } = useCurrentFormat();
  const reporter = useMemo(() => story && pageReporter(story, format), [story, format]);
  const { words, directed: scriptFrame } = usePageWords(player, story);
  return (
    <AppProvider value={app}>
      <StoryLayout title={story?.title ?? ''} address={address} player={player} reporter={reporter}>
        <StoryBoundary name="The picture">
          <Narration words={words} />
          {scriptFrame?.question && <FrameQuestion key={scriptFrame.id} frame={scriptFrame} isPhone={false} />}
          <div className="embed-stage px-(--page-margin) [scrollbar-width:thin] min-h-0 flex-1 overflow-x-hidden overflow-y-auto">
            <Suspense fallback={null}>
              <show.Picture player={player} onStory={onStory} isEmbedded />
            </Suspense>
          </div>
        </StoryBoundary>
      </StoryLayout>
    </AppProvider>
  );
}

interface StoryLayoutProps {
  readonly title: string;
  readonly address: EmbedAddress;
  readonly player: StoryPlayer;
  /** null while there is no story */
  readonly reporter: StoryReporter | null;
  readonly children: ReactNode;
}

/** A story with its player, which the embedding page may control. */
function StoryLayout({ title, address: { origin, link }, player, reporter, children }: StoryLayoutProps) {
  usePageTitle(title === '' ? 'SparseScope' : `${title} · SparseScope`, false);
  useEffect(() => {
    return bindShortcuts(window, playerCommands(player), () => true);
  }, [player]);
  useEffect(() => {
    if (origin === null || window.parent === window || reporter === null) return;
    return serveEmbedder(window, origin, { player, reporter });
  }, [origin, player, reporter]);
  return (
    <main className="embed [--page-margin:1rem] relative flex flex-col h-dvh @container" id="content" tabIndex={-1}>
      <h1 className="unseen">{title}</h1>
      <StatusBars />
      {children}
      <StoryBoundary name="The player">
        <PlayerControls player={player} />
      </StoryBoundary>
      <a
        className="right-[calc(var(--page-margin)+9rem)] @max-[34rem]:right-(--page-margin) bottom-4 text-muted text-12 absolute min-h-6 leading-6"
        href={link}
        target="_blank"
        rel="noreferrer"
      >
        SparseScope
        <span className="unseen">: {title} on a page of its own</span>
      </a>
    </main>
  );
}

function StageText() {
  return <Narration words={useStageWords(useStageScenes())} />;
}
