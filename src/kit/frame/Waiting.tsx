interface WaitingProps {
  /** of what is on its way: the place, or a part of it */
  readonly title: string;
  /** what is being loaded: 'Opening Tales 3.4M' */
  readonly what: string;
}

/** A place that is on its way, or a part of one: its heading, what is being loaded, and the shape of what will be there. */
export function Waiting({ title, what }: WaitingProps) {
  return (
    <>
      <h2 className="answer-line">{title}</h2>
      <p className="mt-2 quiet" role="status">
        {what} …
      </p>
      <div className="skeleton-line" />
      <div className="skeleton-line skeleton-line--short" />
      <div className="skeleton-picture" />
    </>
  );
}

/** The same as all of the page's content. */
export function WaitingPlace(props: WaitingProps) {
  return (
    <main className="visit-frame place-frame w-full" id="content" tabIndex={-1} aria-busy="true">
      <Waiting {...props} />
    </main>
  );
}
