/**
 * A failure that no retry heals: a declined card, a refused address. The job stops at once and stays visible as
 * failed; what it means for the record is written by the processor before it throws.
 */
export class Permanent extends Error {}
