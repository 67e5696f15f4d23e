/** Where the code takes the time from: the system's clock, or a test's. */
export type Clock = () => Date

/** The system's clock. */
export const systemClock: Clock = () => new Date()
