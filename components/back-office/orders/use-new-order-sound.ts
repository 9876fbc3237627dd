import { useCallback, useEffect, useRef, useState } from 'react';
import { useOffice } from '../office/office';

const storageKey = 'new-order-sound';

/** Plays two short notes. */
function ring(context: AudioContext): void {
  for (const [at, frequency] of [660, 880].entries()) {
    const start = context.currentTime + at * 0.16;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.2, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.3);
  }
}

/** On for the people of a store, off for those who only look in. Each device remembers what was chosen on it. */
export function useNewOrderSound() {
  const { role, worksEverywhere } = useOffice().person;
  const isOnAtFirst = role === 'cashier' || !worksEverywhere;
  const [isOn, setOn] = useState(false);
  const context = useRef<AudioContext | null>(null);
  const wake = useCallback(() => {
    context.current ??= new AudioContext();
    void context.current.resume();
    return context.current;
  }, []);
  useEffect(() => {
    setOn((localStorage.getItem(storageKey) ?? (isOnAtFirst ? 'on' : 'off')) === 'on');
    return () => {
      void context.current?.close();
      context.current = null;
    };
  }, [isOnAtFirst]);
  // Browsers let a page play sound only after a press on it. The first press anywhere on the page is enough.
  useEffect(() => {
    if (!isOn) return;
    const events = ['pointerdown', 'keydown'] as const;
    for (const event of events) window.addEventListener(event, wake, { once: true });
    return () => {
      for (const event of events) window.removeEventListener(event, wake);
    };
  }, [isOn, wake]);
  return {
    isOn,
    play: () => {
      if (isOn) ring(wake());
    },
    test: () => ring(wake()),
    toggle: () => {
      if (!isOn) ring(wake());
      localStorage.setItem(storageKey, isOn ? 'off' : 'on');
      setOn(!isOn);
    },
  };
}
