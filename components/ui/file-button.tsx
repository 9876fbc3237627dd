'use client';

import { type ReactNode, useId, useRef, useState } from 'react';
import { Button } from './button';
import { classNames } from './class-names';

interface FileButtonProps {
  /** The label for screen readers. */
  label: string;
  /** The `accept` attribute of the file input. */
  accept: string;
  onFile: (file: File) => void;
  variant?: 'primary' | 'secondary';
  size?: 'medium' | 'small';
  busy: boolean;
  /** Why the last file was rejected. */
  error?: string | null;
  children: ReactNode;
}

/** Opens the file dialog. The same file can be chosen again. */
export function FileButton({ label, accept, onFile, variant, size, busy, error, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        aria-describedby={error ? errorId : undefined}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) onFile(file);
          target.value = '';
        }}
      />
      <Button variant={variant} size={size} busy={busy} onClick={() => input.current?.click()}>
        {children}
      </Button>
      {error ? (
        <p id={errorId} role="alert" className="order-last mt-2 w-full text-sm text-danger">
          {error}
        </p>
      ) : null}
    </>
  );
}

interface DropZoneProps {
  onFile: (file: File) => void;
  className: string;
  /** The classes while a file is dragged over it. */
  overClassName: string;
  children: ReactNode;
}

/** Accepts a dropped file: a shortcut for a button next to it. */
export function DropZone({ onFile, className, overClassName, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a short cut for a pointer; a button does the same for everybody
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file) onFile(file);
      }}
      className={classNames(className, isOver && overClassName)}
    >
      {children}
    </div>
  );
}
