import { counted, countText } from '../../../../src/core/text/words.ts';
import { bytes, percent } from '../../../../src/kit/words/quantity.ts';
import type { MemoryAnswer } from '../service/drafts/draft-types.ts';
import { usedShare } from './recorded-loads.ts';

interface ArrayTableProps {
  readonly answer: Pick<MemoryAnswer, 'workgroup' | 'arrays'>;
  /** name of the array whose loads are drawn next to the table */
  readonly shownArray?: string;
  readonly className?: string;
}

/**
 * A workgroup's loads by array: in lines of 128 bytes of a buffer, or in turns of workgroup memory: in each turn, every
 * bank serves one word.
 */
export function ArrayTable({ answer, shownArray, className = '' }: ArrayTableProps) {
  return (
    <table className={`table ${className}`}>
      <caption className="unseen">What workgroup {answer.workgroup} loads, by array</caption>
      <thead>
        <tr>
          <th scope="col">Array</th>
          <th scope="col" className="number">
            Loads
          </th>
          <th scope="col" className="number">
            Lines or turns
          </th>
          <th scope="col" className="number">
            Bytes requested
          </th>
          <th scope="col" className="number" title="Bytes requested, of the bytes read">
            Used
          </th>
        </tr>
      </thead>
      <tbody>
        {answer.arrays.map(({ name, space, loads, transactions, usedBytes }) => (
          <tr key={name} aria-current={name === shownArray ? 'true' : undefined}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td className="number">{countText(loads)}</td>
            <td className="number">
              {transactions === null ? '–' : counted(transactions, space === 'storage' ? 'line' : 'turn')}
            </td>
            <td className="number">{usedBytes === null ? '–' : bytes(usedBytes)}</td>
            <td className="number">
              {transactions === null || usedBytes === null ? '–' : percent(usedShare(usedBytes, transactions), 0)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
