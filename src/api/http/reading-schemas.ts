import { z } from 'zod'
import { fieldErrors } from '../../shared/platform/field.errors.ts'
import { MAX_READING, readingFromNumber, readingToNumber } from '../../shared/platform/kernel/hours.ts'

/** The unit of a meter reading. */
const hours = { unit: 'Hours, as the meter shows them' }
const reading = { type: 'number', minimum: 0, maximum: 999999.99, multipleOf: 0.01 }

/** A meter reading in a body, with at most two decimals. The parsed value is exact hundredths of an hour. */
export const ReadingInput = z
  .number()
  .min(0)
  .max(readingToNumber(MAX_READING))
  .transform((value, context) => {
    const exact = readingFromNumber(value)
    if (exact !== null) return exact
    context.addIssue(fieldErrors.atMostTwoDecimals())
    return z.NEVER
  })
  .meta({ override: reading, ...hours })

/** A meter reading in a query. */
export const QueryReading = z
  .string()
  .regex(/^-?\d{1,15}(\.\d{1,15})?$/, fieldErrors.number())
  .transform(Number)
  .pipe(ReadingInput)
  .meta({ override: reading, ...hours })

/** A meter reading in an answer. */
export const Reading = z.number().meta(hours)
