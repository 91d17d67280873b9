import { useApp } from '../../kit/app-context.ts';
import { useShell } from '../../kit/frame/shell-context.ts';
import { type Choice, type Level, sameMatrix, sourceOf } from './choice.ts';
import type { Found } from './search.ts';

/** What is done with a choice, or with what a search found. */
export function useTaking(opened: Choice, onClose: () => void) {
  const { session } = useApp();
  const { openFile } = useShell();
  const apply = (taken: Choice): void => {
    const place = sourceOf(taken);
    const isSame = sameMatrix(taken.at, opened.at) && levelOfSource(taken.level) === levelOfSource(opened.level);
    if (place !== null && !isSame) void session.openModel(place, taken.window ?? undefined);
    else if (taken.window) session.setWindow(taken.window);
  };
  const closing =
    <T>(act: (of: T) => void) =>
    (of: T): void => {
      onClose();
      act(of);
    };
  return {
    apply,
    take: closing(apply),
    takeExample: closing((id: string) => void session.openExample(id)),
    takeFound: closing((one: Found) => {
      if (one.kind === 'place') apply(one.choice);
      else if (one.kind === 'example') void session.openExample(one.id);
      else if (one.kind === 'link') void session.openRemote(one.reference, null);
      else openFile();
    }),
  };
}

/** A window is taken with its matrix. */
function levelOfSource(level: Level): Level {
  return level === 'window' ? 'matrix' : level;
}
