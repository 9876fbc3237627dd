import { useCallback, useEffect, useRef, useState } from 'react';

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

/** Off until someone turns it on on this device. */
export function useNewOrderSound() {
  const [isOn, setOn] = useState(false);
  const context = useRef<AudioContext | null>(null);
  useEffect(() => {
    setOn(localStorage.getItem(storageKey) === 'on');
    return () => void context.current?.close();
  }, []);
  const sound = useCallback(() => {
    context.current ??= new AudioContext();
    // Browsers let a page play sound only after a user gesture.
    void context.current.resume();
    ring(context.current);
  }, []);
  return {
    isOn,
    play: () => {
      if (isOn) sound();
    },
    toggle: () => {
      if (!isOn) sound();
      localStorage.setItem(storageKey, isOn ? 'off' : 'on');
      setOn(!isOn);
    },
  };
}
