/** The source of all domain time, so that tests can control it. */
export interface Clock {
  now(): Date;
}

/** Returns a clock that is `seconds` ahead of another. */
export const clockAhead = (clock: Clock, seconds: number): Clock => ({
  now: () => new Date(clock.now().getTime() + seconds * 1000),
});

export const systemClock: Clock = { now: () => new Date() };
