import { addDays, localDate, wallToInstant } from '../../platform/kernel/zones.ts'

/** How long ahead people are told that an endorsement expires. */
export const TOLD_DAYS_AHEAD = 14

/**
 * When an endorsement of so many days expires: the last moment of that day, counted from the local date of its
 * signature, as the regulations count days. null never expires.
 */
export function expiryOf(signedAt: Date, validityDays: number | null, zone: string): Date | null {
  if (validityDays === null) return null
  const dayAfter = addDays(localDate(signedAt, zone), validityDays + 1)
  return new Date(wallToInstant(dayAfter, 0, zone).getTime() - 1)
}

/** A template's text with what is known filled in; the other placeholders stay for the instructor. */
export function fillIn(text: string, known: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => known[name] ?? placeholder)
}

/** The placeholders of a text that are still open, in order, each once. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? ''))]
}
