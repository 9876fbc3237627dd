'use client';

import { Tabs as Primitive } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface TabsProps<Value extends string> {
  /** The label for screen readers. */
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  /** True to keep hidden panels mounted, so that forms in them keep their input. */
  keepsPanels?: boolean;
  tabs: { value: Value; label: string; panel: ReactNode }[];
}

/** Tabs, with one panel visible at a time. */
export function Tabs<Value extends string>({ label, value, onChange, keepsPanels = false, tabs }: TabsProps<Value>) {
  return (
    <Primitive.Root value={value} onValueChange={(next) => onChange(next as Value)}>
      <Primitive.List
        aria-label={label}
        activateOnFocus
        className="scroll-fade mb-5 grid auto-cols-[minmax(max-content,1fr)] grid-flow-col gap-1 max-sm:gap-0 overflow-x-auto rounded-xl bg-tint p-1"
      >
        {tabs.map((tab) => (
          <Primitive.Tab
            key={tab.value}
            value={tab.value}
            className="min-h-9 rounded-lg px-1 text-sm sm:px-3 font-medium text-muted transition-colors hover:text-ink data-active:bg-surface data-active:text-ink data-active:shadow-sm forced-colors:data-active:outline-2 forced-colors:data-active:-outline-offset-2"
          >
            {tab.label}
          </Primitive.Tab>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Panel key={tab.value} value={tab.value} keepMounted={keepsPanels}>
          {tab.panel}
        </Primitive.Panel>
      ))}
    </Primitive.Root>
  );
}
