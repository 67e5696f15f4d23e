import { composed } from '../../platform/kernel/text.ts'

/** Returns the form in which names are compared: with composed letters (NFC), in lower case, without outer blanks. */
export function nameKey(name: string): string {
  return composed(name).trim().toLowerCase()
}

/** The characters of a registration that are ignored: blanks, dots, slashes, hyphens and dashes. */
export const TAIL_MARKS = ' \u00a0./-\u2010\u2011\u2012\u2013\u2014'

/** Returns the form in which registrations are compared: D-EABC, DEABC and D EABC are the same aircraft. */
export function tailKey(tail: string): string {
  const key = [...nameKey(tail)].filter((one) => !TAIL_MARKS.includes(one)).join('')
  return key === '' ? nameKey(tail) : key
}

/** Returns whether two registrations are the same; false when one is missing. */
export function isTail(stored: string | null, tail: string | null | undefined): boolean {
  return stored !== null && tail !== null && tail !== undefined && tailKey(stored) === tailKey(tail)
}

/** Returns whether two names are the same; false when one is missing. */
export function isNamed(stored: string | null, name: string | null | undefined): boolean {
  return stored !== null && name !== null && name !== undefined && nameKey(stored) === nameKey(name)
}

/** Returns the given values that differ from the stored record. A blank cell (undefined) changes nothing. */
export function changesOf<T extends object>(stored: T, given: { [K in keyof T]?: T[K] | undefined }): Partial<T> {
  const changed = Object.entries(given).filter(
    ([key, value]) => value !== undefined && !isSame(value, (stored as Record<string, unknown>)[key]),
  )
  return Object.fromEntries(changed) as Partial<T>
}

/** Returns whether there are no changes. */
export function isNothing(changes: object): boolean {
  return Object.keys(changes).length === 0
}

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one) => b.includes(one))
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime()
  return a === (b ?? null)
}
