export type SortKey = number | string | null

const instantText = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** Returns the value at a dot path of a row; undefined when there is none. */
export function valueAt(row: unknown, path: string): unknown {
  let value = row
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

/**
 * Returns the key by which a value is sorted: a number for numbers, booleans and instants, null for absent values and
 * empty texts.
 */
export function sortKey(value: unknown): SortKey {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string' || value === '') return null
  if (!instantText.test(value)) return value
  const instant = Date.parse(value)
  return Number.isNaN(instant) ? value : instant
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** Compares two keys: empty values last in either direction; numbers and instants by value, before text. */
export function compareKeys(a: SortKey, b: SortKey, order: 'asc' | 'desc'): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  const direction = order === 'asc' ? 1 : -1
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * direction
  if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b) * direction
  return (typeof a === 'number' ? -1 : 1) * direction
}
