import type { z } from 'zod'

type Schema = z.core.$ZodType

/** The schemas inside a schema, as zod stores them in its definition. */
interface Definition {
  shape?: Record<string, Schema>
  options?: Schema[]
  items?: Schema[]
  element?: Schema
  innerType?: Schema
  in?: Schema
  out?: Schema
  left?: Schema
  right?: Schema
  valueType?: Schema
}

const bounded = new WeakSet<Schema>()

/**
 * Makes every list with a maximum length refuse a longer value before its items are validated. Zod validates all items
 * first, so a list of 20,000 wrong items would produce 20,000 errors.
 */
export function boundLists(schema: Schema): void {
  if (bounded.has(schema)) return
  bounded.add(schema)
  refuseLonger(schema)
  for (const inner of innerOf(schema)) boundLists(inner)
}

/** Returns the schemas directly inside a schema. */
export function innerOf(schema: Schema): Schema[] {
  const def = schema._zod.def as Definition
  const single = [def.element, def.innerType, def.in, def.out, def.left, def.right, def.valueType]
  const many = [...Object.values(def.shape ?? {}), ...(def.options ?? []), ...(def.items ?? [])]
  return [...many, ...single.filter((inner) => inner !== undefined)]
}

function refuseLonger(schema: Schema): void {
  const { def, bag, parse } = schema._zod
  const most = def.type === 'array' ? bag.maximum : undefined
  const check = def.checks?.find((one) => one._zod.def.check === 'max_length')
  if (typeof most !== 'number' || !check) return
  schema._zod.parse = (payload, context) => {
    if (!Array.isArray(payload.value) || payload.value.length <= most) return parse(payload, context)
    check._zod.check(payload as z.core.ParsePayload<never>)
    // A refused list is not passed to the other checks of the schema.
    return { value: undefined, issues: payload.issues.map((issue) => ({ ...issue, continue: false })) }
  }
}
