import { useRef, useState } from 'react';
import { useSpeech } from '../table-context';
import { useBillPage } from './bill-context';
import { type Refusal, readRefusal } from './refusal';

/** Runs one request at a time, and keeps its refusal until the next. */
export function useTask() {
  const { words } = useBillPage();
  const { money } = useSpeech();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  // Set immediately, because a second tap can come before React has rendered the first.
  const isUnderWay = useRef(false);
  /** Returns the refusal; null once the work is done, or while another runs. */
  const run = async (work: () => Promise<unknown>): Promise<Refusal | null> => {
    if (isUnderWay.current) return null;
    isUnderWay.current = true;
    setBusy(true);
    setRefusal(null);
    try {
      await work();
      return null;
    } catch (error) {
      const read = readRefusal(error, words, money);
      setRefusal(read);
      return read;
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  return { isBusy, refusal, run };
}
