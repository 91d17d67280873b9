import type { Compared } from './compare-row.ts';

/** All formats, a row each. */
export function CompareTable({ compared }: { readonly compared: Compared }) {
  return (
    <table className="compare-table">
      <tbody>
        {compared.rows.map(({ key, format, bytes }) => (
          <tr key={key}>
            <th scope="row">{format.title}</th>
            <td>{bytes}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
