import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { mailSubjects } from '../../platform/deliveries/undelivered-mail.queries.ts'
import type { UndeliveredReason } from '../../platform/deliveries/undelivered-mail.types.ts'
import { countAgainst } from './mail-count.access.ts'
import { notify } from './notify.ts'

/**
 * The record that a mail is about, or the member that it is addressed to. When the mail is given up, this record shows
 * it.
 */
export type MailAbout = { invitationId: number } | { invoiceId: number } | { guestId: number } | { orgUserId: number }

interface AboutOf {
  organizationId: number
  about: MailAbout
}

function columnOf(about: MailAbout): { column: (typeof mailSubjects)[keyof typeof mailSubjects]; id: number } {
  const [[key, id]] = Object.entries(about) as [[keyof typeof mailSubjects, number]]
  return { column: mailSubjects[key], id }
}

/**
 * Records that a mail was given up; the record that the mail is about shows it. Admins are notified of the first such
 * mail of an organization per day. `asked`: strangers caused the mail; these are counted by themselves, so that nobody
 * outside can use up the notice about other mails.
 */
export async function recordGivenUp(
  tx: Tx,
  { organizationId, about }: AboutOf,
  { reason, asked }: { reason: UndeliveredReason; asked: boolean },
): Promise<void> {
  const { column, id } = columnOf(about)
  const { rows } = await sql<{ id: number }>`
    insert into undelivered_mail (organization_id, ${sql.ref(column)}, reason, given_up_at)
    values (${organizationId}, ${id}, ${reason}, ${tx.now})
    on conflict (organization_id, ${sql.ref(column)}) do update
      set reason = excluded.reason, given_up_at = excluded.given_up_at
    returning id`.execute(tx.db)
  const key = asked ? `${organizationId} asked` : String(organizationId)
  const told = await countAgainst(tx, [{ scope: 'given_up', key, per: 'day', most: 1 }])
  if (told.length > 0) return
  notify(tx, { organizationId, kind: 'mail_given_up', subjectId: rows[0]!.id, causedBy: null })
}

/** Deletes what `recordGivenUp` stored about a record. Called when a later mail about the record is delivered. */
export async function forgetGivenUp(tx: Tx, { organizationId, about }: AboutOf): Promise<void> {
  const { column, id } = columnOf(about)
  await tx.db
    .deleteFrom('undelivered_mail')
    .where('organization_id', '=', organizationId)
    .where(column, '=', id)
    .execute()
}

/**
 * Returns a mail that was given up, with the record that it was about; undefined when a later mail about that record
 * was delivered.
 */
export function findGivenUp(db: Db, organizationId: number, id: number) {
  return db
    .selectFrom('undelivered_mail as u')
    .leftJoin('invitation as v', (on) =>
      on.onRef('v.organization_id', '=', 'u.organization_id').onRef('v.id', '=', 'u.invitation_id'),
    )
    .leftJoin('invoice as i', (on) =>
      on.onRef('i.organization_id', '=', 'u.organization_id').onRef('i.id', '=', 'u.invoice_id'),
    )
    .leftJoin('guest as g', (on) =>
      on.onRef('g.organization_id', '=', 'u.organization_id').onRef('g.id', '=', 'u.guest_id'),
    )
    .leftJoin('membership as m', (on) =>
      on.onRef('m.organization_id', '=', 'u.organization_id').onRef('m.id', '=', 'u.membership_id'),
    )
    .select(['u.reason', 'u.invitation_id', 'u.invoice_id', 'u.guest_id', 'u.membership_id'])
    .select(['v.email as invited', 'i.number', 'g.name as guest', 'm.search_name as member'])
    .where('u.organization_id', '=', organizationId)
    .where('u.id', '=', id)
    .executeTakeFirst()
}
