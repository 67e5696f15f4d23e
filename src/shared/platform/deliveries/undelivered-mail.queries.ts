import { type RawBuilder, sql } from 'kysely'
import { byText, byValue, type SortKeys } from '../db/sort-keys.ts'
import type { Undelivered } from './undelivered-mail.types.ts'

/** The records that a mail can be about: the key of an input, and the column of `undelivered_mail`. */
export const mailSubjects = {
  invitationId: 'invitation_id',
  invoiceId: 'invoice_id',
  guestId: 'guest_id',
  orgUserId: 'membership_id',
} as const

type MailSubject = (typeof mailSubjects)[keyof typeof mailSubjects]

/**
 * Returns the SQL of the given-up mail about a record, as JSON; null when there is none. `table` is the table or alias
 * of the record.
 */
export function undeliveredJson(subject: MailSubject, table: string): RawBuilder<Undelivered | null> {
  return ofRecord(sql`json_build_object('reason', u.reason, 'givenUpAt', u.given_up_at)`, subject, table)
}

/** Returns the keys that sort a list of records by the given-up mail about each record. */
export function undeliveredMailKeys(subject: MailSubject, table: string): SortKeys {
  return {
    'undeliveredMail.reason': ofRecord(byText('u.reason'), subject, table),
    'undeliveredMail.givenUpAt': ofRecord(byValue('u.given_up_at'), subject, table),
  }
}

function ofRecord<T>(value: RawBuilder<T>, subject: MailSubject, table: string): RawBuilder<T | null> {
  return sql`(select ${value} from undelivered_mail u
    where u.organization_id = ${sql.ref(`${table}.organization_id`)} and ${sql.ref(`u.${subject}`)} = ${sql.ref(`${table}.id`)})`
}
