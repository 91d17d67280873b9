/** A format's id as part of a CSS name: 'mine:NAME' has a colon, which CSS names cannot have. */
export function cssName(format: string): string {
  return format.replace(':', '-');
}

/** A format's colour in the theme, for a style; neutral if the theme has no such format. */
export function cssColorOf(format: string): string {
  return `var(--format-${cssName(format)}, var(--text-muted))`;
}

/** The colour of a format in text, which is darker or lighter for contrast. */
export function cssTextColorOf(format: string): string {
  return `var(--format-${cssName(format)}-text, var(--text-muted))`;
}

/** A style that makes a format's colour the accent colour of an element and of everything inside. */
export function accentOf(format: string): Readonly<Record<'--accent' | '--accent-text', string>> {
  return {
    '--accent': `var(--format-${cssName(format)}, var(--text))`,
    '--accent-text': `var(--format-${cssName(format)}-text, var(--text))`,
  };
}
