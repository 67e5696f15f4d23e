import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { nameOf } from '../../platform/db/sort-keys.ts'

/**
 * The SQL of who pays for a member `m`: the bill-to payer from the acceptance on, the member before it and without one. Implements
 * interface §Members: bill-to payers.
 */
export const payerOfMember: RawBuilder<number> = sql<number>`case when m.bill_to_accepted_at is null then m.id else m.bill_to_id end`

/** Returns who is to pay for a present member after an event, and who was before it; undefined when the member has left. */
export function findBillToChange(db: Db, organizationId: number, eventId: string) {
  const payer = (side: 'before' | 'after') =>
    sql<number | null>`(${sql.ref(`e.${side}`)} ->> 'billToOrgUserId')::integer`
  return db
    .selectFrom('event as e')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'e.organization_id').onRef('m.id', '=', 'e.subject_id'),
    )
    .select([
      'm.id as orgUserId',
      'm.search_name as name',
      payer('after').as('payerId'),
      payer('before').as('formerId'),
    ])
    .select(sql<string | null>`${nameOf(payer('after'))}`.as('payer'))
    .select(sql<boolean>`coalesce((e.after ->> 'accepted')::boolean, false)`.as('accepted'))
    .select(
      sql<boolean>`exists (select from membership p where p.organization_id = m.organization_id
        and p.id = ${payer('after')} and p.account_id is not null)`.as('signsIn'),
    )
    .where('e.organization_id', '=', organizationId)
    .where('e.id', '=', eventId)
    .where('e.kind', '=', 'member.bill_to_changed')
    .where('m.removed_at', 'is', null)
    .executeTakeFirst()
}
