/** An error that prevents the service or a command from starting; its message says what to do. */
export class StartupError extends Error {}
