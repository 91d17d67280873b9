import { type AnyStory, loadStory } from '../story/format-story.ts';
import type { AnyListedFormat } from '../core/format.ts';
import type * as twoStoriesModule from '../story/two-stories.ts';

/** The module that plays one story, or two side by side. */
export type TwoStories = Pick<typeof twoStoriesModule, keyof typeof twoStoriesModule>;

/**
 * A store of the stories of the formats (animations of encode and multiply): the code of each is loaded when needed.
 */
export function createStories(
  formats: readonly AnyListedFormat[],
  loadTwoStories: () => Promise<TwoStories> = () => import('../story/two-stories.ts'),
) {
  let twoStories: TwoStories | null = null;
  const loaded = new Map<AnyListedFormat, AnyStory>();
  const loading = new Map<AnyListedFormat, Promise<AnyStory>>();

  const begin = async (format: AnyListedFormat): Promise<AnyStory> => {
    const [story, module] = await Promise.all([loadStory(format), twoStories ?? loadTwoStories()]);
    twoStories = module;
    loaded.set(format, story);
    return story;
  };
  /** Loads a story, once for all callers. Rejects if its code fails to load; the next call tries again. */
  const load = (format: AnyListedFormat): Promise<AnyStory> => {
    const promise = loading.get(format) ?? begin(format).finally(() => loading.delete(format));
    loading.set(format, promise);
    return promise;
  };

  return {
    /** The story of a format, or null until it has been loaded. */
    get: (format: AnyListedFormat): AnyStory | null => loaded.get(format) ?? null,
    /** The module for two stories, which is loaded with the first story. Throws Error before. */
    twoStories(): TwoStories {
      if (!twoStories) throw new Error('twoStories: found no story, expected one that has been loaded');
      return twoStories;
    },
    load,
    /** Loads the missing stories, one after the other. Failed ones are loaded again when they are needed. */
    async loadAll(): Promise<void> {
      for (const format of formats) if (!loaded.has(format)) await load(format).catch(() => {});
    },
  };
}
