import type { MatrixSource, Pruning } from '../../engine/matrix/source-types.ts';
import { baseOf, openedSource, withSource } from '../document.ts';
import { firstWindow } from './first-window.ts';
import type { LivePruning } from './live-pruning.ts';
import type { DocumentFor } from './opener.ts';
import type { SessionContext } from './session-context.ts';
import type { StoryBuilder } from './story-builder.ts';

/** Prunes the open matrix, and previews a pruning in its window. */
export function createPruning(
  context: SessionContext,
  storyBuilder: StoryBuilder,
  open: (source: MatrixSource, documentFor: DocumentFor) => Promise<boolean>,
) {
  const { store, document } = context;
  /** loaded when a slider is first moved: the first screen does not need it */
  let live: LivePruning | null = null;
  let previewed: Pruning | null = null;
  const preview = (pruning: Pruning | null): void => {
    previewed = pruning;
    if (live) return live.show(pruning);
    if (!pruning) return;
    import('./live-pruning.ts').then(({ createLivePruning }) => {
      live ??= createLivePruning(context, storyBuilder);
      live.show(previewed);
    }, context.fail);
  };
  return {
    preview,
    async prune(pruning: Pruning | null): Promise<void> {
      if (!store.getState().bench.running) preview(pruning);
      const base = baseOf(document.getState().source);
      const target: MatrixSource = pruning ? { kind: 'pruned', base, pruning } : base;
      await open(target, async (summary, watch) => {
        const now = document.getState();
        const window = now.window ?? (await firstWindow(context, summary, now, watch));
        return withSource(document.getState(), openedSource(target, summary.source), window);
      });
      // If it failed, the actual cells are shown again; a newer pruning keeps its preview.
      if (previewed === pruning) preview(null);
      else if (previewed) live?.show(previewed);
    },
    /** Handles the death of the engine, which ranked the cells. */
    onEngineLost(): void {
      live = null;
    },
  };
}
