import { defineEntity, p } from '@mikro-orm/core'
import { type RawBuilder, sql } from 'kysely'
import { instant, tenantRecord } from '../db/columns.ts'
import { byText, byValue, type SortKeys } from '../db/sort-keys.ts'
import type { Undelivered, UndeliveredReason } from './undelivered-mail.types.ts'

/** The record that a mail is about: its column here, and the key of an input. */
export const mailSubjects = {
  invitationId: 'invitation_id',
  invoiceId: 'invoice_id',
  guestId: 'guest_id',
  orgUserId: 'membership_id',
} as const

/**
 * The latest mail about a record, where it was given up; no row once a later mail about the record was delivered. Kysely
 * writes the table; the ORM only declares its columns.
 */
export const UndeliveredMail = defineEntity({
  name: 'UndeliveredMail',
  tableName: 'undelivered_mail',
  properties: {
    ...tenantRecord,
    invitationId: p.integer().nullable(),
    invoiceId: p.integer().nullable(),
    guestId: p.integer().nullable(),
    membershipId: p.integer().nullable(),
    reason: p.text().$type<UndeliveredReason>(),
    givenUpAt: instant(),
  },
})

type MailSubject = (typeof mailSubjects)[keyof typeof mailSubjects]

/** Returns the expression of the mail about a record that was given up, as JSON; null where none was. */
export function undeliveredJson(subject: MailSubject, table: string): RawBuilder<Undelivered | null> {
  return ofRecord(sql`json_build_object('reason', u.reason, 'givenUpAt', u.given_up_at)`, subject, table)
}

/** Returns the sort keys of that mail, over the records of a table. */
export function undeliveredSortKeys(subject: MailSubject, table: string): SortKeys {
  return {
    'undeliveredMail.reason': ofRecord(byText('u.reason'), subject, table),
    'undeliveredMail.givenUpAt': ofRecord(byValue('u.given_up_at'), subject, table),
  }
}

function ofRecord<T>(value: RawBuilder<T>, subject: MailSubject, table: string): RawBuilder<T | null> {
  return sql`(select ${value} from undelivered_mail u
    where u.organization_id = ${sql.ref(`${table}.organization_id`)} and ${sql.ref(`u.${subject}`)} = ${sql.ref(`${table}.id`)})`
}
