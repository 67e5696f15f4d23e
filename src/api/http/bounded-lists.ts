import type { z } from 'zod'

type Schema = z.core.$ZodType

/** The schemas within a schema, as its definition holds them. */
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
 * Makes every list of a schema that has a greatest length refuse a longer one before it reads the items. The library reads
 * all items first, so twenty thousand wrong ones would cost as many errors.
 */
export function boundLists(schema: Schema): void {
  if (bounded.has(schema)) return
  bounded.add(schema)
  refuseLonger(schema)
  for (const inner of innerOf(schema._zod.def as Definition)) boundLists(inner)
}

function innerOf(def: Definition): Schema[] {
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
    // What is refused is not looked at by the schema's other checks.
    return { value: undefined, issues: payload.issues.map((issue) => ({ ...issue, continue: false })) }
  }
}
