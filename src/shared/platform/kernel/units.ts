declare const unit: unique symbol

/**
 * A whole number with a unit. Plain numbers and numbers with another unit are not assignable to it. Its values come from the
 * unit's function (such as `cents`), a schema of the interface, or a column that is declared with the unit.
 */
type Of<Unit extends string> = number & { readonly [unit]: { readonly [Name in Unit]: true } }

/** Hundredths of an hour (meter readings), or hundredths of the unit of an invoice line. */
export type Hundredths = Of<'hundredths'>

/** A length of time in tenths of an hour. */
export type Tenths = Of<'tenths of an hour'>

/** An amount of money in the smallest unit of its currency, or a rate per hour in this unit. */
export type Cents = Of<'cents'>

/** A share in hundredths of a percent: 100 % is 10,000. */
export type BasisPoints = Of<'basis points'>

type Quantity = Hundredths | Tenths | Cents | BasisPoints

/** Zero, in any unit. */
export const ZERO = 0 as Hundredths & Tenths & Cents & BasisPoints

/**
 * Returns a count as hundredths.
 * @throws RangeError for a number that is not a safe integer
 */
export function hundredths(count: number): Hundredths {
  return whole<Hundredths>(count)
}

/**
 * Returns a count as tenths of an hour.
 * @throws RangeError for a number that is not a safe integer
 */
export function tenths(count: number): Tenths {
  return whole<Tenths>(count)
}

/**
 * Returns a count as cents.
 * @throws RangeError for a number that is not a safe integer
 */
export function cents(count: number): Cents {
  return whole<Cents>(count)
}

/**
 * Returns a count as basis points.
 * @throws RangeError for a number that is not a safe integer
 */
export function basisPoints(count: number): BasisPoints {
  return whole<BasisPoints>(count)
}

/** Returns the sum of two numbers of one unit. */
export function plus<Unit extends Quantity>(a: Unit, b: Unit): Unit {
  return whole<Unit>(a + b)
}

/** Returns the sum of numbers of one unit; zero for an empty list. */
export function sum<Unit extends Quantity>(counts: readonly Unit[]): Unit {
  return whole<Unit>(counts.reduce((total: number, count) => total + count, 0))
}

/** Returns the difference of two numbers of one unit; negative when the second is larger. */
export function minus<Unit extends Quantity>(a: Unit, b: Unit): Unit {
  return whole<Unit>(a - b)
}

/** Returns a number of a unit multiplied by a whole factor. */
export function times<Unit extends Quantity>(count: Unit, factor: number): Unit {
  return whole<Unit>(count * factor)
}

/** The same schema, with parsed values that have a unit. It accepts and documents the same values. */
type InUnit<Schema, Unit> = Schema & { readonly _zod: { readonly output: Unit } }

/** Returns a zod schema of whole numbers with the unit tenths of an hour. */
export function inTenths<Schema extends object>(schema: Schema): InUnit<Schema, Tenths> {
  return schema as InUnit<Schema, Tenths>
}

/** Returns a zod schema of whole numbers with the unit cents. */
export function inCents<Schema extends object>(schema: Schema): InUnit<Schema, Cents> {
  return schema as InUnit<Schema, Cents>
}

/** Returns a zod schema of whole numbers with the unit basis points. */
export function inBasisPoints<Schema extends object>(schema: Schema): InUnit<Schema, BasisPoints> {
  return schema as InUnit<Schema, BasisPoints>
}

function whole<Unit extends Quantity>(count: number): Unit {
  if (!Number.isSafeInteger(count)) throw new RangeError(`${count} is not a whole number`)
  return count as Unit
}

/** The largest id of the database. */
export const MAX_ID = 2_147_483_647

/** Returns whether a value is an id that a record can have. */
export function isId(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_ID
}
