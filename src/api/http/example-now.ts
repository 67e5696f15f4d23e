/** The instant at which the examples were recorded: Monday morning at the school. */
export const EXAMPLE_NOW = new Date('2026-06-01T15:00:00Z')

/** The zone of the school of the examples. */
export const EXAMPLE_ZONE = 'America/Los_Angeles'
