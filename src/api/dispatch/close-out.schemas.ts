import { z } from 'zod'
import type { Stake } from '../../shared/billing/flight-bill/flight-bill.types.ts'
import { fieldErrors } from '../../shared/platform/field.errors.ts'
import { basisPoints, tenths } from '../../shared/platform/kernel/units.ts'
import { Reading, ReadingInput } from '../http/reading-schemas.ts'
import { Id, InstantInput, note } from '../http/schemas.ts'
import { OverridesInput } from '../scheduling/rules/overrides.schemas.ts'

/** The ground time in hours, with at most one decimal. The parsed value is tenths of an hour. */
export const BriefingInput = z
  .number()
  .min(0)
  .max(24)
  .transform((hours, context) => {
    const match = /^(\d+)(?:\.(\d))?$/.exec(String(hours))
    if (match) return tenths(Number(`${match[1]}${match[2] ?? '0'}`))
    context.addIssue(fieldErrors.atMostOneDecimal())
    return z.NEVER
  })
  .meta({ override: { type: 'number', minimum: 0, maximum: 24, multipleOf: 0.1 }, unit: 'Hours' })

export const RampOutBody = z.object({
  hobbsTimeOut: ReadingInput,
  tachTimeOut: ReadingInput.optional().describe('Required for an aircraft; ignored for a simulator, which has no tach'),
  expectedBackAt: InstantInput.optional().describe(
    'When the aircraft is expected back, at most 60 days ahead. Default: the booked end',
  ),
  acknowledgedSquawkIds: z
    .array(Id)
    .max(200)
    .optional()
    .describe('The ids of the aircraft’s open squawks that the caller has read; kept in the history'),
  overrides: OverridesInput,
})

const confirmMeterAnomaly = z
  .boolean()
  .default(false)
  .describe('`true` confirms a reading or briefing that looks like a typo')

export const RampInBody = z.object({
  hobbsTimeIn: ReadingInput,
  tachTimeIn: ReadingInput.optional().describe('Required for an aircraft; ignored for a simulator, which has no tach'),
  confirmMeterAnomaly,
  briefing: BriefingInput.optional().describe('Ground time of a dual flight'),
})

export const ConfirmReviewBody = z
  .object({
    briefing: BriefingInput.optional().describe(
      'Only for a ground lesson, or a simulator lesson without a simulator. Default: the booked time',
    ),
    confirmMeterAnomaly,
    onBehalfOf: Id.optional().describe(
      'The member that the caller signs for: a managed member on the booking, who cannot sign in. Only desk staff who are ' +
        'not on the booking send it, for one side at most. The history names both people, and the member gets a mail with the figures',
    ),
  })
  .optional()

export const ReviewTimesBody = z
  .object({
    hobbsTimeOut: ReadingInput.nullish(),
    hobbsTimeIn: ReadingInput.nullish(),
    tachTimeOut: ReadingInput.nullish(),
    tachTimeIn: ReadingInput.nullish(),
    briefing: BriefingInput.nullish(),
    confirmMeterAnomaly,
    confirmMaintenanceTrigger: z
      .boolean()
      .default(false)
      .describe('`true` confirms a correction by which an inspection becomes overdue, which grounds the aircraft'),
  })
  .meta({ id: 'CorrectedFigures' })

/** The fields beside `data` in the response to a correction. Implements interface §Reservations. */
export const correctionOutcome = {
  noChanges: z.boolean().optional().describe('Present and true when the body equals the stored figures'),
  meter: z.object({
    followed: z.boolean().describe("Whether the aircraft's own meters moved with the correction"),
    aircraftHobbs: Reading.nullable(),
    aircraftTach: Reading.nullable(),
  }),
}

export const ReopenBody = z.object({ reason: note(1000) })

/** A percentage with at most two decimals. The parsed value is basis points. */
const Percentage = z
  .number()
  .min(0)
  .max(100)
  .transform((percentage, context) => {
    const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(percentage))
    if (match) return basisPoints(Number(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`))
    context.addIssue(fieldErrors.atMostTwoDecimals())
    return z.NEVER
  })
  .meta({ override: { type: 'number', minimum: 0, maximum: 100, multipleOf: 0.01 } })

const StakeInput = z
  .object({
    orgUserId: Id.nullish(),
    guestId: Id.nullish(),
    hobbsTimeOut: ReadingInput.nullish(),
    hobbsTimeIn: ReadingInput.nullish(),
    tachTimeOut: ReadingInput.nullish(),
    tachTimeIn: ReadingInput.nullish(),
    percentage: Percentage.nullish(),
    waived: z.boolean().nullish(),
  })
  .transform((given, context): Stake => {
    const { orgUserId = null, guestId = null, percentage, waived } = given
    if ((orgUserId === null) === (guestId === null))
      context.addIssue(fieldErrors.needsOneOf({ choices: 'orgUserId and guestId' }))
    const readings = {
      hobbsOut: given.hobbsTimeOut ?? null,
      hobbsIn: given.hobbsTimeIn ?? null,
      tachOut: given.tachTimeOut ?? null,
      tachIn: given.tachTimeIn ?? null,
    }
    const hasReadings = Object.values(readings).some((reading) => reading !== null)
    const kinds = [hasReadings, percentage != null, waived === true].filter(Boolean).length
    if (kinds !== 1) context.addIssue(fieldErrors.needsOneStake())
    const payer = { orgUserId, guestId }
    if (waived) return { ...payer, kind: 'waived' }
    if (percentage != null) return { ...payer, kind: 'percentage', percentageBps: percentage }
    return { ...payer, kind: 'readings', ...readings }
  })

export const PayersBody = z.object({
  payers: z
    .array(StakeInput)
    .max(50)
    .describe(
      'One entry per payer; they replace all stored entries. With an empty list, the charge rules of the ' +
        'organization divide the costs',
    ),
})
