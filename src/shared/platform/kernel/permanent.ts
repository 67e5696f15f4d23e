/**
 * A failure that no retry can fix: a declined card, a rejected address. The job stops at once and stays visible as
 * failed; its processor writes the consequences before it throws.
 */
export class Permanent extends Error {}
