import type { AnyListedFormat, AnyStory } from '../core/format.ts';
import type { joinedTimeline, timelineOf } from '../core/story/timeline.ts';

/** What makes one player's way of one story or two. */
export interface Timelines {
  readonly joinedTimeline: typeof joinedTimeline;
  readonly timelineOf: typeof timelineOf;
}

/** The stories of the formats, whose code is loaded one by one. */
export interface Stories {
  /** The story of a format, or null as long as it has not been loaded. */
  get(format: AnyListedFormat): AnyStory | null;
  /** Comes with the first story. Throws Error before. */
  timelines(): Timelines;
  /** Loads a story, once for all who ask. Rejects when its code does not arrive; the next who asks tries again. */
  load(format: AnyListedFormat): Promise<AnyStory>;
  /** Loads what is missing, one after the other. What fails is left to whoever needs it. */
  loadAll(): Promise<void>;
}

export function createStories(
  formats: readonly AnyListedFormat[],
  loadTimelines: () => Promise<Timelines> = () => import('../core/story/timeline.ts'),
): Stories {
  let timelines: Timelines | null = null;
  const loaded = new Map<AnyListedFormat, AnyStory>();
  const loading = new Map<AnyListedFormat, Promise<AnyStory>>();

  const begin = async (format: AnyListedFormat): Promise<AnyStory> => {
    const [story, ways] = await Promise.all([format.story(), timelines ?? loadTimelines()]);
    timelines = ways;
    loaded.set(format, story);
    return story;
  };
  const load = (format: AnyListedFormat): Promise<AnyStory> => {
    let underWay = loading.get(format);
    if (!underWay) {
      underWay = begin(format).finally(() => loading.delete(format));
      loading.set(format, underWay);
    }
    return underWay;
  };

  return {
    get: (format) => loaded.get(format) ?? null,
    timelines() {
      if (!timelines) throw new Error('timelines: found no story, expected one that has been loaded');
      return timelines;
    },
    load,
    async loadAll() {
      for (const format of formats) if (!loaded.has(format)) await load(format).catch(() => {});
    },
  };
}
