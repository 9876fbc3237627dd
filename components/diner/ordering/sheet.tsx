import { type ReactNode, useEffect, useId, useRef } from 'react';
import { CrossIcon } from './icons';
import { enterHistory } from './sheet-history';
import { useSpeech } from './table-context';

interface SheetProps {
  title: string;
  /** A warning about the connection, because the sheet covers the page's own. */
  warning: string | null;
  onClose: () => void;
  /** A picture above the title. */
  top?: ReactNode;
  children: ReactNode;
  /** Always visible at the bottom of the sheet. */
  footer: ReactNode;
}

/**
 * A modal sheet: from below on a phone, in the middle of a larger screen. Submitting a form inside with
 * `method="dialog"` closes it, as does the browser's Back. The focus then returns to where it was.
 */
export function Sheet({ title, warning, onClose, top, children, footer }: SheetProps) {
  const { words } = useSpeech();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const sheet = dialog.current;
    if (!sheet) return;
    if (!sheet.open) sheet.showModal();
    return enterHistory(sheet);
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      // Close events of inner sheets bubble in React.
      onClose={({ target }) => target === dialog.current && onClose()}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
      className="sheet"
    >
      <p role="status" className={warning ? 'warning' : 'sr-only'}>
        {warning}
      </p>
      <div className="sheet-body">
        {top}
        <header className="flex items-start justify-between gap-4 px-5 pt-5 sm:px-6">
          <h2
            id={titleId}
            tabIndex={-1}
            className="text-xl font-semibold tracking-[-0.02em] wrap-anywhere outline-none"
          >
            {title}
          </h2>
          <form method="dialog" className="contents">
            <button type="submit" aria-label={words.close} className="round-button -mt-1.5 -mr-2">
              <CrossIcon />
            </button>
          </form>
        </header>
        {children}
      </div>
      {footer}
    </dialog>
  );
}
