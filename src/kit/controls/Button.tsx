import type { ComponentProps } from 'react';
import { classes } from '../primitives/classes.ts';

type ButtonAttributes = Omit<ComponentProps<'button'>, 'type'>;

interface ButtonProps extends ButtonAttributes {
  /** solid: the main action of its surroundings; icon: a square around an icon; bare: such a square without a frame */
  readonly kind?: 'solid' | 'icon' | 'bare';
}

const KIND_CLASSES = { solid: 'button--solid', icon: 'button--icon', bare: 'button--icon button--bare' } as const;

/** A button with a frame. */
export function Button({ kind, className, ...rest }: ButtonProps) {
  return <button type="button" className={classes('button', kind && KIND_CLASSES[kind], className)} {...rest} />;
}

/** A button styled like the text around it. */
export function TextButton({ className, ...rest }: ButtonAttributes) {
  return <button type="button" className={classes('text-button', className)} {...rest} />;
}
