import type { z } from 'zod'
import { portabilityErrors } from '../portability.errors.ts'
import type { Parser } from './columns.rules.ts'

/**
 * Parses a list or an object as JSON, and checks its shape. The problem has the path of the value that does not fit,
 * never the value itself.
 */
export function nested<T extends z.ZodType>(shape: T): Parser<z.output<T>> {
  return (cell) => {
    const value = jsonOf(cell)
    if (value === undefined) return { problem: portabilityErrors.notNested() }
    const fit = shape.safeParse(value)
    if (fit.success) return { value: fit.data }
    const place = fit.error.issues[0]?.path.join('.') ?? ''
    return { problem: portabilityErrors.nestedUnfit({ place: place === '' ? 'the top level' : place.slice(0, 100) }) }
  }
}

function jsonOf(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return undefined
  }
}
