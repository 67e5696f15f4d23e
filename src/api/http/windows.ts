import { z } from 'zod'
import { fieldErrors } from '../../shared/platform/field.errors.ts'
import { readInstant } from '../../shared/platform/kernel/instants.ts'
import { InstantInput } from './schemas.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A limit of a window: a local date, which stays text, or an instant with an offset, which becomes a Date. */
export const WindowLimit = z
  .string()
  .max(64, fieldErrors.instant())
  .transform((value, context) => {
    if (DATE.test(value) && readInstant(`${value}T00:00:00Z`) instanceof Date) return value
    const instant = InstantInput.safeParse(value)
    if (instant.success) return instant.data
    for (const { message } of instant.error.issues) context.addIssue(message)
    return z.NEVER
  })
  .meta({ override: { type: 'string' } })

/** The fields of a window of thirty days, unless they say otherwise. */
export const windowFields = {
  startDate: WindowLimit.optional()
    .describe('A local date, or an instant with an offset. Left out: 30 days before the end')
    .meta({ id: 'ReportStartDate' }),
  endDate: WindowLimit.optional()
    .describe('A local date, which counts whole, or an instant. Left out: the end of today')
    .meta({ id: 'ReportEndDate' }),
}
