import './frame.css';

interface WaitingProps {
  /** the name of the page (such as Compare), or of its part */
  readonly title: string;
  /** what is being done, in words: 'Opening Tales 3.4M' */
  readonly what: string;
}

/** A page, or part of a page, that is loading: its heading, the task, and an outline of its content. */
export function Waiting({ title, what }: WaitingProps) {
  return (
    <>
      <h2 className="answer-line">{title}</h2>
      <p className="mt-2 text-muted" role="status">
        {what} …
      </p>
      <div className="skeleton-line" />
      <div className="skeleton-line skeleton-line--short" />
      <div className="skeleton-picture" />
    </>
  );
}

/** The `main` element while a page is loading. */
export function WaitingPage(props: WaitingProps) {
  return (
    <main className="visit-frame page-frame w-full" id="content" tabIndex={-1} aria-busy="true">
      <Waiting {...props} />
    </main>
  );
}
