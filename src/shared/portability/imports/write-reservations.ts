import { type MemberSide, reservationTypes } from '../../fleet/resources/reservation-types.rules.ts'
import type { SeatInput } from '../../scheduling/rules/booking-input.types.ts'
import { createReservation } from '../../workflows/create-reservation.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { optional, type RowOf, required } from '../reading/columns.rules.ts'
import { flag, line, listOf, moment, paragraph, personName, whole, word, zone } from '../reading/parsers.rules.ts'
import { loadMembers, loadResources, memberName, type NamedMembers, resourceName, resourceWords } from './find-named.ts'
import { CellRefused, importKind } from './import.types.ts'
import { findKnownLocations } from './known.queries.ts'
import { findBookingsAt } from './known-work.queries.ts'
import { isNamed, nameKey, tailKey } from './match.rules.ts'
import { locationNamed } from './write-resources.ts'

const people = (example: string, doc: string, aliases: readonly string[]) =>
  optional(listOf(memberName), { example, doc: `${doc}: externalIds or addresses, between ; or |`, aliases })

const columns = {
  title: required(line(200), { example: 'Lesson 4: stalls', doc: 'What it is', aliases: ['name', 'booking'] }),
  type: required(word(reservationTypes), { example: 'dual', doc: `One of ${reservationTypes.join(', ')}` }),
  start: required(moment, {
    example: '2027-03-14 10:00',
    doc: 'Begin, in the local time of the school; after now',
    aliases: ['begin', 'starts at', 'from'],
    isDate: true,
  }),
  end: required(moment, { example: '2027-03-14 12:00', doc: 'End', aliases: ['ends at', 'to', 'until'], isDate: true }),
  timeZoneName: optional(zone, {
    example: '',
    doc: 'Its time zone; blank: that of the school',
    aliases: ['time zone'],
  }),
  resource: optional(resourceName, resourceWords),
  location: optional(line(200), { example: '', doc: 'Location; blank: that of the aircraft' }),
  instructors: people('I-7', 'Who instructs', ['instructor', 'cfi']),
  students: people('M-1042', 'Who learns', ['student']),
  renters: people('', 'Who rents', ['renter']),
  pilots: people('', 'Who flies otherwise', ['pilot']),
  guests: optional(listOf(personName), { example: '', doc: 'Names of guests, between ; or |', aliases: ['guest'] }),
  passengers: optional(whole(0, 100), { example: '', doc: 'People aboard who are not named' }),
  ifr: optional(flag, { example: '', doc: 'Flown under instrument flight rules: yes or no' }),
  notes: optional(paragraph(5000), { example: '', doc: 'Notes for the people of the booking', aliases: ['remarks'] }),
}

type Row = RowOf<typeof columns>

/**
 * The bookings per transaction. They are few, because the transaction locks their aircraft and people until the commit.
 */
const BOOKED_AT_ONCE = 10
const MOST_BOOKINGS = 5_000

/**
 * Imports future bookings. A row is matched with a stored booking by aircraft and start; without an aircraft, by title
 * and start. The booking rules apply as for desk staff. No notifications of the individual bookings are sent.
 */
export const importReservations = importKind({
  columns,
  bringsAddresses: false,
  most: { rows: MOST_BOOKINGS, atOnce: BOOKED_AT_ONCE },
  namesOf: ({ resource, title, start }) => [
    `${resource === undefined ? `title ${nameKey(title)}` : tailKey(resource)} at ${start.toISOString()}`,
  ],
  externalIdOf: () => null,
  async open(tx, actor, rows) {
    const { organizationId, organization } = actor
    const members = await loadMembers(
      tx,
      organizationId,
      rows.flatMap((row) => sides.flatMap((side) => row[side] ?? [])),
    )
    const resourceOf = await loadResources(
      tx,
      organizationId,
      rows.map(({ resource }) => resource),
    )
    const locations = await findKnownLocations(tx.db, organizationId)
    return async (row) => {
      const { title, type, start, end, notes = null, passengers = 0, ifr = false } = row
      const resourceId = row.resource === undefined ? null : resourceOf('resource', row.resource).id
      const stored = (await findBookingsAt(tx.db, organizationId, { resourceId, start })).find(
        (one) => resourceId !== null || isNamed(one.title, title),
      )
      if (stored) {
        const isSame = stored.endsAt.getTime() === end.getTime() && stored.type === type
        const problems = isSame ? [] : [{ column: null, message: portabilityErrors.bookedOtherwise() }]
        return { outcome: 'unchanged', id: stored.id, problems }
      }
      if (start <= tx.now) throw new CellRefused('start', portabilityErrors.bookingOver())
      const { ids, warnings } = await createReservation(tx, actor, {
        id: null,
        title,
        type,
        start,
        end,
        notes,
        passengers,
        ifr,
        resourceId,
        zone: row.timeZoneName ?? organization.timeZoneName,
        locationId: locationNamed(locations, row.location)?.id ?? null,
        seats: seatsOf(row, members),
        recurrence: null,
        collectionStyle: 'close_out',
        prepaidAmountCents: null,
      })
      const problems = warnings.map(({ message }) => ({ column: null, message }))
      return { outcome: 'created', id: ids[0]!, problems }
    }
  },
})

const sides = ['instructors', 'students', 'renters', 'pilots'] as const satisfies MemberSide[]

function seatsOf(row: Row, members: NamedMembers): SeatInput[] {
  const seated = sides.flatMap((side) =>
    (row[side] ?? []).map((name, index) => ({ side, index, orgUserId: members.idOf(side, name) })),
  )
  const guests = (row.guests ?? []).map((name, index) => ({
    side: 'guests' as const,
    index,
    name,
    email: null,
    phone: null,
  }))
  return [...seated, ...guests]
}
