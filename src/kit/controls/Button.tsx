import type { ComponentProps } from 'react';
import { classes } from '../primitives/classes.ts';

type OwnButtonProps = Omit<ComponentProps<'button'>, 'type'>;

interface ButtonProps extends OwnButtonProps {
  /** solid: the one that a person came for; icon: a square around a sign; bare: such a square without a frame */
  readonly look?: 'solid' | 'icon' | 'bare';
}

const LOOKS = { solid: 'button--solid', icon: 'button--icon', bare: 'button--icon button--bare' } as const;

/** A button with a frame. */
export function Button({ look, className, ...rest }: ButtonProps) {
  return <button type="button" className={classes('button', look && LOOKS[look], className)} {...rest} />;
}

/** A button that is a word of its text. */
export function TextButton({ className, ...rest }: OwnButtonProps) {
  return <button type="button" className={classes('text-button', className)} {...rest} />;
}
