import { useEffect, useState } from 'react';
import type { AnyListedFormat, AnyStory } from '../../core/format.ts';
import type { Trace } from '../../core/story/trace.ts';
import { shownStory, withStep } from '../../state/index.ts';
import type { App } from '../../kit/app-context.ts';

/** A line of a kernel's file, from 1. */
export interface QuotedLine {
  readonly file: string;
  readonly line: number;
}

/** Whether a format's story quotes lines of a file. False until the story has loaded. */
export function useQuotes(format: AnyListedFormat, file: string): boolean {
  const [story, setStory] = useState<{ readonly of: string; readonly quotes: readonly string[] } | null>(null);
  useEffect(() => {
    let gone = false;
    format.story().then(
      ({ quotes = [] }) => {
        if (!gone) setStory({ of: format.id, quotes });
      },
      // Without the story there is nothing to link to.
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [format]);
  return story?.of === format.id && story.quotes.includes(file);
}

/** The first step whose scene quotes the line; null if none does. At most O(steps) scenes. */
function stepQuoting(story: AnyStory, trace: Trace, { file, line }: QuotedLine): number | null {
  for (let step = 1; step <= trace.steps.length; step++) {
    const { code } = story.scene(trace, step);
    if (code?.file === file && code.currentLine === line) return step;
  }
  return null;
}

/** Opens a format's story at the first step in which the line runs. */
export async function showQuote(app: App, format: AnyListedFormat, quoted: QuotedLine): Promise<void> {
  const { session, document, announce } = app;
  const story = await format.story();
  session.setFormat(format.id);
  session.follow('stage');
  const go = (): boolean => {
    const loaded = shownStory(session.store.getState().trace);
    if (loaded === null || loaded.story !== story) return false;
    const step = stepQuoting(story, loaded.trace, quoted);
    if (step === null) announce('No step of the story reaches that line on this window.');
    else {
      // With a second format the player counts ticks of both.
      const { timeline } = session.store.getState();
      document.setState(
        withStep(document.getState(), timeline ? timeline.a.findIndex((shown) => shown >= step) : step),
      );
    }
    return true;
  };
  if (go()) return;
  // The story follows the format shortly after; if it does not admit the window, the stage says so.
  const unsubscribe = session.store.subscribe(() => {
    if (go()) unsubscribe();
  });
  setTimeout(unsubscribe, 5000);
}
