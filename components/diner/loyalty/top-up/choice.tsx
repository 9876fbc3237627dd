'use client';

import type { ReactNode } from 'react';

interface ChoiceProps {
  name: string;
  isChosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

/** One of several options, as a card to tap. */
export function Choice({ name, isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex cursor-pointer gap-4 rounded-2xl border border-line bg-surface p-4 hover:border-edge has-checked:border-accent has-checked:ring-1 has-checked:ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        className="mt-1 size-5 shrink-0 accent-accent outline-none"
      />
      <span className="min-w-0 grow">{children}</span>
    </label>
  );
}
