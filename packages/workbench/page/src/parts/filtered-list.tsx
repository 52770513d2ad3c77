import { useMemo, useState, type ReactNode } from 'react';
import { routeTo } from '../data/use-route.ts';
import { useListKeys } from './use-list-keys.ts';

interface FilteredListProps<Item> {
  readonly page: string;
  /** What the items are, such as `runs`. */
  readonly name: string;
  readonly items: readonly Item[];
  /** Key of the selected item. */
  readonly chosen: string;
  readonly keyOf: (item: Item) => string;
  /** The text that the filter searches. */
  readonly textOf: (item: Item) => string;
  /** Whether a search elsewhere has found the item. */
  readonly isFound?: (item: Item) => boolean;
  readonly onFilter?: (text: string) => void;
  readonly head?: ReactNode;
  readonly children: (item: Item) => ReactNode;
}

/** A list of links with a filter. `j` and `k` move through it. */
export function FilteredList<Item>(props: FilteredListProps<Item>) {
  const { page, name, items, chosen, keyOf, textOf, isFound, onFilter, head, children } = props;
  const [filter, setFilter] = useState('');
  const wanted = filter.toLowerCase();
  const shown = items.filter((item) => textOf(item).toLowerCase().includes(wanted) || isFound?.(item) === true);
  const joined = shown.map((item) => routeTo(page, keyOf(item))).join(' ');
  useListKeys(useMemo(() => (joined === '' ? [] : joined.split(' ')), [joined]));
  return (
    <>
      <div className="list-head">
        <input
          type="search"
          value={filter}
          placeholder={`Filter ${name}`}
          aria-label={`Filter ${name}`}
          onChange={(event) => {
            setFilter(event.target.value);
            onFilter?.(event.target.value);
          }}
        />
        {head}
        <p className="quiet">
          {shown.length} of {items.length} {name}
        </p>
      </div>
      <ul className="list">
        {shown.map((item) => (
          <li key={keyOf(item)}>
            <a href={routeTo(page, keyOf(item))} aria-current={keyOf(item) === chosen ? 'true' : undefined}>
              {children(item)}
            </a>
          </li>
        ))}
        {shown.length === 0 && <li className="notice">Nothing matches “{filter}”.</li>}
      </ul>
    </>
  );
}
