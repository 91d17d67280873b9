import { type ReactNode, useId } from 'react';

interface SectionHeadProps {
  readonly title: ReactNode;
  /** in the heading, quieter: the meaning of a chart's marks */
  readonly caption?: ReactNode;
  /** at the end of the line, outside the heading: a count, a unit */
  readonly aside?: ReactNode;
  /** buttons at the end of the line */
  readonly action?: ReactNode;
  readonly level?: 2 | 3;
  /** of the heading, for the element that it labels */
  readonly id?: string | undefined;
}

/** The heading of a section or a chart, in one line with a note and buttons. */
export function SectionHead({ title, caption, aside, action, level = 2, id }: SectionHeadProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div className="section-head flex items-baseline justify-between gap-3 mb-2 min-h-6">
      <Heading id={id}>
        {title}
        {caption !== undefined && (
          <>
            {' '}
            <span className="section-caption">{caption}</span>
          </>
        )}
      </Heading>
      {aside && <span className="aside text-quiet text-12 whitespace-nowrap">{aside}</span>}
      {action}
    </div>
  );
}

interface SectionProps extends Omit<SectionHeadProps, 'title'> {
  /** absent: no heading, only `label` */
  readonly title?: ReactNode;
  /** its name as a landmark; default: the heading */
  readonly label?: string;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** A part of a panel: a heading and its content. */
export function Section({ title, label, className, id: givenId, children, ...head }: SectionProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  return (
    <section
      className={className === undefined ? 'section' : `section ${className}`}
      aria-label={label}
      aria-labelledby={label === undefined && title !== undefined ? id : undefined}
    >
      {title !== undefined && <SectionHead title={title} id={id} {...head} />}
      {children}
    </section>
  );
}
