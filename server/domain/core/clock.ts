/** All domain time comes from here, so that a test can move it. */
export interface Clock {
  now(): Date;
}

/** A clock that runs `seconds` before another. */
export const ahead = (clock: Clock, seconds: number): Clock => ({
  now: () => new Date(clock.now().getTime() + seconds * 1000),
});

export const systemClock: Clock = { now: () => new Date() };
