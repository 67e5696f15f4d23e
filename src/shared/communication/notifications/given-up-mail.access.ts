import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { mailSubjects } from '../../platform/deliveries/undelivered-mail.queries.ts'
import type { UndeliveredReason } from '../../platform/deliveries/undelivered-mail.types.ts'
import { countAgainst, startAgain } from './mail-count.access.ts'
import { notify } from './notify.ts'
import type { MailReason } from './unproven-mail.rules.ts'

/**
 * The record that a mail is about, or the member or guest that it is addressed to. When the mail is given up, this record
 * shows it. `matter` is what a mail to a member or guest is about, such as `reservation 12`: a later mail about another
 * matter does not replace it.
 */
export type MailAbout =
  | { invitationId: number }
  | { invoiceId: number }
  | { guestId: number; matter: string }
  | { orgUserId: number; matter: string }

/** The groups of given-up mails whose notifications are counted separately, with the most per day and reason. */
const MOST_NOTICES = { asked: 1, caused: 10, billed: 10, owed: 10, other: 1 } as const
/** The most per day, reason and group about mails that newcomers caused. They are counted apart from those of others. */
const MOST_OF_NEWCOMERS = 1
type NoticeKind = keyof typeof MOST_NOTICES
const noticeKinds = Object.keys(MOST_NOTICES) as NoticeKind[]

/** The most matters that are stored for one member or guest: the latest ones. */
const MOST_MATTERS = 200

/** How often per day an organization's notifications start again after a mail was delivered at last. */
const MOST_AGAIN = 5

/** Returns the counter of the notifications about mails that were given up for one reason. */
function counterOf(of: { organizationId: number; kind: NoticeKind; reason: UndeliveredReason; byNewcomer: boolean }) {
  const apart = of.byNewcomer ? 'newcomers ' : ''
  return { scope: 'given_up', key: `${apart}${of.organizationId} ${of.kind} ${of.reason}`, per: 'day' } as const
}

interface AboutOf {
  organizationId: number
  about: MailAbout
}

function columnOf(about: MailAbout): {
  column: (typeof mailSubjects)[keyof typeof mailSubjects]
  id: number
  matter: string | null
} {
  const { matter = null, ...record } = { matter: undefined, ...about }
  const [[key, id]] = Object.entries(record) as [[keyof typeof mailSubjects, number]]
  return { column: mailSubjects[key], id, matter }
}

/**
 * Records that a mail was given up; the record that the mail is about shows it. Admins are notified of the first such
 * mail of an organization per day and reason. Mails that strangers asked for, cancellations and the like that students,
 * renters or strangers caused, invoices that they caused, mails that the organization owes and all others count separately, and
 * those that newcomers caused apart from these, so that nobody uses up the notice about an invitation with mails to own
 * mailboxes that refuse them. Of those that must arrive, up to `MOST_NOTICES` mails per day are
 * notified, unless the organization's limit is the reason, which the first notice says for all. The last one of the day says that
 * it is the last.
 */
export async function recordGivenUp(
  tx: Tx,
  { organizationId, about }: AboutOf,
  { reason, because, byNewcomer }: { reason: UndeliveredReason; because: MailReason; byNewcomer: boolean },
): Promise<void> {
  const { column, id, matter } = columnOf(about)
  const matters = matter === null ? [] : [matter]
  const { rows } = await sql<{ id: number }>`
    insert into undelivered_mail as u (organization_id, ${sql.ref(column)}, reason, given_up_at, matters)
    values (${organizationId}, ${id}, ${reason}, ${tx.now}, ${matters}::text[])
    on conflict (organization_id, ${sql.ref(column)}) do update
      set reason = excluded.reason, given_up_at = excluded.given_up_at,
        matters = (array_remove(u.matters, ${matter}::text) || excluded.matters)[greatest(cardinality(u.matters) + 2 - ${MOST_MATTERS}, 1):]
    returning id`.execute(tx.db)
  const kind = noticeKinds.find((one) => one === because) ?? 'other'
  const most = reason === 'organization_limit' ? 1 : byNewcomer ? MOST_OF_NEWCOMERS : MOST_NOTICES[kind]
  const counter = counterOf({ organizationId, kind, reason, byNewcomer })
  const isUnder = async (limit: number) => (await countAgainst(tx, [{ ...counter, most: limit }])).length === 0
  const isFollowed = most > 1 && (await isUnder(most - 1))
  if (!isFollowed && !(await isUnder(most))) return
  const given = { organizationId, kind: 'mail_given_up', subjectId: rows[0]!.id, causedBy: null } as const
  notify(tx, isFollowed ? given : { ...given, isLast: true })
}

/**
 * Deletes what `recordGivenUp` stored about a record. Called when a later mail about the record is delivered, and for a member
 * or guest about the same matter; a mail about another matter leaves it. The
 * notification about the given-up mail is then left out when it is not sent yet; so the next mail of the day that is given
 * up for this reason is notified again, at most `MOST_AGAIN` times.
 */
export async function forgetGivenUp(tx: Tx, { organizationId, about }: AboutOf): Promise<void> {
  const { column, id, matter } = columnOf(about)
  const changed = await tx.db
    .updateTable('undelivered_mail')
    .set({ matters: sql`array_remove(matters, ${matter}::text)` })
    .where('organization_id', '=', organizationId)
    .where(column, '=', id)
    .where(sql<boolean>`${matter}::text = any (matters)`)
    .returning('reason')
    .executeTakeFirst()
  const deleted = await tx.db
    .deleteFrom('undelivered_mail')
    .where('organization_id', '=', organizationId)
    .where(column, '=', id)
    .where(sql<boolean>`matters = '{}'`)
    .returning('reason')
    .executeTakeFirst()
  const forgotten = changed ?? deleted
  if (!forgotten) return
  const again = { scope: 'given_up_again', key: String(organizationId), per: 'day', most: MOST_AGAIN } as const
  if ((await countAgainst(tx, [again])).length > 0) return
  const counters = noticeKinds.flatMap((kind) =>
    [false, true].map((byNewcomer) => counterOf({ organizationId, kind, reason: forgotten.reason, byNewcomer })),
  )
  await startAgain(tx, counters)
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
