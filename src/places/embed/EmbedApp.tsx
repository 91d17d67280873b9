import './embed.css';
import { useEffect, useMemo } from 'react';
import { type App, AppProvider, useApp, useCurrentFormat, useSession } from '../../kit/app-context.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { Picture } from '../../kit/stage/Picture.tsx';
import { Boundary, StoryBoundary } from '../../kit/frame/Boundary.tsx';
import { Bars } from '../../kit/frame/Bars.tsx';
import { ShellContext, type ShellActions } from '../../kit/frame/shell-context.ts';
import { Toast, useToast } from '../../kit/frame/Toast.tsx';
import { usePageTitle } from '../../kit/frame/use-page-title.ts';
import { useTheme, useThemeOnRoot } from '../../kit/browser/use-theme.ts';
import { bindShortcuts } from '../../kit/shortcuts.ts';
import { Narration } from '../../kit/stage/Narration.tsx';
import { Player } from '../../kit/stage/Player.tsx';
import { playerCommands } from '../../kit/stage/player-commands.ts';
import { useScene } from '../../kit/stage/use-scene.ts';
import type { EmbedAddress } from '../../state/embed-address.ts';
import { talk } from './talk.ts';

const LinkQuestion = lazyPart(async () => (await import('../../kit/frame/LinkQuestion.tsx')).LinkQuestion);

export interface EmbedAppProps {
  readonly stores: Omit<App, 'announce'>;
  readonly address: EmbedAddress;
}

/** The stage and its player, framed by another page. */
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

/** Without a shell, links from the stage to other places lead nowhere. */
const nothing = (): void => {};

function Embedded({ address }: { readonly address: EmbedAddress }) {
  const app = useApp();
  const { session, player } = app;
  const format = useCurrentFormat();
  const question = useSession((s) => s.question);
  const theme = useTheme(app.preferences);
  useThemeOnRoot(theme, format.id);
  usePageTitle(`${format.title} · SparseScope`, false);
  const shell = useMemo<ShellActions>(
    () => ({
      theme,
      openFile: nothing,
      openChooser: nothing,
      openPalette: nothing,
      openShortcuts: nothing,
      openExport: nothing,
      present: nothing,
      share: nothing,
      run: nothing,
      offerRun: nothing,
      exportScene: nothing,
      toSubject: nothing,
    }),
    [theme],
  );
  useEffect(() => {
    return bindShortcuts(window, playerCommands(player), () => true);
  }, [player]);
  useEffect(() => {
    if (address.origin === null || window.parent === window) return;
    return talk(window, address.origin, { player, session });
  }, [address, player, session]);

  return (
    <ShellContext value={shell}>
      <main className="embed" id="content" tabIndex={-1}>
        <h1 className="unseen">{format.title}</h1>
        <Bars />
        <StoryBoundary name="The stage">
          <Words />
          <div className="embed-stage">
            <Picture />
          </div>
        </StoryBoundary>
        <StoryBoundary name="The player">
          <Player player={player} />
        </StoryBoundary>
        <a className="embed-whole" href={address.link} target="_blank" rel="noreferrer">
          SparseScope
          <span className="unseen">: {format.title} on a page of its own</span>
        </a>
      </main>
      {question && (
        <Boundary name="The question about a link" onClose={() => session.answerQuestion(false)}>
          <LinkQuestion question={question} onAnswer={session.answerQuestion} />
        </Boundary>
      )}
    </ShellContext>
  );
}

function Words() {
  return <Narration words={useScene()?.narration ?? []} />;
}
