/** Returns the current time: the system's, or a test's. */
export type Clock = () => Date

/** The system's clock. */
export const systemClock: Clock = () => new Date()
