/** The time of the examples: Monday morning at the school. */
export const EXAMPLE_NOW = new Date('2026-06-01T15:00:00Z')
