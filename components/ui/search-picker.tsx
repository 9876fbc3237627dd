'use client';

import { Combobox } from '@base-ui/react/combobox';
import { Search } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { describedBy, FieldFrame, type FieldFrameProps, inputLook } from './field';
import { menuItemLook, menuLook } from './menu';
import { useIsInBrowser } from './use-is-in-browser';

interface SearchPickerProps<Item> extends FieldFrameProps {
  search: string;
  onSearch: (text: string) => void;
  /** The matches. */
  items: Item[];
  keyOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  /** The text shown without matches. */
  emptyText: string;
  onPick: (item: Item) => void;
  placeholder?: string;
  children: (item: Item) => ReactNode;
}

/** A search field with matches to pick, also by keyboard. */
export function SearchPicker<Item>(props: SearchPickerProps<Item>) {
  const { search, onSearch, items, keyOf, nameOf, emptyText, onPick, placeholder, children, ...frame } = props;
  const id = useId();
  const look = `${inputLook(Boolean(frame.error))} pl-10`;
  // Not rendered by the server, because it would write the hidden input's inline style into the page, which the policy
  // for styles forbids.
  if (!useIsInBrowser()) {
    return (
      <FieldFrame id={id} {...frame}>
        <input id={id} placeholder={placeholder} disabled className={look} />
      </FieldFrame>
    );
  }
  return (
    <FieldFrame id={id} {...frame}>
      <Combobox.Root
        items={items}
        filter={null}
        value={null}
        onValueChange={(item: Item | null) => {
          if (item === null) return;
          onPick(item);
          onSearch('');
        }}
        inputValue={search}
        onInputValueChange={(text, { reason }) => {
          if (reason !== 'item-press') onSearch(text);
        }}
        itemToStringLabel={nameOf}
        isItemEqualToValue={(a, b) => keyOf(a) === keyOf(b)}
        autoHighlight
      >
        <div className="relative">
          <Search
            className="pointer-events-none absolute top-1/2 left-3.5 size-4 -translate-y-1/2 text-muted"
            aria-hidden="true"
          />
          <Combobox.Input
            {...describedBy(id, frame)}
            id={id}
            placeholder={placeholder}
            autoComplete="off"
            className={look}
          />
        </div>
        <Combobox.Portal>
          <Combobox.Positioner sideOffset={6} className="z-60 outline-none">
            <Combobox.Popup className={`${menuLook} w-(--anchor-width)`}>
              <Combobox.Empty className="px-3 py-2.5 text-sm text-muted empty:hidden">{emptyText}</Combobox.Empty>
              <Combobox.List>
                {(item: Item) => (
                  <Combobox.Item key={keyOf(item)} value={item} className={`${menuItemLook} py-2`}>
                    {children(item)}
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </FieldFrame>
  );
}
