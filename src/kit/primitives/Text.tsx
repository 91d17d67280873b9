import type { HTMLAttributes, ReactNode } from 'react';
import type { Words } from '../../core/text/words.ts';
import { classes } from './classes.ts';

interface MutedProps extends HTMLAttributes<HTMLElement> {
  readonly as?: 'span' | 'p';
  readonly small?: boolean;
}

/** Text that is less prominent than its surroundings. */
export function Muted({ as: Tag = 'span', small = false, className, ...rest }: MutedProps) {
  return <Tag className={classes('text-muted', small && 'text-12', className)} {...rest} />;
}

/** A remark of a line or two below what it explains. */
export function Note({ className, ...rest }: HTMLAttributes<HTMLElement>) {
  return <p className={classes('max-w-[44rem] text-muted text-12', className)} {...rest} />;
}

/** An error message, read aloud as soon as it appears. */
export function Problem({ children }: { readonly children: ReactNode }) {
  return (
    <p className="problem" role="alert">
      {children}
    </p>
  );
}

interface StyledWordsProps {
  readonly words: readonly Words[];
  /** strong words are darker than the text around them */
  readonly isStrongDarker?: boolean;
}

/** A text whose words may be strong. */
export function StyledWords({ words, isStrongDarker = false }: StyledWordsProps) {
  return words.map(({ text, strong }, i) => {
    // The whole text changes at once, so the position of a word is its only identity.
    const key = `${i} ${text}`;
    if (!strong) return <span key={key}>{text}</span>;
    return (
      <strong key={key} className={isStrongDarker ? 'text-ink' : undefined}>
        {text}
      </strong>
    );
  });
}
