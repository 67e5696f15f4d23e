import { z } from 'zod'
import { ReadingInput } from '../http/schemas.ts'

/** Ground time in hours, to the tenth; becomes tenths. */
export const BriefingInput = z
  .number()
  .min(0)
  .max(24)
  .transform((hours, context) => {
    const match = /^(\d+)(?:\.(\d))?$/.exec(String(hours))
    if (match) return Number(`${match[1]}${match[2] ?? '0'}`)
    context.addIssue('must be hours with at most one decimal')
    return z.NEVER
  })
  .meta({ override: { type: 'number', minimum: 0, maximum: 24, multipleOf: 0.1 }, examples: [0.5] })

export const RampOutBody = z.object({
  hobbsTimeOut: ReadingInput,
  tachTimeOut: ReadingInput.optional().describe('Required for an aircraft; a simulator has none'),
})

export const RampInBody = z.object({
  hobbsTimeIn: ReadingInput.meta({ examples: [1235.9] }),
  tachTimeIn: ReadingInput.optional().describe('Required for an aircraft; a simulator has none'),
  confirmMeterAnomaly: z.boolean().default(false).describe('The reading is right although it looks like a typo'),
  briefing: BriefingInput.optional().describe('Ground time of a dual'),
})

export const ConfirmReviewBody = z
  .object({ briefing: BriefingInput.optional().describe('For bookings measured by it; else the booked time') })
  .optional()
