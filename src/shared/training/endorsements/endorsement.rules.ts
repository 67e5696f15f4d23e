import { addDays, localDate, wallToInstant } from '../../platform/kernel/zones.ts'

/**
 * Returns when an endorsement expires: the last millisecond of its last day, counted from the local date of the
 * signature. Null days never expire.
 * Implements interface §Training: the default `expiresAt` of an endorsement.
 */
export function expiryOf(signedAt: Date, validityDays: number | null, zone: string): Date | null {
  if (validityDays === null) return null
  const dayAfter = addDays(localDate(signedAt, zone), validityDays + 1)
  return new Date(wallToInstant(dayAfter, 0, zone).getTime() - 1)
}

/** Returns a template's text with the known values filled in. The instructor fills in the other placeholders. */
export function fillIn(text: string, known: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => known[name] ?? placeholder)
}

/** Returns the placeholders that are left in a text, in order and without duplicates. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? ''))]
}
