/** What keeps the service or a command from starting, in a sentence that says what to do. */
export class StartupError extends Error {}
