import { cssColorOf } from '../format-color.ts';

/** What a swatch shows: the colour of a format, any other colour, or the hatching of padding. */
type SwatchProps = { readonly format: string } | { readonly color: string } | { readonly padding: true };

/** A small square in a colour, before the name of the thing that has this colour in a drawing. */
export function Swatch(props: SwatchProps) {
  if ('padding' in props) return <span className="swatch swatch--padding" aria-hidden="true" />;
  const color = 'format' in props ? cssColorOf(props.format) : props.color;
  // Formats that a user wrote are hollow; their ids contain a colon.
  const isCustom = 'format' in props && props.format.includes(':');
  return (
    <span className="swatch" data-custom={isCustom || undefined} style={{ '--swatch': color }} aria-hidden="true" />
  );
}
