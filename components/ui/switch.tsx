'use client';

import { Switch as Primitive } from '@base-ui/react/switch';
import { useIsInBrowser } from './use-is-in-browser';

interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  /** The id of the labelling element. */
  labelledBy: string;
  describedBy?: string;
}

export function Switch({ checked, onChange, disabled, labelledBy, describedBy }: SwitchProps) {
  // Not rendered by the server, because it would write the hidden input's inline style into the page, which the policy
  // for styles forbids.
  const isInBrowser = useIsInBrowser();
  if (!isInBrowser) return <span className="h-8 w-14 shrink-0 rounded-full border border-edge bg-tint" />;
  return (
    <Primitive.Root
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      className="relative inline-flex h-8 w-14 shrink-0 items-center rounded-full border border-edge bg-tint px-1 transition-colors data-checked:border-accent data-checked:bg-accent data-disabled:opacity-60"
    >
      <Primitive.Thumb className="size-6 rounded-full bg-edge transition-transform data-checked:translate-x-[1.4rem] data-checked:bg-on-accent motion-reduce:transition-none forced-colors:bg-[ButtonText] forced-colors:data-checked:bg-[Highlight]" />
    </Primitive.Root>
  );
}
