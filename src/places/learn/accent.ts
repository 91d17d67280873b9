import type { CSSProperties } from 'react';

/** The colour of a format as the accent of what is inside. */
export function accentOf(format: string): CSSProperties {
  return {
    '--accent': `var(--format-${format}, var(--text))`,
    '--accent-text': `var(--format-${format}-text, var(--text))`,
  };
}
