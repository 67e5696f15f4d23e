/** A booking of a bulk, with the keys of its resources and people, old and new. */
export interface Sharing {
  number: number
  keys: readonly string[]
}

/**
 * Returns the numbers of bookings in groups, so that no two groups share a resource or a person: a change in one
 * cannot conflict with another. Groups, and the bookings in each, are ordered by number.
 */
export function groupsOf(bookings: readonly Sharing[]): number[][] {
  const group = new Map<string, Set<Sharing>>()
  const groups = new Set<Set<Sharing>>()
  for (const booking of bookings) {
    const met = new Set(booking.keys.flatMap((key) => group.get(key) ?? []))
    const whole = new Set([...[...met].flatMap((one) => [...one]), booking])
    for (const one of met) groups.delete(one)
    groups.add(whole)
    for (const { keys } of whole) for (const key of keys) group.set(key, whole)
  }
  return [...groups]
    .map((one) => [...one].map(({ number }) => number).sort((a, b) => a - b))
    .sort((a, b) => a[0]! - b[0]!)
}
