import type { AnyFormat } from '../../src/core/format.ts';
import { withStory } from '../../src/story/declared/with-story.ts';
import { formats } from '../../src/formats/registry.ts';
import { deltaCsr } from './delta-csr/index.ts';
import { jds } from './jds/index.ts';
import { sell4 } from './sell4/index.ts';

/** Formats of declarations alone, as CONTRIBUTING.md shows them: lengths that are known before encoding, and open ones. */
export const DECLARED_ALONE: readonly AnyFormat[] = [deltaCsr, sell4].map(withStory);

/** A declared format that permutes rows, and one of whose lengths follows from the longest row. */
export const PERMUTED: AnyFormat = withStory(jds);

/** The formats that keep the contract: the registry's, and these. */
export const contractFormats: readonly AnyFormat[] = [...formats, ...DECLARED_ALONE];
