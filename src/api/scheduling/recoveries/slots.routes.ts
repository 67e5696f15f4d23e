import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { findShopSlots, type ShopSlot } from '../../../shared/scheduling/recoveries/find-shop-slots.ts'
import type { PlannedSlot } from '../../../shared/scheduling/recoveries/shop-slots.rules.ts'
import { recoveryErrors } from '../../../shared/scheduling/recovery.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { iso } from '../../http/iso.ts'
import { BookingStart, envelope, Id, Instant, QueryIds } from '../../http/schemas.ts'
import { requiredWindow, windowOf } from '../../http/windows.ts'

const MOST_DAYS = 31

/** The hours of a work, in halves. The parsed value is minutes. */
const WorkHours = z
  .string()
  .transform((text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN))
  .pipe(z.number().min(0.5).max(72).multipleOf(0.5, fieldErrors.halfHours()))
  .transform((hours) => hours * 60)
  .meta({ override: { type: 'number', minimum: 0.5, maximum: 72, multipleOf: 0.5, example: 4 }, unit: 'Hours' })

const SlotsQuery = z.object({
  resourceId: QueryIds.refine((ids) => ids.length === 1, fieldErrors.onlyOne()).describe('The aircraft or simulator'),
  hours: WorkHours.describe('How long the work takes, in shop hours'),
  ...requiredWindow,
  reminderIds: QueryIds.optional().describe('The reminders that are done. Default: the one that comes due next'),
})

const Slot = z
  .object({
    start: Instant,
    end: Instant,
    displaced: z.array(BookingStart).describe('The bookings that leave the aircraft'),
    placeable: z.int().describe('The number of these bookings that get another place'),
    lost: z.int().describe('The number of these bookings that get none'),
    hoursLeft: z
      .number()
      .meta({ unit: 'Hours' })
      .nullable()
      .describe('What the forecast leaves of the limit at the start; null when it is not in hours, or unknown'),
    crosses: z
      .object({ reminderId: Id, reservation: BookingStart.nullable() })
      .nullable()
      .describe('The reminder that is passed before the start, and the first booking that does; null when none is'),
    points: z.int().describe('What the slot costs'),
  })
  .meta({ id: 'ShopSlot' })

/** The slots for work on an aircraft. Implements interface §Shop slots. */
export const slotRoutes: Routes = (on) => {
  on.get('/maintenance/slots', {
    id: 'findShopSlots',
    computed: true,
    access: [...staff, 'technician'],
    tag: 'Maintenance',
    countsTwice: true,
    rateLimit: { organization: 'recoveries', atOnce: 1 },
    summary: 'Find the cheapest slots for maintenance',
    description:
      'Returns up to ten starts on the hour, inside `settings.shopHours` and while a technician with availability ' +
      'works, the cheapest first. The aircraft is in the shop from `start` to `end`. A slot costs 100 points for each ' +
      'displaced booking without another place within three days, 10 for each other one, 1 for each unused tenth of ' +
      'the interval of the reminder, and 1000 when a reminder is passed before. The window ends at most 30 days ahead.',
    query: SlotsQuery,
    answers: { 200: envelope(z.array(Slot)) },
    errors: [
      fleetErrors.unknownResource,
      fleetErrors.unknownReminder,
      recoveryErrors.slotsTooFar,
      recoveryErrors.slotsTooMany,
      recoveryErrors.tooManyRecoveries,
    ],
    read: async ({ db, actor, now, query: { resourceId, hours: minutes, reminderIds, ...window } }) => {
      const asked = { resourceId: resourceId[0]!, minutes, reminderIds }
      const question = { ...asked, ...windowOf(window, actor, { mostDays: MOST_DAYS }) }
      return ok((await findShopSlots(db, actor, now, question)).map(slotView))
    },
  })
}

function slotView({ slot, placeable, lost, points }: PlannedSlot<ShopSlot>): z.input<typeof Slot> {
  const { start, end, displaced, left, crosses } = slot
  const booked = ({ id: reservationId, start }: { id: number; start: Date }) => ({ reservationId, start: iso(start) })
  return {
    start: iso(start),
    end: iso(end),
    displaced: displaced.map(booked),
    placeable,
    lost,
    hoursLeft: left === null ? null : left / 100,
    crosses: crosses && { ...crosses, reservation: crosses.reservation && booked(crosses.reservation) },
    points,
  }
}
