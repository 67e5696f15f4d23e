declare const unit: unique symbol

/**
 * A number of one unit. A number of another unit is no substitute: the compiler refuses it. A plain number is one of any
 * unit, so what the database, a schema or arithmetic makes gets its unit where it is named.
 */
type Of<Unit extends string> = number & { readonly [unit]?: Unit }

/** A meter reading or a length of time in hundredths of an hour. */
export type Hundredths = Of<'hundredths of an hour'>

/** A length of time in tenths of an hour. */
export type Tenths = Of<'tenths of an hour'>

/** An amount of money in the smallest unit of its currency, or a rate of so many an hour. */
export type Cents = Of<'cents'>

/** A share in hundredths of a percent: 100 % is 10,000. */
export type BasisPoints = Of<'basis points'>
