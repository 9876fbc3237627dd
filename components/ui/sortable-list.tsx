'use client';

import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { GripVertical } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useId } from 'react';
import { classNames } from './class-names';
import { iconButtonLook } from './icon-button';

interface SortableListProps<Item> {
  /** The label for screen readers. */
  label: string;
  items: Item[];
  keyOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  /** Gets the keys in their new order, and the moved one. Without it, the list can't be reordered. */
  onOrder?: ((keys: string[], move: { from: number; to: number }) => void) | undefined;
  /** True if the items stand in several columns. */
  isGrid?: boolean;
  className?: string;
  itemClassName?: string;
  children: (item: Item, index: number) => ReactNode;
}

/** A list that can be reordered by dragging, or with the keyboard. */
export function SortableList<Item>(props: SortableListProps<Item>) {
  const { label, items, keyOf, nameOf, onOrder, isGrid = false, className, itemClassName, children } = props;
  const t = useTranslations('common');
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const keys = items.map(keyOf);
  const announcements = useAnnouncements(keys, items.map(nameOf));

  function drop({ active, over }: DragEndEvent): void {
    const [from, to] = [keys.indexOf(String(active.id)), keys.indexOf(String(over?.id))];
    if (to >= 0 && from !== to) onOrder?.(arrayMove(keys, from, to), { from, to });
  }

  return (
    <DndContext
      id={useId()}
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('moveHelp') } }}
    >
      <SortableContext
        items={keys}
        strategy={isGrid ? rectSortingStrategy : verticalListSortingStrategy}
        disabled={!onOrder}
      >
        <ul aria-label={label} className={className}>
          {items.map((item, index) => (
            <SortableItem
              key={keyOf(item)}
              id={keyOf(item)}
              moveLabel={onOrder ? t('moveItem', { name: nameOf(item) }) : null}
              className={itemClassName}
            >
              {children(item, index)}
            </SortableItem>
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

function useAnnouncements(keys: string[], names: string[]): Announcements {
  const t = useTranslations('common');
  const describe = (active: { id: string | number }, over: { id: string | number } | null) => ({
    name: names[keys.indexOf(String(active.id))] ?? '',
    position: keys.indexOf(String((over ?? active).id)) + 1,
    count: keys.length,
  });
  return {
    onDragStart: ({ active }) => t('movePicked', describe(active, null)),
    onDragOver: ({ active, over }) => t('moveOver', describe(active, over)),
    onDragEnd: ({ active, over }) => t('moveDropped', describe(active, over)),
    onDragCancel: ({ active }) => t('moveCancelled', describe(active, null)),
  };
}

interface SortableItemProps {
  id: string;
  /** Null if it can't be moved. */
  moveLabel: string | null;
  className: string | undefined;
  children: ReactNode;
}

function SortableItem({ id, moveLabel, className, children }: SortableItemProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={classNames('flex items-center gap-1', isDragging && 'relative z-10 shadow-lg', className)}
    >
      {moveLabel === null ? null : (
        <button
          type="button"
          ref={setActivatorNodeRef}
          {...attributes}
          {...listeners}
          aria-label={moveLabel}
          className={classNames(iconButtonLook, 'w-8 cursor-grab touch-none active:cursor-grabbing')}
        >
          <GripVertical className="size-4" aria-hidden="true" />
        </button>
      )}
      {children}
    </li>
  );
}
