import { type RawBuilder, sql } from 'kysely'
import type { Side } from '../../fleet/resources/reservation-types.rules.ts'
import { byPerson, byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'

/** Returns the condition that a row belongs to the booking `r`. */
export const ofBooking = (alias: string) => sql`${sql.ref(`${alias}.organization_id`)} = r.organization_id
  and ${sql.ref(`${alias}.reservation_id`)} = r.id`

/**
 * Returns a function that takes a key and an index. It returns SQL that reads the key from the row at the index among these
 * rows of a booking.
 */
export function nth(rows: RawBuilder<unknown>, order: RawBuilder<unknown>) {
  return (key: RawBuilder<unknown>) => (index: number) =>
    sql`(select ${key} from ${rows} order by ${order} limit 1 offset ${index})`
}

/** Returns the sort keys of the people of a side. */
export function seatKeys(side: Side, withContacts: boolean): SortKeys {
  const seat = nth(
    sql`seat s left join membership sm on sm.organization_id = s.organization_id and sm.id = s.membership_id
      left join guest sg on sg.organization_id = s.organization_id and sg.id = s.guest_id
      where ${ofBooking('s')} and s.side = ${side}`,
    sql`s.id`,
  )
  const path = `personnel.${side}.*`
  if (side !== 'guests') {
    return { [`${path}.orgUserId`]: seat(byValue('s.membership_id')), [`${path}.name`]: seat(byText('sm.search_name')) }
  }
  return {
    [`${path}.guestId`]: seat(byValue('s.guest_id')),
    [`${path}.name`]: seat(byText('sg.name')),
    ...(withContacts && {
      [`${path}.email`]: seat(byText('sg.email')),
      [`${path}.phone`]: seat(byText('sg.phone')),
    }),
  }
}

const confirmation = nth(sql`confirmation c where ${ofBooking('c')}`, sql`c.id`)
/** The sort keys of the signatures. */
export const confirmationKeys: SortKeys = {
  'review.confirmations.*.orgUserId': confirmation(byValue('c.membership_id')),
  'review.confirmations.*.side': confirmation(byText('c.side')),
  'review.confirmations.*.confirmedAt': confirmation(byValue('c.confirmed_at')),
  'review.confirmations.*.onBehalf': confirmation(sql`c.recorded_by is not null`),
}

const figures = {
  hobbsTimeOut: sql`r.hobbs_out`,
  hobbsTimeIn: sql`r.hobbs_in`,
  tachTimeOut: sql`r.tach_out`,
  tachTimeIn: sql`r.tach_in`,
  briefing: sql`r.briefing_tenths`,
}

const objection = nth(
  sql`correction_objection j join membership jm on jm.organization_id = j.organization_id and jm.id = j.membership_id
    where ${ofBooking('j')} and (j.correction = r.corrections or j.closed_at is null)`,
  sql`j.id`,
)
const objectionKeys = {
  orgUserId: byValue('j.membership_id'),
  name: byText('jm.search_name'),
  note: byText('j.note'),
  at: byValue('j.objected_at'),
  closedAt: byValue('j.closed_at'),
  closingReason: byText('j.closing_reason'),
}

/** Returns the sort keys of the correction of a signed flight; null where its figures are as they were signed. */
export function correctionKeys(concerned: (key: RawBuilder<unknown>) => RawBuilder<unknown>): SortKeys {
  const path = 'correctedAfterSigning'
  const shown = (key: RawBuilder<unknown>) => concerned(sql`case when r.signed_figures is not null then ${key} end`)
  return {
    ...byPerson(`${path}.by`, shown(sql`r.corrected_by`)),
    [`${path}.at`]: shown(sql`r.corrected_at`),
    [`${path}.reason`]: byText(shown(sql`r.correction_reason`)),
    ...Object.fromEntries(
      Object.entries(objectionKeys).map(([name, key]) => [
        `${path}.objections.*.${name}`,
        (index: number) => shown(objection(key)(index)),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(figures).flatMap(([name, now]) => [
        [`${path}.from.${name}`, shown(sql`(r.signed_figures ->> ${sql.lit(name)})::int`)],
        [`${path}.to.${name}`, shown(now)],
      ]),
    ),
  }
}
