import { lessons } from '../../lessons/index.ts';
import { withPage } from '../../state/index.ts';
import { AddressLink } from '../../kit/browser/AddressLink.tsx';
import { LEARN_FIELDS } from './address.ts';
import { CLAIMS } from './guides.ts';
import { Cell } from './ReadingGuides.tsx';

const ERRATA = lessons.find(({ id }) => id === 'where-the-papers-err');

/** The claims of the papers as a table: the claim, whether it holds here, and where to see it. */
export function Claims() {
  return (
    <main
      className="learn min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-(--page-margin) py-6"
      id="content"
      tabIndex={-1}
    >
      <p className="text-12">
        <AddressLink className="text-button" to={(doc) => withPage(doc, LEARN_FIELDS, { lesson: '', paragraph: 0 })}>
          Learn
        </AddressLink>
      </p>
      <h2 className="text-[clamp(1.5rem,3.125vw,2rem)] font-[300] leading-[1.22] text-pretty mt-1">
        Claims of the papers, and whether they hold here
      </h2>
      <p className="text-muted mt-2 mb-4 max-w-[64rem]">
        Times “here” are measured on an NVIDIA H200, without tensor cores, unless a row says otherwise; their sources
        are in docs/claims.md.{' '}
        {ERRATA && (
          <AddressLink
            className="text-button"
            to={(doc) => withPage(doc, LEARN_FIELDS, { lesson: ERRATA.id, paragraph: 0 })}
          >
            All errors, each with a case to try
          </AddressLink>
        )}
      </p>
      <table className="claims w-full max-w-[82rem]">
        <thead className="text-muted text-12 text-start">
          <tr>
            <th scope="col">claim</th>
            <th scope="col">holds here?</th>
            <th scope="col">where</th>
          </tr>
        </thead>
        <tbody>
          {CLAIMS.map(([place, claim, verdict, where]) => {
            const [, short, why] = /^(yes|not tested here|no|in part)(.*)$/is.exec(verdict) ?? ['', verdict, ''];
            return (
              <tr key={place}>
                <th scope="row" className="font-normal">
                  {claim}
                  <span className="block text-muted text-12">{place}</span>
                </th>
                <td>
                  <b>{short}</b>
                  {why}
                </td>
                <td>
                  <Cell text={where} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </main>
  );
}
