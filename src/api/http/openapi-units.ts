import { type JsonSchema, partsOf } from './json-schema.ts'

/** The units that follow from the end of a field's name. `said` matches a description that already states the unit. */
const byName: readonly { name: RegExp; unit: string; said: RegExp }[] = [
  { name: /cents$/i, unit: 'Cents', said: /\bcents\b/i },
  { name: /(deciHours|tenths)$/i, unit: 'Tenths of an hour', said: /\btenths of (an hour|hours)\b/i },
  { name: /(bps|basisPoints)$/i, unit: 'Hundredths of a percent', said: /\bhundredths of a percent\b/i },
  {
    name: /(startMinute|endMinute)$/i,
    unit: 'Minutes after local midnight',
    said: /\bminutes after local midnight\b/i,
  },
  { name: /^minutes|minutes$/i, unit: 'Minutes', said: /\bminutes?\b/i },
  { name: /^hoursLeft$|hours(PerWeek)?$/i, unit: 'Hours', said: /\bhours?\b/i },
  { name: /^days(?!OfWeek)|days(Ahead)?$/i, unit: 'Days', said: /\bdays?\b/i },
  { name: /months$/i, unit: 'Months', said: /\bmonths?\b/i },
  { name: /knots$/i, unit: 'Knots', said: /\bknots\b/i },
  { name: /feet$/i, unit: 'Feet', said: /\bfeet\b/i },
  { name: /miles$/i, unit: 'Statute miles', said: /\bstatute miles\b/i },
  { name: /celsius$/i, unit: 'Degrees Celsius', said: /\bcelsius\b/i },
  { name: /hectopascals$/i, unit: 'Hectopascals', said: /\bhectopascals\b/i },
  { name: /pounds$/i, unit: 'Pounds', said: /\bpounds\b/i },
  { name: /^(latitude|longitude|degrees)$/, unit: 'Degrees', said: /\bdegrees\b/i },
  { name: /bytes$/i, unit: 'Bytes', said: /\bbytes\b/i },
  { name: /Ms$/, unit: 'Milliseconds', said: /\bmilliseconds\b/i },
  { name: /^maxOpenBookings$/, unit: 'Open bookings', said: /\bbookings\b/i },
  { name: /^engines$/, unit: 'Number of engines', said: /\bengines\b/i },
  { name: /^seats$/, unit: 'Number of seats', said: /\bseats\b/i },
  { name: /percentage$/i, unit: 'Percent', said: /\bpercent\b/i },
]

/**
 * Writes the unit of each number to the start of its field's description, unless the description states it. The unit is
 * `unit` in the meta of the schema, as in `Reading` and `Rate`; otherwise it follows from the end of the field's name.
 */
export function stateUnits(schema: JsonSchema): JsonSchema {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const unit = unitOf(name, field)
    if (unit) field.description = field.description ? `${unit}. ${field.description}` : unit
  }
  for (const part of partsOf(schema)) stateUnits(part)
  delete schema.unit
  return schema
}

/** Returns the unit that the description of a field lacks; null when it states the unit, or when the field has none. */
function unitOf(name: string, field: JsonSchema): string | null {
  if (!holdsNumber(field)) return null
  const own = ownUnit(field)
  const said = field.description ?? descriptionWithin(field) ?? ''
  if (own) return saidBy(own).test(said) ? null : own
  const rule = byName.find((one) => one.name.test(name))
  return rule && !rule.said.test(said) ? rule.unit : null
}

/** Returns a pattern that matches a description which states this unit. */
function saidBy(unit: string): RegExp {
  return byName.find((one) => one.unit === unit)?.said ?? new RegExp(`(^|\\W)${unit}(\\W|$)`, 'i')
}

function holdsNumber({ type, anyOf = [], items }: JsonSchema): boolean {
  const types = [type].flat()
  return (
    types.includes('number') || types.includes('integer') || [...anyOf, ...(items ? [items] : [])].some(holdsNumber)
  )
}

function ownUnit({ unit, anyOf = [], items }: JsonSchema): string | null {
  if (typeof unit === 'string') return unit
  return [...anyOf, ...(items ? [items] : [])].map(ownUnit).find((found) => found !== null) ?? null
}

function descriptionWithin({ anyOf = [] }: JsonSchema): string | undefined {
  return anyOf.map(({ description }) => description).find(Boolean)
}
