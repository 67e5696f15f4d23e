/** A value inside a body, and where it stands. */
export interface Leaf {
  path: (string | number)[]
  value: unknown
}

/** Every value of a body that holds no others, in order. */
export function leavesOf(value: unknown, path: Leaf['path'] = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([key, part]) =>
    leavesOf(part, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

/** A copy of the body with another value at one place. */
export function withValue(body: unknown, path: Leaf['path'], value: unknown): unknown {
  if (path.length === 0) return value
  const [key = '', ...rest] = path
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<string | number, unknown>
  copy[key] = withValue(copy[key], rest, value)
  return copy
}
