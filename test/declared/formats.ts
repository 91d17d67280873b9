// Declared formats of tests.

import type { AnyFormat } from '../../src/core/format.ts';
import { withStory } from '../../src/story/declared/with-story.ts';
import { formats } from '../../src/formats/registry.ts';
import { deltaCsr } from './delta-csr/index.ts';
import { jds } from './jds/index.ts';
import { sell4 } from './sell4/index.ts';

/** Formats that consist of a declaration alone, as in CONTRIBUTING.md: one with lengths known before encoding, one without. */
export const DECLARED_ALONE: readonly AnyFormat[] = [deltaCsr, sell4].map(withStory);

/** A declared format that permutes rows, and has an array whose length depends on the longest row. */
export const PERMUTED: AnyFormat = withStory(jds);

/** The formats that the contract tests cover: those of the registry and the declared ones of tests. */
export const contractFormats: readonly AnyFormat[] = [...formats, ...DECLARED_ALONE];
