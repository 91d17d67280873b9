import type { AnyFormat, AnyStory } from '../src/core/format.ts';
import { formats } from '../src/formats/registry.ts';

export interface FormatWithStory {
  readonly format: AnyFormat;
  readonly story: AnyStory;
}

/** Every registered format with its story, loaded, in the order of the registry. */
export async function formatsWithStories(): Promise<readonly FormatWithStory[]> {
  return Promise.all(formats.map(async (format) => ({ format, story: await format.story() })));
}
