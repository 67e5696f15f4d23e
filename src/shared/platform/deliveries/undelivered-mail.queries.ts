import { type RawBuilder, sql } from 'kysely'
import { byText, byValue, type SortKeys } from '../db/sort-keys.ts'
import type { Undelivered } from './undelivered-mail.types.ts'

/** The record that a mail is about: its column here, and the key of an input. */
export const mailSubjects = {
  invitationId: 'invitation_id',
  invoiceId: 'invoice_id',
  guestId: 'guest_id',
  orgUserId: 'membership_id',
} as const

type MailSubject = (typeof mailSubjects)[keyof typeof mailSubjects]

/** Returns the expression of the mail about a record that was given up, as JSON; null where none was. */
export function undeliveredJson(subject: MailSubject, table: string): RawBuilder<Undelivered | null> {
  return ofRecord(sql`json_build_object('reason', u.reason, 'givenUpAt', u.given_up_at)`, subject, table)
}

/** Returns the sort keys of that mail, over the records of a table. */
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
