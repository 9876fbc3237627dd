import { BellIcon } from './icons';
import { useSpeech } from './table-context';

/** Opens the sheet for calling staff. Marked while a call waits. */
export function CallButton({ isWaiting, onOpen }: { isWaiting: boolean; onOpen: () => void }) {
  const { words } = useSpeech();
  return (
    <button
      type="button"
      aria-label={isWaiting ? `${words.calls}${words.colon}${words.callWaits}` : words.calls}
      onClick={onOpen}
      className="round-button relative border border-edge bg-surface"
    >
      <BellIcon />
      {isWaiting ? <span className="absolute top-0 right-0 size-3 rounded-full bg-zest ring-2 ring-page" /> : null}
    </button>
  );
}
