import type { MailTokens } from '../../../src/shared/platform/adapters/tokens/mail-tokens.ts'
import { cents } from '../../../src/shared/platform/kernel/units.ts'
import { addDays, localDate, wallToInstant } from '../../../src/shared/platform/kernel/zones.ts'
import { rejectRequest } from '../../../src/shared/scheduling/booking-requests/decide-request.ts'
import { requestBooking } from '../../../src/shared/scheduling/booking-requests/request-booking.ts'
import { confirmRequest } from '../../../src/shared/scheduling/offerings/confirm-request.ts'
import { requestOffering } from '../../../src/shared/scheduling/offerings/request-offering.ts'
import { createOffering } from '../../../src/shared/scheduling/offerings/write-offering.ts'
import { approveRequest } from '../../../src/shared/workflows/approve-request.ts'
import { daysFrom } from './days.ts'
import { type DemoSchool, ZONE } from './found-school.ts'
import type { SchoolTransaction } from './school-transaction.ts'

/** Offers flights to the public and adds booking requests of members and guests, decided and pending. */
export async function receiveRequests(
  school: SchoolTransaction,
  founded: DemoSchool,
  mailTokens: MailTokens,
  now: Date,
): Promise<void> {
  const at = (day: number, hour: number) => wallToInstant(addDays(localDate(now, ZONE), day), hour * 60, ZONE)
  await receiveRentals(school, founded, at, now)
  await receiveGuests(school, founded, mailTokens, at, now)
}

type At = (day: number, hour: number) => Date

async function receiveRentals(school: SchoolTransaction, founded: DemoSchool, at: At, now: Date): Promise<void> {
  const { rita, dana } = founded.actors
  const ask = (daysAgo: number, title: string, start: Date, end: Date, on: 'N206FL' | 'N734FL') =>
    school.at(daysFrom(now, -daysAgo), (tx) =>
      requestBooking(tx, rita, {
        type: 'rental',
        title,
        start,
        end,
        zone: null,
        notes: null,
        meetingUrl: null,
        meeting: null,
        resourceId: founded.resourceIds[on],
        locationId: null,
        ratingId: null,
        seats: null,
        passengers: 2,
        ifr: false,
      }),
    )
  const approved = await ask(6, 'To Lake Tahoe', at(6, 9), at(6, 15), 'N206FL')
  await school.at(daysFrom(now, -5), (tx) => approveRequest(tx, dana, approved.id, {}))
  const declined = await ask(4, 'To Catalina', at(5, 8), at(5, 18), 'N206FL')
  const reason = 'Please do a checkout at Catalina with an instructor first.'
  await school.at(daysFrom(now, -3), (tx) => rejectRequest(tx, dana, declined.id, reason))
  await ask(1, 'To Santa Cruz coast', at(7, 10), at(7, 13), 'N206FL')
}

async function receiveGuests(
  school: SchoolTransaction,
  founded: DemoSchool,
  mailTokens: MailTokens,
  at: At,
  now: Date,
): Promise<void> {
  const { adam, ivan, isabel } = founded.actors
  const { resourceIds } = founded
  const shared = { instructorOrgUserIds: [ivan.orgUserId, isabel.orgUserId], active: true, daylight: true } as const
  const discovery = await school.at(daysFrom(now, -85), (tx) =>
    createOffering(tx, adam, {
      name: 'Discovery flight',
      description: 'An hour over the bay: you fly, an instructor sits beside you.',
      durationMinutes: 90,
      priceCents: cents(24_900),
      collectionStyle: 'close_out',
      resourceIds: [resourceIds.N92FL, resourceIds.N518FL],
      earliestMinute: 8 * 60,
      latestMinute: 17 * 60,
      ...shared,
    }),
  )
  await school.at(daysFrom(now, -85), (tx) =>
    createOffering(tx, adam, {
      name: 'Sunset over the Golden Gate',
      description: 'Two guests, one camera, the best light of the day.',
      durationMinutes: 120,
      priceCents: cents(38_900),
      collectionStyle: 'close_out',
      resourceIds: [resourceIds.N206FL],
      earliestMinute: 14 * 60,
      latestMinute: null,
      ...shared,
    }),
  )
  const origin = { networkMark: 'demo', factor: 1 }
  const harper = { name: 'Harper Quinn', email: 'harper@example.com', phone: '+1 415 555 0163' }
  const { id } = await school.at(daysFrom(now, -2), (tx) =>
    requestOffering(tx, mailTokens, discovery.id, { ...harper, start: at(8, 14), resourceId: null }, origin),
  )
  await school.at(daysFrom(now, -2), async (tx) => {
    const { seed } = await tx.db
      .selectFrom('booking_request')
      .select('seed')
      .where('organization_id', '=', adam.organizationId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return confirmRequest(tx, mailTokens, mailTokens.tokenOf(seed ?? ''))
  })
}
