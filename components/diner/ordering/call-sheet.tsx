import type { OpenTable } from '@/server/domain/qr-ordering';
import type { DinerClient } from '../diner-client';
import { Call } from './call';
import { Sheet } from './sheet';
import { useSpeech } from './table-context';

interface CallSheetProps {
  client: DinerClient;
  /** The waiting calls of this table, from any phone. */
  calls: OpenTable['calls'];
  /** A warning about the connection. */
  warning: string | null;
  onChanged: () => void;
  onClose: () => void;
}

/** Calls staff, asks for the bill, or withdraws a call. Loaded when it is first opened. */
export function CallSheet({ warning, onClose, ...call }: CallSheetProps) {
  const { words } = useSpeech();
  return (
    <Sheet title={words.calls} warning={warning} onClose={onClose} footer={null}>
      <div className="space-y-5 px-5 pt-3 pb-8 sm:px-6">
        <Call kind="staff" {...call} />
        <Call kind="bill" {...call} />
      </div>
    </Sheet>
  );
}
