/** A value inside a body, and its place. */
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

/** Every object and list inside a body, without the body itself. */
export function branchesOf(value: unknown, path: Leaf['path'] = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, part]) =>
    branchesOf(part, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return path.length === 0 ? inner : [{ path, value }, ...inner]
}

/** A copy of the body with another value at one place. */
export function withValue(body: unknown, path: Leaf['path'], value: unknown): unknown {
  if (path.length === 0) return value
  const [key = '', ...rest] = path
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<string | number, unknown>
  copy[key] = withValue(copy[key], rest, value)
  return copy
}
