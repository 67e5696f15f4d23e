import { z } from 'zod'
import { fieldErrors } from '../../shared/platform/field.errors.ts'
import { readInstant } from '../../shared/platform/kernel/instants.ts'
import { InstantInput } from './schemas.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A bound of a window: a local date, which stays a text, or an instant with an offset, which becomes a Date. */
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

/** The query fields of a window. By default it is the last thirty days. */
export const windowFields = {
  startDate: WindowLimit.optional()
    .describe('A local date, or an instant with an offset. Absent: 30 days before the end')
    .meta({ id: 'ReportStartDate' }),
  endDate: WindowLimit.optional()
    .describe('A local date, which is included, or an instant. Absent: the end of today')
    .meta({ id: 'ReportEndDate' }),
}
